"""Every golden replay is played again, and the first line that differs is named."""

import pytest

from rules.competition.notation import from_text, to_text
from rules.competition.verification import Outcome, verify
from tests.tools.golden import FOLDER, names, replay


@pytest.mark.parametrize("name", names())
def test_a_golden_replay_plays_as_recorded(name: str) -> None:
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    played = to_text(replay(name)).splitlines()
    for number, (before, now) in enumerate(zip(recorded, played, strict=False), start=1):
        assert before == now, f"line {number} of {name}"
    assert len(recorded) == len(played)


@pytest.mark.parametrize("name", names()[:2])
def test_a_golden_replay_verifies_from_its_text(name: str) -> None:
    document = from_text((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    assert verify(document).outcome is Outcome.OK


def test_no_golden_replay_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(names())
