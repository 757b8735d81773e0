"""The house list of 'Mechs from which pilots buy until the GM brings another (MC-PILOT-02, MC-MECH-04).

Its figures are published statistics; `basis` of a row says what its cost rests on: "both" a
published cost and the formula of `book_cost`, which agree, or one of the two, "published" or "formula"
(MCQ-MECH-01).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rules.challenge.mechs import MechModel
from rules.challenge.tables import read_data


@cache
def house_list() -> Mapping[str, MechModel]:
    """Return the 'Mechs of the house list by their id."""
    return {
        row["id"]: MechModel.read(row["id"], {**row, "name": f"{row['name']} {row['model']}"})
        for row in read_data("mechs")["rows"]
    }
