"""The standings of a season: stables and individuals, what their numbers are made of, and what decided the order."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from stables.presenters.charts.season import reputation_chart
from stables.presenters.printing.plain_text import standings_text
from stables.presenters.season_parts import home_crumb, own_stable
from stables.presenters.standings import in_order, individuals_in_order, placing_decided, tables_of
from stables.views.reading.season import find_season
from web.crumbs import Link

INDIVIDUALS_SHOWN = 60


@require_safe
def standings(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the tables of stables and individuals, and the places of closed cycles; every number with its parts."""
    found = find_season(season_slug)
    rows, individuals = tables_of(found)
    placings = sorted(
        (placing for row in rows.values() for placing in row.placings.values()),
        key=lambda placing: (placing.cycle.number, placing.place),
    )
    ordered = in_order(rows.values())
    listed = individuals_in_order(individuals.values())
    context = {
        "season": found,
        "rows": ordered,
        "text": standings_text(found, ordered),
        "has_changes": any(row.change is not None for row in ordered),
        "individuals": listed[:INDIVIDUALS_SHOWN],
        "more_individuals": max(0, len(listed) - INDIVIDUALS_SHOWN),
        "places": [
            (
                placing,
                rows[placing.stable_id].stable,
                placing_decided(placing, [each for each in placings if each.cycle_id == placing.cycle_id]),
            )
            for placing in placings
        ],
        "mine": own_stable(request.user, [row.stable for row in rows.values()]),
        "chart": reputation_chart(
            [row.stable for row in rows.values()],
            {pk: {number: tally.reputation for number, tally in row.cycles.items()} for pk, row in rows.items()},
        ),
        "crumbs": [home_crumb(), Link(found.name, found.get_absolute_url())],
    }
    return render(request, "stables/standings.html", context)
