"""The form of a conformance scenario, and the refusal of a position that cannot be set up.

A fault in the position (units, tokens, flags, hands, start) is refused with a code, like in any set-up. A fault in the
script around it (dice, actions, expect, unknown keys) means that the file is no scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from rules.competition.ground.arena import Arena
from rules.competition.state.position import ORDER_BITS
from rules.competition.state.setup_shape import MOST_UNITS, require_different
from rules.core.inline import LONGEST_ID, details
from rules.core.refusals import Malformed
from rules.core.shape_checks import Check, check_of, place
from rules.core.shapes import ANYTHING, LONGEST_DIAL, Schema, each, listed, or_null, record, text, whole, word

PHASES = ("initiative", "special", "move", "combat", "cleanup")
ENDS = ("cleanup", "round_end", "match_end")
MOST = 9999
"""The highest number that a position may hold: rounds, damage and heat on dice, reputation."""

POSITION = ("format", "arena", "house_rules", "units", "tokens", "flags", "hands", "reputation", "start")
"""The keys of a scenario that set it up."""

_NAME = text(LONGEST_ID)
_TRUTH: Schema = {"type": "boolean"}


def _by_id(definition: Schema) -> Schema:
    """Return the schema of a catalogue id, or of a definition written in its stead."""
    return {"if": {"type": "string"}, "then": _NAME, "else": definition}


_DEFINITION = each(ANYTHING)
_CARDS = or_null(listed(_by_id(_DEFINITION), 0, LONGEST_DIAL))
_UNIT = record(
    {
        "id": _NAME,
        "side": _NAME,
        "unit": _by_id(_DEFINITION),
        "pilot": _by_id(or_null(_DEFINITION)),
        "gear": _CARDS,
        "hex": _NAME,
        "facing": whole(0, 11),
        "clicks": whole(0, LONGEST_DIAL - 1),
        "heat": whole(0, LONGEST_DIAL),
        "shutdown": _TRUTH,
        "unconscious": _TRUTH,
        "damage_die": whole(0, MOST),
        "heat_die": whole(0, MOST),
        "orders": or_null({"type": "array", "items": word(*ORDER_BITS), "uniqueItems": True}),
        "active": _TRUTH,
    },
    ["id", "side", "unit", "hex"],
)
_FLAG = record({"home": _NAME, "hex": or_null(_NAME), "carrier": or_null(_NAME)}, ["home"])
_EXPECT = record(
    {
        "units": each(_DEFINITION),
        "attacks": listed(_DEFINITION, 0, MOST),
        "reputation": _DEFINITION,
        "winner": or_null(_NAME),
        "kills": _DEFINITION,
        "flags": or_null(_DEFINITION),
        "decision": or_null(_DEFINITION),
        "legal": or_null(listed(_DEFINITION, 0, MOST)),
        "illegal": or_null(listed(_DEFINITION, 0, MOST)),
        "error": or_null(_NAME),
        "events": listed(_DEFINITION, 0, MOST),
    },
    [],
)
SCENARIO = record(
    {
        "title": ANYTHING,
        "rules": ANYTHING,
        "why": ANYTHING,
        "format": _NAME,
        "arena": _by_id(or_null(_DEFINITION)),
        "house_rules": or_null(_DEFINITION),
        "units": listed(_UNIT, 2, MOST_UNITS),
        "tokens": or_null(listed(_DEFINITION, 0, LONGEST_DIAL)),
        "flags": or_null(each(_FLAG)),
        "hands": or_null(each(or_null(each(_CARDS)))),
        "reputation": or_null(each(whole(0, MOST))),
        "start": or_null(
            record(
                {"round": whole(1, MOST), "phase": word(*PHASES), "order": or_null(listed(_NAME, 0, MOST_UNITS))}, []
            )
        ),
        "dice": or_null(listed(whole(1, 6), 0, MOST)),
        "actions": or_null(listed(_DEFINITION, 0, MOST)),
        "until": word(*ENDS),
        "expect": or_null(_EXPECT),
    },
    ["units"],
)


class ScenarioError(Exception):
    """The file is no scenario, or its script cannot be played."""


@cache
def _check() -> Check:
    return check_of(SCENARIO)


def require_scenario(document: Mapping[str, Any]) -> None:
    """Check the form of a scenario. Raises Malformed (bad_setup) for its position, ScenarioError for the rest."""
    check = _check()
    if check.fits(document):
        return
    faults = list(check.faults(document))
    for fault in faults:
        if not fault.path or fault.path[0] not in POSITION:
            raise ScenarioError(f"{place(fault.path)[1]}: {fault.code} {dict(fault.parameters)}")
    raise Malformed("bad_setup", **details(faults[0], "scenario"))


def require_position(document: Mapping[str, Any], arena: Arena) -> None:
    """Raise Malformed for repeated or unknown names, and for hexes that are unknown, are rock or hold two things.

    The document must have passed `require_scenario`, and its definitions and its arena must be readable. Raises
    Malformed (bad_setup, unknown_unit, unknown_hex).
    """
    units, tokens = document["units"], document.get("tokens") or []
    names = {f"units[{number}].id": unit["id"] for number, unit in enumerate(units)}
    names |= {f"tokens[{number}].id": token["id"] for number, token in enumerate(tokens)}
    require_different(names)
    sides = {unit["side"] for unit in units}
    for key in ("reputation", "hands"):
        _require_known(document.get(key) or {}, sides, key)
    for side, hand in (document.get("hands") or {}).items():
        _require_known(hand or {}, {unit["id"] for unit in units if unit["side"] == side}, f"hands.{side}")
    order = (document.get("start") or {}).get("order") or []
    require_different({f"start.order[{number}]": name for number, name in enumerate(order)})
    for name in order:
        if name not in {unit["id"] for unit in units}:
            raise Malformed("unknown_unit", unit=name)
    taken: dict[int, str] = {}
    for key, things in (("units", units), ("tokens", tokens)):
        for number, thing in enumerate(things):
            field, index = f"{key}[{number}].hex", arena.lattice.index(thing["hex"])
            if not arena.passable >> index & 1:
                raise Malformed("bad_setup", field=field, problem="hex_is_rock", hex=thing["hex"])
            if index in taken:
                raise Malformed("bad_setup", field=field, problem="hex_is_taken", hex=thing["hex"], other=taken[index])
            taken[index] = thing["id"]


def _require_known(names: Iterable[str], known: set[str], where: str) -> None:
    for name in names:
        if name not in known:
            raise Malformed("bad_setup", field=f"{where}.{name}", problem="unknown_key", key=name)
