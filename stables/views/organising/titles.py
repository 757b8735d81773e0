"""The hall of champions, and the forms for a sudden death and for the next season."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from stables.presenters.season_parts import home_crumb
from stables.selectors import honours
from stables.services.season.next_season import open_next_season
from stables.services.standings import ceremony, sudden_deaths
from stables.views.frame import answer, for_people, organised, own_stable
from web.reading import number_of, text_of


@for_people
def sudden_death(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Say "I am here" for a tied stable; its owner only. Optional fields: fighter (an asset's id), plays."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    appearance = sudden_deaths.appear(
        stable_id=stable.pk,
        fighter=number_of(fields, "fighter") if fields.get("fighter") not in (None, "") else None,
        plays=text_of(fields, "plays") or sudden_deaths.BOT,
    )
    sentence = gettext("You are there; {fighter} fights for you.").format(fighter=appearance.fighter)
    return answer(request, sentence, stable.season.get_absolute_url())


@for_people
def last_call(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Set a last date for the open sudden death; the season's organisers only."""
    season = organised(request, season_slug)
    sudden_deaths.call_last(season_id=season.pk)
    return answer(
        request, gettext("The last date is set; those who must act by then are told."), season.get_absolute_url()
    )


@for_people
def close_season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Make the results of a season with provisional champions final; the season's organisers only."""
    season = organised(request, season_slug)
    ceremony.close_season(season_id=season.pk, user=request.user)
    return answer(request, gettext("The season is closed, and its results stand."), season.get_absolute_url())


@for_people
def next_season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Open the season after one whose titles are decided or that is cancelled; whoever asks organises it.

    Optional field: name.
    """
    season = organised(request, season_slug)
    opened = open_next_season(season_id=season.pk, organiser=request.user, name=text_of(request.POST.dict(), "name"))
    sentence = gettext("The next season is open, and those who played are invited.")
    guests = season.stables.filter(owner__is_guest=True).count()
    if guests:
        more = gettext(
            "Guests are not invited, {count} of them: make new links for them on the pages of their stables."
        )
        sentence = f"{sentence} {more.format(count=guests)}"
    return answer(request, sentence, reverse("stables:season", args=[opened.slug]))


@require_safe
def champions(request: HttpRequest) -> HttpResponse:
    """Show the champions of the newest seasons and the records, from the seasons that the reader may see.

    Provisional champions are marked; records count only closed seasons.
    """
    context = {
        "seasons": honours.champions(request.user),
        "records": honours.records(request.user),
        "counted": honours.SEASONS_COUNTED,
        "crumbs": [home_crumb()],
    }
    return render(request, "stables/champions.html", context)
