"""Limits by the clock on the wall: who does not come back is left behind, in whatever thread, and ended."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from matches.services import patience
from matches.services.patience import Patience
from rules.bots.guard import Overran

SHORT, LONG = 0.2, 120.0


def bot_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name in ("bot", "bot-end")}


@pytest.fixture(autouse=True)
def _nobody_stays_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every thread that a test leaves behind comes to its end."""
    monkeypatch.setattr(patience, "AGAIN_SECONDS", 0.05)
    before = bot_threads()
    yield
    for thread in bot_threads() - before:
        thread.join(LONG)
        assert not thread.is_alive()


def hang() -> None:
    while True:
        pass


PROFILED = """
import sys
from matches.services.patience import Patience
from rules.bots.guard import Overran

def hang():
    while True:
        pass

def called(number):
    return number

for function, seconds in ((hang, 0.2), (int, 120)):
    with Patience(seconds) as limit:
        try:
            limit(function)
        except Overran:
            print("left behind")
import threading
for thread in threading.enumerate():
    if thread.name.startswith("bot"):
        thread.join()
sys.setprofile(lambda *event: None)
print(sum(called(number) for number in range(1000)))
"""


def test_a_process_can_be_profiled_after_somebody_was_left_behind() -> None:
    """An exception that was sent and never met keeps CPython 3.11 looking for it at every step, without end where calls
    are profiled."""
    command = [sys.executable, "-c", PROFILED]
    told = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=LONG, check=True)
    assert told.stdout.split("\n")[:2] == ["left behind", "499500"]


def test_what_comes_back_in_time_is_the_answer() -> None:
    with Patience(LONG) as limit:
        assert [limit(lambda number=number: number) for number in range(3)] == [0, 1, 2]
        with pytest.raises(ZeroDivisionError):
            limit(lambda: 1 / 0)
        assert limit(lambda: "still there") == "still there"


def test_all_is_asked_of_one_thread_beside_and_none_where_nothing_is_asked() -> None:
    before = bot_threads()
    with Patience(LONG) as limit:
        assert bot_threads() == before
        numbers = {limit(threading.get_ident) for _ in range(5)}
        assert len(numbers) == 1
        assert threading.get_ident() not in numbers


def test_who_hangs_is_left_behind_and_the_next_one_answers() -> None:
    with Patience(SHORT) as limit:
        for _ in range(2):
            with pytest.raises(Overran):
                limit(hang)
        limit._seconds = LONG
        assert limit(lambda: 7) == 7


def test_a_limit_holds_in_a_thread_where_no_signal_arrives() -> None:
    found: list[Any] = []

    def work() -> None:
        with Patience(SHORT) as limit:
            try:
                limit(hang)
            except Overran:
                found.append("overran")

    worker = threading.Thread(target=work)
    worker.start()
    worker.join(LONG)
    assert found == ["overran"]


def test_who_catches_everything_is_told_again() -> None:
    caught = []

    def stubborn() -> None:
        while len(caught) < 4:
            try:
                hang()
            except BaseException as error:
                caught.append(type(error))

    with Patience(SHORT) as limit, pytest.raises(Overran):
        limit(stubborn)
    for thread in bot_threads():
        thread.join(LONG)
    assert caught == [Overran] * 4


def test_who_waits_where_no_exception_arrives_holds_nobody_up() -> None:
    """A lock, a sleep, the network: the one who asks goes on while the call is still waiting."""
    gate, out = threading.Event(), []

    def waits() -> None:
        gate.wait(LONG)
        out.append(1)

    with Patience(SHORT) as limit:
        with pytest.raises(Overran):
            limit(waits)
        limit._seconds = LONG
        assert limit(lambda: 7) == 7
    gate.set()


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_nobody_stops_the_program_from_there(kind: type[BaseException]) -> None:
    def leave() -> None:
        raise kind

    with Patience(LONG) as limit:
        with pytest.raises(RuntimeError, match=kind.__name__):
            limit(leave)
        assert limit(lambda: 7) == 7


def test_no_exception_reaches_a_thread_that_is_done() -> None:
    """Who comes back at the very moment at which it is given up: nothing is raised where others' code runs."""
    problems: list[Any] = []
    kept, threading.excepthook = threading.excepthook, problems.append
    try:
        for number in range(60):
            with Patience(0.002) as limit:
                try:
                    limit(lambda number=number: time.sleep(0.0015 + number * 0.00002))
                except Overran:
                    continue
        for thread in bot_threads():
            thread.join(LONG)
    finally:
        threading.excepthook = kept
    assert problems == []


def test_an_answer_that_comes_too_late_is_nobodys() -> None:
    gate = threading.Event()

    def late() -> str:
        gate.wait(LONG)
        return "late"

    with Patience(SHORT) as limit:
        with pytest.raises(Overran):
            limit(late)
        gate.set()
        limit._seconds = LONG
        assert [limit(lambda: "in time") for _ in range(3)] == ["in time"] * 3


def test_who_is_interrupted_while_waiting_leaves_nobody_at_work() -> None:
    def stopped() -> None:
        with Patience(LONG) as limit:
            limit(lambda: None)
            assert limit._thinker is not None
            limit._thinker.asked.put(hang)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
