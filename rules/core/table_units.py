"""Units for a real table only: number, name, class and points, and no dial. No match can be played with one here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rules.core.shapes import LONGEST_DIAL

MARK = "table_only"
"""The key that such a unit has, with the value true."""


def is_table_only(unit: Any) -> bool:
    """Return whether a unit (catalogue shape) plays at a real table only: it has no dial here."""
    return isinstance(unit, Mapping) and unit.get(MARK) is True


def with_id(unit: Any) -> Any:
    """Return a unit for real tables only with the id that follows from its set and number (`ICE001`) when it has none.

    Without a set its name stands behind its number (`001-Red-Fox`): others may have that number too. Anything else is
    returned as it is.
    """
    if not is_table_only(unit) or "id" in unit or type(unit.get("number")) is not int:
        return unit
    own_set, name = unit.get("set"), unit.get("name")
    if isinstance(own_set, str) and own_set:
        return {**unit, "id": f"{own_set}{unit['number']:03d}"[:40]}
    behind = re.findall("[A-Za-z0-9]+", name) if isinstance(name, str) else []
    return {**unit, "id": "-".join([f"{unit['number']:03d}", *behind])[:40]}


def says_its_clicks(unit: Mapping[str, Any]) -> bool:
    """Return whether a unit (catalogue shape) has a dial or at least says how many clicks its real one has."""
    return "dial" in unit or "clicks" in unit


def clicks_of(unit: Mapping[str, Any]) -> int:
    """Return how many clicks of damage eliminate a unit (catalogue shape).

    A unit without a dial may say so itself; one that does not counts as long as the longest dial, so that only its
    players can say that it is eliminated.

    >>> clicks_of({"table_only": True, "clicks": 9}), clicks_of({"table_only": True})
    (9, 40)
    """
    return len(unit["dial"]) if "dial" in unit else int(unit.get("clicks", LONGEST_DIAL))
