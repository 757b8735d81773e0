"""A change of the code that decides a play-out is seen by everything that keeps what was played."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rules.measuring import forecasts, source
from rules.tools.balance import keeping

ALL: tuple[str, ...] = ()
CHANGED = ("competition/units/heat.py", "solaris/house_rules.py", "core/dice.py", "bots/attack_estimates.py")


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of rules/ that is hashed instead."""
    own = tmp_path / "rules"
    shutil.copytree(source.ROOT, own, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(source, "ROOT", own)
    return own


@pytest.mark.parametrize("places", [forecasts.CODE, keeping.CODE, ALL], ids=["forecasts", "balance", "all"])
@pytest.mark.parametrize("changed", CHANGED)
def test_one_byte_of_what_decides_a_match_changes_every_hash(
    copied: Path, places: tuple[str, ...], changed: str
) -> None:
    before = source.source_hash.__wrapped__(*places)
    assert before == source.source_hash.__wrapped__(*places)
    assert (copied / changed).exists()
    with (copied / changed).open("a") as file:
        file.write("#")
    assert source.source_hash.__wrapped__(*places) != before


def test_every_place_that_is_hashed_is_there() -> None:
    assert [place for place in (*forecasts.CODE, *keeping.CODE) if not (source.ROOT / place).exists()] == []
