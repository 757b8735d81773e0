"""The page with all news of a season."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.surroundings import Link
from stables.leaders import title_lines
from stables.models import Stable
from stables.pages import cycle_parts, find_season, home_crumb
from stables.round_news import season_news


@require_safe
def news(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Every settled round and closed cycle of a season in a few sentences, the newest first."""
    found = find_season(season_slug)
    cycles = list(found.cycles.order_by("-number").prefetch_related(*cycle_parts()))
    user = request.user
    mine = Stable.objects.filter(season=found, owner=user).first() if user.is_authenticated else None
    context = {
        "season": found,
        "items": season_news(found, cycles, title_lines(found)),
        "mine": mine,
        "crumbs": [home_crumb(), Link(found.name, found.get_absolute_url())],
    }
    return render(request, "stables/news.html", context)
