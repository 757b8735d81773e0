"""The form of actions as JSON Schema (draft 2020-12): what `Match.play` can read in any state of a match.

An action names its unit and has one of the keys `order`, `react` and `choose`; the word there says which form it has.
The clock's `{"order": "time_up"}` is not among the forms. An action of one of these forms may still be illegal now.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import islice

from rules.core.equipment import EQUIPMENT, LOCATIONS
from rules.core.shape_checks import Check, Fault, check_of, shown
from rules.core.shapes import Schema, code, listed, or_null, record, whole, word

KEYS = ("order", "react", "choose")
LONGEST_PATH = 60
"""The most hexes that a path may name; no unit gets that far."""
MOST_TARGETS = 16
MOST_FAULTS = 20
"""The most faults that are reported: a few are enough, and a long list of nonsense has one for each entry."""
LONGEST_LINE = 120
"""The most corners that a line of fire may name."""

_NAME: Schema = {"type": "string", "pattern": "^[ -~]{1,80}$"}
_UNIT = {**_NAME, "description": "A unit of the match by its id."}
_HEX = {**code("^[0-9]{4}$"), "description": "A hex: column and row, two digits each."}
_FACING = {**whole(0, 11), "description": "Twelfths of a turn, clockwise from north."}
_TRUTH: Schema = {"type": "boolean"}
_PATH = {**listed(_HEX, 0, LONGEST_PATH), "description": "The hexes entered, in order; empty to stay."}
_CANCEL = {**listed(word(*EQUIPMENT), 0, len(EQUIPMENT)), "description": "Optional equipment to do without."}
_TARGETS = {**listed(_NAME, 1, MOST_TARGETS), "description": "Units and target tokens by their ids."}
_ONE_TARGET = listed(_NAME, 1, 1)
_VALUE = {**word("primary", "secondary"), "description": "The damage value; primary where it is left out."}
_CORNERS = listed(code("^[0-9]{4}@(1|3|5|7|9|11)$"), 0, LONGEST_LINE)
_CARD = {**or_null(_NAME), "description": "A rally card of the hand, null to keep it."}


def _by_name(item: Schema, description: str) -> Schema:
    """Return the schema of an object with units or targets as keys."""
    names = {"pattern": _NAME["pattern"]}
    return {"type": "object", "description": description, "additionalProperties": item, "propertyNames": names}


_LINE = _by_name(or_null(_CORNERS), "For each target the corners of the line of fire, 0607@3; null: drawn by the game.")
_CLOSE = {"value": _VALUE, "targets": _TARGETS, "cancel": _CANCEL}
_RANGED = {**_CLOSE, "indirect": _TRUTH, "line": _LINE, "ignore_friendly_fire": _TRUTH}
_SPECIAL = {"targets": _ONE_TARGET, "path": _PATH, "facing": _FACING, "cancel": _CANCEL}
_ATTACK: Schema = {
    "oneOf": [
        record({"order": word("close"), **_CLOSE}, ["order", "targets"], title="close attack of an assault"),
        record({"order": word("ranged"), **_RANGED}, ["order", "targets"], title="ranged attack of an assault"),
    ]
}
_ATTACK_READ = record({"order": word("close", "ranged"), **_RANGED}, ["order", "targets"])
"""The attack of an assault as `faults_of` reads it, with the keys of both attacks: our reader knows no oneOf."""

_ORDERS: Mapping[str, tuple[Schema, tuple[str, ...]]] = {
    "pass": ({}, ()),
    "vent": ({}, ()),
    "dig_in": ({}, ()),
    "move": ({"path": _PATH, "facing": _FACING, "run": _TRUTH, "jump": _TRUTH, "cancel": _CANCEL}, ()),
    "pin": ({"targets": _ONE_TARGET}, ("targets",)),
    "charge": (_SPECIAL, ("targets",)),
    "death_from_above": (_SPECIAL, ("targets",)),
    "close": ({**_CLOSE, "path": _PATH, "facing": _FACING}, ("targets",)),
    "ranged": (_RANGED, ("targets",)),
    "assault": (
        {"path": _PATH, "facing": _FACING, "attack": _ATTACK, "jump": _TRUTH, "cancel": _CANCEL},
        ("attack",),
    ),
    "rally": ({"card": _CARD}, ("card",)),
    "agree": ({}, ()),
    "surrender": ({}, ()),
    "take_back": ({"answers": {**whole(1, 1000), "description": "How many answers of the side; 1 if left out."}}, ()),
}
_REACTIONS = ("none", "dodge", "defend", "dig_in")
_CHOICES: Mapping[str, tuple[Schema, tuple[str, ...]]] = {
    "start": ({"hex": _HEX, "facing": _FACING}, ("hex", "facing")),
    "token": ({"hex": _HEX}, ("hex",)),
    "initiative": ({"first": _TRUTH}, ("first",)),
    "free_spin": ({"facing": or_null(_FACING)}, ()),
    "revive": ({"attempt": _TRUTH}, ("attempt",)),
    "restart": ({"attempt": _TRUTH}, ("attempt",)),
    "source": ({"value": word(*LOCATIONS), "from": _NAME}, ("value", "from")),
    "reroll": ({"die": or_null(whole(0, 2))}, ()),
    "split": ({"damage": _by_name(whole(0, 99), "Clicks for each target that was hit.")}, ("damage",)),
    "repair": ({"amount": word("value", "die")}, ("amount",)),
    "cancel": ({"keys": _CANCEL}, ()),
    "rally": ({"card": _CARD}, ()),
    "flag_drop": ({"hex": or_null(_HEX)}, ()),
    "active": ({"active": _NAME}, ("active",)),
    "tag": (
        {"with": or_null(_NAME), "facings": _by_name(_FACING, "The facing of each of the two, by unit.")},
        (),
    ),
}


def _forms() -> dict[tuple[str, str], Schema]:
    """Return every form by its key (order, react or choose) and the word under it."""
    found = {
        ("order", name): record(
            {"unit": _UNIT, "order": word(name), **more}, ["unit", "order", *needed], title=f"order: {name}"
        )
        for name, (more, needed) in _ORDERS.items()
    }
    reaction = record({"unit": _UNIT, "react": word(*_REACTIONS), "cancel": _CANCEL}, ["unit", "react"], title="react")
    found |= {("react", name): reaction for name in _REACTIONS}
    found |= {
        ("choose", name): record(
            {"unit": _UNIT, "choose": word(name), **more}, ["unit", "choose", *needed], title=f"choose: {name}"
        )
        for name, (more, needed) in _CHOICES.items()
    }
    return found


FORMS: Mapping[tuple[str, str], Schema] = _forms()

ACTION: Schema = {
    "description": "An action: an order, a reaction or a choice in the name of a unit.",
    "oneOf": [schema for (key, name), schema in FORMS.items() if key != "react" or name == _REACTIONS[0]],
}
"""The schema of any action; no action has two of its forms."""


@cache
def _check(form: tuple[str, str]) -> Check:
    schema = FORMS[form]
    if form == ("order", "assault"):
        schema = {**schema, "properties": {**schema["properties"], "attack": _ATTACK_READ}}
    return check_of(schema)


def faults_of(action: object) -> list[Fault]:
    """Return why a document has none of the forms, MOST_FAULTS faults at most; an empty list when it has one."""
    if not isinstance(action, Mapping):
        return [Fault((), "wrong_type", {"expected": "object", "value": shown(action)})]
    keys = [key for key in KEYS if key in action]
    if len(keys) != 1:
        return [Fault((), "wrong_format", {"value": shown(keys)})]
    named = action[keys[0]]
    if not isinstance(named, str) or (keys[0], named) not in FORMS:
        allowed = ", ".join(name for key, name in FORMS if key == keys[0])
        return [Fault((keys[0],), "not_one_of", {"value": shown(named), "allowed": allowed})]
    found = list(islice(_check((keys[0], named)).faults(action), MOST_FAULTS))
    if not found and named == "assault" and action["attack"]["order"] == "close":
        more = [key for key in action["attack"] if key not in ("order", *_CLOSE)]
        found = [Fault(("attack", key), "unknown_key", {"key": key}) for key in more]
    return found
