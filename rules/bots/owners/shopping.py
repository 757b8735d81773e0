"""What an owner made of code buys when a market is open: crews first, then gear and rally cards from what is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.bots.owners.characters import Traits
from rules.bots.owners.wares import CrewOffer, Definition, Market, Means, side_for
from rules.campaign.classes import BUILD_TOTAL
from rules.campaign.line_ups import MatchTerms, OwnedPilot, OwnedUnit, check_crew, crews, needs_pilot
from rules.campaign.prices import is_unique, price_of
from rules.campaign.repair import ABLE, ELIMINATED, UNDAMAGED, repair_cost
from rules.core.building import Combatant, combatant_points
from rules.core.dice import Dice

NEEDED, SPARE, FOR_UNIT, FOR_HAND = "needed", "spare", "for_unit", "for_hand"
"""What something is bought for: a crew that the match takes, one in reserve, a unit that carries no gear, the hand."""


@dataclass(frozen=True)
class Purchase:
    """One thing to buy: its kind ("unit", "pilot", "gear", "rally_card"), and its catalogue id.

    `purpose` is one of those above; `beside` names what it goes with: the owner's unit or pilot by its key, or the
    catalogue ids of the rest of a new crew.
    """

    kind: str
    key: str
    purpose: str = field(default="", compare=False)
    beside: tuple[str, ...] = field(default=(), compare=False)


def reserve_of(traits: Traits, terms: MatchTerms) -> int:
    """Return the Stones that an owner keeps for repairs when it buys what it does not need at once."""
    return traits.repairs_kept * repair_cost(BUILD_TOTAL[terms.match_class], ELIMINATED)


def manned(means: Means, terms: MatchTerms) -> list[tuple[str, str | None]]:
    """Return as many able crews as the owner could field one beside the other, by keys; what sits out counts too."""
    rested = [
        OwnedUnit(unit.key, unit.definition, unit.state, unit.clicks, False, unit.gear)
        for unit in means.units
        if unit.state in (UNDAMAGED, ABLE)
    ]
    found: list[tuple[str, str | None]] = []
    units, pilots = set[str](), set[str]()
    # A unit with few pilots to choose from goes first, so that nobody takes its only one.
    listed = crews(rested, means.pilots, terms)
    choices = {unit.key: sum(crew.unit == unit.key for crew in listed) for unit in rested}
    for crew in sorted(listed, key=lambda crew: choices[crew.unit]):
        if crew.unit not in units and crew.pilot not in pilots:
            found.append((crew.unit, crew.pilot))
            units.add(crew.unit)
            pilots |= {crew.pilot} if crew.pilot is not None else set()
    return found


def choose_basket(market: Market, means: Means, terms: MatchTerms, traits: Traits, dice: Dice) -> list[Purchase]:
    """Return what to buy, in order, never dearer than the capital together.

    As many crews as a match needs are made whenever the money reaches, with units and pilots that the owner has before
    new ones; spare crews, gear and rally cards as long as the price of `traits.repairs_kept` repairs stays. Stables
    differ by `dice`: each crew is drawn from the best part of those that the money allows.
    """
    basket = _Basket(means)
    reserve = reserve_of(traits, terms)
    crewed = manned(means, terms)
    units = [unit for unit in means.units if unit.key not in {key for key, _ in crewed} and unit.state != ELIMINATED]
    pilots = [pilot for pilot in means.pilots if pilot.key not in {key for _, key in crewed}]
    for number in range(len(crewed), terms.size + traits.spare_crews):
        is_needed = number < terms.size
        basket.purpose = NEEDED if is_needed else SPARE
        money = basket.left if is_needed else basket.left - reserve
        if _man(basket, units, market.offers, money) or _mount(basket, pilots, market.offers, money):
            continue
        fitting = basket.fitting(market.offers, money, traits.seeks_gear)
        if not fitting:
            break
        best = fitting[: max(1, round(len(fitting) * traits.best_share))]
        basket.take(best[dice.draw(len(best), "purchase")].parts)
    _choose_gear(basket, market.gear, means, terms, reserve, dice)
    _choose_cards(basket, market.cards, means, terms, reserve, traits.rally_cards, dice)
    return basket.purchases


class _Basket:
    """What is bought so far, and the money that is left."""

    def __init__(self, means: Means) -> None:
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

    def fitting(self, offers: Sequence[CrewOffer], money: int, with_gear: bool) -> list[CrewOffer]:
        """The offers that can be paid and bought, as they are ordered; another copy of a unit comes after new ones."""
        found = [
            offer
            for offer in offers
            if offer.price <= money and (with_gear or offer.gear is None) and self.blocked.isdisjoint(offer.ids)
        ]
        return sorted(found, key=lambda offer: str(offer.unit["id"]) in self.ids)


def _man(basket: _Basket, units: list[OwnedUnit], offers: Sequence[CrewOffer], money: int) -> bool:
    """Buy a pilot for a unit of the owner's that has none; whether one was found. The unit leaves the list."""
    for unit in units:
        key = str(unit.definition["id"])
        for offer in offers:
            pilot = offer.pilot
            if str(offer.unit["id"]) != key or offer.gear is not None or pilot is None:
                continue
            if str(pilot["id"]) not in basket.blocked and price_of("pilot", pilot) <= money:
                basket.take([("pilot", pilot)], unit.key)
                units.remove(unit)
                return True
    return False


def _mount(basket: _Basket, pilots: list[OwnedPilot], offers: Sequence[CrewOffer], money: int) -> bool:
    """Buy a unit for a pilot of the owner's that has none; whether one was found. The pilot leaves the list."""
    for pilot in pilots:
        key = str(pilot.definition["id"])
        for offer in offers:
            is_his = offer.pilot is not None and str(offer.pilot["id"]) == key and offer.gear is None
            is_new = str(offer.unit["id"]) not in basket.blocked
            if is_his and is_new and price_of("unit", offer.unit) <= money:
                basket.take([("unit", offer.unit)], pilot.key)
                pilots.remove(pilot)
                return True
    return False


BEST_CARDS = 3
"""Gear is drawn from so many of the dearest cards that fit: points say what a card is worth."""


def _choose_gear(
    basket: _Basket, gear: Sequence[Definition], means: Means, terms: MatchTerms, reserve: int, dice: Dice
) -> None:
    """Buy a card for each of the owner's units of the class that carries none and has room beside a pilot of his."""
    basket.purpose = FOR_UNIT
    spare = [card for card in means.gear if card.key not in {one.key for unit in means.units for one in unit.gear}]
    for unit in means.units:
        if unit.gear or unit.state == ELIMINATED:
            continue
        if any(side_for(unit.definition, one.definition) is not None for one in spare):
            continue  # what it has would serve here first
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
    """The points that gear on a unit may have beside the cheapest pilot of the owner who fits; -1 when none does."""
    choices: list[OwnedPilot | None] = [*pilots] if needs_pilot(unit.definition) else []
    totals = [
        combatant_points(Combatant(unit.definition, None if pilot is None else pilot.definition))
        for pilot in choices
        if not check_crew(unit, pilot, terms)
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
    """Draw rally cards that the owner has no copy of, while the reserve stays in the purse."""
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
