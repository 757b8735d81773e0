"""The people's stables that a season waits for, and what each of them still has to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.campaign.season.hand import LINE_UP, MARKET, MATCH
from stables.models import Cycle, Fixture, FixtureSide, Season, Stable
from stables.selectors.crews import left_to_the_ai, ready_mark
from stables.selectors.entrants import entrants


@dataclass(frozen=True)
class Awaited:
    """A stable that the season waits for: in an open market, for a line-up, or to play its match.

    `side` is its side of the open match, with fixture and round; None in a market.
    """

    stable: Stable
    what: str
    side: FixtureSide | None = None


def awaited(season: Season, stable_ids: Iterable[int] | None = None) -> list[Awaited]:
    """Return the stables of people that a running season waits for, by round, match and number; at most five queries.

    `stable_ids` limits them to these stables. The stables have their owners. Matches that the AI plays, and those with
    a report, wait for nobody here.
    """
    cycle = season.cycles.order_by("-number").first() if season.state == Season.State.RUNNING else None
    if cycle is None:
        return []
    if cycle.state == Cycle.State.MARKET:
        found = _shopping(season, cycle)
    elif cycle.state == Cycle.State.ROUNDS:
        found = _in_rounds(season)
    else:
        found = []
    wanted = None if stable_ids is None else set(stable_ids)
    return [each for each in found if wanted is None or each.stable.pk in wanted]


def _shopping(season: Season, cycle: Cycle) -> list[Awaited]:
    away, mark = left_to_the_ai(season.pk), ready_mark(cycle.number)
    stables = [each for each in entrants(season, cycle.number) if each.ready_for != mark and each.pk not in away]
    owned = Stable.objects.filter(pk__in=[each.pk for each in stables], is_ai=False, left_in_cycle=None)
    listed = owned.exclude(owner=None).select_related("owner").order_by("number")
    return [Awaited(each, MARKET) for each in listed]


def _in_rounds(season: Season) -> list[Awaited]:
    sides = FixtureSide.objects.filter(
        fixture__round__cycle__season=season, forfeits="", stable__is_ai=False, stable__owner__isnull=False
    )
    sides = sides.exclude(fixture__state=Fixture.State.SETTLED).select_related(
        "fixture__round__cycle", "stable__owner", "line_up", "stand_in"
    )
    found = []
    reported = set(sides.filter(fixture__reports__isnull=False).values_list("fixture", flat=True))
    for side in sides.order_by("fixture__round", "fixture__number", "id"):
        fixture = side.fixture
        if not hasattr(side, "line_up"):
            found.append(Awaited(side.stable, LINE_UP, side))
        elif fixture.state == Fixture.State.SEALED and fixture.mode != Fixture.Mode.AI and fixture.pk not in reported:
            found.append(Awaited(side.stable, MATCH, side))
    return found
