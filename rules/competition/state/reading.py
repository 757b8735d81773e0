"""Reading the JSON of actions: wrong types are malformed, never a crash and never guessed at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition.state.roster import Roster
from rules.core.equipment import EQUIPMENT
from rules.core.refusals import Malformed


def flag(document: Mapping[str, Any], key: str, default: bool | None = None) -> bool:
    """Return a true or false; required when there is no default."""
    value = document.get(key, default)
    if not isinstance(value, bool):
        raise Malformed("bad_field", field=key, value=value)
    return value


def whole(document: Mapping[str, Any], key: str) -> int:
    """Return a required whole number."""
    value = document.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Malformed("bad_field", field=key, value=value)
    return value


def facing(document: Mapping[str, Any], key: str = "facing", default: int | None = None) -> int:
    """Return a facing, 0 to 11."""
    value = document.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 11:
        raise Malformed("bad_field", field=key, value=value)
    return value


def text(document: Mapping[str, Any], key: str) -> str:
    """Return a required text."""
    value = document.get(key)
    if not isinstance(value, str):
        raise Malformed("bad_field", field=key, value=value)
    return value


def hex_index(roster: Roster, value: object) -> int:
    """Return a hex of the arena by its name."""
    if not isinstance(value, str):
        raise Malformed("unknown_hex", hex=value)
    return roster.lattice.index(value)


def hexes(roster: Roster, document: Mapping[str, Any], key: str = "path") -> tuple[int, ...]:
    """Return a list of hexes by name; missing means none."""
    value = document.get(key, [])
    if not isinstance(value, list):
        raise Malformed("bad_field", field=key, value=value)
    return tuple(hex_index(roster, name) for name in value)


def equipment(document: Mapping[str, Any], key: str = "cancel") -> int:
    """Return a list of equipment keys as bits; missing means none."""
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
    """Refuse keys that this action does not have, so that a misspelling is not silently ignored."""
    for key in document:
        if key not in known and key not in ("unit", "why"):
            raise Malformed("unknown_field", field=key)
