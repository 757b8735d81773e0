"""A study goes on when a process that plays parts of it is killed, and ends when they die over and over."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from rules.core.refusals import Refused
from rules.measuring import ladder
from rules.measuring.studies import MOST_POOLS, Study, in_processes, in_this_process, run
from rules.tools.balance import __main__ as balance
from tests.rules.measuring.dying import run_over_which_all_die, works

LONGEST_SECONDS = 60


@pytest.fixture(autouse=True)
def an_end() -> Iterator[None]:
    """A study that waits for ever fails its test."""

    def stop(*arguments: object) -> None:
        raise TimeoutError("the study waits for what nobody plays")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("at", [0, 7, 19])
def test_the_part_over_which_a_process_dies_is_played_by_another(tmp_path: Path, at: int) -> None:
    mark = tmp_path / "died"
    asked = [Study("squares", {"at": at, "mark": str(mark)}, 20, 2), Study("squares", {}, 3, 1)]
    counts: list[int] = []
    with works(squares="dies_once"):
        found = run(asked, in_processes(2), counts.append)
        assert mark.exists(), "nothing was killed"
        assert found == run(asked, in_this_process)
    assert counts == [*range(2, 21, 2), 21, 22, 23]


@pytest.mark.parametrize("killed", [1, 2])
def test_processes_that_are_killed_from_outside_are_replaced(killed: int) -> None:
    """Two of two, or one of them, in the middle of the study."""
    asked = [Study("squares", {}, 40, 1)]
    gone: list[int] = []
    counts: list[int] = []

    def kill(done: int) -> None:
        counts.append(done)
        if done == 3:
            for child in active_children()[:killed]:
                assert child.pid is not None
                os.kill(child.pid, signal.SIGKILL)
                gone.append(child.pid)

    with works(squares="dies_once"):
        found = run(asked, in_processes(2), kill)
        assert len(gone) == killed
        assert found == run(asked, in_this_process)
    assert counts == list(range(1, 41))
    assert not [child for child in active_children() if child.pid in gone]


def test_any_number_of_kills_is_outlived_while_parts_come_back_between_them() -> None:
    counts: list[int] = []
    kills = (8, 16, 24, 32)
    assert len(kills) > MOST_POOLS

    def kill(done: int) -> None:
        counts.append(done)
        if done in kills:
            for child in active_children()[:1]:
                os.kill(child.pid or 0, signal.SIGKILL)

    with works(squares="dies_once"):
        asked = [Study("squares", {}, 48, 1)]
        assert run(asked, in_processes(2), kill) == run(asked, in_this_process)
    assert counts == list(range(1, 49))


def test_a_study_over_which_processes_die_again_and_again_is_refused() -> None:
    with pytest.raises(Refused) as refusal:
        run_over_which_all_die()
    assert refusal.value.code == "study_processes_died"
    parameters = refusal.value.parameters
    assert (parameters["times"], parameters["parts"]) == (MOST_POOLS, 6)
    assert parameters["done"] <= 5
    assert active_children() == []


def test_an_error_of_a_part_is_raised_as_it_is() -> None:
    with works(squares="dies_once"), pytest.raises(TypeError, match="NoneType"):
        run([Study("squares", {"at": 1, "mark": None}, 4, 1)], in_processes(2))


@pytest.mark.parametrize(
    ("command", "work"),
    [(ladder.main, "ladder.duels"), (balance.main, "balance.bouts")],
)
def test_commands_say_so_in_words(
    command: Callable[[list[str]], int], work: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with works(**{work: "dies"}):
        assert command(["--jobs", "2", "--matches", "2"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "use fewer processes" in said.err
    assert said.err.endswith(" [study_processes_died]\n")
