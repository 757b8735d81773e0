"""Reading the parts of a conformance scenario: definitions by id or inline, gear, hands, tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.catalogue import load_builtin


class ScenarioError(Exception):
    """The file is no scenario, or the run could not go where it says."""


def definition(kind: str, value: Any) -> Any:
    """A catalogue entry by its id, or the inline object."""
    if not isinstance(value, str):
        return value
    found = getattr(load_builtin(), kind).get(value)
    if found is None:
        raise ScenarioError(f"the catalogue has no {kind} {value}")
    return found


def gear(card: Any) -> Any:
    """A gear card by its id or inline; a two-sided one by its id is `{"id", "side"}`."""
    if isinstance(card, Mapping) and set(card) <= {"id", "side"}:
        return {**definition("gear", card["id"]), "side": card.get("side")}
    return definition("gear", card)


def hand(document: Mapping[str, Any], unit: Mapping[str, Any]) -> list[Any]:
    """The rally cards that a unit brings, by their ids or inline."""
    hands = (document.get("hands") or {}).get(unit["side"]) or {}
    return [definition("rally_cards", card) for card in hands.get(unit["id"]) or []]


def token(entry: Any) -> Any:
    """A target token without its place."""
    if not isinstance(entry, Mapping) or "id" not in entry or "hex" not in entry:
        raise ScenarioError("a token needs id and hex")
    return {key: value for key, value in entry.items() if key != "hex"}
