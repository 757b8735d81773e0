"""Which units an owner's unassigned gear goes on: the one it was bought for, or one whose crew keeps to its limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rules.bots.owners.garage import Mounting, choose_gear
from rules.bots.owners.plans import Plan
from rules.bots.owners.seating import on_side, seated
from rules.bots.owners.wares import Means, side_for
from rules.campaign.garage.repair import ELIMINATED
from rules.campaign.line_ups.checks import MatchTerms, OwnedGear


def choose_mountings(means: Means, terms: MatchTerms, plan: Plan) -> list[Mounting]:
    """Return the units that unassigned gear goes on; mounted gear stays on its unit (R-AST-11).

    Gear that `plan` bought goes on the unit it was bought for. A unit of the plan whose crew is not complete yet gets
    no other gear. As many of the other cards as possible go on crews that each have their own pilot, none over the
    limit. The cards that are left go on units without a crew, if one of the owner's pilots still fits.
    """
    promised = _Promises.of(plan, means)
    planned = promised.mountings
    mounted = {card.key for unit in means.units for card in unit.gear}
    loose = [card for card in means.gear if card.key not in mounted | plan.keys]
    if not loose:
        return planned
    carrying = {mounting.unit: mounting.gear for mounting in planned}
    gear = {card.key: card for card in means.gear}
    units = [
        replace(unit, gear=(on_side(gear[carrying[unit.key]], unit),)) if unit.key in carrying else unit
        for unit in means.units
        if unit.state != ELIMINATED and unit.key not in promised.waiting
    ]
    seats = seated(units, means.pilots, loose, terms, promised.pilots)
    found = [Mounting(seat.gear, key, seat.side) for key, seat in seats.items() if seat.gear]
    over = [card for card in loose if card.key not in {mounting.gear for mounting in found}]
    alone = [unit for unit in units if unit.key not in seats]
    return [*planned, *found, *choose_gear(replace(means, units=alone, gear=over), terms)]


@dataclass(frozen=True)
class _Promises:
    """A plan's decisions: gear for units, `pilots` by the keys of their units, and the keys of `waiting` units, for
    which a purchase is still to come."""

    mountings: list[Mounting] = field(default_factory=list)
    pilots: dict[str, str] = field(default_factory=dict)
    waiting: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, plan: Plan, means: Means) -> _Promises:
        found = cls()
        units = {unit.key: unit for unit in means.units}
        mounted = {card.key for unit in means.units for card in unit.gear}
        loose = [card for card in means.gear if card.key in plan.keys - mounted]
        for group in plan.groups:
            parts = {plan.purchases[place].kind: place for place in group}
            unit = next((key for key in plan.purchases[group[0]].beside if key in units), "")
            pilot = next((one.key for one in means.pilots if one.key in plan.purchases[group[0]].beside), "")
            unit = plan.owned[parts["unit"]] if "unit" in parts else unit
            pilot = plan.owned[parts["pilot"]] if "pilot" in parts else pilot
            if not unit:
                continue
            if any(not plan.owned[place] for place in group):
                found.waiting.add(unit)
            if pilot:
                found.pilots[unit] = pilot
            # Any copy will do: copies may be bought in another order than the plan's.
            card = None if "gear" not in parts else _copy_of(plan.purchases[parts["gear"]].key, loose)
            side = None if card is None or units[unit].gear else side_for(units[unit].definition, card.definition)
            if card is not None and side is not None:
                loose.remove(card)
                found.mountings.append(Mounting(card.key, unit, side))
        return found


def _copy_of(key: str, cards: Sequence[OwnedGear]) -> OwnedGear | None:
    return next((card for card in cards if str(card.definition["id"]) == key), None)
