"""An owner made of code: what an AI-run stable buys, repairs and fields. Pure, and equal for equal arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.campaign.classes import BUILD_TOTAL
from rules.campaign.line_ups import (
    Crew,
    OwnedPilot,
    OwnedUnit,
    best_team,
    build_points,
    check_crew,
    crews,
    needs_pilot,
)
from rules.campaign.prices import is_unique, price_of
from rules.campaign.repair import ABLE, ELIMINATED, SALVAGE, UNDAMAGED, repair_cost
from rules.core.building import class_of
from rules.core.dice import Dice


@dataclass(frozen=True)
class Purchase:
    """One thing to buy: "unit" or "pilot", and its catalogue id."""

    kind: str
    key: str


SPARE_CREWS = 2
"""Crews beyond those of a match that an owner of code likes to have."""


def choose_basket(
    units: Iterable[Mapping[str, Any]],
    pilots: Iterable[Mapping[str, Any]],
    match_class: str,
    capital: int,
    dice: Dice,
    owned_keys: Iterable[str] = (),
    crews_owned: int = 0,
    units_needed: int = 1,
) -> list[Purchase]:
    """Return what to buy, in order: crews of a unit and a pilot for the class, never dearer than `capital` together.

    As many crews as a match needs (`units_needed`) are bought whenever the money reaches; up to two more as long as the
    price of two repairs of an eliminated unit stays in the purse. Stables differ by `dice`: each crew is drawn from the
    better third of those that the money allows. `owned_keys` are ids that the stable has already, of which it takes no
    second Unique.
    """
    unit_list = sorted((unit for unit in units), key=lambda unit: str(unit["id"]))
    pilot_list = sorted((pilot for pilot in pilots), key=lambda pilot: str(pilot["id"]))
    reserve = 2 * repair_cost(BUILD_TOTAL[match_class], ELIMINATED)
    owned = set(owned_keys)
    basket: list[Purchase] = []
    for number in range(crews_owned, units_needed + SPARE_CREWS):
        spare = capital if number < units_needed else capital - reserve
        fitting = _affordable_crews(unit_list, pilot_list, match_class, spare, owned)
        if not fitting:
            break
        best = fitting[: max(1, len(fitting) // 3)]
        unit, pilot = best[dice.draw(len(best), "purchase")]
        for kind, bought in (("unit", unit), ("pilot", pilot)):
            if bought is not None:
                basket.append(Purchase(kind, str(bought["id"])))
                owned.add(str(bought["id"]))
                capital -= price_of(kind, bought)
    return basket


def _affordable_crews(
    units: Sequence[Mapping[str, Any]],
    pilots: Sequence[Mapping[str, Any]],
    match_class: str,
    money: int,
    owned: set[str],
) -> list[tuple[Mapping[str, Any], Mapping[str, Any] | None]]:
    """Return the crews that fit and can be paid, most points first; a second copy of a unit comes after new ones."""
    found = []
    for unit in units:
        if unit["id"] in owned and is_unique(unit):
            continue
        choices: list[Mapping[str, Any] | None] = [*pilots] if needs_pilot(unit) else [None]
        for pilot in choices:
            if pilot is not None and pilot["id"] in owned and is_unique(pilot):
                continue
            price = price_of("unit", unit) + (0 if pilot is None else price_of("pilot", pilot))
            crew = OwnedPilot(str(pilot["id"]), pilot) if pilot is not None else None
            if price > money or check_crew(OwnedUnit(str(unit["id"]), unit, UNDAMAGED), crew, match_class):
                continue
            order = (
                unit["id"] in owned,
                -build_points(unit, pilot),
                str(unit["id"]),
                "" if pilot is None else str(pilot["id"]),
            )
            found.append((order, (unit, pilot)))
    return [crew for _, crew in sorted(found, key=lambda entry: entry[0])]


def choose_repairs(
    units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], match_class: str, capital: int, matches_left: int
) -> list[str]:
    """Return the keys of the units to repair before the next match, in order, never dearer than `capital` together.

    Without an undamaged crew for the next match the owner repairs the unit that has most damage short of elimination.
    An eliminated one sits out the next match (R-CRP-09): it is repaired when at most one undamaged unit is left and
    `matches_left`, the next one counted, are two or more. Everything else waits for the break and its purse.
    """
    unit_list = sorted(units, key=lambda unit: unit.key)
    pilot_list = list(pilots)
    fresh = [unit for unit in unit_list if unit.state == UNDAMAGED and not unit.sits_out]
    chosen: list[str] = []
    if not crews(fresh, pilot_list, match_class):
        hurt = [unit for unit in unit_list if unit.state in (ABLE, SALVAGE)]
        capital = _repair_one(hurt, pilot_list, match_class, capital, chosen)
    if len(fresh) <= 1 and matches_left >= 2:
        gone = [unit for unit in unit_list if unit.state == ELIMINATED]
        _repair_one(gone, pilot_list, match_class, capital, chosen)
    return chosen


def _repair_one(
    units: Iterable[OwnedUnit], pilots: Sequence[OwnedPilot], match_class: str, capital: int, chosen: list[str]
) -> int:
    """Add the unit with most damage that can be paid and fielded; returns the capital left."""
    wanted = []
    for unit in units:
        cost = repair_cost(int(unit.definition["points"]), unit.state)
        mended = OwnedUnit(unit.key, unit.definition, UNDAMAGED)
        if cost <= capital and crews([mended], pilots, match_class):
            wanted.append((-unit.clicks, cost, unit.key))
    if not wanted:
        return capital
    _, cost, key = min(wanted)
    chosen.append(key)
    return capital - cost


def repair_priority(units: Iterable[OwnedUnit], match_class: str) -> list[str]:
    """Return the owner's order for the compulsory repairs: units of the class first, then by points, then by key."""
    return [
        unit.key
        for unit in sorted(
            units,
            key=lambda unit: (class_of(unit.definition) != match_class, -int(unit.definition["points"]), unit.key),
        )
    ]


@dataclass(frozen=True)
class LineUpChoice:
    """What a stable nominates: its crews and three token ids."""

    crews: tuple[Crew, ...]
    tokens: tuple[str, ...]


def choose_line_up(
    units: Iterable[OwnedUnit],
    pilots: Iterable[OwnedPilot],
    match_class: str,
    triples: Sequence[tuple[str, str, str]],
    dice: Dice,
    build_total: int | None = None,
    size: int = 1,
) -> LineUpChoice | None:
    """Return the best crews with tokens drawn from `triples`, or None when nothing can be fielded.

    There are `size` of them if so many can be fielded together. The best is the first of `crews`: least damage, then
    most points. A unit showing Salvage is fielded by this owner
    only when it is all there is, which is its choice, not its duty (Q-155). `triples` may be empty when the season
    plays without tokens.
    """
    choices = crews(units, pilots, match_class, build_total)
    if not choices:
        return None
    tokens = triples[dice.draw(len(triples), "tokens")] if triples else ()
    return LineUpChoice(best_team(choices, size), tokens)
