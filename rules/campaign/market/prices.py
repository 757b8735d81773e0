"""What assets cost and bring, and which purchases and sales the rules allow (R-AST-01..13, Q-134, Q-140, Q-161)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from rules.campaign.garage.repair import ELIMINATED, UNDAMAGED
from rules.core.refusals import Refusal
from rules.core.table_units import is_table_only
from rules.solaris.building import NOT_COMPATIBLE

ASSET_KINDS = ("unit", "pilot", "gear", "rally_card")
"""What a stable may own and a market sells (R-STB-04)."""

MOST_OF_A_KIND = 50
"""How many assets of each kind a stable may own, twice what a season's Stones buy from the built-in catalogue.

There is a limit because every unit is tried with every pilot.
"""

RALLY_CARD_PRICE = 10
"""Stones (R-AST-01)."""

TABLE = "table"
"""The setting `dials` of a season that is played at real tables only: its market has units without a dial too."""

MOVABLE_STATES = (UNDAMAGED,)
"""The states in which a unit may be sold: only on the green start marker (R-AST-09)."""


def price_of(kind: str, definition: Mapping[str, Any]) -> int:
    """Return the price of one asset in Stones.

    The price is the point value (R-AST-01); a pilot costs the base value, never the alternative one (R-AST-05);
    where a card lists several values the highest counts (R-AST-06); a rally card costs 10.

    >>> price_of("unit", {"points": 146}), price_of("gear", {"points": [14, 20]}), price_of("rally_card", {})
    (146, 20, 10)
    """
    if kind == "rally_card":
        return RALLY_CARD_PRICE
    points = definition["points"]
    return max(points) if isinstance(points, (list, tuple)) else int(points)


@dataclass(frozen=True)
class BuyerState:
    """What a purchase is checked against: the stable's capital in Stones, what is owed, and keys of the kind bought.

    `owned_keys` are those the stable has, `dead_keys` those of its dead pilots. In a season in which each Unique exists
    once (`is_one_market`) `taken_keys` are the Uniques of other stables, and `from_basket` says whether a basket buys.
    `count` is how many of the kind the stable has, with copies and without the dead.
    """

    capital: int
    owed: int
    owned_keys: Collection[str]
    dead_keys: Collection[str] = ()
    is_one_market: bool = False
    taken_keys: Collection[str] = ()
    from_basket: bool = False
    count: int = 0


def is_unique(definition: Mapping[str, Any]) -> bool:
    """Return whether a stable may hold one copy only (R-AST-13): Unique units, and all pilots except common ones."""
    if "kind" in definition:
        return bool(definition["kind"] != "common")
    return bool(definition.get("rank") == "unique")


def is_offered(kind: str, definition: Mapping[str, Any], dials: str) -> bool:
    """Return whether a season's market has the asset.

    It never has gear of another game (R-CEC-02), and with printed dials it has no unit with house statistics. Units
    without a dial are sold in seasons for real tables only.
    """
    if kind == "unit" and is_table_only(definition):
        return dials == TABLE
    if kind == "gear" and NOT_COMPATIBLE in definition["name"]:
        return False
    return kind != "unit" or dials != "printed" or definition.get("statistics") != "house"


def check_purchase(kind: str, definition: Mapping[str, Any], buyer: BuyerState, dials: str = "house") -> list[Refusal]:
    """Return why a stable may not buy the asset now; empty when it may.

    Whether the market is open is not checked here. `dials` is the season's setting of that name. The codes are
    too_many_assets, stable_owes, capital_too_small and those of `barriers`.

    >>> unit = {"id": "HSE007", "name": "Hatchetman", "points": 146}
    >>> [refusal.code for refusal in check_purchase("unit", unit, BuyerState(capital=100, owed=20, owned_keys=()))]
    ['stable_owes', 'capital_too_small']
    """
    problems = barriers(kind, definition, buyer, dials)
    if buyer.count >= MOST_OF_A_KIND:
        problems.append(Refusal("too_many_assets", {"most": MOST_OF_A_KIND}))
    if buyer.owed > 0:
        problems.append(Refusal("stable_owes", {"owed": buyer.owed}))
    price = price_of(kind, definition)
    if price > buyer.capital:
        problems.append(
            Refusal(
                "capital_too_small",
                {
                    "name": definition["name"],
                    "price": price,
                    "capital": buyer.capital,
                    "missing": price - buyer.capital,
                    "rule": "R-AST-12",
                },
            )
        )
    return problems


def barriers(kind: str, definition: Mapping[str, Any], buyer: BuyerState, dials: str = "house") -> list[Refusal]:
    """Return what bars a purchase at any price; empty when nothing does.

    The market may not have the asset, the pilot may be dead (R-DTH-02), or a Unique may be owned, taken or for baskets
    only (R-AST-13, Q-161). Collector's numbers tell assets apart, dead pilots too (Q-113, Q-140). The codes are
    gear_not_compatible, unit_without_dial, unit_not_printed, pilot_died, unique_already_owned, unique_taken and
    unique_by_basket.
    """
    name, key = definition["name"], definition["id"]
    problems = []
    if kind == "gear" and NOT_COMPATIBLE in name:
        problems.append(Refusal("gear_not_compatible", {"gear": name, "rule": "R-CEC-02"}))
    elif is_table_only(definition) and dials != TABLE:
        problems.append(Refusal("unit_without_dial", {"name": name}))
    elif not is_offered(kind, definition, dials):
        problems.append(Refusal("unit_not_printed", {"name": name}))
    if kind == "pilot" and key in buyer.dead_keys:
        problems.append(Refusal("pilot_died", {"name": name, "rule": "R-DTH-02"}))
    if is_unique(definition):
        if key in buyer.owned_keys:
            problems.append(Refusal("unique_already_owned", {"name": name, "rule": "R-AST-13"}))
        elif buyer.is_one_market and key in buyer.taken_keys:
            problems.append(Refusal("unique_taken", {"name": name, "rule": "Q-161"}))
        elif buyer.is_one_market and not buyer.from_basket:
            problems.append(Refusal("unique_by_basket", {"name": name, "rule": "Q-161"}))
    return problems


def check_sale(kind: str, name: str, state: str, unit: str = "") -> list[Refusal]:
    """Return why an asset may not be sold; empty when it may.

    A unit must stand on its green start marker (R-AST-09). For gear, `state` and `unit` are the state and name of the
    unit that it is assigned to; while that unit is eliminated its gear is locked (R-CRP-08, Q-171). The codes are
    damaged_unit_not_for_sale and gear_locked.
    """
    if kind == "unit" and state not in MOVABLE_STATES:
        return [Refusal("damaged_unit_not_for_sale", {"name": name, "state": state, "rule": "R-AST-09"})]
    if kind == "gear" and state == ELIMINATED:
        return [Refusal("gear_locked", {"name": name, "unit": unit, "rule": "R-CRP-08"})]
    return []
