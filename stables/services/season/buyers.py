"""Stables as buyers: what is taken from them, and how the lines of their baskets would be filled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rules.campaign.market.baskets import Buyer, FilledLine, Line, fill
from rules.campaign.market.prices import is_unique
from stables.models import Asset, Basket, Cycle, Season, Stable
from stables.selectors.definitions import KINDS, catalogue_of, definition


def is_one_market(season: Season) -> bool:
    """Return whether every Unique exists only once in the season (unique_market, Q-161)."""
    return season.rules.unique_market == "one_in_campaign"


def taken_uniques(stable: Stable) -> set[tuple[str, str]]:
    """Return the Uniques that other stables have, by kind and key; one query.

    The set is empty, without a query, if every stable of the season may have its own copy.
    """
    if not is_one_market(stable.season):
        return set()
    others = Asset.objects.filter(stable__season=stable.season, sold_at=None, died_at=None).exclude(stable=stable)
    wares = others.filter(kind__in=("unit", "pilot")).values_list("kind", "catalogue_key").distinct().order_by()
    catalogue = catalogue_of(stable.season)
    return {(kind, key) for kind, key in wares if is_unique(catalogue.of_kind(KINDS[kind])[key])}


def basket_of(stable: Stable, cycle: Cycle | None) -> Basket | None:
    """Return the stable's basket for a cycle; None if there is no basket or no cycle."""
    return None if cycle is None else Basket.objects.filter(stable=stable, cycle=cycle).first()


def what_if(stable: Stable, lines: Sequence[Mapping[str, str]]) -> list[FilledLine]:
    """Return each line as it would be filled now: price, capital after it and problems; at most two queries.

    Fetch `stable` with its season and release. Raises Malformed (unknown_asset_kind, unknown_catalogue_entry).
    """
    return fill(buyer_of(stable), lines_of(stable, lines))


def lines_of(stable: Stable, lines: Sequence[Mapping[str, str]]) -> list[Line]:
    """Return lines of kind and key as lines with their entries of the season's catalogue.

    Raises Malformed (unknown_asset_kind, unknown_catalogue_entry).
    """
    return [Line(line["kind"], definition(stable.season, line["kind"], line["key"])) for line in lines]


def buyer_of(stable: Stable) -> Buyer:
    """Return the stable as the buyer of its basket; at most two queries. Fetch it with its season and release."""
    own = list(Asset.objects.filter(stable=stable, sold_at=None).values_list("kind", "catalogue_key", "died_at"))
    return Buyer(
        stable.number,
        stable.capital,
        stable.owed,
        frozenset((kind, key) for kind, key, died_at in own if died_at is None),
        frozenset((kind, key) for kind, key, died_at in own if died_at is not None),
        is_one_market(stable.season),
        frozenset(taken_uniques(stable)),
        stable.season.rules.dials,
        Counter(kind for kind, _, died_at in own if died_at is None),
    )
