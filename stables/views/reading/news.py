"""What happened in a season, in words: its log, and its news."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from stables.models import LogEntry, Season, Stable
from stables.presenters.log import with_people, with_ways_back, worded
from stables.presenters.news.items import season_news
from stables.presenters.season_parts import cycle_parts, home_crumb
from stables.selectors.leaders import title_lines
from stables.views.reading.season import find_season
from web.crumbs import Link

LINES_A_PAGE = 50


@require_safe
def log(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the log of a season, the newest lines first; ?cycle= shows one cycle alone, ?page= the older ones."""
    found = find_season(season_slug)
    numbers = list(found.cycles.order_by("number").values_list("number", flat=True))
    wanted = request.GET.get("cycle", "")
    cycle = next((number for number in numbers if str(number) == wanted), None)
    entries = with_people(LogEntry.objects.filter(season=found)).order_by("-id")
    entries = entries.select_related("cycle", "actor", "fixture")
    if cycle is not None:
        entries = entries.filter(cycle__number=cycle)
    page = Paginator(entries, LINES_A_PAGE).get_page(request.GET.get("page", "1"))
    context = {
        "season": found,
        "mine": _own(found, request.user),
        "page": page,
        "lines": with_ways_back(worded(page), found, request.user),
        "cycles": numbers,
        "cycle": cycle,
        "crumbs": [home_crumb(), Link(found.name, found.get_absolute_url())],
    }
    return render(request, "stables/log.html", context)


def _own(season: Season, user: Any) -> Stable | None:
    return Stable.objects.filter(season=season, owner=user).first() if user.is_authenticated else None


@require_safe
def news(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the news of a season: its settled rounds, its closed cycles and its titles, the newest first."""
    found = find_season(season_slug)
    cycles = list(found.cycles.order_by("-number").prefetch_related(*cycle_parts()))
    mine = _own(found, request.user)
    context = {
        "season": found,
        "items": list(season_news(found, cycles, title_lines(found))),
        "mine": mine,
        "crumbs": [home_crumb(), Link(found.name, found.get_absolute_url())],
    }
    return render(request, "stables/news.html", context)
