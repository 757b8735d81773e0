"""Which pilot drives which unit with which gear, so that as many crews as possible stand side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from rules.bots.owners.garage import mended
from rules.bots.owners.wares import side_for
from rules.campaign.line_ups.checks import (
    MatchTerms,
    OwnedGear,
    OwnedPilot,
    OwnedUnit,
    check_crew,
    combatant_of,
    needs_pilot,
)
from rules.solaris.building import combatant_points

MOST = 5
"""The most units, pilots and cards (of each) that are combined; more would take too long, and few stables have more."""


def on_side(card: OwnedGear, unit: OwnedUnit) -> OwnedGear:
    """Return gear as it would sit on a unit: two-sided gear with its best side, if one fits."""
    side = side_for(unit.definition, card.definition)
    return replace(card, definition={**card.definition, "side": side}) if side else card


@dataclass(frozen=True)
class Seat:
    """A unit's pilot and new gear, by their keys ("" for none), with the points of the whole crew.

    `side` is that of new two-sided gear, else "". `carries` is False if gear of the unit stays at home.
    """

    pilot: str
    gear: str
    side: str
    points: int
    carries: bool


def seated(
    units: Sequence[OwnedUnit],
    pilots: Sequence[OwnedPilot],
    gear: Sequence[OwnedGear],
    terms: MatchTerms,
    paired: Mapping[str, str],
) -> dict[str, Seat]:
    """Return crews that can stand side by side, by the keys of their units, each within the limit (R-BLD-07).

    There are as many crews as possible, then as many of the cards in `gear` on them, then as many points. `paired` are
    the keys of pilots who stay with their units, by the units' keys. Every unit counts as repaired and rested. Only the
    MOST dearest units, cheapest pilots and dearest cards are combined.
    """
    rested = [replace(mended(unit), sits_out=False) for unit in units]
    rested = sorted(rested, key=lambda unit: (-int(unit.definition["points"]), unit.key))[:MOST]
    # Cheap pilots leave the most room for gear.
    free = sorted(pilots, key=lambda pilot: (int(pilot.definition["points"]), pilot.key))
    free = [pilot for pilot in free if pilot.key not in paired.values()][:MOST]
    drivers = {pilot.key: pilot for pilot in pilots}
    cards = sorted(gear, key=lambda card: (-int(card.definition["points"]), card.key))[:MOST]
    choices = []
    for unit in rested:
        own = [drivers[paired[unit.key]]] if unit.key in paired else free
        choices.append(list(_seats_of(unit, own, cards, terms)))

    @cache
    def best(place: int, taken: frozenset[str]) -> tuple[tuple[int, int, int], tuple[Seat | None, ...]]:
        if place == len(rested):
            return (0, 0, 0), ()
        score, seats = best(place + 1, taken)
        found: tuple[tuple[int, int, int], tuple[Seat | None, ...]] = (score, (None, *seats))
        for seat in choices[place]:
            needs = {seat.pilot, seat.gear} - {""}
            if taken.isdisjoint(needs):
                (crews, mounted, points), seats = best(place + 1, taken | needs)
                total = (crews + 1, mounted + bool(seat.gear), points + seat.points)
                if total > found[0]:
                    found = (total, (seat, *seats))
        return found

    _, seats = best(0, frozenset())
    return {unit.key: seat for unit, seat in zip(rested, seats, strict=True) if seat is not None}


def _seats_of(
    unit: OwnedUnit, pilots: Sequence[OwnedPilot], cards: Sequence[OwnedGear], terms: MatchTerms
) -> Iterator[Seat]:
    """Yield all ways to field a unit: without own gear, with each new card or none; else with its gear or without."""
    choices: list[OwnedPilot | None] = [*pilots] if needs_pilot(unit.definition) else [None]
    offered: list[tuple[str, str, tuple[OwnedGear, ...]]] = [("", "", unit.gear)]
    if unit.gear:
        offered.append(("", "", ()))
    else:
        sides = [(card, side_for(unit.definition, card.definition)) for card in cards]
        offered = [(card.key, side, (on_side(card, unit),)) for card, side in sides if side is not None] + offered
    for key, side, carried in offered:
        for pilot in choices:
            if not check_crew(unit, pilot, terms, gear=carried):
                points = combatant_points(combatant_of(unit, pilot, carried))
                yield Seat("" if pilot is None else pilot.key, key, side, points, bool(carried) or not unit.gear)
