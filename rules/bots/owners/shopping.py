"""What an owner made of code buys when a market is open: crews first, then gear and rally cards from the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rules.bots.budget import Budget
from rules.bots.owners.characters import Traits
from rules.bots.owners.crew_options import Places, crew_options_with, may_stand, pilots_on_sale, units_on_sale
from rules.bots.owners.wares import CrewOffer, CrewOption, Definition, Market, Means, side_for
from rules.campaign.classes import BUILD_TOTAL
from rules.campaign.garage.repair import ABLE, ELIMINATED, UNDAMAGED, repair_cost
from rules.campaign.line_ups.checks import MatchTerms, OwnedPilot, OwnedUnit, crews, needs_pilot, pilots_for
from rules.campaign.market.prices import is_unique, price_of
from rules.core.dice import Dice
from rules.solaris.building import Combatant, combatant_points

NEEDED, SPARE, FOR_UNIT, FOR_HAND = "needed", "spare", "for_unit", "for_hand"
"""Purposes of a purchase: a crew that the match takes, a spare crew, a unit without gear, the hand."""


@dataclass(frozen=True)
class Purchase:
    """A purchase: its kind ("unit", "pilot", "gear", "rally_card") and its catalogue id.

    `purpose` is NEEDED, SPARE, FOR_UNIT or FOR_HAND. `beside` names what the purchase goes with: the key of the owner's
    unit or pilot, or the catalogue ids of the rest of a new crew; it is empty for a rally card.
    """

    kind: str
    key: str
    purpose: str = field(default="", compare=False)
    beside: tuple[str, ...] = field(default=(), compare=False)


def reserve_of(traits: Traits, terms: MatchTerms) -> int:
    """Return the Stones that an owner keeps for repairs when it buys what it does not need at once.

    They pay for `traits.repairs_kept` repairs of an eliminated unit.
    """
    return traits.repairs_kept * repair_cost(BUILD_TOTAL[terms.match_class], ELIMINATED)


def manned(means: Means, terms: MatchTerms) -> list[tuple[str, str | None]]:
    """Return the able crews that the owner could field side by side, as keys of units and pilots.

    Units that sit out count, too. The pilot is None for a unit that takes none.
    """
    rested = [
        OwnedUnit(unit.key, unit.definition, unit.state, unit.clicks, False, unit.gear)
        for unit in means.units
        if unit.state in (UNDAMAGED, ABLE)
    ]
    found: list[tuple[str, str | None]] = []
    units, pilots = set[str](), set[str]()
    # A unit with few pilots to choose from goes first, so that nobody takes its only one.
    listed = crews(rested, means.pilots, terms)
    choices = Counter(unit for unit, _ in {(crew.unit, crew.pilot) for crew in listed})
    for crew in sorted(listed, key=lambda crew: choices[crew.unit]):
        if crew.unit not in units and crew.pilot not in pilots:
            found.append((crew.unit, crew.pilot))
            units.add(crew.unit)
            pilots |= {crew.pilot} if crew.pilot is not None else set()
    return found


Pick = Callable[[Sequence[CrewOffer]], CrewOffer]
"""A function that takes one of the crews on offer, which are in the order of `_new_crews`."""


def choose_basket(
    market: Market, means: Means, terms: MatchTerms, traits: Traits, dice: Dice, pick: Pick | None = None
) -> list[Purchase]:
    """Return what to buy, in order; the capital pays for all of it.

    The coming match comes first: each crew leaves enough Stones for the cheapest crews that are still missing. The
    owner's own units and pilots are used before new ones. Spare crews, gear and rally cards follow as long as the price
    of `traits.repairs_kept` repairs stays, and only if no crew of the match lacks Stones. `dice` make stables
    different: each new crew is drawn from the best part of the affordable ones, or taken by `pick`. Raises Overran.
    """
    budget = Budget.of_an_owner()

    def drawn(found: Sequence[CrewOffer]) -> CrewOffer:
        best = found[: max(1, round(len(found) * traits.best_share))]
        return best[dice.draw(len(best), "purchase")]

    pick = pick or drawn
    basket = _Basket(means, budget)
    reserve = reserve_of(traits, terms)
    crewed = manned(means, terms)
    idle = _Idle(
        [unit for unit in means.units if unit.key not in {key for key, _ in crewed} and unit.state != ELIMINATED],
        [pilot for pilot in means.pilots if pilot.key not in {key for _, key in crewed}],
    )
    places = Places(means, market, terms, budget)
    while not places.are_filled:
        way = _best_way(basket, idle, market, terms, traits, pick, places.leaves_enough)
        if way is None:
            # Idle units and pilots do not help. Others do, or a crew that is there gives way to one that fits better.
            way = places.cheapest()
            basket.take(way.wares, way.own[0] if way.own else "")
            idle.part_with(way)
        places.fill(way)
    if places.is_short:
        return basket.purchases

    # Further purchases must not use the Stones for the repairs of the match's crews.
    reserve += places.repairs

    def leaves_reserve(way: CrewOption, price: int, money: int) -> bool:
        return price <= money - reserve

    basket.purpose = SPARE
    for _ in range(len(crewed) + places.bought, terms.size + traits.spare_crews):
        if _best_way(basket, idle, market, terms, traits, pick, leaves_reserve) is None:
            break
    _choose_gear(basket, market.gear, means, terms, reserve, dice)
    _choose_cards(basket, market.cards, means, terms, reserve, traits.rally_cards, dice)
    return basket.purchases


Allows = Callable[[CrewOption, int, int], bool]
"""A function that returns whether a crew may be bought at a price in Stones by an owner with so many Stones."""


class _Basket:
    """What is bought so far, and the money that is left."""

    def __init__(self, means: Means, budget: Budget) -> None:
        self.budget = budget
        self.left = means.capital
        self.ids = means.owned_ids
        self.blocked = set(means.barred) | means.unique_ids
        self.purchases: list[Purchase] = []
        self.purpose = NEEDED

    def take(self, parts: Sequence[tuple[str, Definition]], beside: str = "") -> None:
        ids = [str(part["id"]) for _, part in parts]
        for kind, part in parts:
            key = str(part["id"])
            others = (beside,) if beside else tuple(other for other in ids if other != key)
            self.purchases.append(Purchase(kind, key, self.purpose, others))
            self.ids.add(key)
            if is_unique(part):
                self.blocked.add(key)
            self.left -= price_of(kind, part)


@dataclass
class _Idle:
    """The owner's units without a pilot, and pilots without a unit."""

    units: list[OwnedUnit]
    pilots: list[OwnedPilot]

    def part_with(self, way: CrewOption) -> None:
        self.units = [unit for unit in self.units if unit.key not in way.own]
        self.pilots = [pilot for pilot in self.pilots if pilot.key not in way.own]


def _best_way(
    basket: _Basket, idle: _Idle, market: Market, terms: MatchTerms, traits: Traits, pick: Pick, allows: Allows
) -> CrewOption | None:
    """Buy what makes one crew more, if that is allowed, and return that crew; None if no purchase does.

    A pilot for the owner's idle unit comes first, then a unit for an idle pilot, then a new crew.
    """
    for way in _with_idle(basket, idle, market, terms):
        if allows(way, way.price, basket.left):
            basket.take(way.wares, way.own[0])
            idle.part_with(way)
            return way
    found = _new_crews(basket, market, traits.seeks_gear, allows)
    if not found:
        return None
    offer = pick(found)
    basket.take(offer.parts)
    return offer.way


def _with_idle(basket: _Basket, idle: _Idle, market: Market, terms: MatchTerms) -> Iterator[CrewOption]:
    """Yield crews of idle units, then of idle pilots with new units, each with the most points first.

    An idle pilot comes before a new one. Only a unit on Salvage, which waits for its repair, can find an idle pilot.
    """
    pilots, units = pilots_on_sale(market, basket.blocked), units_on_sale(market, basket.blocked)
    for unit in idle.units:
        if basket.purpose == NEEDED and not may_stand(unit):
            continue
        one = unit if basket.purpose == NEEDED else replace(unit, state=UNDAMAGED, sits_out=False)
        yield from _best_first(crew_options_with(one, [*idle.pilots, *pilots], terms))
    for pilot in idle.pilots:
        found = (
            way for unit in units if needs_pilot(unit.definition) for way in crew_options_with(unit, [pilot], terms)
        )
        yield from _best_first(found)


def _best_first(ways: Iterable[CrewOption]) -> list[CrewOption]:
    return sorted(ways, key=lambda way: (len(way.wares), -way.points, way.ids))


def _new_crews(basket: _Basket, market: Market, with_gear: bool, allows: Allows) -> list[CrewOffer]:
    """Return the offers that may be bought, in the market's order; units that the owner has or buys come last."""
    basket.budget.spend(len(market.offers))
    left, blocked, known = basket.left, basket.blocked, basket.ids
    found: list[CrewOffer] = []
    again: list[CrewOffer] = []
    if left < market.least_price:
        return found
    for offer in market.offers if with_gear else market.bare:
        price = offer.price
        if price > left or not blocked.isdisjoint(offer.ids):
            continue
        if allows(offer.way, price, left):
            (again if str(offer.unit["id"]) in known else found).append(offer)
    return found + again


BEST_CARDS = 3
"""The number of dearest cards that fit, from which gear is drawn."""


def _choose_gear(
    basket: _Basket, gear: Sequence[Definition], means: Means, terms: MatchTerms, reserve: int, dice: Dice
) -> None:
    """Buy a card for each of the owner's units of the class that carries none and has room for one with a pilot.

    A unit that a spare card of the owner fits gets none.
    """
    basket.purpose = FOR_UNIT
    spare = [card for card in means.gear if card.key not in {one.key for unit in means.units for one in unit.gear}]
    for unit in means.units:
        if unit.gear or unit.state == ELIMINATED:
            continue
        if any(side_for(unit.definition, one.definition) is not None for one in spare):
            continue  # a spare card that the owner has comes first
        room = _room_on(unit, means.pilots, terms)
        fitting = [
            card
            for card in gear
            if int(card["points"]) <= room
            and price_of("gear", card) <= basket.left - reserve
            and side_for(unit.definition, card) is not None
        ]
        best = sorted(fitting, key=lambda card: (-int(card["points"]), str(card["id"])))[:BEST_CARDS]
        if best:
            basket.take([("gear", best[dice.draw(len(best), "gear")])], unit.key)


def _room_on(unit: OwnedUnit, pilots: Sequence[OwnedPilot], terms: MatchTerms) -> int:
    """Return the points that gear on a unit may have when the owner's cheapest pilot who fits drives it.

    Return -1 when no pilot fits.
    """
    totals = [
        combatant_points(Combatant(unit.definition, pilot.definition))
        for pilot in pilots_for(unit, pilots, terms, unit.gear)
        if pilot is not None
    ]
    if not totals:
        return -1
    return (terms.ceiling if terms.ceiling is not None else BUILD_TOTAL[terms.match_class]) - min(totals)


def _choose_cards(
    basket: _Basket,
    cards: Sequence[Definition],
    means: Means,
    terms: MatchTerms,
    reserve: int,
    wanted: int,
    dice: Dice,
) -> None:
    """Buy random rally cards that the owner has no copy of, until it has `wanted` different ones or would touch the
    reserve.
    """
    if not terms.takes_hands:
        return
    basket.purpose = FOR_HAND
    wanted -= len({str(card.definition["id"]) for card in means.cards})
    shelf = [card for card in cards if str(card["id"]) not in basket.ids]
    while wanted > 0 and shelf:
        card = shelf.pop(dice.draw(len(shelf), "rally card"))
        if price_of("rally_card", card) > basket.left - reserve:
            return
        basket.take([("rally_card", card)])
        wanted -= 1
