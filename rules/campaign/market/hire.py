"""Help for a stable that cannot field anybody: the emergency hire between matches, the sponsor's grant at a break.

Both are switches of a season (emergency_hire, sponsor_grant) and not rules of the book: by the book such a stable
forfeits until the next break (Q-156).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from rules.campaign.garage.repair import UNDAMAGED
from rules.campaign.line_ups.checks import OwnedPilot, OwnedUnit, Terms, crews_of, pilots_for
from rules.campaign.market.prices import is_unique, price_of
from rules.campaign.season.settings import SeasonSettings
from rules.core.refusals import Refusal

Definition = Mapping[str, Any]


def hires_in_emergency(settings: SeasonSettings) -> bool:
    """Return whether the season has the emergency hire; when it is None, the house rule on pilot death decides."""
    if settings.emergency_hire is not None:
        return settings.emergency_hire
    return bool(settings.house_rules.get("pilot_death", False))


def emergency_pilots(
    units: Iterable[OwnedUnit],
    pilots: Iterable[OwnedPilot],
    for_sale: Iterable[Definition],
    terms: Terms,
) -> list[Definition]:
    """Return the common pilots that the stable may hire between matches, in the order given.

    It may hire a pilot when it has no able fitting crew but would have one with that pilot. So a pilot is all that it
    lacks, and the first hire ends the emergency. Units that show Salvage do not count as able (Q-139).
    """
    unit_list, pilot_list = list(units), list(pilots)
    if _has_able_crew(unit_list, pilot_list, terms):
        return []
    return [
        pilot
        for pilot in for_sale
        if not is_unique(pilot) and _has_able_crew(unit_list, [OwnedPilot(str(pilot["id"]), pilot)], terms)
    ]


def check_hire(key: str, hireable: Iterable[Definition]) -> list[Refusal]:
    """Return why a pilot may not be hired between matches; empty when they may.

    `key` is the pilot's catalogue key, and `hireable` comes from `emergency_pilots`. The code is no_emergency.
    """
    if any(str(pilot["id"]) == key for pilot in hireable):
        return []
    return [Refusal("no_emergency", {"rule": "R-AST-03"})]


def _has_able_crew(units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], terms: Terms) -> bool:
    pilot_list = list(pilots)
    return any(crew.by_duty for unit in units for crew in crews_of(unit, pilot_list, terms))


@dataclass(frozen=True)
class Owned:
    """A unit or a pilot that a stable owns, with what it brings or costs in Stones.

    `worth` is what a sale brings now, 0 when it cannot be sold. `repair` is what a unit's repair costs now.
    """

    unit: OwnedUnit | None = None
    pilot: OwnedPilot | None = None
    worth: int = 0
    repair: int = 0


def sponsor_grant(
    capital: int,
    owed: int,
    owned: Sequence[Owned],
    other_worth: int,
    units: Iterable[Definition],
    pilots: Iterable[Definition],
    terms: Terms,
) -> int:
    """Return the Stones that a sponsor gives a stable when the market of a cycle opens; 0 when it can help itself.

    A stable that owns no able crew of the cycle's class, and could not pay for the cheapest one with its capital and
    all that it could sell (`other_worth` for gear and cards), gets exactly what is missing. An own unit or pilot in
    that crew costs its repair, and brings nothing by a sale. A stable that owes gets nothing: it could not buy with it.
    Neither does a stable for which no crew fits.
    """
    if owed or _has_able_crew(
        [one.unit for one in owned if one.unit], [one.pilot for one in owned if one.pilot], terms
    ):
        return 0
    wealth = capital + other_worth + sum(one.worth for one in owned)
    cheapest = _cheapest_crew(owned, units, pilots, terms)
    return 0 if cheapest is None else max(0, cheapest - wealth)


def _cheapest_crew(
    owned: Sequence[Owned],
    units: Iterable[Definition],
    pilots: Iterable[Definition],
    terms: Terms,
) -> int | None:
    """Return the Stones that the cheapest able crew of the class takes, None when no crew fits.

    They are the prices of bought members of the crew. Owned ones count with their repairs and with what a sale of them
    would have brought.
    """
    bodies = [(one.worth + one.repair, replace(one.unit, state=UNDAMAGED, sits_out=False)) for one in owned if one.unit]
    bodies += [(price_of("unit", unit), OwnedUnit(str(unit["id"]), unit, UNDAMAGED)) for unit in units]
    heads: list[tuple[int, OwnedPilot]] = [(one.worth, one.pilot) for one in owned if one.pilot]
    heads += [(price_of("pilot", pilot), OwnedPilot(str(pilot["id"]), pilot)) for pilot in pilots]
    heads.sort(key=lambda head: head[0])
    costs = {id(pilot): cost for cost, pilot in heads}
    cheapest_first = [pilot for _, pilot in heads]
    best: int | None = None
    for unit_cost, unit in bodies:
        if best is None or unit_cost < best:
            # The first pilot who fits makes the cheapest crew of the unit.
            for pilot in islice(pilots_for(unit, cheapest_first, terms, unit.gear), 1):
                cost = unit_cost + (0 if pilot is None else costs[id(pilot)])
                best = cost if best is None else min(best, cost)
    return best
