"""The serializers of releases and their definitions, with an example of each kind.

A definition itself has the form of its published schema. The description of the interface contains these schemas
(api.definitions).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.definitions import COMPONENTS, form_of
from api.fields import Output
from catalogue.models import CatalogueEntry
from rules.catalogue.vocabulary import CLASSES, KINDS
from rules.core.table_units import is_table_only
from rules.core.words import PILOT_KINDS, RANKS


class ReleaseOutput(Output):
    """A release of the catalogue. `is_complete` says that a season can be played with this release alone.
    `offered_since` is when it was last offered to new seasons, null for never.
    """

    hash = serializers.CharField(source="content_hash")
    label = serializers.CharField()  # type: ignore[assignment]
    comes_with_the_game = serializers.BooleanField(source="is_builtin")
    is_complete = serializers.BooleanField()
    offered_since = serializers.DateTimeField(source="offered_at", allow_null=True)
    loaded_at = serializers.DateTimeField(source="created_at")


class ReleaseCountsOutput(Output):
    """The number of definitions of each kind."""

    units = serializers.IntegerField()
    gear = serializers.IntegerField()
    pilots = serializers.IntegerField()
    rally_cards = serializers.IntegerField()
    target_tokens = serializers.IntegerField()
    arenas = serializers.IntegerField()


class ReleaseDetailOutput(ReleaseOutput):
    """A release, and how much is in it."""

    counts = ReleaseCountsOutput()


class CatalogueEntryOutput(Output):
    """A definition in a list. `statistics` says where its numbers come from: `house` or `printed`, null when the
    definition does not say.
    """

    id = serializers.CharField(source="key")
    name = serializers.CharField()
    statistics = serializers.SerializerMethodField()
    content_hash = serializers.CharField()

    def get_statistics(self, entry: CatalogueEntry) -> str | None:
        return entry.statistics or None


class CatalogueUnitOutput(CatalogueEntryOutput):
    """A unit in a list: base and first click. `reach` is the longest range in hexsides. `equipment` has all equipment
    on the dial. `variant` is null for none. A unit that is `table_only` has no dial: null for its numbers, except
    `clicks` if it says them, and "" for a rank that it does not say.
    """

    variant = serializers.SerializerMethodField()
    points = serializers.IntegerField()
    weight_class = serializers.ChoiceField(choices=["", *CLASSES], source="unit_class")
    rank = serializers.ChoiceField(choices=["", *RANKS])
    table_only = serializers.SerializerMethodField()
    clicks = serializers.IntegerField(allow_null=True)
    speed = serializers.IntegerField(allow_null=True)
    attack = serializers.IntegerField(allow_null=True)
    defense = serializers.IntegerField(allow_null=True)
    reach = serializers.IntegerField(allow_null=True)
    types = serializers.SerializerMethodField()
    equipment = serializers.SerializerMethodField()

    def get_variant(self, entry: CatalogueEntry) -> str | None:
        return entry.definition.get("variant") or None

    def get_table_only(self, entry: CatalogueEntry) -> bool:
        return is_table_only(entry.definition)

    def get_types(self, entry: CatalogueEntry) -> list[str]:
        return entry.types.split()

    def get_equipment(self, entry: CatalogueEntry) -> list[str]:
        return entry.equipment.split()


class CataloguePilotOutput(CatalogueEntryOutput):
    """A pilot in a list."""

    kind = serializers.ChoiceField(choices=list(PILOT_KINDS), source="rank")
    points = serializers.IntegerField()


class CatalogueGearOutput(CatalogueEntryOutput):
    """A gear card in a list. `equipment` is the special equipment that it gives, null for none."""

    points = serializers.IntegerField()
    equipment = serializers.SerializerMethodField()

    def get_equipment(self, entry: CatalogueEntry) -> str | None:
        return entry.equipment.strip() or None


class CatalogueRallyCardOutput(CatalogueEntryOutput):
    """A rally card in a list."""

    points = serializers.IntegerField()


class CatalogueTargetTokenOutput(CatalogueEntryOutput):
    """A target token in a list."""


class CatalogueArenaOutput(CatalogueEntryOutput):
    """An arena in a list."""


ROWS: Mapping[str, type[CatalogueEntryOutput]] = {
    "units": CatalogueUnitOutput,
    "gear": CatalogueGearOutput,
    "pilots": CataloguePilotOutput,
    "rally_cards": CatalogueRallyCardOutput,
    "target_tokens": CatalogueTargetTokenOutput,
    "arenas": CatalogueArenaOutput,
}


def _definition_field(kind: str) -> serializers.Field:
    """Return a field that shows a definition of a kind as it is stored."""
    field = extend_schema_field(form_of(kind))(type(f"{COMPONENTS[kind]}Field", (serializers.JSONField,), {}))
    made: serializers.Field = field()
    return made


def _with_definition(kind: str) -> type[CatalogueEntryOutput]:
    row = ROWS[kind]
    return type(
        f"{row.__name__.removesuffix('Output')}DetailOutput",
        (row,),
        {
            "__doc__": "A definition as a whole, and the release that it was read from.",
            "release": serializers.CharField(source="release.content_hash"),
            "definition": _definition_field(kind),
        },
    )


ENTRIES: Mapping[str, type[CatalogueEntryOutput]] = {kind: _with_definition(kind) for kind in KINDS}
"""Kind -> the serializer of one whole definition."""


def _list_field(kind: str) -> serializers.Field:
    field = extend_schema_field({"type": "array", "items": form_of(kind)})(
        type(f"{COMPONENTS[kind]}ListField", (serializers.JSONField,), {})
    )
    made: serializers.Field = field()
    return made


CatalogueFileOutput: type[Output] = type(
    "CatalogueFileOutput",
    (Output,),
    {
        "__doc__": "A catalogue document: every definition by kind. `schema` is the version of its form.",
        "schema": serializers.IntegerField(),
        **{kind: _list_field(kind) for kind in KINDS},
    },
)


class SchemaNameOutput(Output):
    """A published schema."""

    name = serializers.CharField()
    title = serializers.CharField()


# Examples ------------------------------------------------------------------------------------------------------------

HASH = "7b0c5d3e9f1a4826b7d0c5e3f91a48267b0c5d3e9f1a4826b7d0c5e3f91a4826"
_COMMON = {"statistics": "house", "content_hash": "0f" * 32}
ENTRY_EXAMPLES: Mapping[str, dict[str, Any]] = {
    "units": {
        "id": "SOL002",
        "name": "Hellion",
        **_COMMON,
        "variant": "HLN-1-L",
        "points": 128,
        "weight_class": "light",
        "rank": "veteran",
        "table_only": False,
        "clicks": 2,
        "speed": 10,
        "attack": 11,
        "defense": 20,
        "reach": 10,
        "types": ["ballistic", "energy"],
        "equipment": ["jump_jets"],
    },
    "gear": {"id": "G-001", "name": "Longer Barrels", **_COMMON, "points": 8, "equipment": None},
    "pilots": {"id": "P-001", "name": "A Reliable Hand", **_COMMON, "kind": "common", "points": 10},
    "rally_cards": {"id": "R-001", "name": "A Second Look", **_COMMON, "points": 10},
    "target_tokens": {"id": "T-001", "name": "Old Turret", **_COMMON},
    "arenas": {"id": "factory", "name": "The Factory", **_COMMON, "statistics": None},
}
_CLICK: dict[str, Any] = {
    "primary": 3,
    "secondary": 3,
    "speed": 10,
    "attack": 11,
    "defense": 20,
    "repair_marker": False,
    "equipment": {"speed": "jump_jets"},
}
_STEP: dict[str, Any] = {"primary": 0, "secondary": 0, "speed": 0, "effects": {}}
DEFINITION_EXAMPLES: Mapping[str, dict[str, Any]] = {
    "units": {
        "id": "SOL002",
        "set": "SOL",
        "number": 2,
        "name": "Hellion",
        "variant": "HLN-1-L",
        "class": "light",
        "rank": "veteran",
        "statistics": "house",
        "points": 128,
        "front_arc": 180,
        "rear_arc": 90,
        "vent": 2,
        "primary": {"type": "ballistic", "targets": 1, "range": [0, 8]},
        "secondary": {"type": "energy", "targets": 2, "range": [0, 10]},
        "dial": [_CLICK, _CLICK],
        "heat": [_STEP, _STEP],
    },
    "gear": {
        "id": "G-001",
        "name": "Longer Barrels",
        "statistics": "house",
        "points": 8,
        "slot": "either",
        "requires": {"class": ["light"], "type": "ballistic"},
        "modifiers": {"primary": 1},
        "equipment": None,
    },
    "pilots": {
        "id": "P-001",
        "kind": "common",
        "name": "A Reliable Hand",
        "statistics": "house",
        "points": 10,
        "requires": {"class": ["light"]},
        "modifiers": {"attack": 1},
        "ability": None,
    },
    "rally_cards": {
        "id": "R-001",
        "name": "A Second Look",
        "statistics": "house",
        "requires": {"value": "attack", "below": 8},
        "ability": "take_aim",
    },
    "target_tokens": {
        "id": "T-001",
        "name": "Old Turret",
        "statistics": "house",
        "defense": 17,
        "armor": None,
        "method": "energy",
        "rp": 10,
        "else_rp": 5,
    },
    "arenas": {
        "id": "factory",
        "name": "The Factory",
        "columns": 11,
        "rows": 15,
        "hexes": {"0607": "hindering"},
        "starts": {"A": ["0402", "0813"], "B": ["0502", "0713"], "C": ["0602", "0613"]},
    },
}
