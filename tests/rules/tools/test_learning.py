"""Learning finds weights that made the lessons, and the same ones whatever the number of processes."""

import json
import random
from math import exp

import pytest

from rules.bots.evaluation import FACTS
from rules.tools import learning
from rules.tools.learning import Lesson, examined, gather, learn, main, study


def made_up(count: int, truth: list[float]) -> list[Lesson]:
    """Lessons from sides whose chance to win follows these weights."""
    rng = random.Random(5)
    found = []
    for number in range(count):
        facts = [rng.gauss(0, 1) for _ in FACTS]
        wins = rng.random() < 1 / (1 + exp(-sum(a * b for a, b in zip(facts, truth, strict=True))))
        found.append(Lesson(number, tuple(facts if wins else [-fact for fact in facts]), 1.0))
    return found


def test_weights_that_made_the_lessons_are_found_again() -> None:
    truth = [1.2, -0.6, *([0.0] * (len(FACTS) - 3)), 0.4]
    lessons = made_up(4000, truth)
    found = learn(lessons)
    assert found == pytest.approx(truth, abs=0.2)
    assert examined(lessons, found)["log_loss"] < examined(lessons, [0.0] * len(FACTS))["log_loss"] - 0.1
    assert examined(lessons, [0.0] * len(FACTS))["brier"] == pytest.approx(0.25)


def test_processes_change_nothing() -> None:
    assert gather("standard", 24, 3, "greedy", 1) == gather("standard", 24, 3, "greedy", 2)


def test_a_lesson_of_many_sides_counts_once() -> None:
    lessons = gather("grand_melee", 2, 1, "random", 1).lessons
    positions = {lesson.match: 0.0 for lesson in lessons}
    for lesson in lessons:
        positions[lesson.match] += lesson.weight
    assert all(total == pytest.approx(round(total)) for total in positions.values())


def test_the_command_writes_what_it_learned_beside_what_was_known(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "worth.json"  # type: ignore[operator]
    target.write_text(json.dumps({"weights": {"team": {"blow": 1.0}}, "learned": {"team": {}}}))
    monkeypatch.setattr(learning, "WEIGHTS", target)
    assert main(["--matches", "15", "--formats", "standard", "--bot", "random", "--write"]) == 0
    known = json.loads(target.read_text())
    assert known["weights"]["team"] == {"blow": 1.0}
    assert known["weights"]["standard"] == study(["standard"], 15, 1, "random", 1)["weights"]["standard"]
    assert known["learned"]["standard"]["matches"] == 15
    assert "standard:" in capsys.readouterr().err
