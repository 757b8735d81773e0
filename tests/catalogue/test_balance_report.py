"""The committed report of the balance is of the units that are shipped, and every one of them is worth its points."""

import re
from pathlib import Path

import pytest

from rules.catalogue import load_builtin
from rules.core.words import CLASS_CAPS
from rules.tools.balance.keeping import units_hash

UNITS = load_builtin().units
REPORT = Path(__file__).resolve().parents[2] / "docs" / "balance.md"

ROW = re.compile(r"^\| (\w+) (.+) \| (\d+) \| (\d+) \| [\d.]+% \| ([\d.]+)% \| ([\d.]+)% to ([\d.]+)%", re.MULTILINE)


@pytest.mark.parametrize("weight_class", CLASS_CAPS)
def test_every_unit_of_the_report_is_worth_its_points(weight_class: str) -> None:
    units = {key: unit for key, unit in UNITS.items() if unit["class"] == weight_class}
    section = REPORT.read_text(encoding="utf-8").split(f"## {weight_class.capitalize()}\n")[1].split("\n## ")[0]
    rows = {key: (name, int(points), int(matches)) for key, name, points, matches, *_ in ROW.findall(section)}
    assert {key: (unit["name"], unit["points"]) for key, unit in units.items()} == {
        key: (name, points) for key, (name, points, _) in rows.items()
    }
    assert min(matches for _, _, matches in rows.values()) >= 400
    for key, *_, adjusted, low, high in ROW.findall(section):
        assert 30 <= float(low) < float(adjusted) < float(high) <= 70, key
    assert f"Hash of the units `{units_hash(units.values())[:16]}`" in section


def test_the_report_names_its_seed_and_its_command() -> None:
    assert re.search(
        r"`python -m rules\.tools\.balance [^`]*--matches \d+ --seed \d+", REPORT.read_text(encoding="utf-8")
    )
