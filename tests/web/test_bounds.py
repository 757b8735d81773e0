"""The table of bounds in docs/operations.md says what the code says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rules.campaign.market.baskets import LONGEST_BASKET
from rules.campaign.market.prices import MOST_OF_A_KIND
from rules.catalogue.bounds import (
    MOST_CELLS,
    MOST_CELLS_OF_A_ROW,
    MOST_COLUMNS,
    MOST_DEFINITIONS,
    MOST_LINES,
    MOST_MARKS,
    MOST_PROBLEMS,
    MOST_ROWS,
    MOST_TABLE_CELLS,
)
from rules.wording import all_codes
from web import bounds

OPERATIONS = Path(__file__).resolve().parents[2] / "docs" / "operations.md"
OF_THE_RULES: Mapping[str, Any] = {
    "LONGEST_BASKET": LONGEST_BASKET,
    "MOST_CELLS": MOST_CELLS,
    "MOST_CELLS_OF_A_ROW": MOST_CELLS_OF_A_ROW,
    "MOST_COLUMNS": MOST_COLUMNS,
    "MOST_DEFINITIONS": MOST_DEFINITIONS,
    "MOST_LINES": MOST_LINES,
    "MOST_MARKS": MOST_MARKS,
    "MOST_OF_A_KIND": MOST_OF_A_KIND,
    "MOST_PROBLEMS": MOST_PROBLEMS,
    "MOST_ROWS": MOST_ROWS,
    "MOST_TABLE_CELLS": MOST_TABLE_CELLS,
}


def rows() -> list[list[str]]:
    text = OPERATIONS.read_text(encoding="utf-8").partition("## Bounds of what people bring and run")[2]
    return [line.strip("| ").split(" | ") for line in re.findall(r"^\| `.*$", text.partition("\n## ")[0], re.MULTILINE)]


def written(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{kind.replace('_', ' ')} {count:,}" for kind, count in value.items())
    return f"{value:,}"


def test_operators_read_every_bound_as_it_is() -> None:
    of_the_site = {name: value for name, value in vars(bounds).items() if name.isupper()}
    assert {row[0].strip("`"): row[1] for row in rows()} == {
        name: written(value) for name, value in {**of_the_site, **OF_THE_RULES}.items()
    }


def test_every_bound_that_refuses_has_a_sentence() -> None:
    assert {row[3].strip("`") for row in rows()} - set(all_codes()) == {"none"}
