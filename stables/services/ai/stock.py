"""What an AI owner knows of its stable and of the market, as the rules see it."""

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
from stables.services.market import trading

STANDARD = "standard"


def traits_of(stable: Stable) -> Traits:
    """Return the manner of a stable's AI owner."""
    return CHARACTERS[stable.character]


@dataclass(frozen=True)
class Stock:
    """A stable's assets before the coming match: as the rules see them, and by their codes."""

    means: Means
    by_code: Mapping[str, Asset]


def stock_of(stable: Stable, window: Window) -> Stock:
    """Return what a stable has, and what it may never buy; one query."""
    assets = list(Asset.objects.filter(stable=stable, sold_at=None).order_by("id"))
    return Stock(means_of(stable, window, assets), {asset.code: asset for asset in assets})


def means_of(stable: Stable, window: Window, assets: Sequence[Asset]) -> Means:
    """Return what a stable has before the coming match, of all its unsold `assets`, the dead among them; no query."""
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
    """Return what the season's market has for matches by these terms; kept, for it is the same for all its owners.

    Where each Unique is there once a season it is sold by sealed baskets, which the AI does not compose: its owners
    leave the Uniques to people.
    """
    # What fits a class is the same in every format.
    terms = replace(terms, format=STANDARD)
    return _market(season, season.release.content_hash, season.rules.dials, trading.is_one_market(season), terms)


@lru_cache(maxsize=32)
def _market(season: Season, content_hash: str, dials: str, is_one_market: bool, terms: MatchTerms) -> Market:
    """Return the market of a season; what else decides about it stands beside it, so that a kept one is never stale."""
    catalogue = catalogue_of(season)
    shelf = BuyerState(0, 0, (), is_one_market=is_one_market)

    def offered(kind: str) -> list[Mapping[str, Any]]:
        entries = sorted(catalogue.of_kind(KINDS[kind]).items())
        return [entry for _, entry in entries if not barriers(kind, entry, shelf, dials)]

    return Market.of(offered("unit"), offered("pilot"), offered("gear"), offered("rally_card"), terms)


def classes_to_come(season: Season, cycle: int, terms: MatchTerms) -> set[str]:
    """Return the classes of this cycle and those after it; all of them where points alone count (R-BLD-16)."""
    if terms.house_rules.points_only:
        return set(WEIGHT_CLASSES)
    return {season.rules.class_of(number) for number in range(cycle, len(season.rules.cycles) + 1)}
