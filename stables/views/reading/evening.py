"""The page of a round for a projector in the club, which keeps itself up to date."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from stables.presenters.printing.evening import NEAR, evening_of
from stables.views.reading.season import find_season
from web.problems import answers_json
from web.reached import full_address


@never_cache
@require_safe
def show(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the newest round of a season in large letters: pairings, tables, arenas, results and the time left."""
    season = find_season(season_slug)
    now = timezone.now()
    context = {
        "season": season,
        "evening": evening_of(season, now),
        "now": now,
        "near_seconds": int(NEAR.total_seconds()),
        "season_address": full_address(request, season.get_absolute_url()),
    }
    return render(request, "stables/evening.html", context)


@answers_json
@never_cache
@require_safe
def changes(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Answer 204 while the page with this `?version=` is current, otherwise 200 with the new version as JSON."""
    version = evening_of(find_season(season_slug), timezone.now()).version
    if request.GET.get("version", "") == version:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return JsonResponse({"version": version})
