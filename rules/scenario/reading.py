"""Readers of the pieces of a conformance scenario: definitions, gear, hands, tokens.

A definition is named by its catalogue id or written in the scenario itself. An unknown id raises ScenarioError.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.catalogue import load_builtin
from rules.core.refusals import Malformed
from rules.scenario.shape import ScenarioError


def definition(kind: str, value: Any) -> Any:
    """Return the entry of a catalogue kind by its id; a value that is not a string is returned as it is.

    Raises ScenarioError.
    """
    if not isinstance(value, str):
        return value
    found = getattr(load_builtin(), kind).get(value)
    if found is None:
        raise ScenarioError(f"the catalogue has no {kind} {value}")
    return found


def gear(card: Any) -> Any:
    """Return a gear card; `{"id", "side"}` names a two-sided one by its id. Raises ScenarioError."""
    if isinstance(card, Mapping) and isinstance(card.get("id"), str) and set(card) <= {"id", "side"}:
        return {**definition("gear", card["id"]), "side": card.get("side")}
    return definition("gear", card)


def hand(document: Mapping[str, Any], unit: Mapping[str, Any]) -> list[Any]:
    """Return the rally cards that a unit of the scenario `document` brings. Raises ScenarioError."""
    hands = (document.get("hands") or {}).get(unit["side"]) or {}
    return [definition("rally_cards", card) for card in hands.get(unit["id"]) or []]


def token(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a target token without its hex. Raises Malformed (bad_token) when its id or its hex is missing."""
    for field in ("id", "hex"):
        if not isinstance(entry.get(field), str):
            raise Malformed("bad_token", token=entry.get("id"), field=field, problem="missing_key", key=field)
    return {key: value for key, value in entry.items() if key != "hex"}
