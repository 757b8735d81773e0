"""The cards of a loadout as tables by click: modifiers, and which source of equipment serves each value.

A value has several sources when the dial and a gear card, or two gear cards, give it equipment: then one serves at a
time (R-SEG-14, R-GER-07). When their items differ, the owner chooses. When both give the same item, the dial's
single-use price falls away. While Salvage shows, gear is ignored (R-GER-09) unless the card allows Salvage, and
Salvage cannot be set aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.core.attack_hooks import serves_any_value
from rules.core.card_hooks import merged
from rules.core.cards import BOTH_SOURCES, DAMAGE_SIDES, SALVAGE, GearDefinition
from rules.core.equipment import EQUIPMENT, LOCATIONS
from rules.core.equipment_hooks import Modifier, only_moves_and_vents
from rules.core.units import Click, PilotDefinition

MOST_GEAR = 2
EVERY_CHOICE = range(1 << MOST_GEAR)
"""Sets of gear cards, one bit a card, that serve instead of the dial or of the card before them."""

DIAL = -1
"""The card number of a source that is the dial."""


class Source(NamedTuple):
    """One source of equipment for a value: the gear card's number, or DIAL, and the item's bit."""

    card: int
    bit: int


class Conflict(NamedTuple):
    """A value with several different items, of which one serves: the dial's first, then by card."""

    location: str
    sources: tuple[Source, ...]

    @property
    def cards(self) -> tuple[int, ...]:
        """The numbers of the gear cards among the sources."""
        return tuple(source.card for source in self.sources if source.card != DIAL)

    @property
    def bits(self) -> int:
        """The items of all sources, as bits."""
        mask = 0
        for source in self.sources:
            mask |= source.bit
        return mask


def works(card: GearDefinition, click: Click) -> bool:
    """Return whether a gear card counts at this click: not while Salvage shows, unless it allows Salvage (Q-117)."""
    return SALVAGE in card.allows or not _is_salvage(click, "attack")


def _is_salvage(click: Click, location: str) -> bool:
    shown = click.equipment.get(location)
    return shown is not None and only_moves_and_vents(EQUIPMENT[shown].bit)


def given(gear: Sequence[GearDefinition], click: Click, value: str) -> list[Modifier]:
    """Return what gear adds to a combat value at a click, under each card's key (R-GER-10)."""
    return merged(
        [(card.key, card.modifiers[value]) for card in gear if value in card.modifiers and works(card, click)]
    )


def modifiers(
    gear: Sequence[GearDefinition], pilot: PilotDefinition | None, dial: Sequence[Click], value: str
) -> tuple[tuple[tuple[Modifier, ...], ...], ...]:
    """Return the modifiers of gear and pilot to a value, by pilot state (0 unconscious, 1 conscious) and click.

    `value` is attack or defense.
    """
    own = [(pilot.key, pilot.modifiers[value])] if pilot is not None and pilot.modifiers.get(value) else []
    return tuple(tuple(tuple([*given(gear, click, value), *extra]) for click in dial) for extra in ([], own))


def sources_of(gear: Sequence[GearDefinition], click: Click, location: str) -> tuple[Source, ...]:
    """Return the sources of which one may serve this value, with an item each, the dial's first.

    Cards that serve together with another source are left out, and cards with an item that is listed already. While
    the dial shows Salvage, it is the only source (R-SEA-05).
    """
    found = []
    if location in click.equipment:
        found.append(Source(DIAL, EQUIPMENT[click.equipment[location]].bit))
        if _is_salvage(click, location):
            return tuple(found)
    for number, card in enumerate(gear):
        if card.equipment is None or card.location != location or not works(card, click) or BOTH_SOURCES in card.allows:
            continue
        bit = EQUIPMENT[card.equipment].bit
        if all(bit != source.bit for source in found):
            found.append(Source(number, bit))
    return tuple(found)


def conflicts(gear: Sequence[GearDefinition], click: Click) -> tuple[Conflict, ...]:
    """Return the values for which the owner can choose a source at this click; () without gear."""
    if not gear:
        return ()
    found = (Conflict(location, sources_of(gear, click, location)) for location in LOCATIONS)
    return tuple(conflict for conflict in found if len(conflict.sources) > 1)


def chosen_source(sources: Sequence[Source], chosen: int) -> Source:
    """Return the first source that is a gear card in `chosen` (a bit a card), or the first source of all."""
    for source in sources:
        if source.card != DIAL and chosen >> source.card & 1:
            return source
    return sources[0]


def serving(gear: Sequence[GearDefinition], click: Click, chosen: int) -> dict[str, int]:
    """Return the equipment bits by location when the gear cards in `chosen` (a bit a card) serve.

    They serve instead of the dial or of the card before them. A location without equipment is left out.
    """
    found = {}
    for location in LOCATIONS:
        sources = sources_of(gear, click, location)
        mask = chosen_source(sources, chosen).bit if sources else 0
        for card in gear:
            both = card.equipment is not None and card.location == location and BOTH_SOURCES in card.allows
            if both and works(card, click):
                mask |= EQUIPMENT[str(card.equipment)].bit
        if mask:
            found[location] = mask
    return found


def free_items(gear: Sequence[GearDefinition], click: Click, location: str) -> int:
    """Return, as bits, the items that a value has without a price: squares of the dial, and all that gear gives."""
    mask = 0
    if location in click.equipment and location not in click.single_use:
        mask |= EQUIPMENT[click.equipment[location]].bit
    for card in gear:
        if card.equipment is not None and card.location == location and works(card, click):
            mask |= EQUIPMENT[card.equipment].bit
    return mask


def circles(gear: Sequence[GearDefinition], click: Click) -> int:
    """Return, as bits, the single-use items of a click that have a price.

    An item has none when gear gives the same value the same item. An item that works with any damage value (Q-96) has
    none when a damage value without another source has it free.
    """
    mask = 0
    for location in click.single_use:
        bit = EQUIPMENT[click.equipment[location]].bit
        free = free_items(gear, click, location)
        if bit & serves_any_value():
            for other in DAMAGE_SIDES:
                free |= free_items(gear, click, other) if len(sources_of(gear, click, other)) == 1 else 0
        mask |= bit & ~free
    return mask


def bits_by_choice(gear: Sequence[GearDefinition], dial: Sequence[Click]) -> list[list[dict[str, int]]]:
    """Return `serving` by choice (EVERY_CHOICE) and click; when no value has two sources, all choices share a list."""
    plain = [serving(gear, click, 0) for click in dial]
    if not any(conflicts(gear, click) for click in dial):
        return [plain] * len(EVERY_CHOICE)
    return [plain, *([serving(gear, click, chosen) for click in dial] for chosen in EVERY_CHOICE[1:])]


def all_bits(bits: dict[str, int]) -> int:
    """Return the equipment of all locations together."""
    mask = 0
    for location in LOCATIONS:
        mask |= bits.get(location, 0)
    return mask
