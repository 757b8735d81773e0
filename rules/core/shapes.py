"""The form of every definition, as JSON Schema (draft 2020-12): the one place where it is written down.

`rules.catalogue.shape` publishes these as files and holds imported catalogues against them as they stand; a match
reads inline definitions by the more lenient form that `rules.core.inline` makes of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.equipment import EQUIPMENT, LOCATIONS
from rules.core.words import (
    ALLOWANCES,
    ARMORS,
    CLASS_CAPS,
    FRONT_ARCS,
    GEAR_SLOTS,
    HEAT_EFFECTS,
    HEAT_VALUES,
    PILOT_KINDS,
    RANGE_TYPES,
    RANKS,
    STATES,
    TERRAINS,
)

Schema = dict[str, Any]

LONGEST_DIAL = 40
"""Clicks of the longest combat dial that can be read; no real one comes near."""


def whole(least: int, most: int, **more: Any) -> Schema:
    """Return the schema of a whole number from `least` to `most`."""
    return {"type": "integer", "minimum": least, "maximum": most, **more}


def word(*words: str | int | None, **more: Any) -> Schema:
    """Return the schema of one of these words."""
    return {"enum": list(words), **more}


_ONE_LINE = r"^[^\u0000-\u001f\u007f]*[^\u0000-\u0020\u007f\u00a0\u2000-\u200b\u3000][^\u0000-\u001f\u007f]*$"


def text(longest: int = 80, **more: Any) -> Schema:
    """Return the schema of a text of one line, with something to see in it."""
    return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": _ONE_LINE, **more}


def code(pattern: str) -> Schema:
    """Return the schema of a text that the pattern fits."""
    return {"type": "string", "pattern": pattern}


def listed(item: Schema, least: int, most: int, **more: Any) -> Schema:
    """Return the schema of a list of `least` to `most` such items."""
    return {"type": "array", "items": item, "minItems": least, "maxItems": most, **more}


def or_null(schema: Schema) -> Schema:
    """Return the schema that takes None, too."""
    return {**schema, "type": [schema["type"], "null"]}


def each(item: Schema) -> Schema:
    """Return the schema of an object of any keys, each with such a value."""
    return {"type": "object", "additionalProperties": item}


ANYTHING: Schema = {}
"""What another reader looks into."""


def record(
    properties: Mapping[str, Schema],
    required: Sequence[str] | None = None,
    parts: Mapping[str, Schema] | None = None,
    **more: Any,
) -> Schema:
    """Return an object of these keys and no others; all of them are required unless `required` says which."""
    made: Schema = {key: more.pop(key) for key in ("title", "description") if key in more}
    made["type"] = "object"
    if required is None or required:
        made["required"] = list(properties if required is None else required)
    made |= {"additionalProperties": False, "properties": dict(properties), **more}
    return made if parts is None else {**made, "$defs": dict(parts)}


STATISTICS = word(
    "house", "printed", description="Whose numbers these are: our own house statistics, or those of a printed dial."
)
KEY = code("^[a-z][a-z0-9_]{0,59}$")
UNIT_ID = code("^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")

_DAMAGE = record(
    {
        "type": word(*RANGE_TYPES),
        "targets": whole(1, 6),
        "range": {
            **listed(whole(0, 40), 2, 2),
            "description": "Minimum and maximum range in hexsides; [0, 0] for melee.",
        },
    }
)
_EQUIPMENT: Schema = {
    "description": "A key, or an object when it is single-use.",
    "if": {"type": "string"},
    "then": word(*EQUIPMENT),
    "else": record({"key": word(*EQUIPMENT), "single_use": {"type": "boolean"}}, ["key"]),
}
_CLICK = record(
    {
        "primary": whole(0, 12),
        "secondary": whole(0, 12),
        "speed": whole(0, 30),
        "attack": whole(0, 20),
        "defense": whole(0, 30),
        "repair_marker": {"type": "boolean", "description": "A black repair marker stands on this click."},
        "equipment": record({name: {"$ref": "#/$defs/equipment"} for name in LOCATIONS}, []),
    },
    [*LOCATIONS, "repair_marker", "equipment"],
)
_EFFECT = word(*(effect for family in HEAT_EFFECTS.values() for effect in family))
_STEP = record(
    {**{name: whole(-9, 9) for name in HEAT_VALUES}, "effects": record(dict.fromkeys(HEAT_VALUES, _EFFECT), [])}
)

UNIT = record(
    {
        "id": UNIT_ID,
        "set": code("^[A-Z][A-Z0-9]{0,9}$"),
        "number": whole(0, 9999),
        "name": text(),
        "variant": text(
            description="Its last letter tells the class (L, M, H, A). Units from before Age of Destruction have none."
        ),
        "class": word(
            *CLASS_CAPS,
            description="Required unless the unit has no variant name; such a unit takes its class from its points.",
        ),
        "rank": word(*RANKS),
        "statistics": STATISTICS,
        "points": whole(1, 1000),
        "front_arc": word(*FRONT_ARCS),
        "rear_arc": whole(0, 180, description="Degrees; 0 when the base has no rear arc."),
        "vent": whole(0, 9),
        "primary": {"$ref": "#/$defs/damage"},
        "secondary": {"$ref": "#/$defs/damage"},
        "dial": listed({"$ref": "#/$defs/click"}, 2, LONGEST_DIAL),
        "heat": listed({"$ref": "#/$defs/step"}, 2, 20),
    },
    [
        "id",
        "set",
        "number",
        "name",
        "rank",
        "points",
        "front_arc",
        "rear_arc",
        "vent",
        "primary",
        "secondary",
        "dial",
        "heat",
    ],
    title="A 'Mech: its base, combat dial and heat dial",
    description=(
        "dial[0] is the start marker, one entry a click; damage equal to the number of entries eliminates. heat[0] is "
        "the heat starting position; one step past the last entry is shutdown."
    ),
    parts={"damage": _DAMAGE, "equipment": _EQUIPMENT, "click": _CLICK, "step": _STEP},
)

_CLASSES = {"type": "array", "items": word(*CLASS_CAPS), "minItems": 1, "uniqueItems": True}
_REQUIRES = record(
    {
        "class": _CLASSES,
        "type": word(*RANGE_TYPES, description="The damage value, or one of them, must be of this range type."),
    },
    ["class"],
)
_MODIFIERS = record(
    {name: whole(-5, 5) for name in LOCATIONS},
    [],
    description="Added to combat values for the whole match; absent means 0.",
)

GEAR = record(
    {
        "id": code("^G-[A-Za-z0-9]{1,12}$"),
        "name": text(),
        "statistics": STATISTICS,
        "points": whole(0, 200),
        "slot": word(*GEAR_SLOTS),
        "requires": _REQUIRES,
        "modifiers": _MODIFIERS,
        "equipment": word(*EQUIPMENT, None),
        "allows": {
            "type": "array",
            "description": (
                "What the card's own text allows: other gear on its value, both sources of equipment at once, working "
                "under Salvage."
            ),
            "items": word(*ALLOWANCES),
            "uniqueItems": True,
        },
    },
    ["id", "name", "points", "slot", "requires", "modifiers", "equipment"],
    title="Gear: equipment bought for one combat value",
    description="Its class requirement comes first (R-GER-02).",
)

PILOT = record(
    {
        "id": code("^(P|L|GS)-[A-Za-z0-9]{1,12}$"),
        "kind": word(*PILOT_KINDS),
        "name": text(),
        "statistics": STATISTICS,
        "points": whole(0, 200),
        "alternative": or_null(record({"points": whole(0, 200), "unit": UNIT_ID})),
        "requires": _REQUIRES,
        "modifiers": _MODIFIERS,
        "ability": or_null(KEY),
    },
    ["id", "kind", "name", "points", "requires", "modifiers", "ability"],
    title="A pilot: common, legendary or gunslinger",
    description=(
        "Only legendary and gunslinger pilots are Unique, have an ability and an alternative cost for their preferred "
        "unit."
    ),
)

RALLY_CARD = record(
    {
        "id": code("^R-[A-Za-z0-9]{1,12}$"),
        "name": text(),
        "statistics": STATISTICS,
        "requires": record(
            {"value": word(*LOCATIONS), "below": whole(1, 30), "state": word(*STATES)},
            [],
            minProperties=1,
            dependentRequired={"value": ["below"], "below": ["value"]},
        ),
        "ability": KEY,
    },
    ["id", "name", "requires", "ability"],
    title="A rally card",
    description=(
        "Costs ten Stones whatever it does. The requirement is a combat value, unmodified, below a number, or a state "
        "(R-RAL-06)."
    ),
)

TARGET_TOKEN = record(
    {
        "id": code("^T-[A-Za-z0-9]{1,12}$"),
        "name": text(),
        "statistics": STATISTICS,
        "defense": whole(1, 30),
        "armor": word(*ARMORS, None),
        "method": word(*RANGE_TYPES),
        "rp": whole(1, 30),
        "else_rp": whole(0, 30),
    },
    ["id", "name", "defense", "armor", "method", "rp", "else_rp"],
    title="A target token",
    description="Worth rp when destroyed by the preferred range type (method), else_rp otherwise.",
)

HEX_NAME = "^[0-9]{4}$"
ARENA = record(
    {
        "id": code("^[a-z0-9][a-z0-9_-]{0,39}$"),
        "name": text(),
        "columns": {"const": 11},
        "rows": {"const": 15},
        "hexes": {"type": "object", "propertyNames": {"pattern": HEX_NAME}, "additionalProperties": word(*TERRAINS)},
        "starts": record({area: {"$ref": "#/$defs/area"} for area in "ABC"}),
    },
    title="An arena of 11 columns",
    description=(
        "Odd columns have 15 hexes, even ones 14. A hex is named column then row, two digits each; hexes that are not "
        "listed are clear. The hexes of a starting area stand in the same order for every letter: first end, second "
        "end."
    ),
    parts={"area": listed(code(HEX_NAME), 2, 2)},
)

SHAPES: Mapping[str, Schema] = {
    "units": UNIT,
    "gear": GEAR,
    "pilots": PILOT,
    "rally_cards": RALLY_CARD,
    "target_tokens": TARGET_TOKEN,
    "arenas": ARENA,
}
"""The form of a definition by kind."""
