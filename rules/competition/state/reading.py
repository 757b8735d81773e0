"""Readers for the JSON of actions. Each raises Malformed for a wrong value; none crashes or guesses.

The code is bad_field unless the docstring of a reader names others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition.state.roster import Roster
from rules.core.equipment import EQUIPMENT
from rules.core.refusals import IllegalAction, Malformed

FORMS = ("order", "react", "choose")
"""The fields that say what an action is; an action has exactly one."""


def flag(document: Mapping[str, Any], key: str, default: bool | None = None) -> bool:
    """Return the boolean under a key, which is required when there is no default."""
    value = document.get(key, default)
    if not isinstance(value, bool):
        raise Malformed("bad_field", field=key, value=value)
    return value


def whole(document: Mapping[str, Any], key: str) -> int:
    """Return the whole number under a key, which is required."""
    value = document.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Malformed("bad_field", field=key, value=value)
    return value


def facing(document: Mapping[str, Any], key: str = "facing", default: int | None = None) -> int:
    """Return the facing under a key, 0 to 11; the key is required when there is no default."""
    value = document.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 11:
        raise Malformed("bad_field", field=key, value=value)
    return value


def text(document: Mapping[str, Any], key: str) -> str:
    """Return the text under a key, which is required."""
    value = document.get(key)
    if not isinstance(value, str):
        raise Malformed("bad_field", field=key, value=value)
    return value


def hex_index(roster: Roster, value: object) -> int:
    """Return the index of the hex with this name. Raises Malformed (unknown_hex)."""
    if not isinstance(value, str):
        raise Malformed("unknown_hex", hex=value)
    return roster.lattice.index(value)


def hexes(roster: Roster, document: Mapping[str, Any], key: str = "path") -> tuple[int, ...]:
    """Return the indices of the hexes that a key lists by name; () when the key is missing.

    Raises Malformed (bad_field, unknown_hex).
    """
    value = document.get(key, [])
    if not isinstance(value, list):
        raise Malformed("bad_field", field=key, value=value)
    return tuple(hex_index(roster, name) for name in value)


def equipment(document: Mapping[str, Any], key: str = "cancel") -> int:
    """Return the equipment that a key lists, as bits; 0 when the key is missing.

    Raises Malformed (bad_field, unknown_equipment).
    """
    value = document.get(key, [])
    if not isinstance(value, list):
        raise Malformed("bad_field", field=key, value=value)
    mask = 0
    for name in value:
        if not isinstance(name, str) or name not in EQUIPMENT:
            raise Malformed("unknown_equipment", key=name)
        mask |= EQUIPMENT[name].bit
    return mask


def only(document: Mapping[str, Any], *known: str) -> None:
    """Raise Malformed (unknown_field) for a key that is not in `known`, so that no misspelling is ignored.

    `unit` and `why` are always allowed.
    """
    for key in document:
        if key not in known and key not in ("unit", "why"):
            raise Malformed("unknown_field", field=key)


def require_form(action: Mapping[str, Any], kind: str) -> None:
    """Require the form that the decision asks for: an order, a reaction, or a choice of this kind.

    Raises Malformed (bad_action, bad_field) or IllegalAction (other_decision).
    """
    forms = [key for key in FORMS if key in action]
    if len(forms) != 1:
        raise Malformed("bad_action", fields=FORMS)
    form = forms[0]
    if kind == action.get("order") == "rally":
        return
    expected = "react" if kind == "react" else "order" if kind in ("special", "move", "combat") else "choose"
    if form != expected or (form == "choose" and action["choose"] != kind):
        given = action[form]
        if form == "order" and not isinstance(given, str):
            raise Malformed("bad_field", field="order", value=given)
        raise IllegalAction("other_decision", given=given if form == "choose" else form, expected=kind)
