"""What a market has for the terms of a match, and what an owner has before it shops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from rules.campaign.garage.repair import ABLE, UNDAMAGED, repair_cost
from rules.campaign.line_ups.checks import (
    Crew,
    MatchTerms,
    OwnedCard,
    OwnedGear,
    OwnedPilot,
    OwnedUnit,
    combatant_of,
    pilots_for,
)
from rules.campaign.market.prices import is_unique, price_of
from rules.core.table_units import is_table_only
from rules.solaris.building import Combatant, card_problems, combatant_points

Definition = Mapping[str, Any]

FOR_FRIENDS = ("coolant_flush", "repair", "homing_beacon", "command")
"""Equipment that serves other units of a team. Most formats have one unit a side, so owners made of code do not buy it.
"""

TWO_SIDED = "either"
SIDES = ("primary", "secondary")


@dataclass(frozen=True)
class CrewOption:
    """A way to make a crew: a unit with the pilot that it needs, without gear, as the terms of a match allow.

    `ids` are those of the catalogue. `own` are the keys of the parts that the owner has, `wares` the other parts with
    their kinds. `price` is what the wares cost in Stones, and the repair of a unit that shows Salvage or is eliminated:
    it makes no able crew without one (Q-155, R-CRP-08). `uniques` are the ids of the Uniques among the parts; a stable
    has one copy of each.
    """

    ids: tuple[str, ...]
    own: tuple[str, ...]
    wares: tuple[tuple[str, Definition], ...] = field(compare=False)
    price: int
    points: int
    uniques: frozenset[str]
    crew: Crew = field(compare=False, repr=False)

    @cached_property
    def once(self) -> frozenset[tuple[str, str]]:
        """The keys and Uniques that exist only once: two crews can stand side by side only if they share none."""
        return frozenset([*(("own", key) for key in self.own), *(("unique", key) for key in self.uniques)])

    @property
    def price_of_wares(self) -> int:
        """The price of the wares in Stones, without a repair."""
        return sum(price_of(kind, definition) for kind, definition in self.wares)


def cost_of(unit: OwnedUnit) -> int:
    """Return the Stones that bring a unit with its gear back to its start marker (R-CRP-02)."""
    points = int(unit.definition["points"]) + sum(int(card.definition["points"]) for card in unit.gear)
    return repair_cost(points, unit.state)


def crew_option_of(unit: OwnedUnit, pilot: OwnedPilot | None) -> CrewOption:
    """Return the way to make a crew of this unit and pilot; a part with the key "" is still to be bought."""
    parts: list[tuple[str, str, Definition]] = [("unit", unit.key, unit.definition)]
    if pilot is not None:
        parts.append(("pilot", pilot.key, pilot.definition))
    wares = tuple((kind, definition) for kind, key, definition in parts if not key)
    repair = 0 if unit.state in (UNDAMAGED, ABLE) else cost_of(unit)
    combatant = combatant_of(unit, pilot)
    points = combatant_points(combatant)
    return CrewOption(
        tuple(str(definition["id"]) for _, _, definition in parts),
        tuple(key for _, key, _ in parts if key),
        wares,
        sum(price_of(kind, definition) for kind, definition in wares) + repair,
        points,
        frozenset(str(definition["id"]) for _, _, definition in parts if is_unique(definition)),
        Crew(unit.key, None if pilot is None else pilot.key, points, True, (), combatant),
    )


@dataclass(frozen=True)
class CrewOffer:
    """A unit of the market, with a pilot if it needs one and perhaps gear, that the terms of a match allow together.

    `price` is in Stones. `ids` are the catalogue ids of all parts. `way` is the crew without the gear.
    """

    unit: Definition
    pilot: Definition | None
    gear: Definition | None
    points: int
    price: int
    ids: frozenset[str]
    way: CrewOption

    @property
    def parts(self) -> list[tuple[str, Definition]]:
        """The kinds and definitions of what is bought: the unit, and the pilot and the gear if there are any."""
        named = (("unit", self.unit), ("pilot", self.pilot), ("gear", self.gear))
        return [(kind, part) for kind, part in named if part is not None]


MOST_OFFERS = 65_536
"""The most crews of a market that owners look at one by one; the built-in catalogue has seven thousand."""

MOST_UNITS, CREWS_A_UNIT, CARDS_A_CREW = 256, 16, 3
"""What owners look at in a larger market: units, crews with each unit, cards of gear for each crew."""


@dataclass(frozen=True)
class Market:
    """What the market of a season has for the terms of a match: crews, most points first, gear and rally cards.

    Of a market with more than MOST_OFFERS crews only some are there, spread over its units, pilots and gear: of each
    kind the cheapest, the dearest and those at even distances between them.
    """

    offers: tuple[CrewOffer, ...]
    gear: tuple[Definition, ...]
    cards: tuple[Definition, ...]

    @cached_property
    def bare(self) -> tuple[CrewOffer, ...]:
        """The crews on offer without gear, in the same order."""
        return tuple(offer for offer in self.offers if offer.gear is None)

    @cached_property
    def least_price(self) -> int:
        """The price of the cheapest crew on offer in Stones, 0 if there is none."""
        return min((offer.price for offer in self.offers), default=0)

    @cached_property
    def units(self) -> Mapping[str, Definition]:
        """The units of the crews on offer, by their catalogue ids."""
        return {str(offer.unit["id"]): offer.unit for offer in self.offers}

    @cached_property
    def pilots(self) -> Mapping[str, Definition]:
        """The pilots of the crews on offer, by their catalogue ids."""
        return {str(offer.pilot["id"]): offer.pilot for offer in self.offers if offer.pilot is not None}

    @cached_property
    def shelves(self) -> Mapping[str, Mapping[str, Definition]]:
        """All wares: kind -> catalogue id -> definition."""
        gear = {str(card["id"]): card for card in self.gear}
        cards = {str(card["id"]): card for card in self.cards}
        return {"unit": self.units, "pilot": self.pilots, "gear": gear, "rally_card": cards}

    @classmethod
    def of(
        cls,
        units: Iterable[Definition],
        pilots: Iterable[Definition],
        gear: Iterable[Definition],
        cards: Iterable[Definition],
        terms: MatchTerms,
    ) -> Market:
        """Return the market for these terms, without units that have no dial: no bot knows what those are worth.

        All owners of a season share it, so it can be kept.
        """
        by_id = sorted(gear, key=lambda card: str(card["id"]))
        useful = [card for card in by_id if card.get("equipment") not in FOR_FRIENDS]
        listed = [unit for unit in units if not is_table_only(unit)]
        drivers = [OwnedPilot("", pilot) for pilot in pilots]
        everything = (offer for unit in listed for offer in _crews_of(unit, drivers, useful, terms))
        offers = list(islice(everything, MOST_OFFERS + 1))
        if len(offers) > MOST_OFFERS:
            offers = _some_crews(listed, drivers, useful, terms)
        offers.sort(key=lambda offer: (-offer.points, *(str(part["id"]) for _, part in offer.parts)))
        return cls(tuple(offers), tuple(useful), tuple(sorted(cards, key=lambda card: str(card["id"]))))


def _some_crews(
    units: Sequence[Definition], pilots: Sequence[OwnedPilot], gear: Sequence[Definition], terms: MatchTerms
) -> list[CrewOffer]:
    """Return crews of MOST_UNITS units at most, of each with CREWS_A_UNIT pilots and CARDS_A_CREW cards at most."""
    manned = [unit for unit in units if any(True for _ in pilots_for(OwnedUnit("", unit, UNDAMAGED), pilots, terms))]
    return [
        offer
        for unit in _spread(manned, MOST_UNITS, lambda unit: (price_of("unit", unit), str(unit["id"])))
        for offer in _crews_of(unit, pilots, gear, terms, CREWS_A_UNIT, CARDS_A_CREW)
    ]


def _spread(wares: Iterable[Any], most: int, order: Callable[[Any], Any]) -> list[Any]:
    """Return the first and the last of some wares in this order, and others at even distances, `most` (2 or more)."""
    ordered = sorted(wares, key=order)
    if len(ordered) <= most:
        return ordered
    return [ordered[place * (len(ordered) - 1) // (most - 1)] for place in range(most)]


def _crews_of(
    unit: Definition,
    pilots: Sequence[OwnedPilot],
    gear: Sequence[Definition],
    terms: MatchTerms,
    most_pilots: int | None = None,
    most_cards: int | None = None,
) -> Iterator[CrewOffer]:
    """Yield the crews of a unit with each pilot, and each with each card of gear; None means all pilots or cards."""
    owned = OwnedUnit("", unit, UNDAMAGED)
    allowed = list(pilots_for(owned, pilots, terms))
    fitting = [card for card in gear if side_for(unit, card) is not None] if allowed else []
    if most_pilots is not None:
        allowed = _spread(allowed, most_pilots, lambda one: (price_of("pilot", one.definition), one.definition["id"]))
    if most_cards is not None:
        fitting = _spread(fitting, most_cards, lambda card: (price_of("gear", card), str(card["id"])))
    for pilot in allowed:
        way = crew_option_of(owned, pilot)
        definition = None if pilot is None else pilot.definition
        for card in (None, *fitting):
            total = way.points + (0 if card is None else int(card["points"]))
            if card is not None and terms.ceiling is not None and total > terms.ceiling:
                continue
            parts = [("unit", unit), ("pilot", definition), ("gear", card)]
            price = sum(price_of(kind, part) for kind, part in parts if part is not None)
            ids = frozenset(str(part["id"]) for _, part in parts if part is not None)
            yield CrewOffer(unit, definition, card, total, price, ids, way)


def side_for(unit: Definition, card: Definition) -> str | None:
    """Return on which side, "primary" or "secondary", two-sided gear serves this unit best.

    Return "" for gear with a fixed slot, and None if the gear does not fit (R-GER-02).
    """
    if card["slot"] != TWO_SIDED:
        return None if card_problems(Combatant(unit, None, (card,))) else ""
    fitting = [side for side in SIDES if not card_problems(Combatant(unit, None, ({**card, "side": side},)))]
    start = {} if is_table_only(unit) else unit["dial"][0]
    return max(fitting, key=lambda side: int(start.get(side) or 0), default=None)


@dataclass(frozen=True)
class Means:
    """The means of an owner before it shops: Stones, assets, and the ids of dead pilots (`barred`)."""

    capital: int
    units: Sequence[OwnedUnit] = ()
    pilots: Sequence[OwnedPilot] = ()
    gear: Sequence[OwnedGear] = ()
    cards: Sequence[OwnedCard] = ()
    barred: Collection[str] = field(default_factory=frozenset)

    @property
    def bodies(self) -> list[Definition]:
        """The definitions of the owner's units and pilots."""
        return [unit.definition for unit in self.units] + [pilot.definition for pilot in self.pilots]

    @property
    def owned_ids(self) -> set[str]:
        """The catalogue ids of all of the owner's assets."""
        cards = [card.definition for card in self.gear] + [card.definition for card in self.cards]
        return {str(definition["id"]) for definition in self.bodies + cards}

    @property
    def unique_ids(self) -> set[str]:
        """The ids of the owner's Uniques, of which it takes no second copy."""
        return {str(definition["id"]) for definition in self.bodies if is_unique(definition)}
