"""An AI owner's knowledge of its stable and of the market, in the terms of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from rules.bots.owners.characters import CHARACTERS, Traits
from rules.bots.owners.wares import Market, Means
from rules.campaign.classes import WEIGHT_CLASSES
from rules.campaign.line_ups.checks import MatchTerms
from rules.campaign.market.prices import BuyerState, barriers
from stables.models import Asset, Season, Stable
from stables.selectors.assets import holding_of
from stables.selectors.definitions import KINDS, catalogue_of
from stables.selectors.windows import Window
from stables.services.season.buyers import is_one_market

STANDARD = "standard"


def traits_of(stable: Stable) -> Traits:
    """Return the traits of a stable's AI owner."""
    return CHARACTERS[stable.character]


@dataclass(frozen=True)
class Stock:
    """A stable's assets before the next match: in the terms of the rules, and as rows by their codes."""

    means: Means
    by_code: Mapping[str, Asset]


def stock_of(stable: Stable, window: Window) -> Stock:
    """Return a stable's assets before the next match, with the dead pilots that it may never buy again; one query."""
    assets = list(Asset.objects.filter(stable=stable, sold_at=None).order_by("id"))
    return Stock(means_of(stable, window, assets), {asset.code: asset for asset in assets})


def means_of(stable: Stable, window: Window, assets: Sequence[Asset]) -> Means:
    """Return a stable's means before the next match from all its unsold `assets`, dead pilots included; no query."""
    holding = holding_of(stable.season, assets, cycle=window.cycle, round_number=window.next_round)
    barred = {asset.catalogue_key for asset in assets if asset.died_at is not None}
    return Means(
        stable.capital,
        tuple(holding.units.values()),
        tuple(holding.pilots.values()),
        tuple(holding.gear.values()),
        tuple(holding.cards.values()),
        frozenset(barred),
    )


def market_of(season: Season, terms: MatchTerms) -> Market:
    """Return the goods of the season's market for matches by these terms, cached for all AI owners of the season.

    If each Unique exists once in the season, sealed baskets sell it. The AI makes no baskets, so the Uniques are left
    out then.
    """
    # The same goods fit a class in every format.
    terms = replace(terms, format=STANDARD)
    return _market(season, season.release.content_hash, season.rules.dials, is_one_market(season), terms)


@lru_cache(maxsize=32)
def _market(season: Season, content_hash: str, dials: str, is_one_market: bool, terms: MatchTerms) -> Market:
    """Return the market of a season. All that it depends on is an argument, so that a cached one is never stale."""
    catalogue = catalogue_of(season)
    shelf = BuyerState(0, 0, (), is_one_market=is_one_market)

    def offered(kind: str) -> list[Mapping[str, Any]]:
        entries = sorted(catalogue.of_kind(KINDS[kind]).items())
        return [entry for _, entry in entries if not barriers(kind, entry, shelf, dials)]

    return Market.of(offered("unit"), offered("pilot"), offered("gear"), offered("rally_card"), terms)


def classes_to_come(season: Season, cycle: int, terms: MatchTerms) -> set[str]:
    """Return the classes of this cycle and of those after it; all classes if points alone count (R-BLD-16)."""
    if terms.house_rules.points_only:
        return set(WEIGHT_CLASSES)
    return {season.rules.class_of(number) for number in range(cycle, len(season.rules.cycles) + 1)}
