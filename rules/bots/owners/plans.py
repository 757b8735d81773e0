"""The plan by which an owner shops, kept as it was announced while it is followed, in whatever order.

A price is paid in full and a sale brings it back (R-AST-01, R-AST-07), so a purchase changes what an owner has and not
what it is worth. So the plan of somebody who bought a part of it can be found again: take back what was bought last,
with its Stones, and plan from there; if all of it is in that plan, it is the plan that is being followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.bots.owners.advice_reasons import usefulness
from rules.bots.owners.characters import Traits
from rules.bots.owners.seating import on_side, seated
from rules.bots.owners.shopping import FOR_UNIT, Purchase, choose_basket
from rules.bots.owners.wares import Definition, Market, Means
from rules.campaign.garage.repair import ELIMINATED, UNDAMAGED
from rules.campaign.line_ups.checks import MatchTerms, OwnedGear, OwnedPilot
from rules.campaign.market.prices import price_of

Asset = tuple[str, str, Definition]
"""Something of the owner's: its key, its kind and its definition."""


@dataclass(frozen=True)
class Plan:
    """All that an owner buys from where it stood before it began (`means`), in order.

    `owned` stands beside `purchases`: the key of what was bought for each, "" for what is still to be bought.
    """

    means: Means
    purchases: tuple[Purchase, ...] = ()
    owned: tuple[str, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """The keys of what was bought by this plan."""
        return frozenset(self.owned) - {""}

    @property
    def groups(self) -> list[list[int]]:
        """The purchases by their places, those of a new crew together: a unit and what follows it and goes with it."""
        found: list[list[int]] = []
        for place, purchase in enumerate(self.purchases):
            first = self.purchases[found[-1][0]] if found else None
            if first is not None and first.kind == "unit" and first.key in purchase.beside:
                found[-1].append(place)
            else:
                found.append([place])
        return found


class _FirstChoice:
    """Dice that always draw the first, which is the best."""

    def roll(self, count: int, purpose: str) -> tuple[int, ...]:
        raise NotImplementedError

    def draw(self, size: int, purpose: str) -> int:
        return 0


def plan_of(means: Means, market: Market, terms: MatchTerms, traits: Traits, bought: Sequence[str] = ()) -> Plan:
    """Return the plan that an owner follows, or a new one.

    `bought` are keys of its assets in the order in which they were bought. The longest row of the latest purchases that
    one plan explains counts as a part of it. So whoever buys from a plan finds all the rest of it unchanged, unless
    repairs come in between: a pilot for a damaged unit makes it a crew, which is repaired before more is bought.
    """
    latest = _latest(means, terms, traits, bought)
    for count in range(len(latest), 0, -1):
        plan = _explains(latest[:count], means, market, terms, traits)
        if plan is not None:
            return plan
    purchases = _purchases(means, market, terms, traits)
    return Plan(means, purchases, ("",) * len(purchases))


def _assets(means: Means) -> list[Asset]:
    kinds = (("unit", means.units), ("pilot", means.pilots), ("gear", means.gear), ("rally_card", means.cards))
    return [(one.key, kind, one.definition) for kind, listed in kinds for one in listed]


def _latest(means: Means, terms: MatchTerms, traits: Traits, bought: Sequence[str]) -> list[Asset]:
    """Return what was bought last, the latest first, as far back as one plan could reach."""
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
    """Return whether this may be taken back: a unit that was in a match and came to harm is no purchase of this day."""
    return not any(one.key == key and (one.state != UNDAMAGED or one.sits_out) for one in means.units)


def _explains(assets: Sequence[Asset], means: Means, market: Market, terms: MatchTerms, traits: Traits) -> Plan | None:
    """Return the plan that an owner had before it bought these, if it buys all of them."""
    before = _without(means, assets)
    purchases = _purchases(before, market, terms, traits)
    # The first that was bought stands for the first of several copies in the plan.
    waiting = list(reversed(assets))
    owned = []
    for purchase in purchases:
        here = next((one for one in waiting if one[1] == purchase.kind and str(one[2]["id"]) == purchase.key), None)
        if here is not None:
            waiting.remove(here)
        owned.append("" if here is None else here[0])
    return None if waiting else Plan(before, purchases, tuple(owned))


def _without(means: Means, assets: Sequence[Asset]) -> Means:
    """Return what an owner had before it bought these, its Stones included."""
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


def _purchases(means: Means, market: Market, terms: MatchTerms, traits: Traits) -> tuple[Purchase, ...]:
    # The hand is drawn from the shelf in its order, so the most useful cards come first.
    cards = sorted(market.cards, key=lambda card: (-usefulness(card, means, market), str(card["id"])))
    found = choose_basket(replace(market, cards=tuple(cards)), means, terms, traits, _FirstChoice())
    idle = _laden_in_vain(found, means, market, terms)
    return tuple(purchase for purchase in found if purchase.purpose != FOR_UNIT or purchase.beside[0] not in idle)


def _laden_in_vain(found: Sequence[Purchase], means: Means, market: Market, terms: MatchTerms) -> set[str]:
    """Return the owner's own units whose new gear would stay at home: each of them has room for it beside the cheapest
    pilot, who drives but one of them.
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
    # Pilots that are bought for a unit stay with it, and those that a unit is bought for leave the others to the rest.
    new = {one.beside[0]: one.key for one in found if one.kind == "pilot" and one.beside[0] in keys}
    gone = {one.beside[0] for one in found if one.kind == "unit" and one.beside}
    pilots = [pilot for pilot in means.pilots if pilot.key not in gone]
    pilots += [OwnedPilot(f"new:{unit}", market.pilots[key]) for unit, key in new.items()]
    seats = seated(units, pilots, (), terms, {unit: f"new:{unit}" for unit in new})
    return {key for key in wanted if key in seats and not seats[key].carries}
