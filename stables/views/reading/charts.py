"""The page of a season's pictures, and each picture as a file of its own; at most 15 queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from csp.constants import NONE
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rules.core.digits import whole_number
from rules.core.table_units import clicks_of
from stables.models import Asset, Cycle, Fixture, LedgerEntry, Season, Stable
from stables.presenters.charts import facts
from stables.presenters.charts import season as drawn
from stables.presenters.season_parts import home_crumb, own_stable
from stables.selectors.definitions import definition_of
from stables.views.reading.season import find_season
from web.charts.lines import LineChart
from web.crumbs import Link

FILE_POLICY = {"default-src": [NONE], "style-src": ["'unsafe-inline'"], "frame-ancestors": [NONE]}
"""The content security policy of a picture's file: it has its own few styles, and needs nothing else."""


@require_safe
def pictures(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show all pictures of a season with their tables.

    `cycle` chooses the cycle shown round by round, `stable` the stable whose units are shown.
    """
    season = find_season(season_slug)
    stables = list(season.stables.order_by("number"))
    mine = own_stable(request.user, stables)
    cycles = list(season.cycles.order_by("number"))
    earned = facts.reputation_by_round(season)
    fixtures = facts.fixtures_of(season)
    listed = drawn.listed_fixtures(fixtures, mine)
    met = facts.rivalries(fixtures)
    played = sorted({cycle for _, cycle, _ in earned})
    chosen_cycle = _chosen_cycle(request.GET.get("cycle"), played)
    shown = next((one for one in stables if one.slug == request.GET.get("stable")), mine or next(iter(stables), None))
    context = {
        "season": season,
        "stables": stables,
        "signs": list(drawn.signs_of(stables).values()),
        "mine": mine,
        "reputation": drawn.reputation_chart(stables, facts.by_cycle(earned)),
        "played_cycles": played,
        "chosen_cycle": chosen_cycle,
        "rounds": drawn.rounds_chart(stables, facts.by_round(earned, chosen_cycle), chosen_cycle)
        if chosen_cycle
        else None,
        "capital": drawn.capital_chart(stables, facts.balances(season)),
        "head_to_head": drawn.meetings_grid(stables, met, mine),
        "pairings": drawn.pairings(stables, met),
        "calendar": _calendar(season, cycles, stables, listed),
        "listed": listed,
        "shown": shown,
        "damage": [] if shown is None else _damage(season, shown, _of(shown, fixtures)),
        "crumbs": [home_crumb(), Link(season.name, season.get_absolute_url())],
    }
    return render(request, "stables/pictures.html", context)


@require_safe
@csp_replace(FILE_POLICY)  # type: ignore[arg-type]
def picture(request: HttpRequest, season_slug: str, name: str) -> HttpResponse:
    """Show one picture as SVG: reputation, capital, head-to-head, fixtures, rounds-<cycle> or unit-<id of an asset>.

    Any other name is a 404, and so is a cycle without results or a unit that fought no match.
    """
    season = find_season(season_slug)
    stables = list(season.stables.order_by("number"))
    chart = _named(request, season, stables, name)
    if chart is None:
        raise Http404
    context = {"chart": chart, "signs": list(drawn.signs_of(stables).values()), "standalone": True}
    return render(request, "stables/picture_file.svg", context, content_type="image/svg+xml; charset=utf-8")


def _named(request: HttpRequest, season: Season, stables: Sequence[Stable], name: str) -> Any:
    match name:
        case "reputation":
            return drawn.reputation_chart(stables, facts.by_cycle(facts.reputation_by_round(season)))
        case "capital":
            return drawn.capital_chart(stables, facts.balances(season))
        case "head-to-head":
            mine = own_stable(request.user, stables)
            return drawn.meetings_grid(stables, facts.rivalries(facts.fixtures_of(season)), mine)
        case "fixtures":
            listed = drawn.listed_fixtures(facts.fixtures_of(season), own_stable(request.user, stables))
            return _calendar(season, list(season.cycles.order_by("number")), stables, listed)
    kind, _, digits = name.rpartition("-")
    number = whole_number(digits, 9)
    if number is None:
        return None
    if kind == "rounds":
        earned = facts.reputation_by_round(season)
        played = {cycle for _, cycle, _ in earned}
        return drawn.rounds_chart(stables, facts.by_round(earned, number), number) if number in played else None
    if kind == "unit":
        return _of_unit(season, stables, number)
    return None


def _of_unit(season: Season, stables: Sequence[Stable], number: int) -> LineChart | None:
    asset = Asset.objects.filter(stable__season=season, kind=Asset.Kind.UNIT, pk=number).first()
    if asset is None:
        return None
    stable = next(one for one in stables if one.pk == asset.stable_id)
    charts = damage_charts(season, stable, [asset])
    return charts[0] if charts else None


def damage_charts(
    season: Season,
    stable: Stable,
    assets: Sequence[Asset],
    ledger: Iterable[LedgerEntry] | None = None,
    fixtures: Sequence[Fixture] | None = None,
) -> list[LineChart]:
    """Return the damage charts of the units among a stable's `assets` that fought a match.

    Three queries: one fewer with `ledger`, two fewer with the `fixtures` of `facts.results_of`.
    """
    return _charts(season, stable, assets, facts.results_of(stable) if fixtures is None else fixtures, ledger)


def _damage(season: Season, stable: Stable, fixtures: Sequence[Fixture]) -> list[LineChart]:
    return _charts(season, stable, list(stable.assets.filter(kind=Asset.Kind.UNIT).order_by("id")), fixtures)


def _charts(
    season: Season,
    stable: Stable,
    assets: Sequence[Asset],
    fixtures: Sequence[Fixture],
    ledger: Iterable[LedgerEntry] | None = None,
) -> list[LineChart]:
    units = [(asset, clicks_of(definition_of(season, asset))) for asset in assets if asset.kind == Asset.Kind.UNIT]
    return drawn.damage_charts(facts.wear_of(stable, units, fixtures, ledger))


def _of(stable: Stable, fixtures: Sequence[Fixture]) -> list[Fixture]:
    return [one for one in fixtures if any(side.stable_id == stable.pk for side in one.sides.all())]


def _calendar(season: Season, cycles: Sequence[Cycle], stables: Sequence[Stable], listed: Sequence[Any]) -> Any:
    return drawn.fixtures_calendar(cycles, season.rules.cycles, stables, listed)


def _chosen_cycle(asked: str | None, played: Sequence[int]) -> int:
    """Return the cycle asked for if it has reputation, otherwise the newest one that has; 0 when there is none."""
    chosen = whole_number(asked or "")
    return chosen if chosen is not None and chosen in played else max(played, default=0)
