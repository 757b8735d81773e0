"""What the cards of a loadout come to, click by click: modifiers, and which source of equipment serves each value.

A value has two sources where the dial and a gear card both give it equipment: then one serves at a time (R-SEG-14,
R-GER-07). Which of them is the owner's to say where they differ; the same item twice is had without the dial's
single-use price. Gear is ignored while Salvage shows (R-GER-09).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.core.card_hooks import merged
from rules.core.cards import BOTH_SOURCES, SALVAGE, GearDefinition
from rules.core.equipment import EQUIPMENT, LOCATIONS
from rules.core.equipment_hooks import Modifier, only_moves_and_vents
from rules.core.units import Click, PilotDefinition

MOST_GEAR = 2
EVERY_CHOICE = range(1 << MOST_GEAR)
"""Sets of gear cards, one bit a card, that serve in place of the dial."""


class Conflict(NamedTuple):
    """A value with two different items: the gear card's number, and the bits of either."""

    location: str
    card: int
    dial: int
    gear: int


def works(card: GearDefinition, click: Click) -> bool:
    """Whether a gear card counts at this click (Q-117)."""
    shown = click.equipment.get("attack")
    return SALVAGE in card.allows or shown is None or not only_moves_and_vents(EQUIPMENT[shown].bit)


def given(gear: Sequence[GearDefinition], click: Click, value: str) -> list[Modifier]:
    """What gear adds to a combat value at a click, under each card's key (R-GER-10)."""
    return merged(
        [(card.key, card.modifiers[value]) for card in gear if value in card.modifiers and works(card, click)]
    )


def modifiers(
    gear: Sequence[GearDefinition], pilot: PilotDefinition | None, dial: Sequence[Click], value: str
) -> tuple[tuple[tuple[Modifier, ...], ...], ...]:
    """Gear's and pilot's modifiers to attack or defense, by pilot state (0 unconscious, 1 conscious) and click."""
    own = [(pilot.key, pilot.modifiers[value])] if pilot is not None and pilot.modifiers.get(value) else []
    return tuple(tuple(tuple([*given(gear, click, value), *extra]) for click in dial) for extra in ([], own))


def conflicts(gear: Sequence[GearDefinition], click: Click) -> tuple[Conflict, ...]:
    """The values at which the owner has a choice of source at this click."""
    found = []
    for number, card in enumerate(gear):
        shown = click.equipment.get(card.location or "")
        if shown is None or card.equipment in (None, shown) or not works(card, click) or BOTH_SOURCES in card.allows:
            continue
        found.append(Conflict(str(card.location), number, EQUIPMENT[shown].bit, EQUIPMENT[str(card.equipment)].bit))
    return tuple(found)


def serving(gear: Sequence[GearDefinition], click: Click, chosen: int) -> dict[str, int]:
    """The equipment bits at each location when the gear cards in `chosen` serve in place of the dial."""
    found = {location: EQUIPMENT[key].bit for location, key in click.equipment.items()}
    for number, card in enumerate(gear):
        if card.equipment is None or card.location is None or not works(card, click):
            continue
        bit = EQUIPMENT[card.equipment].bit
        if BOTH_SOURCES in card.allows:
            found[card.location] = found.get(card.location, 0) | bit
        elif card.location not in click.equipment or chosen >> number & 1:
            found[card.location] = bit
    return found


def circles(gear: Sequence[GearDefinition], click: Click) -> int:
    """The single-use items of a click; one that gear has as well is used without its price."""
    mask = 0
    for location in click.single_use:
        key = click.equipment[location]
        if not any(card.equipment == key and card.location == location and works(card, click) for card in gear):
            mask |= EQUIPMENT[key].bit
    return mask


def bits_by_choice(gear: Sequence[GearDefinition], dial: Sequence[Click]) -> list[list[dict[str, int]]]:
    """`serving` for every choice and click; the choices share their lists where no value has two sources."""
    plain = [serving(gear, click, 0) for click in dial]
    if not any(conflicts(gear, click) for click in dial):
        return [plain] * len(EVERY_CHOICE)
    return [plain, *([serving(gear, click, chosen) for click in dial] for chosen in EVERY_CHOICE[1:])]


def all_bits(bits: dict[str, int]) -> int:
    """The equipment of all locations together."""
    mask = 0
    for location in LOCATIONS:
        mask |= bits.get(location, 0)
    return mask
