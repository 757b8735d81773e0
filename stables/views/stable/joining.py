"""Joining a season, by its page or an invitation, and what a stable decides about its part in it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from people.services.accounts import count_attempt
from rules.campaign.season.hand import free_places
from rules.campaign.states import OPEN
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Season, Stable
from stables.models.membership import LONGEST_CODE
from stables.presenters.invitation import terms_of
from stables.selectors.access import may_see
from stables.selectors.entrants import in_season
from stables.selectors.honours import own_names
from stables.services.running import participation
from stables.services.season import invitations
from stables.services.season.seasons import FoundedStable, open_for_newcomers
from stables.text import names as words
from stables.views.frame import answer, for_people, own_stable
from web.crumbs import Link
from web.languages.reader import in_stones
from web.places import client_place
from web.reading import number_of, text_of, yes_of


def founded(request: HttpRequest, made: FoundedStable) -> HttpResponse:
    """Redirect to the page of a stable that was just founded, which shows its capital in a sentence."""
    address = Stable.objects.select_related("season").get(pk=made.stable_id).get_absolute_url()
    sentence = gettext("Your stable is founded with {capital}.").format(capital=in_stones(made.capital))
    return answer(request, sentence, address)


@for_people
def found_stable(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Found a stable in a season that is open to everybody, or that the reader organises. Field: name."""
    season = get_object_or_404(Season, slug=season_slug)
    if season.state == Season.State.DRAFT:
        raise SeasonRefused("season_closed_to_newcomers")
    name = text_of(request.POST.dict(), "name")
    return founded(request, invitations.found_by_person(season_id=season.pk, name=name, owner=request.user))


@require_safe
def enter_code(request: HttpRequest) -> HttpResponse:
    """Redirect from a code that somebody typed (?code=) to the page of its invitation.

    Raises Malformed (unknown_invitation) for a text that cannot be a code.
    """
    code = request.GET.get("code", "").strip()
    if not code or "/" in code or len(code) > LONGEST_CODE:
        raise Malformed("unknown_invitation")
    return redirect("stables:join", code=code)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Show the page of an invitation: what season it is, and a form to found a stable in it. A POST founds it.

    Field: name. Raises TooOften (too_often), and as `find` and `join` of stables.services.season.invitations do.
    """
    # Count right and wrong codes alike, before looking at them: else a guess would cost nothing.
    count_attempt(invitations.LOOKS_OF_A_PLACE, client_place(request))
    if request.method == "POST":
        return join_by_code(request, code=code)
    invitation = invitations.find(code)
    season = invitation.season
    stables = in_season(season)
    user = request.user
    mine = [stable for stable in stables if user.is_authenticated and stable.owner_id == user.pk]
    context = {
        "season": season,
        "invitation": invitation,
        "is_seen": may_see(user, season),
        "class_name": words.word(words.CLASSES, season.rules.season_class),
        "formats": [words.word(words.FORMATS, key) for key in season.rules.cycles],
        "stables": stables,
        "mine": mine[0] if mine else None,
        "terms": terms_of(season, stables),
        "enters": open_for_newcomers(season),
        "may_wait": season.state in OPEN and not free_places(season.rules.places, len(stables), season.waiting.count()),
        "own_names": own_names(user),
        "crumbs": [Link(gettext("Seasons"), reverse("stables:home"))],
    }
    return render(request, "stables/join.html", context)


@for_people
def join_by_code(request: HttpRequest, code: str) -> HttpResponse:
    """Found a stable by an invitation. Field: name."""
    name = text_of(request.POST.dict(), "name")
    return founded(request, invitations.join(code=code, name=name, owner=request.user))


@for_people
def skip_cycle(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Sit out a whole coming cycle, or take that back. Fields: cycle; optional skip ("yes", "no")."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    number, skips = number_of(fields, "cycle"), yes_of(fields, "skip", True)
    participation.skip_cycle(stable_id=stable.pk, number=number, skips=skips)
    text = (
        gettext("Your stable sits out cycle {cycle}.") if skips else gettext("Your stable takes part in cycle {cycle}.")
    )
    return answer(request, text.format(cycle=number), stable.get_absolute_url())


@for_people
def withdraw(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Leave a season for good. Field: sure ("yes")."""
    stable = own_stable(request, season_slug, stable_slug)
    if not yes_of(request.POST.dict(), "sure", False):
        raise SeasonRefused("not_sure_to_leave")
    participation.withdraw(stable_id=stable.pk, actor=request.user)
    sentence = gettext("Your stable has left the season. You can read on.")
    return answer(request, sentence, stable.season.get_absolute_url())
