"""What a market has for the terms of a match, and what an owner has before it shops."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.campaign.line_ups import (
    MatchTerms,
    OwnedCard,
    OwnedGear,
    OwnedPilot,
    OwnedUnit,
    check_crew,
    needs_pilot,
)
from rules.campaign.prices import is_unique, price_of
from rules.campaign.repair import UNDAMAGED
from rules.core.building import Combatant, card_problems, combatant_points

Definition = Mapping[str, Any]

FOR_FRIENDS = ("coolant_flush", "repair", "homing_beacon", "command")
"""Equipment that serves others of a team: most formats have one unit a side, so these owners leave it on the shelf."""

TWO_SIDED = "either"
SIDES = ("primary", "secondary")


@dataclass(frozen=True)
class CrewOffer:
    """A unit of the market with a pilot and perhaps gear that the terms of a match allow together; price in Stones."""

    unit: Definition
    pilot: Definition | None
    gear: Definition | None
    points: int
    price: int
    ids: frozenset[str]

    @property
    def parts(self) -> list[tuple[str, Definition]]:
        """What there is to buy, with its kind."""
        named = (("unit", self.unit), ("pilot", self.pilot), ("gear", self.gear))
        return [(kind, part) for kind, part in named if part is not None]


@dataclass(frozen=True)
class Market:
    """What the market of a season has for the terms of a match: crews, most points first, gear and rally cards."""

    offers: tuple[CrewOffer, ...]
    gear: tuple[Definition, ...]
    cards: tuple[Definition, ...]

    @classmethod
    def of(
        cls,
        units: Iterable[Definition],
        pilots: Iterable[Definition],
        gear: Iterable[Definition],
        cards: Iterable[Definition],
        terms: MatchTerms,
    ) -> Market:
        """Return the market; it is the same for all owners of a season, so it can be kept."""
        by_id = sorted(gear, key=lambda card: str(card["id"]))
        useful = [card for card in by_id if card.get("equipment") not in FOR_FRIENDS]
        offers = [offer for unit in units for offer in _crews_of(unit, list(pilots), useful, terms)]
        offers.sort(key=lambda offer: (-offer.points, *(str(part["id"]) for _, part in offer.parts)))
        return cls(tuple(offers), tuple(useful), tuple(sorted(cards, key=lambda card: str(card["id"]))))


def _crews_of(
    unit: Definition, pilots: Sequence[Definition], gear: Sequence[Definition], terms: MatchTerms
) -> Iterator[CrewOffer]:
    owned = OwnedUnit(str(unit["id"]), unit, UNDAMAGED)
    choices: list[Definition | None] = [*pilots] if needs_pilot(unit) else [None]
    allowed = [
        pilot
        for pilot in choices
        if not check_crew(owned, None if pilot is None else OwnedPilot(str(pilot["id"]), pilot), terms)
    ]
    fitting = [card for card in gear if side_for(unit, card) is not None] if allowed else []
    for pilot in allowed:
        points = combatant_points(Combatant(unit, pilot))
        for card in (None, *fitting):
            total = points + (0 if card is None else int(card["points"]))
            if card is not None and terms.ceiling is not None and total > terms.ceiling:
                continue
            parts = [("unit", unit), ("pilot", pilot), ("gear", card)]
            price = sum(price_of(kind, part) for kind, part in parts if part is not None)
            ids = frozenset(str(part["id"]) for _, part in parts if part is not None)
            yield CrewOffer(unit, pilot, card, total, price, ids)


def side_for(unit: Definition, card: Definition) -> str | None:
    """Return where gear would serve this unit best: "" where the card says it, None where it may not go (R-GER-02)."""
    if card["slot"] != TWO_SIDED:
        return None if card_problems(Combatant(unit, None, (card,))) else ""
    fitting = [side for side in SIDES if not card_problems(Combatant(unit, None, ({**card, "side": side},)))]
    return max(fitting, key=lambda side: int(unit["dial"][0].get(side) or 0), default=None)


@dataclass(frozen=True)
class Means:
    """What an owner has before it shops: Stones, its assets as they are, and the ids of dead pilots (`barred`)."""

    capital: int
    units: Sequence[OwnedUnit] = ()
    pilots: Sequence[OwnedPilot] = ()
    gear: Sequence[OwnedGear] = ()
    cards: Sequence[OwnedCard] = ()
    barred: Collection[str] = field(default_factory=frozenset)

    @property
    def bodies(self) -> list[Definition]:
        """The definitions of its units and pilots."""
        return [unit.definition for unit in self.units] + [pilot.definition for pilot in self.pilots]

    @property
    def owned_ids(self) -> set[str]:
        """The catalogue ids of all of it."""
        cards = [card.definition for card in self.gear] + [card.definition for card in self.cards]
        return {str(definition["id"]) for definition in self.bodies + cards}

    @property
    def unique_ids(self) -> set[str]:
        """The ids of the Uniques among them, of which it takes no second copy."""
        return {str(definition["id"]) for definition in self.bodies if is_unique(definition)}
