"""Inline definitions: the form in which a match reads units, cards and tokens, and the refusal of all other forms.

It is the catalogue's form (`rules.core.shapes`), more lenient in three ways. Keys that only name or price a definition
may be left out, and so may keys whose absence has one plain meaning: LEFT_OUT lists them. Numbers may go beyond those
of real dials, as far as they still mean something: WIDER says how far. And `inline_shape` takes ids and names of any
form, `null` as class or variant, dials of one entry, gear with its declared `side`, and rally cards that require
nothing. The rest is as strict as the catalogue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

from rules.core.definition_checks import gear_faults, named, unit_faults
from rules.core.refusals import Malformed
from rules.core.shape_checks import Check, Fault, Path, check_of, place
from rules.core.shapes import LONGEST_DIAL, SHAPES, Schema, or_null, text, whole, word
from rules.core.table_units import is_table_only
from rules.core.words import CLASS_CAPS, DAMAGE_VALUES

LONGEST_ID = 200
LARGEST_VALUE = 99
"""Two digits are the most that a stat slot or a base can show."""

LEFT_OUT: Mapping[str, Mapping[str, Sequence[str]]] = {
    "units": {
        "": ("id", "set", "number", "name", "rank", "points", "front_arc", "rear_arc", "vent"),
        "damage": ("targets", "range"),  # one target; range 0 to 0, for melee alone
        "click": ("repair_marker", "equipment"),  # none there
    },
    "gear": {"": ("id", "name", "points", "requires", "modifiers", "equipment"), "requires": ("class",)},
    "pilots": {"": ("id", "kind", "name", "points", "requires", "modifiers", "ability"), "requires": ("class",)},
    "rally_cards": {"": ("name", "requires")},
    "target_tokens": {"": ("id", "name", "armor", "else_rp")},
}
"""Keys that an inline definition may lack, by kind and part of the definition."""

WIDER: Mapping[str, Schema] = {
    "primary": whole(0, LONGEST_DIAL),  # more damage than the longest dial has clicks changes nothing
    "secondary": whole(0, LONGEST_DIAL),
    "speed": whole(0, LARGEST_VALUE),
    "attack": whole(0, LARGEST_VALUE),
    "defense": whole(0, LARGEST_VALUE),
}
"""The ranges of the numbers of an inline click."""

_NOUNS: Mapping[str, tuple[str, str]] = {
    "units": ("bad_unit", "unit"),
    "gear": ("bad_gear", "gear"),
    "pilots": ("bad_pilot", "pilot"),
    "rally_cards": ("bad_rally_card", "card"),
    "target_tokens": ("bad_token", "token"),
}
"""The code of a refusal by kind, and the parameter that names the definition."""

_MEANINGS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[Fault]]] = {"units": unit_faults, "gear": gear_faults}


def require(kind: str, document: Any, called: str = "inline") -> None:
    """Raise Malformed unless a match can be played with this definition of a kind (a key of LEFT_OUT).

    The code is bad_unit, bad_gear, bad_pilot, bad_rally_card or bad_token. Parameters: the definition's id, or how it
    is `called`, under its noun (`unit`, `gear`, `pilot`, `card`, `token`); `field`, and `click` (from 1) for a click of
    the combat dial; `problem`, a code of `rules.catalogue.wording`, and its own parameters. A unit for real tables only
    is unit_without_dial instead, with its `name`.
    """
    check = _check(kind)
    if check.fits(document):
        meaning = _MEANINGS.get(kind)
        fault = next(meaning(document), None) if meaning is not None else None
    else:
        if kind == "units" and is_table_only(document):
            raise Malformed(
                "unit_without_dial", name=str(document.get("name") or _name(document) or called)[:LONGEST_ID]
            )
        fault = named(next(check.faults(document)))
    if fault is not None:
        code, noun = _NOUNS[kind]
        raise Malformed(code, **{noun: _name(document) or called}, **details(fault, noun))


def details(fault: Fault, noun: str) -> dict[str, Any]:
    """Return a fault as parameters of a refusal: `click` if it has one, `field`, `problem` and its parameters.

    For a fault of the whole document the field is `noun`, for one of a whole click its place in the dial.
    """
    click, field = place(fault.path)
    where = {} if click is None else {"click": click}
    return {**where, "field": field or _whole_field(fault.path) or noun, "problem": fault.code, **fault.parameters}


def _whole_field(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else step for step in path)


def _name(document: Any) -> str | None:
    own = document.get("id") if isinstance(document, Mapping) else None
    return own if isinstance(own, str) and len(own) <= LONGEST_ID else None


@cache
def _check(kind: str) -> Check:
    return check_of(inline_shape(kind))


def inline_shape(kind: str) -> Schema:
    """Return the lenient form of a kind, as JSON Schema. Raises KeyError for a kind that is not in LEFT_OUT."""
    shape = deepcopy(SHAPES[kind])
    keys = shape["properties"]
    parts = {"": shape, "requires": keys.get("requires", {}), **shape.get("$defs", {})}
    for part, names in LEFT_OUT[kind].items():
        parts[part]["required"] = [key for key in parts[part]["required"] if key not in names]
    keys["id"] = keys["name"] = text(LONGEST_ID)
    if kind == "units":
        keys["set"] = text(LONGEST_ID)
        keys["variant"] = or_null(keys["variant"])
        keys["class"] = word(*CLASS_CAPS, None)
        keys["dial"]["minItems"] = keys["heat"]["minItems"] = 1
        parts["click"]["properties"] |= WIDER
        parts["damage"]["properties"]["range"]["items"] = whole(0, LARGEST_VALUE)
    elif kind == "gear":
        keys["side"] = word(*DAMAGE_VALUES, None)
    elif kind == "rally_cards":
        keys["requires"]["minProperties"] = 0
    return shape
