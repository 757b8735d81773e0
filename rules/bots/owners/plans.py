"""An owner's shopping plan. It stays the same while the owner follows it, in any order.

Prices are paid in full, and a sale brings them back (R-AST-01, R-AST-07). So the plan of an owner who has bought some
of it can be found again: take back the latest purchases and their Stones, and plan from there. If the new plan contains
all of these purchases, it is the plan that the owner follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from rules.bots.owners.advice_reasons import usefulness
from rules.bots.owners.characters import Traits
from rules.bots.owners.seating import on_side, seated
from rules.bots.owners.shopping import FOR_UNIT, Pick, Purchase, choose_basket
from rules.bots.owners.wares import CrewOffer, Definition, Market, Means
from rules.campaign.garage.repair import ELIMINATED, UNDAMAGED
from rules.campaign.line_ups.checks import MatchTerms, OwnedGear, OwnedPilot
from rules.campaign.market.prices import price_of

Asset = tuple[str, str, Definition]
"""An asset of the owner's: its key, its kind (as in ASSET_KINDS) and its definition."""


@dataclass(frozen=True)
class Plan:
    """All that an owner buys, in order, starting from its `means` before the first purchase.

    `owned` has an entry for each of `purchases`: the key of the asset, "" for what is still to be bought.
    """

    means: Means
    purchases: tuple[Purchase, ...] = ()
    owned: tuple[str, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the assets that the owner bought by this plan."""
        return frozenset(self.owned) - {""}

    @property
    def groups(self) -> list[list[int]]:
        """The indices of the purchases in groups: a new unit with the purchases that go with it, or one purchase."""
        found: list[list[int]] = []
        for place, purchase in enumerate(self.purchases):
            first = self.purchases[found[-1][0]] if found else None
            if first is not None and first.kind == "unit" and first.key in purchase.beside:
                found[-1].append(place)
            else:
                found.append([place])
        return found


class _FirstChoice:
    """Dice that always draw the first of a list, which is the best. They cannot be rolled."""

    def roll(self, count: int, purpose: str) -> tuple[int, ...]:
        raise NotImplementedError

    def draw(self, size: int, purpose: str) -> int:
        return 0


AS_GOOD = Fraction(19, 20)
"""The share of the best crew's points from which another crew counts as equally good."""


def as_good_as_best(turn: int) -> Pick:
    """Return the function that takes the crew of a stable whose turn it is among equally good ones (O-S7).

    They are the crews that are not made of units of the owner's, with at least AS_GOOD of the best one's points. Turn 0
    takes the best crew, the next turn the best crew with another unit, and so on round the units; where there is one
    unit only, round its pilots.
    """

    def pick(found: Sequence[CrewOffer]) -> CrewOffer:
        # Units that the owner has come last, so the points rise again where they begin.
        points = [offer.points for offer in found]
        end = next((place for place in range(1, len(points)) if points[place] > points[place - 1]), len(points))
        # Whole numbers: there are thousands of offers, and fractions take a hundred times as long.
        least = ceil(points[0] * AS_GOOD)
        good = [offer for offer in found[:end] if offer.points >= least]
        of_units, of_pilots = dict[str, CrewOffer](), dict[str, CrewOffer]()
        for offer in good:
            of_units.setdefault(str(offer.unit["id"]), offer)
            of_pilots.setdefault("" if offer.pilot is None else str(offer.pilot["id"]), offer)
        listed = list((of_units if len(of_units) > 1 else of_pilots).values())
        return listed[turn % len(listed)]

    return pick


def plan_of(
    means: Means, market: Market, terms: MatchTerms, traits: Traits, bought: Sequence[str] = (), turn: int = 0
) -> Plan:
    """Return the plan that an owner follows, or a new one. `turn` chooses among equally good crews.

    `bought` are the keys of the owner's assets, in the order in which they were bought. As many of the latest purchases
    as one plan contains are taken for purchases of that plan. So an owner who buys from a plan finds the rest of it
    unchanged, unless repairs come in between: a pilot for a damaged unit makes it a crew, which is repaired before more
    is bought. Raises Overran.
    """
    latest = _latest(means, terms, traits, bought)
    for count in range(len(latest), 0, -1):
        plan = _explains(latest[:count], means, market, terms, traits, turn)
        if plan is not None:
            return plan
    purchases = _purchases(means, market, terms, traits, turn)
    return Plan(means, purchases, ("",) * len(purchases))


def _assets(means: Means) -> list[Asset]:
    kinds = (("unit", means.units), ("pilot", means.pilots), ("gear", means.gear), ("rally_card", means.cards))
    return [(one.key, kind, one.definition) for kind, listed in kinds for one in listed]


def _latest(means: Means, terms: MatchTerms, traits: Traits, bought: Sequence[str]) -> list[Asset]:
    """Return the assets that were bought last, the latest first, as far back as one plan could reach."""
    crews = terms.size + traits.spare_crews
    most = {"unit": crews, "pilot": crews, "gear": crews + len(means.units), "rally_card": traits.rally_cards}
    assets = {asset[0]: asset for asset in _assets(means)}
    found: list[Asset] = []
    for key in reversed([key for key in bought if key in assets]):
        kind = assets[key][1]
        most[kind] -= 1
        if most[kind] < 0 or not _is_fresh(means, key):
            break
        found.append(assets[key])
    return found


def _is_fresh(means: Means, key: str) -> bool:
    """Return whether an asset may come from the open market: a unit that is damaged or sits out is older."""
    return not any(one.key == key and (one.state != UNDAMAGED or one.sits_out) for one in means.units)


def _explains(
    assets: Sequence[Asset], means: Means, market: Market, terms: MatchTerms, traits: Traits, turn: int
) -> Plan | None:
    """Return the plan that an owner had before it bought these assets; None if it does not contain all of them."""
    before = _without(means, assets)
    purchases = _purchases(before, market, terms, traits, turn)
    # The copy that was bought first counts as the first copy in the plan.
    waiting = list(reversed(assets))
    owned = []
    for purchase in purchases:
        here = next((one for one in waiting if one[1] == purchase.kind and str(one[2]["id"]) == purchase.key), None)
        if here is not None:
            waiting.remove(here)
        owned.append("" if here is None else here[0])
    return None if waiting else Plan(before, purchases, tuple(owned))


def _without(means: Means, assets: Sequence[Asset]) -> Means:
    """Return what an owner had before it bought these assets, with the Stones that it paid for them."""
    gone = {key for key, _, _ in assets}
    units = [
        replace(unit, gear=tuple(card for card in unit.gear if card.key not in gone))
        for unit in means.units
        if unit.key not in gone
    ]
    return replace(
        means,
        capital=means.capital + sum(price_of(kind, definition) for _, kind, definition in assets),
        units=tuple(units),
        pilots=tuple(pilot for pilot in means.pilots if pilot.key not in gone),
        gear=tuple(card for card in means.gear if card.key not in gone),
        cards=tuple(card for card in means.cards if card.key not in gone),
    )


def _purchases(means: Means, market: Market, terms: MatchTerms, traits: Traits, turn: int) -> tuple[Purchase, ...]:
    # The hand is drawn from the shelf in its order, so the most useful cards come first.
    cards = sorted(market.cards, key=lambda card: (-usefulness(card, means, market), str(card["id"])))
    shelf = replace(market, cards=tuple(cards))
    found = choose_basket(shelf, means, terms, traits, _FirstChoice(), as_good_as_best(turn))
    idle = _laden_in_vain(found, means, market, terms)
    return tuple(purchase for purchase in found if purchase.purpose != FOR_UNIT or purchase.beside[0] not in idle)


def _laden_in_vain(found: Sequence[Purchase], means: Means, market: Market, terms: MatchTerms) -> set[str]:
    """Return the keys of the owner's units whose new gear would stay at home.

    Each of them has room for its gear and the cheapest pilot, but that pilot can drive only one of them.
    """
    wanted = {purchase.beside[0]: purchase for purchase in found if purchase.purpose == FOR_UNIT}
    if not wanted:
        return set()
    cards = {str(card["id"]): card for card in market.gear}
    units = [
        replace(unit, gear=(on_side(OwnedGear("", cards[wanted[unit.key].key]), unit),)) if unit.key in wanted else unit
        for unit in means.units
        if unit.state != ELIMINATED
    ]
    keys = {unit.key for unit in units}
    # A pilot bought for a unit stays with it. A pilot for whom a unit is bought is not free for the other units.
    new = {one.beside[0]: one.key for one in found if one.kind == "pilot" and one.beside[0] in keys}
    gone = {one.beside[0] for one in found if one.kind == "unit" and one.beside}
    pilots = [pilot for pilot in means.pilots if pilot.key not in gone]
    pilots += [OwnedPilot(f"new:{unit}", market.pilots[key]) for unit, key in new.items()]
    seats = seated(units, pilots, (), terms, {unit: f"new:{unit}" for unit in new})
    return {key for key in wanted if key in seats and not seats[key].carries}
