"""Units for a real table only: number, name, class and points, and no dial. No match can be played with one here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.shapes import LONGEST_DIAL

MARK = "table_only"
"""The key that such a unit has, with the value true."""


def is_table_only(unit: Any) -> bool:
    """Return whether a unit (catalogue shape) plays at a real table only: it has no dial here."""
    return isinstance(unit, Mapping) and unit.get(MARK) is True


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
