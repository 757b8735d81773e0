"""Every golden replay is played again from its setup, seed and actions, and the first line that differs is named."""

import pytest

from rules.competition.match import Match
from rules.competition.notation import from_text, to_text
from rules.competition.setups import read_setup
from rules.competition.verification import Outcome, verify
from rules.core.dice import SeededDice
from tests.tools.golden import FOLDER, names


@pytest.mark.parametrize("name", names())
def test_a_golden_replay_plays_as_recorded(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    document = from_text(text)
    dice = SeededDice(bytes.fromhex(document["seed"]))
    match = Match.replay(read_setup(document["setup"]), dice, document["actions"])
    assert match.result is not None
    played = to_text({**document, "actions": match.actions, "events": match.events, "result": match.result.to_json()})
    for number, (before, now) in enumerate(zip(text.splitlines(), played.splitlines(), strict=False), start=1):
        assert before == now, f"line {number} of {name}"
    assert text == played
    assert verify(document).outcome is Outcome.OK


def test_no_golden_replay_is_missing_or_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(names())
