"""Advice to an owner in words: what to buy, repair, sell, mount and keep, each with what a form sends to follow it.

AI owners judge (`rules.bots.owners.advice`) what the stable has and what its own market offers. They see nothing of
rivals except what the market itself says: that a Unique is taken.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from rules.bots.advice.reason import Reason
from rules.bots.budget import Overran
from rules.bots.owners import advice as judgement
from rules.bots.owners.advice import PieceOfAdvice, Situation
from rules.bots.owners.wares import Means
from rules.campaign.garage.repair import UNDAMAGED
from rules.campaign.line_ups.checks import MatchTerms, OwnedCard, OwnedGear, OwnedPilot, OwnedUnit
from rules.campaign.market.prices import is_unique, price_of
from rules.solaris.house_rules import HouseRules
from rules.wording.stable_advice import deed_sentence, stable_reason
from stables.models import Asset, Basket, Season, Stable
from stables.selectors.definitions import KINDS, catalogue_of, definition
from stables.selectors.windows import Window, repairs_are_over
from stables.services.ai.stock import classes_to_come, market_of, means_of
from stables.services.market.trading import hireable_pilots, terms_in

logger = logging.getLogger(__name__)

IN_BASKET = "basket:"
"""The prefix of keys for things in the basket, which count as bought."""

Ware = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True)
class ReasonView:
    """A reason with its code and its sentence."""

    code: str
    parameters: Mapping[str, Any]
    detail: str


@dataclass(frozen=True)
class AdviceItem:
    """A suggestion in words, and what a form or a program sends to follow it.

    `asset` and `unit` are ids of assets, None for what the stable does not own. `can_pay`: the present capital is
    enough, without the sales suggested before this.
    """

    suggestion: PieceOfAdvice
    name: str
    sentence: str
    reasons: tuple[ReasonView, ...]
    asset: int | None = None
    unit: int | None = None
    can_pay: bool = True

    @property
    def card(self) -> str:
        """Gear with its side, as the form of the garage names it."""
        return f"{self.asset}:{self.suggestion.side}" if self.suggestion.side else str(self.asset)

    @property
    def fields(self) -> dict[str, object]:
        """The fields that a form sends to follow the suggestion, by name."""
        if self.suggestion.deed in (judgement.HIRE, judgement.BUY):
            return {"kind": self.suggestion.kind, "key": self.suggestion.key}
        if self.suggestion.deed == judgement.MOUNT:
            return {"unit": self.unit, "card": self.card}
        return {"asset": self.asset}

    @property
    def moves_stones(self) -> bool:
        """Whether following the suggestion changes the capital."""
        return self.suggestion.deed in (judgement.SELL, judgement.REPAIR, judgement.HIRE, judgement.BUY)


@dataclass(frozen=True)
class StableAdvice:
    """All suggestions in order. `takes_basket`: a purchase may wait in an open basket.

    `basket` is what the things in the basket cost in Stones; they count as spent before all suggestions.
    """

    suggestions: tuple[AdviceItem, ...]
    takes_basket: bool
    basket: int = 0

    @property
    def needed(self) -> int:
        """The number of suggestions without which the coming match lacks an able crew."""
        return sum(each.suggestion.is_needed for each in self.suggestions)


def hireable_for(stable: Stable, window: Window) -> Sequence[Mapping[str, Any]]:
    """Return the pilots for an emergency hire; [] while the stable may buy everything. At most three queries."""
    return [] if window.can_buy(stable.season.rules.buy_between_matches) else hireable_pilots(stable, window)


def lines_in(basket: Basket | None) -> Sequence[Mapping[str, str]]:
    """Return the lines of a basket that is still to be bought; [] for no basket and a bought one."""
    return [] if basket is None or basket.filled_at is not None else basket.lines


def advice_for(
    stable: Stable,
    window: Window,
    assets: Sequence[Asset],
    lines: Sequence[Mapping[str, str]] = (),
    hireable: Sequence[Mapping[str, Any]] = (),
    basket: Basket | None = None,
) -> StableAdvice | None:
    """Return what the owner of a stable should do now; None while nothing can be done, or beyond the adviser's budget.

    `assets` are all unsold ones, `lines` those of the basket, `hireable` the pilots for an emergency hire. No query,
    or one for the first look at a market of the season in which each Unique exists once.
    """
    situation = situation_of(stable, window, assets, lines, hireable)
    if situation is None:
        return None
    try:
        advice = judgement.advise(situation)
    except Overran as error:
        logger.error("There is no advice for the stable %s: %s", stable.pk, error)
        return None
    by_code = {asset.code: asset for asset in assets}
    names = _names(stable.season, by_code, lines)
    found = [
        _view(stable, suggestion, by_code, names)
        for suggestion in advice
        if not (suggestion.key.startswith(IN_BASKET) or suggestion.unit.startswith(IN_BASKET))
    ]
    takes_basket = window.is_market and not (basket is not None and (basket.sealed_at or basket.filled_at))
    return StableAdvice(tuple(found), takes_basket, stable.capital - situation.means.capital)


def situation_of(
    stable: Stable,
    window: Window,
    assets: Sequence[Asset],
    lines: Sequence[Mapping[str, str]],
    hireable: Sequence[Mapping[str, Any]],
) -> Situation | None:
    """Return the situation of a stable for the AI owners to judge; None during matches and without a next match."""
    season = stable.season
    at_close = window.in_break and not window.is_market
    terms = _terms(season, window, at_close)
    if not window.is_between_matches or terms is None:
        return None
    means = means_of(stable, window, assets)
    wares = [(line["kind"], definition(season, line["kind"], line["key"])) for line in lines]
    can_buy = window.can_buy(season.rules.buy_between_matches)
    return Situation(
        with_basket(means, wares),
        terms,
        market=market_of(season, terms) if can_buy else None,
        matches_left=window.matches_left,
        in_break=window.in_break,
        at_close=at_close,
        can_repair=not repairs_are_over(stable, window),
        can_sell=True,
        can_mount=window.gear_may_move,
        hireable=hireable,
        classes_to_come=classes_to_come(season, window.cycle + at_close, terms),
        owed=stable.owed,
        bought=[asset.code for asset in sorted(assets, key=lambda asset: asset.pk)]
        + [f"{IN_BASKET}{number}" for number in range(1, len(lines) + 1)],
        turn=stable.number - 1,
    )


def _terms(season: Season, window: Window, at_close: bool) -> MatchTerms | None:
    """Return the terms of the next match, which is in the next cycle if `at_close`; None without a next match."""
    if not at_close:
        return terms_in(season, window) if window.match_class else None
    rules, number = season.rules, window.cycle + 1
    if not window.cycle or number > len(rules.cycles):
        return None
    return MatchTerms(rules.class_of(number), rules.cycles[number - 1], HouseRules.from_json(rules.house_rules))


def with_basket(means: Means, wares: Sequence[Ware]) -> Means:
    """Return an owner's means after buying the basket in order.

    Left out are lines that cost more than the Stones that remain, and second copies of rally cards or Uniques.
    """
    owned = means.owned_ids
    for number, (kind, entry) in enumerate(wares, 1):
        key, code = str(entry["id"]), f"{IN_BASKET}{number}"
        price = price_of(kind, entry)
        if price > means.capital or (key in owned and (kind == "rally_card" or is_unique(entry))):
            continue
        owned.add(key)
        means = replace(means, capital=means.capital - price)
        if kind == "unit":
            means = replace(means, units=(*means.units, OwnedUnit(code, entry, UNDAMAGED)))
        elif kind == "pilot":
            means = replace(means, pilots=(*means.pilots, OwnedPilot(code, entry)))
        elif kind == "gear":
            means = replace(means, gear=(*means.gear, OwnedGear(code, entry)))
        else:
            means = replace(means, cards=(*means.cards, OwnedCard(code, entry)))
    return means


def _names(season: Season, by_code: Mapping[str, Asset], lines: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return the names of assets, catalogue entries and things in the basket, by their keys."""
    catalogue = catalogue_of(season)
    names = {key: str(entry["name"]) for kind in KINDS.values() for key, entry in catalogue.of_kind(kind).items()}
    names |= {f"{IN_BASKET}{number}": names.get(line["key"], line["key"]) for number, line in enumerate(lines, 1)}
    return names | {code: asset.label for code, asset in by_code.items()}


def _view(
    stable: Stable, suggestion: PieceOfAdvice, by_code: Mapping[str, Asset], names: Mapping[str, str]
) -> AdviceItem:
    name = names.get(suggestion.key, suggestion.key)
    values = {"name": name, "stones": suggestion.stones, "unit": names.get(suggestion.unit, suggestion.unit)}
    own, unit = by_code.get(suggestion.key), by_code.get(suggestion.unit)
    is_spent = suggestion.deed in (judgement.REPAIR, judgement.HIRE, judgement.BUY)
    return AdviceItem(
        suggestion,
        name,
        deed_sentence(suggestion.deed, values, gettext),
        tuple(_reason(reason, names) for reason in suggestion.reasons),
        asset=None if own is None else own.pk,
        unit=None if unit is None else unit.pk,
        can_pay=not is_spent or suggestion.stones <= stable.capital,
    )


def _reason(reason: Reason, names: Mapping[str, str]) -> ReasonView:
    return ReasonView(reason.code, reason.parameters, stable_reason(reason.code, reason.parameters, names, gettext))
