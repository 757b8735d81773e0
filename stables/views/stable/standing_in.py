"""The page on which an owner or an organiser names a person who plays for the owner of a stable."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rules.core.refusals import Malformed, Refused
from stables.forms.standing_in import EVENING, LINK, StandInForm
from stables.models import Stable
from stables.presenters.seats import stand_in_context, stand_in_form
from stables.selectors.offices import organises
from stables.services.running import standing_in
from stables.views.frame import answer, for_people
from web.problems import show_again
from web.reached import full_address
from web.reading import number_of

PAGE = "stables/stand_ins.html"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def stand_ins(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Show who stands in for the owner of a stable, to them and to organisers; a POST names somebody.

    Fields: those of StandInForm. A link is shown once, in the answer to the POST that made it.
    """
    stables = Stable.objects.select_related("season", "owner")
    stable = get_object_or_404(stables, season__slug=season_slug, slug=stable_slug)
    if stable.owner_id != request.user.pk and not organises(request.user, stable.season):
        raise PermissionDenied
    if request.method != "POST":
        return render(request, PAGE, stand_in_context(stable, request.user))
    form = stand_in_form(stable, request.POST)
    try:
        with form.in_words():
            return _named(request, stable, form)
    except (Malformed, Refused) as refused:
        return show_again(request, PAGE, stand_in_context(stable, request.user, form), refused)


def _named(request: HttpRequest, stable: Stable, form: StandInForm) -> HttpResponse:
    asked, reason = form.read(), form.reason_text()
    is_evening = asked["match"] == EVENING
    fixture_id = None if is_evening else int(asked["match"])
    if asked["act"] == LINK:
        if fixture_id is None:
            raise Malformed("bad_field", field="match")
        made = standing_in.make_link(stable_id=stable.pk, fixture_id=fixture_id, reason=reason, user=request.user)
        link = full_address(request, reverse("stables:open_link", args=[made.code]))
        shown = {"link": link, "expires_at": made.expires_at}
        return render(request, PAGE, stand_in_context(stable, request.user) | shown)
    if is_evening and asked["until"] is None:
        raise Malformed("bad_field", field="until")
    until = asked["until"] if is_evening else None
    standing_in.name_person(
        stable_id=stable.pk,
        name=asked["person"],
        reason=reason,
        user=request.user,
        fixture_id=fixture_id,
        until=until,
    )
    return answer(request, gettext("They stand in, and know it."), standing_in.page_of(stable.season, stable))


@for_people
def end_stand_in(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """End a stand-in: the owner, an organiser, or who stands in. Field: stand_in, its id."""
    stables = Stable.objects.select_related("season")
    stable = get_object_or_404(stables, season__slug=season_slug, slug=stable_slug)
    stand_in_id = number_of(request.POST.dict(), "stand_in")
    standing_in.end(season_id=stable.season_id, stand_in_id=stand_in_id, user=request.user)
    may_name = stable.owner_id == request.user.pk or organises(request.user, stable.season)
    address = standing_in.page_of(stable.season, stable) if may_name else reverse("stables:home")
    return answer(request, gettext("Nobody stands in there any more."), address)
