"""What assets cost and bring, and which purchases and sales the rules allow (R-AST-01..13, Q-134, Q-161)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from rules.campaign.repair import UNDAMAGED
from rules.core.refusals import Refusal

ASSET_KINDS = ("unit", "pilot", "gear", "rally_card")
"""What a stable may own (R-STB-04)."""

BUILT_KINDS = ("unit", "pilot")
"""The kinds that this version trades; gear and rally cards are refused until they can be used in a match."""

RALLY_CARD_PRICE = 10
"""Stones (R-AST-01)."""

MOVABLE_STATES = (UNDAMAGED,)
"""The unit states that may be sold: only on the green start marker (R-AST-09)."""


def price_of(kind: str, definition: Mapping[str, Any]) -> int:
    """Return the price of one asset in Stones.

    The price is the point value (R-AST-01); a pilot costs the base value, never the alternative one (R-AST-05);
    where a card lists several values the highest counts (R-AST-06); a rally card costs 10.
    """
    if kind == "rally_card":
        return RALLY_CARD_PRICE
    points = definition["points"]
    return max(points) if isinstance(points, (list, tuple)) else int(points)


@dataclass(frozen=True)
class Shelf:
    """What a purchase is checked against: the stable's capital in Stones, what it owns, and what is owed."""

    capital: int
    owed: int
    owned_keys: Collection[str]


def is_unique(definition: Mapping[str, Any]) -> bool:
    """Return whether a stable may hold one copy only (R-AST-13): Unique units and all but common pilots."""
    if "kind" in definition:
        return bool(definition["kind"] != "common")
    return bool(definition.get("rank") == "unique")


def is_offered(kind: str, definition: Mapping[str, Any], dials: str) -> bool:
    """Whether a season's market has the asset: with printed dials it has no unit of house statistics."""
    return kind != "unit" or dials != "printed" or definition.get("statistics") != "house"


def check_purchase(kind: str, definition: Mapping[str, Any], shelf: Shelf, dials: str = "house") -> list[Refusal]:
    """Return why a stable may not buy the asset now; empty when it may. The market window is not this function's.

    `dials` is the season's setting of that name.
    """
    problems = []
    if not is_offered(kind, definition, dials):
        problems.append(Refusal("unit_not_printed", {"name": definition["name"]}))
    if kind not in BUILT_KINDS:
        problems.append(Refusal("asset_kind_not_built", {"kind": kind}))
    if shelf.owed > 0:
        problems.append(Refusal("stable_owes", {"owed": shelf.owed}))
    if is_unique(definition) and definition["id"] in shelf.owned_keys:
        problems.append(Refusal("unique_already_owned", {"name": definition["name"], "rule": "R-AST-13"}))
    price = price_of(kind, definition)
    if price > shelf.capital:
        problems.append(
            Refusal(
                "capital_too_small",
                {
                    "name": definition["name"],
                    "price": price,
                    "capital": shelf.capital,
                    "missing": price - shelf.capital,
                    "rule": "R-AST-12",
                },
            )
        )
    return problems


def check_sale(kind: str, name: str, state: str) -> list[Refusal]:
    """Return why an asset may not be sold; a unit must stand on its green start marker (R-AST-09)."""
    if kind == "unit" and state not in MOVABLE_STATES:
        return [Refusal("damaged_unit_not_for_sale", {"name": name, "state": state, "rule": "R-AST-09"})]
    return []
