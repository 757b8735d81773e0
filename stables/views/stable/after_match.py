"""The page after a match, for the owner of a stable that was paired in it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.host import surroundings_of
from matches.presenters.miniatures import miniatures_in
from matches.presenters.replaying.scene import scene_of
from matches.selectors.matches import find_match, stored_steps
from matches.selectors.sides import side_views
from stables.models import Fixture, FixtureSide
from stables.presenters.after_match import after_match as page_after
from stables.presenters.next_step import next_step
from stables.presenters.season_parts import home_crumb
from stables.text import names as words
from stables.views.stable.solo import waiting_page
from web.crumbs import Link


@never_cache
@require_safe
def after_match(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Show what a match brought the reader's stable. While it is being settled, show that they wait for it.

    Everybody without a stable in the match is redirected as by the season's next step, and so is an owner whose match
    is not over. 404 for an unknown fixture.
    """
    fixture = (
        Fixture.objects.select_related("round__cycle__season__release", "match", "result")
        .prefetch_related("result__corrections")
        .defer("match__setup", "match__seed", "match__result")
        .filter(pk=fixture_id, round__cycle__season__slug=season_slug)
        .first()
    )
    if fixture is None:
        raise Http404
    owned = FixtureSide.objects.filter(fixture=fixture, stable__owner=request.user.pk).select_related("stable")
    side = owned.first() if request.user.is_authenticated else None
    if side is None:
        return redirect("stables:season_next", season_slug)
    season, stable = fixture.round.cycle.season, side.stable
    stable.season = season
    if not hasattr(fixture, "result"):
        step = next_step(stable)
        if not step.is_waiting:
            return redirect("stables:season_next", season_slug)
        return waiting_page(request, stable, step)
    context = {
        "season": season,
        "stable": stable,
        "fixture": fixture,
        "page": page_after(fixture, stable),
        "format_name": words.word(words.FORMATS, fixture.round.cycle.format),
        "crumbs": [
            home_crumb(),
            Link(season.name, season.get_absolute_url()),
            Link(gettext("Match"), reverse("stables:fixture", args=[season.slug, fixture.pk])),
        ],
        **_scene(fixture),
    }
    return render(request, "stables/after_match.html", context)


def _scene(fixture: Fixture) -> dict[str, Any]:
    """Return the scene of a match that was played here and still counts; without one the scene is None."""
    if fixture.match is None or fixture.result.current["ended_by"] in ("void", "forfeit"):
        return {"scene": None}
    match = find_match(fixture.match.public_id)
    events = [event for step in stored_steps(match) for event in step.events]
    around = surroundings_of(match)
    sides = side_views(match, around)
    return {"match": match, "scene": scene_of(match, events, sides, miniatures_in(match, around, sides))}
