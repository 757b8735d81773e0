"""Advice to an owner in words: what to buy, repair, sell, mount and keep, each with what a form sends to follow it.

AI owners judge (`rules.bots.owners.advice`) what the stable has and what its own market offers. They see nothing of
rivals except what the market itself says: that a Unique is taken.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.bots.advice.reason import Reason
from rules.bots.budget import Overran
from rules.bots.owners import advice as judgement
from rules.bots.owners.advice import PieceOfAdvice
from rules.wording.isolation import name_of
from rules.wording.stable_advice import deed_sentence, stable_reason
from stables.models import Asset, Basket, Season, Stable
from stables.selectors.definitions import KINDS, catalogue_of
from stables.selectors.windows import Window
from stables.services.ai.advice import IN_BASKET, situation_of
from stables.services.market.trading import hireable_pilots
from web.languages.reader import translate

logger = logging.getLogger(__name__)

FIRST_SHOWN = 3
"""So many suggestions a page shows at once; it folds the others."""


@dataclass(frozen=True)
class ReasonView:
    """A reason with its code and its sentence."""

    code: str
    parameters: Mapping[str, Any]
    detail: str


@dataclass(frozen=True)
class AdviceItem:
    """A suggestion in words, and what a form or a program sends to follow it.

    `asset` and `unit` are ids of assets, and `own` is the first one, None for what the stable does not own. `can_pay`:
    the present capital is enough, without the sales suggested before this.
    """

    suggestion: PieceOfAdvice
    name: str
    sentence: str
    reasons: tuple[ReasonView, ...]
    asset: int | None = None
    unit: int | None = None
    can_pay: bool = True
    own: Asset | None = None

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
    def first(self) -> tuple[AdviceItem, ...]:
        """What a page shows at once."""
        return self.suggestions[:FIRST_SHOWN]

    @property
    def rest(self) -> tuple[AdviceItem, ...]:
        """What a page folds."""
        return self.suggestions[FIRST_SHOWN:]

    @property
    def buys_for_basket(self) -> bool:
        """Whether something of it can go into the basket now."""
        purchases = (each for each in self.suggestions if each.suggestion.deed == judgement.BUY)
        return self.takes_basket and any(each.can_pay for each in purchases)

    @property
    def needed(self) -> int:
        """The number of suggestions to do something without which the coming match lacks an able crew."""
        needed = [each.suggestion for each in self.suggestions if each.suggestion.is_needed]
        return sum(each.deed != judgement.KEEP for each in needed)


def hireable_for(stable: Stable, window: Window) -> Sequence[Mapping[str, Any]]:
    """Return the pilots for an emergency hire; [] while the stable may buy everything. At most three queries."""
    return [] if window.can_buy(stable.season.rules.buy_between_matches) else hireable_pilots(stable, window)


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


def _names(season: Season, by_code: Mapping[str, Asset], lines: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return the names of assets, catalogue entries and things in the basket, by their keys."""
    catalogue = catalogue_of(season)
    names = {key: name_of(entry) for kind in KINDS.values() for key, entry in catalogue.of_kind(kind).items()}
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
        deed_sentence(suggestion.deed, values, translate),
        tuple(_reason(reason, names) for reason in suggestion.reasons),
        asset=None if own is None else own.pk,
        unit=None if unit is None else unit.pk,
        can_pay=not is_spent or suggestion.stones <= stable.capital,
        own=own,
    )


def _reason(reason: Reason, names: Mapping[str, str]) -> ReasonView:
    return ReasonView(reason.code, reason.parameters, stable_reason(reason.code, reason.parameters, names, translate))
