"""The ceremony of a season, and the pictures of the season and of its stables to share."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from people.views.pictures import picture_of
from stables.models import Season, Stable
from stables.presenters.ceremony.ceremony import ceremony as page_of
from stables.presenters.ceremony.ceremony import is_held
from stables.presenters.ceremony.posters import season_poster, stable_poster
from stables.presenters.season_parts import home_crumb
from stables.views.reading.season import find_season
from web.crumbs import Link


@require_safe
def ceremony(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the champions of a season, its story and a card of each stable. Before they are known, redirect to the
    season.
    """
    season = find_season(season_slug)
    if not is_held(season):
        return redirect(season)
    owner = request.user.pk if request.user.is_authenticated else None
    context = {
        "season": season,
        "mine": Stable.objects.filter(season=season, owner=owner).first() if owner is not None else None,
        "picture_url": reverse("stables:season_picture", args=[season.slug]),
        "crumbs": [home_crumb(), Link(season.name, season.get_absolute_url())],
        **page_of(season),
    }
    return render(request, "stables/ceremony.html", context)


@require_safe
def season_picture(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Send the picture of a season to people who may see it. Raises TooOften."""
    season = find_season(season_slug)
    return picture_of(request, season_poster(season), is_open=season.visibility == Season.Visibility.PUBLIC)


@require_safe
def stable_picture(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Send the picture of a stable to people who may see its season. Raises TooOften."""
    season = find_season(season_slug)
    stable = get_object_or_404(Stable, season=season, slug=stable_slug)
    stable.season = season
    return picture_of(request, stable_poster(stable), is_open=season.visibility == Season.Visibility.PUBLIC)
