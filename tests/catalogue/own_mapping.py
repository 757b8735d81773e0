"""Mappings as people write them, with the files that they read. The numbers are made up."""

from __future__ import annotations

from typing import Any

from rules.catalogue.mapping import shipped_mappings
from tests.catalogue.test_foreign_forms import by_columns

OWN = {**shipped_mappings()["columns_of_colours"], "list": "figures", "only": {"at": "vehicle", "is": [False]}}
FIGURES = {"figures": {"ZZ007": {**by_columns()["mechs"]["ZZ007"], "vehicle": False}}}

ROWS = [
    "Figure;Name;Kind;P;S;Sp;A;D;Sp Colour;Weapon",
    "ZZ12;Testbed;c;4;3;9;9;20;blue;Energetic",
    "ZZ12;;c;3;2;8;8;19;blue circle;",
    "ZZ12;;h;0;0;0;;;green;",
    "ZZ12;;h;-1;+1;\u22122;;;red;",
]
TABLE: dict[str, Any] = {
    "mapping": 1,
    "read": "csv",
    "group": "Figure",
    "list": "units",
    "words": {"energetic": "energy"},
    "fields": {
        "id": {"at": "figure"},
        "set": {"at": "figure", "take": "letters"},
        "number": {"at": "figure", "take": "digits"},
        "name": {"at": "name"},
        "rank": {"set": "veteran"},
        "points": {"set": 90},
        "front_arc": {"set": 180},
        "rear_arc": {"set": 90},
        "vent": {"set": 2},
        **{f"{value}.type": {"at": "weapon"} for value in ("primary", "secondary")},
        **{f"{value}.targets": {"set": 1} for value in ("primary", "secondary")},
        **{f"{value}.range[1]": {"set": 8} for value in ("primary", "secondary")},
    },
    "dial": {
        "list": "rows",
        "only": {"at": "kind", "is": ["c"]},
        "values": {
            "primary": {"at": "p"},
            "secondary": {"at": "s"},
            "speed": {"at": "sp"},
            "attack": {"at": "a"},
            "defense": {"at": "d"},
        },
        "equipment": {"speed": {"at": "sp_colour"}},
    },
    "heat": {
        "list": "rows",
        "only": {"at": "kind", "is": ["h"]},
        "values": {"primary": {"at": "p"}, "secondary": {"at": "s"}, "speed": {"at": "sp"}},
        "colours": {"speed": {"at": "sp_colour"}},
    },
}
