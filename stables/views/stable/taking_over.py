"""Ways to a stable besides founding one at once: a link that passes one on, and a place on a waiting list."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from people.models import User
from people.services.accounts import count_attempt
from people.views.frame import log_in_guest
from stables.models import Passing, Season, Stable, WaitingPlace
from stables.presenters.organising.managing import own_place_context
from stables.presenters.season_parts import home_crumb
from stables.selectors.honours import own_names
from stables.services.running import guests, passing, standing_in, waiting_list
from stables.services.season import invitations
from stables.views.frame import answer, for_people, own_stable
from stables.views.stable.joining import founded
from web.places import client_place
from web.reached import full_address
from web.reading import text_of

OPENED = "opened_link"
"""The name in a session of the link that was opened: its id, which opens nothing by itself."""


@never_cache
@require_safe
def open_link(request: HttpRequest, code: str) -> HttpResponse:
    """Remember in the session that the reader has opened a link to a stable, and redirect to the page to confirm it.

    So the secret address shows no page, no cache keeps it, and no page names it as its referrer. Raises TooOften
    (too_often), and as `find` of stables.services.running.passing does.
    """
    # Count right and wrong codes alike, before looking at them: else a guess would cost nothing.
    count_attempt(passing.LOOKS_OF_A_PLACE, client_place(request))
    request.session[OPENED] = passing.find(code).pk
    response = redirect("stables:take_over")
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def take_over(request: HttpRequest) -> HttpResponse:
    """Show which stable the link that was opened passes on; a POST makes the reader its owner. Field: as.

    With `as` "guest" a link for a guest logs the reader in as the stable's guest, unless they have an account. Raises
    as `usable` and `take_over` of stables.services.running.passing, and `take_seat` of guests there, do.
    """
    passing_id = request.session.get(OPENED, 0)
    return _confirm(request, passing_id) if request.method == "POST" else _ask(request, passing.usable(passing_id))


def _ask(request: HttpRequest, found: Passing) -> HttpResponse:
    context = {"stable": found.stable, "season": found.stable.season, "crumbs": [home_crumb()]}
    context["may_be_guest"] = found.for_guest and _has_no_account(request)
    context["stood_in"] = None if found.stand_in is None else found.stand_in.fixture
    context["is_claim"] = passing.is_claim(found)
    context["loses"] = guests.given_up_for(request.user, found) if context["may_be_guest"] else None
    return render(request, "stables/take_over.html", context)


def _has_no_account(request: HttpRequest) -> bool:
    return not request.user.is_authenticated or request.user.is_guest


def _confirm(request: HttpRequest, passing_id: int) -> HttpResponse:
    is_guest = request.POST.get("as") == "guest" and _has_no_account(request)
    if Passing.objects.filter(pk=passing_id).exclude(stand_in=None).exists():
        return _stand_in(request, passing_id, is_guest=is_guest)
    if is_guest:
        _log_in(request, guest := guests.take_seat(passing_id=passing_id))
        stable = guest.stables.select_related("season").get()
        return answer(request, gettext("You play this stable now, on this phone."), stable.get_absolute_url())
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    passed = passing.take_over(passing_id=passing_id, user=request.user)
    request.session.pop(OPENED, None)
    address = Stable.objects.select_related("season").get(pk=passed.stable_id).get_absolute_url()
    return answer(request, gettext("The stable is yours."), address)


def _log_in(request: HttpRequest, guest: User) -> None:
    # A session of another guest ends with the log-in, and what it knew of links with it.
    log_in_guest(request, guest)
    request.session.pop(OPENED, None)


def _stand_in(request: HttpRequest, passing_id: int, *, is_guest: bool) -> HttpResponse:
    """Let the reader play the match of a link: as a guest, or with their account."""
    if not is_guest and not request.user.is_authenticated:
        return redirect_to_login(request.path)
    person, fixture = standing_in.take_place(passing_id=passing_id, user=None if is_guest else request.user)
    if is_guest:
        _log_in(request, person)
    request.session.pop(OPENED, None)
    return answer(request, gettext("You stand in for this match now."), fixture.get_absolute_url())


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Tell a guest how an account gets their stable; a POST makes the link for that and shows it this once. No fields.

    Raises PermissionDenied for anybody but the guest who owns the stable.
    """
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    stable = own_stable(request, season_slug, stable_slug)
    if not request.user.is_guest:
        raise PermissionDenied
    context: dict[str, Any] = {"stable": stable, "season": stable.season, "crumbs": [home_crumb()]}
    if request.method == "POST":
        made = guests.make_claim_link(stable_id=stable.pk, user=request.user)
        link = full_address(request, reverse("stables:open_link", args=[made.code]))
        context |= {"link": link, "expires_at": made.expires_at}
    return render(request, "stables/claim.html", context)


@for_people
def wait(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Put the reader on the waiting list of a full season. No fields."""
    season = get_object_or_404(Season, slug=season_slug)
    return _waits(request, waiting_list.wait(season_id=season.pk, user=request.user))


@for_people
def wait_by_code(request: HttpRequest, code: str) -> HttpResponse:
    """Put the reader on the waiting list of the season of an invitation. No fields. Raises TooOften (too_often)."""
    count_attempt(invitations.LOOKS_OF_A_PLACE, client_place(request))
    return _waits(request, waiting_list.wait_by_code(code=code, user=request.user))


def _waits(request: HttpRequest, place: WaitingPlace) -> HttpResponse:
    sentence = gettext("You are on the waiting list. A notice comes when a place is free for you.")
    return answer(request, sentence, waiting_list.address_of(place))


def _own_place(request: HttpRequest, waiting_id: int) -> WaitingPlace:
    places = WaitingPlace.objects.select_related("season__organiser")
    return get_object_or_404(places, pk=waiting_id, user=request.user.pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def waiting_place(request: HttpRequest, waiting_id: int) -> HttpResponse:
    """Show a person their place on a waiting list; a POST founds a stable in a place that is offered. Field: name."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    place = _own_place(request, waiting_id)
    if request.method == "POST":
        name = text_of(request.POST.dict(), "name")
        return founded(request, invitations.found_by_person(season_id=place.season_id, name=name, owner=request.user))
    return render(
        request, "stables/waiting_place.html", own_place_context(place) | {"own_names": own_names(request.user)}
    )


@for_people
def leave_list(request: HttpRequest, waiting_id: int) -> HttpResponse:
    """Take the reader off a waiting list. No fields."""
    place = _own_place(request, waiting_id)
    waiting_list.leave(season_id=place.season_id, user=request.user)
    return answer(request, gettext("You do not wait for a place any more."), reverse("stables:home"))
