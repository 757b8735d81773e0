"""What organisers do with the stables of a season and with the people who wait for a place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from people.services.accounts import TooOften
from rules.core.refusals import Malformed, SeasonRefused
from stables.forms import managing
from stables.forms.managing import ManageForm, NameForm
from stables.forms.reason import ReasonForm
from stables.models import HandOver, Season, Stable
from stables.presenters.organising.managing import found_for_guest_context, manage_context, waiting_list_context
from stables.services.running import guests, passing, stables, waiting_list
from stables.views.frame import answer, for_people, organised
from stables.views.organising.decisions import to_console
from web.problems import show_again
from web.reached import full_address
from web.reading import number_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def manage(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Show an organiser what they may do with a stable; a POST does it. Fields: those of ManageForm.

    A refused form is shown again with status 400 or 409. A new link is shown once, in the answer to the POST that made
    it. Raises TooOften (too_often).
    """
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    season = organised(request, season_slug)
    stable = get_object_or_404(Stable.objects.select_related("owner"), season=season, slug=stable_slug)
    stable.season = season
    if request.method != "POST":
        return render(request, "stables/manage.html", manage_context(stable))
    form = ManageForm(stable, data=request.POST)
    try:
        with form.in_words():
            return _act(request, season, stable, form)
    except (Malformed, SeasonRefused) as refused:
        return show_again(request, "stables/manage.html", manage_context(stable, form), refused)


def _act(request: HttpRequest, season: Season, stable: Stable, form: ManageForm) -> HttpResponse:
    """Do what the form asks for and answer it."""
    asked, reason = form.read(), form.reason_text()
    about: dict[str, Any] = {"stable_id": stable.pk, "reason": reason, "user": request.user}
    act = asked["act"]
    if act in (managing.MAKE_LINK, managing.SEAT_GUEST):
        is_for_guest = act == managing.SEAT_GUEST
        made = guests.make_seat_link(**about) if is_for_guest else passing.make_link(**about)
        context = manage_context(stable) | _shown_once(request, made) | {"is_for_guest": is_for_guest}
        return render(request, "stables/manage.html", context)
    if act == managing.PASS_TO:
        passed = passing.pass_to(name=asked["name"], **about)
        text = gettext("{name} owns the stable now, and has a notice of it.")
        return to_console(request, season, text.format(name=passed.owner))
    if act in (managing.REMOVE, managing.WITHDRAW) and not asked["sure"]:
        raise SeasonRefused("stable_goes_for_good", name=stable.name)
    return to_console(request, season, _do(act, asked, about))


def _do(act: str, asked: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    """Do an act that changes who decides for a stable, and return the sentence for the organiser."""
    if act == managing.REMOVE:
        stables.remove(**about)
        return gettext("The stable is removed, and its place is free.")
    if act == managing.WITHDRAW:
        stables.withdraw(**about)
        return gettext("The stable has left the season.")
    if act == managing.TAKE_BACK:
        stables.take_back_from_ai(**about)
        return gettext("The owner decides for the stable again.")
    if asked["to"] is None:
        raise Malformed("bad_field", field="to")
    stables.hand_to_ai(
        ends_at=asked["to"],
        scope=asked["scope"] or HandOver.Scope.PLAY_AND_REPAIR,
        spending_limit=asked["spending_limit"],
        **about,
    )
    return gettext("The AI acts for the stable in this time.")


def _shown_once(request: HttpRequest, made: passing.MadeLink) -> dict[str, Any]:
    """Return what a page shows of a new link: its full address, which nobody can show again, and when it expires."""
    link = full_address(request, reverse("stables:open_link", args=[made.code]))
    return {"link": link, "expires_at": made.expires_at}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def found_for_guest(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the form that founds a stable for a guest; a POST founds it and shows its link, this once. Field: name.

    Organisers only. A refused form is shown again with status 400, 409 or, for too many links in an hour, 429.
    """
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    season = organised(request, season_slug)
    template, form = "stables/found_for_guest.html", NameForm(request.POST or None)
    if request.method != "POST":
        return render(request, template, found_for_guest_context(season, form))
    try:
        made = guests.found_for_guest(season_id=season.pk, user=request.user, **NameForm(request.POST).read())
    except (Malformed, SeasonRefused, TooOften) as refused:
        shown = show_again(request, template, found_for_guest_context(season, form), refused)
        shown.status_code = 429 if isinstance(refused, TooOften) else shown.status_code
        return shown
    founded = season.stables.get(pk=made.founded.stable_id)
    context = found_for_guest_context(season, NameForm()) | _shown_once(request, made.link) | {"founded": founded}
    return render(request, template, context | {"is_for_guest": True})


@for_people
def revoke_link(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Take a link to a stable back; organisers only. Field: link, its id."""
    season = organised(request, season_slug)
    passing.revoke_link(season_id=season.pk, passing_id=number_of(request.POST.dict(), "link"), user=request.user)
    address = reverse("stables:manage", args=[season_slug, stable_slug])
    return answer(request, gettext("The link is taken back; it passes nothing on any more."), address)


@never_cache
@require_safe
def waiting_people(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show organisers who waits for a place; a visitor is sent to log in."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    season = organised(request, season_slug)
    return _show_list(request, season, ReasonForm(), None)


@for_people
def pass_over(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Take a person off the waiting list; organisers only. Fields: place, its id, and those of ReasonForm.

    A refused form is shown again with status 400.
    """
    season = organised(request, season_slug)
    form = ReasonForm(request.POST)
    try:
        with form.in_words():
            waiting_list.pass_over(
                season_id=season.pk,
                waiting_id=number_of(request.POST.dict(), "place"),
                reason=form.reason_text(),
                user=request.user,
            )
    except Malformed as refused:
        return _show_list(request, season, form, refused)
    address = reverse("stables:waiting_list", args=[season.slug])
    return answer(request, gettext("They are off the list. A notice says why."), address)


def _show_list(request: HttpRequest, season: Season, form: ReasonForm, problem: Malformed | None) -> HttpResponse:
    chosen = request.POST.get("place", "") if problem is not None else ""
    context = waiting_list_context(season) | {"form": form, "chosen": chosen}
    return show_again(request, "stables/waiting_list.html", context, problem)
