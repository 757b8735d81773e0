"""The pairings of a season so far: who met whom, and who had a bye."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product

from rules.campaign.season.directing import may_have_bye
from stables.models import Cycle, Fixture, FixtureSide


@dataclass(frozen=True)
class History:
    """The pairs that met in a season, with repeats, and the byes of each stable, in the season and in the cycle.

    All by the ids of stables. A grand melee does not count as a meeting, and partners on one side have not met either.
    """

    met: list[tuple[int, int]]
    byes: Counter[int]
    byes_this_cycle: Counter[int]


def history_of(cycle: Cycle) -> History:
    """Return the pairings of a cycle's season, those that are not played yet included; one query."""
    sides = FixtureSide.objects.filter(fixture__round__cycle__season=cycle.season_id).values_list(
        "fixture", "fixture__kind", "fixture__round__cycle", "side", "stable"
    )
    meetings: dict[int, dict[str, list[int]]] = {}
    byes: Counter[int] = Counter()
    byes_this_cycle: Counter[int] = Counter()
    for fixture, kind, of_cycle, side, stable in sides:
        if kind == Fixture.Kind.BYE:
            byes[stable] += 1
            byes_this_cycle[stable] += of_cycle == cycle.pk
        else:
            meetings.setdefault(fixture, {}).setdefault(side, []).append(stable)
    met = [
        (one, other)
        for of_sides in meetings.values()
        if len(of_sides) == 2
        for one, other in product(*of_sides.values())
    ]
    return History(met, byes, byes_this_cycle)


def is_bye_due(known: History, stable_id: int, holder_id: int) -> bool:
    """Return whether a stable may take over the bye that another one holds in its round (Q-158)."""
    own = (known.byes_this_cycle[stable_id], known.byes[stable_id])
    # The bye of this round is among the holder's own.
    return may_have_bye(own, (known.byes_this_cycle[holder_id] - 1, known.byes[holder_id] - 1))
