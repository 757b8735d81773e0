"""The tables of docs/architecture.md say what the lists of the layer test say."""

from __future__ import annotations

import re
from pathlib import Path

from tests.architecture.imports import LAYERS, ROOMS, RULES_ROOMS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAME = re.compile(r"`(\w+)`")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    table = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in table[2:]]


def test_the_table_of_rooms_says_what_each_may_import() -> None:
    found = {}
    for room, _, below in rows("The rooms"):
        (name,), named = NAME.findall(room), set(NAME.findall(below))
        found[name] = set(ROOMS) - {name} - named if "every room except" in below else named
    assert found == ROOMS


def test_the_table_of_the_rules_says_what_each_room_may_import() -> None:
    found = {NAME.findall(room)[0]: set(NAME.findall(below)) for room, _, below in rows("The rules")}
    assert found == RULES_ROOMS


def test_the_table_of_layers_names_each_on_its_floor() -> None:
    found = {name: int(floor) for floor, names, _ in rows("The layers of an app") for name in NAME.findall(names)}
    assert found == LAYERS
