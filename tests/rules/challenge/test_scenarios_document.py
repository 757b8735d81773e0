"""docs/scenarios.md names every kind of entry, and docs/challenge-rulings.md every switch."""

import re
from dataclasses import fields
from pathlib import Path

from rules.challenge.kinds import KINDS
from rules.challenge.switches import OPTIONS, WORDS, Switches

RULINGS = Path(__file__).parents[3] / "docs" / "challenge-rulings.md"
PAGE = Path(__file__).parents[3] / "docs" / "scenarios.md"
ROW = re.compile(r"^\| `(?P<name>[a-z_0-9]+)` \| (?P<fields>[^|]*)\|[^|]*\|(?: (?P<step>\d?) ?\|)?$", re.MULTILINE)


def test_every_kind_of_entry_has_its_row() -> None:
    told = {}
    for row in ROW.finditer(PAGE.read_text(encoding="utf-8")):
        fields = re.findall(r"(\*\*)?`([a-z_]+)`", row["fields"])
        required = {name for mark, name in fields if mark}
        told[row["name"]] = ({name for _, name in fields}, required, int(row["step"]) if row["step"] else None)
    assert told == {kind.name: (set(kind.facts), set(kind.required), kind.step) for kind in KINDS.values()}


def test_every_option_is_named() -> None:
    line = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `event.options`"))
    assert set(re.findall(r"`([a-z_]+)`", line)) == set(OPTIONS)


def test_every_switch_stands_beside_its_ruling_with_its_words() -> None:
    told = re.findall(r"`([a-z_0-9]+)(?:: ([a-z_ |]+))?`", RULINGS.read_text(encoding="utf-8"))
    words = {name: tuple(said.split(" | ")) if said else () for name, said in sorted(told)}
    assert {name: words.get(name) for name in (found.name for found in fields(Switches))} == {
        found.name: WORDS.get(found.name, ()) for found in fields(Switches)
    }
