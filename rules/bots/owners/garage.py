"""What an owner made of code repairs, sells when it is broke, and puts on its units."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from rules.bots.budget import Budget
from rules.bots.owners.characters import Traits
from rules.bots.owners.crew_options import CrewOptions, Team, price_of_team
from rules.bots.owners.shopping import manned
from rules.bots.owners.wares import Market, Means, cost_of, side_for
from rules.campaign.garage.repair import ABLE, ELIMINATED, SALVAGE, UNDAMAGED
from rules.campaign.line_ups.checks import MatchTerms, OwnedPilot, OwnedUnit, crews_of, team_size
from rules.core.table_units import clicks_of
from rules.solaris.building import class_of


def mended(unit: OwnedUnit) -> OwnedUnit:
    """Return a unit on its start marker; `sits_out` stays unchanged."""
    return replace(unit, state=UNDAMAGED, clicks=0)


def after_repair(unit: OwnedUnit, in_break: bool) -> OwnedUnit:
    """Return a unit after its repair; outside the break an eliminated one misses the next match (R-CRP-09)."""
    return replace(mended(unit), sits_out=unit.sits_out or (unit.state == ELIMINATED and not in_break))


def with_repaired(means: Means, key: str, in_break: bool) -> Means:
    """Return what an owner has after paying for the repair of the unit with this key; the capital may fall below 0."""
    unit = next(unit for unit in means.units if unit.key == key)
    units = tuple(after_repair(one, in_break) if one is unit else one for one in means.units)
    return replace(means, capital=means.capital - cost_of(unit), units=units)


def choose_repairs(
    means: Means,
    terms: MatchTerms,
    traits: Traits,
    matches_left: int,
    market: Market | None = None,
    raises_lost: bool = False,
) -> list[str]:
    """Return the keys of the units to repair before the next match, in order; the capital pays for all of them.

    While the match lacks fit crews, the owner repairs units whose repair makes one more, the most damaged first. If
    pilots are missing, no repair helps. `traits.tolerance` says which damage a fit unit may have. An eliminated unit
    sits out the next match (R-CRP-09). One is repaired when no more fit units are left than the match takes and
    `matches_left`, the next match included, is two or more. Everything else waits for the break and its purse.

    If the owner shops in a `market` afterwards, no repair uses Stones that would make a crew without it.
    `raises_lost`: in the break, crews may also come from the repair of eliminated units. Raises Overran.
    """
    budget = Budget.of_an_owner()
    wanted = _wanted_repairs(means, terms, traits, matches_left, budget)
    if market is None:
        return wanted
    chosen = []
    for key in wanted:
        repaired = with_repaired(means, key, raises_lost)
        # A repair that is too dear now is too dear after the purchases: they cost at least as much as the cheapest.
        if _reach(repaired, market, terms, raises_lost, budget) >= _reach(means, market, terms, raises_lost, budget):
            chosen.append(key)
            means = repaired
    return chosen


def _reach(means: Means, market: Market, terms: MatchTerms, raises_lost: bool, budget: Budget) -> int:
    """Return how many crews the Stones make for the coming match, at most as many as it takes."""
    return len(CrewOptions(means, market, terms, raises_lost, budget).within(means.capital, terms.size))


def _wanted_repairs(means: Means, terms: MatchTerms, traits: Traits, matches_left: int, budget: Budget) -> list[str]:
    """Return the keys of the units to repair, as if the owner bought nothing afterwards. Raises Overran."""
    unit_list, pilot_list, capital = sorted(means.units, key=lambda unit: unit.key), means.pilots, means.capital
    chosen: list[str] = []
    fit = [unit for unit in unit_list if is_fit(unit, traits)]
    hurt = [unit for unit in unit_list if unit.state in (ABLE, SALVAGE) and unit not in fit]
    while (size := team_size(fit, pilot_list, terms)) < terms.size:
        budget.spend(len(hurt) * (len(fit) + 1) * len(pilot_list))
        helpful = [unit for unit in hurt if team_size([*fit, mended(unit)], pilot_list, terms) > size]
        unit = _worst_payable(helpful, pilot_list, terms, capital)
        if unit is None:
            break
        chosen.append(unit.key)
        capital -= cost_of(unit)
        hurt.remove(unit)
        fit.append(mended(unit))
    if len(fit) <= terms.size and matches_left >= 2:
        gone = _worst_payable([unit for unit in unit_list if unit.state == ELIMINATED], pilot_list, terms, capital)
        if gone is not None:
            chosen.append(gone.key)
    return chosen


def fit_crews(units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], terms: MatchTerms, traits: Traits) -> int:
    """Return how many crews with fit units could stand side by side in the next match, at most as many as it takes."""
    return team_size([unit for unit in units if is_fit(unit, traits)], list(pilots), terms)


def is_fit(unit: OwnedUnit, traits: Traits) -> bool:
    """Return whether a unit may fight in the next match and has no more damage than its owner tolerates."""
    if unit.sits_out or unit.state not in (UNDAMAGED, ABLE):
        return False
    return unit.clicks <= traits.tolerance * clicks_of(unit.definition) if unit.clicks else True


def _worst_payable(
    units: Iterable[OwnedUnit], pilots: Sequence[OwnedPilot], terms: MatchTerms, capital: int
) -> OwnedUnit | None:
    """Return the most damaged unit whose repair can be paid and that could then be fielded; None if there is none."""
    wanted = [
        unit
        for unit in units
        if cost_of(unit) <= capital and any(crews_of(replace(mended(unit), sits_out=False), pilots, terms))
    ]
    return min(wanted, key=lambda unit: (-unit.clicks, cost_of(unit), unit.key), default=None)


def repair_priority(units: Iterable[OwnedUnit], match_class: str) -> list[str]:
    """Return the keys of units in the owner's order for compulsory repairs.

    Units of `match_class` come before others, and among each the dearest come first.
    """
    return [
        unit.key
        for unit in sorted(
            units,
            key=lambda unit: (class_of(unit.definition) != match_class, -int(unit.definition["points"]), unit.key),
        )
    ]


@dataclass(frozen=True)
class Mounting:
    """Gear for a unit, both by their keys; `side` is "primary" or "secondary" for two-sided gear, "" for other gear."""

    gear: str
    unit: str
    side: str


def choose_gear(means: Means, terms: MatchTerms) -> list[Mounting]:
    """Return the units that unassigned gear goes on: the dearest card first, each on a unit of the class without gear.

    A unit takes a card only if one of the owner's pilots still fits. Mounted gear stays: moving it would end the
    repairs (R-AST-11). Raises Overran.
    """
    budget = Budget.of_an_owner()
    mounted = {card.key for unit in means.units for card in unit.gear}
    free = [unit for unit in means.units if not unit.gear and unit.state != ELIMINATED]
    found = []
    for card in sorted(means.gear, key=lambda card: (-int(card.definition["points"]), card.key)):
        if card.key in mounted:
            continue
        for unit in sorted(free, key=lambda unit: (-int(unit.definition["points"]), unit.key)):
            side = side_for(unit.definition, card.definition)
            if side is None:
                continue
            budget.spend(len(means.pilots))
            definition = {**card.definition, "side": side} if side else card.definition
            carrying = replace(mended(unit), sits_out=False, gear=(replace(card, definition=definition),))
            if any(crew.gear for crew in crews_of(carrying, means.pilots, terms)):
                found.append(Mounting(card.key, unit.key, side))
                free.remove(unit)
                break
    return found


def useless_units(means: Means, classes_to_come: Collection[str]) -> list[str]:
    """Return the keys of undamaged units whose class is not among the classes to come.

    A sale brings back the full price (R-AST-07), so keeping them is worth nothing.
    """
    return [
        unit.key for unit in means.units if unit.state == UNDAMAGED and class_of(unit.definition) not in classes_to_come
    ]


def choose_sales(means: Means, market: Market, terms: MatchTerms) -> list[str]:
    """Return the keys of what a broke owner sells, in order, until it can pay for the crew that it lacks.

    What it needs least goes first: rally cards, unmounted gear, units of other classes, pilots without a unit. The list
    is empty if the owner has a crew or can pay for one, and if all sales would not be enough. Raises Overran.
    """
    team = _help(means, market, terms)
    if team is None or (missing := price_of_team(team)) <= means.capital:
        return []
    # A pilot who would drive a bought or repaired unit is not for sale.
    kept = {key for way in team for key in way.own}
    mounted = {card.key for unit in means.units for card in unit.gear}
    others = [
        unit
        for unit in means.units
        if unit.state == UNDAMAGED
        and class_of(unit.definition) != terms.match_class
        and not unit.gear
        and unit.key not in kept
    ]
    pilots = [pilot for pilot in means.pilots if pilot.key not in kept]
    listed: list[tuple[str, int]] = [(card.key, 10) for card in means.cards]
    listed += [(card.key, int(card.definition["points"])) for card in means.gear if card.key not in mounted]
    listed += [(unit.key, int(unit.definition["points"])) for unit in others]
    listed += [(pilot.key, int(pilot.definition["points"])) for pilot in pilots]
    money, sold = means.capital, []
    for key, brings in listed:
        if money >= missing:
            break
        sold.append(key)
        money += brings
    return sold if money >= missing else []


def _help(means: Means, market: Market, terms: MatchTerms) -> Team | None:
    return None if manned(means, terms) else CrewOptions(means, market, terms, raises_lost=True).cheapest(1)
