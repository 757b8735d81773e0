"""The pages of a match, for people who may watch it (matches.selectors.permissions); all others get 404.

Each page has two addresses: the match's own, and one below the secret key with which it is shared.
"""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from catalogue.selectors.miniatures import photo_of
from catalogue.services.releases import entry_of
from catalogue.views.sheets import sheets_of
from matches.host import surroundings_of
from matches.presenters.advice import turning_page
from matches.presenters.board_words import words_of
from matches.presenters.live import in_play
from matches.presenters.match import match_page
from matches.presenters.miniatures import owner_in
from matches.presenters.replaying.scene import poster_of, scene_of
from matches.presenters.replaying.verifying import finding_on
from matches.selectors.matches import newest_finished, replay_document, stored_steps
from matches.selectors.permissions import Watch, find_watched
from matches.selectors.sides import side_views
from matches.services import sharing
from matches.services.beginning.open_seats import open_seat_of
from matches.services.finished import turning_points
from matches.services.finished.continuing import may_have_rematch, may_nod, nodders
from matches.services.finished.write_ups import write_ups_of
from people.models import User
from people.services.guests import may_become_account
from people.views.frame import logged_in
from people.views.pictures import picture_of
from rules.core.refusals import Refused
from web.crumbs import Link
from web.languages.offer import speak_unasked
from web.photos import send_photo
from web.reached import full_address


@require_safe
def show(request: HttpRequest, public_id: UUID | None = None, key: str = "") -> HttpResponse:
    """Show result, write-ups, board, dials and the replay at `?step=N`."""
    watch = find_watched(request.user, public_id, key)
    speak_unasked(request, watch.permissions.language, "matches")
    match = watch.match
    steps = stored_steps(match)
    page = match_page(
        match, steps, request.GET.get("step"), lambda unit: watch.address("unit_photo", unit), watch.is_guest
    )
    played = bool(watch.sides) or watch.permissions.plays
    is_over = match.is_over or bool(watch.permissions.is_over)
    photo_address = (lambda number: watch.address("write_up_photo", number)) if key else None
    context = {
        "page": page,
        "scene": scene_of(match, [event for step in steps for event in step.events], page.sides, page.miniatures),
        "board": page.board,
        "words": words_of(page.board),
        "watch": watch,
        "open_seat": None if key else open_seat_of(match, request.user, full_address(request, request.path)),
        "may_play": not match.is_over and bool(watch.sides),
        "may_play_on": page.goes_on_at is not None and not key and _may_begin_matches(request.user),
        "turning": turning_page(match, steps, request.user) if not key and _may_begin_matches(request.user) else None,
        "may_become_account": match.is_over and bool(watch.sides) and may_become_account(logged_in(request)),
        "may_nod": not key and may_nod(match, request.user),
        "nodders": nodders(match, page.sides),
        "may_have_rematch": not key and may_have_rematch(match, request.user),
        "write_ups": write_ups_of(
            watch.subject, request.user, played and is_over, watch.permissions.keeps_order, photo_address
        ),
        "picture_url": watch.address("picture"),
        "sheets_url": watch.address("sheets"),
        "verify_url": watch.address("verify"),
        "download_url": watch.address("download"),
        "shared_url": _shared_url(request, watch),
        "offers_sharing": watch.may_share and (match.share_key is not None or not watch.permissions.is_open),
    }
    return _hidden(watch, render(request, "matches/match.html", context))


def _may_begin_matches(user: Any) -> bool:
    """Return whether a request's user has an account: guests begin only quick duels and tutorials."""
    return user.is_authenticated and not user.is_guest


def _shared_url(request: HttpRequest, watch: Watch) -> str:
    """Return the secret address for a person who may share it; empty for others, and while there is none."""
    if not watch.may_share or watch.match.share_key is None:
        return ""
    return full_address(request, reverse("matches:shared_show", args=[watch.match.share_key]))


def _hidden(watch: Watch, response: HttpResponse) -> HttpResponse:
    """Tell search engines to leave out a match that is not open to everybody."""
    if watch.key or not watch.permissions.is_open:
        response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def being_played(request: HttpRequest) -> HttpResponse:
    """List the matches being played that a list may show the person, to watch them; without one say what to do."""
    matches = in_play(request.user)
    context = {"matches": matches, "finished": None if matches else newest_finished(request.user)}
    return render(request, "matches/being_played.html", context)


@require_safe
def picture(request: HttpRequest, public_id: UUID | None = None, key: str = "") -> HttpResponse:
    """Send the picture of a match to people who may watch it. Raises TooOften."""
    watch = find_watched(request.user, public_id, key)
    speak_unasked(request, watch.permissions.language, "matches")
    match = watch.match
    surroundings = surroundings_of(match).for_guests() if watch.is_guest else surroundings_of(match)
    sides = side_views(match, surroundings)
    events = [event for step in stored_steps(match) for event in step.events] if match.is_finished else []
    poster = poster_of(match, scene_of(match, events, sides), sides, surroundings)
    return _hidden(watch, picture_of(request, poster, is_open=watch.permissions.is_open and not key))


@require_safe
def unit_photo(request: HttpRequest, unit: str, public_id: UUID | None = None, key: str = "") -> HttpResponse:
    """Send the photo of a unit's miniature to people who may watch the match; 404 without one."""
    watch = find_watched(request.user, public_id, key)
    photo = photo_of(*owner_in(watch.match, surroundings_of(watch.match), unit))
    return _hidden(watch, send_photo(request, photo, f"{unit}.jpg"))


@require_safe
def sheets(request: HttpRequest, public_id: UUID | None = None, key: str = "") -> HttpResponse:
    """Show sheets of the match's units and of its arena, to print for a real table."""
    watch = find_watched(request.user, public_id, key)
    match = watch.match
    units = [entry_of("units", loadout["unit"]) for side in match.setup["sides"] for loadout in side["units"]]
    arenas = [entry_of("arenas", match.setup["arena"])]
    return _hidden(watch, sheets_of(request, units, arenas, back=watch.address("show")))


@require_safe
def download(request: HttpRequest, public_id: UUID | None = None, key: str = "") -> HttpResponse:
    """Send the whole match with its seed, for `python -m rules.verify`; 409 until the match is finished."""
    watch = find_watched(request.user, public_id, key)
    match = watch.match
    if not match.is_over:
        raise Refused("match_not_finished")
    response = JsonResponse(replay_document(match, stored_steps(match)))
    response["Content-Disposition"] = f'attachment; filename="{match.file_name}"'
    return _hidden(watch, response)


@require_safe
def verify(request: HttpRequest, public_id: UUID | None = None, key: str = "") -> HttpResponse:
    """Show whether setup, seed and actions give the stored match again; 409 until the match is finished."""
    watch = find_watched(request.user, public_id, key)
    if not watch.match.is_over:
        raise Refused("match_not_finished")
    context = {
        "crumbs": [Link(gettext("Match"), watch.address("show"))],
        "match": watch.match,
        "found": finding_on(watch.match),
        "match_url": watch.address("show"),
        "download_url": watch.address("download"),
        "file_name": watch.match.file_name,
    }
    return _hidden(watch, render(request, "matches/verify.html", context))


@login_required
@require_POST
def ask_turning_points(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Ask for the person's own turning points, and redirect to the match.

    404 for a person who may not watch, 409 for one who did not play and before the end, 429 for too many questions.
    """
    watch = find_watched(request.user, public_id)
    assert isinstance(request.user, User)
    turning_points.ask(watch.match, request.user)
    return redirect(f"{watch.address('show')}#turning-points")


@login_required
@require_POST
def share(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Make the match's secret address and redirect to the match; 403 for people who may watch but not share it."""
    watch = find_watched(request.user, public_id)
    sharing.share(watch)
    messages.success(request, gettext("The match has a secret address now: who has it may watch."))
    return redirect(f"{watch.address('show')}#share")


@login_required
@require_POST
def revoke(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Delete the match's secret address and redirect to the match; 403 for people who may watch but not share it."""
    watch = find_watched(request.user, public_id)
    sharing.revoke(watch)
    messages.success(request, gettext("The secret address leads nowhere any more."))
    return redirect(f"{watch.address('show')}#share")
