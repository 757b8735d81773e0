"""Tests wait for states, never for a time: who sleeps says here why."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SLEEPS = {
    "tests/waiting.py": (1, "asks again and again for what is awaited"),
    "tests/faults/trial.py": (2, "asks for sweeps as beat does, and kills at a random moment"),
    "tests/rules/measuring/dying.py": (1, "leaves work to other processes"),
    "tests/tools/bench_seasons.py": (1, "looks again and again how far the seasons are"),
    "tests/tools/tour.py": (2, "waits for the server, and lets a picture settle"),
}
"""Which file sleeps, how often, and what for. None decides whether a test passes."""


DEADLINE = re.compile(r"(?:\b(?:join|wait|communicate|acquire|result)\(|\btimeout=)(?:timeout=)?([0-9.]+)")


def deadlines_in(source: str) -> list[float]:
    """The seconds, one and more, after which the source waits no longer; `tests.waiting` alone has such a number."""
    return [seconds for seconds in map(float, DEADLINE.findall(source)) if seconds >= 1]


def sleeps_in(source: str) -> int:
    """How many calls of the source pass a time; one of 0 only gives way to others."""
    return len(re.findall(r"(?<!def )\b(?:sleep|wait_for_timeout)\((?!0\))", source))


def test_no_test_sleeps() -> None:
    counts = {
        str(path.relative_to(ROOT)): sleeps_in(path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path != Path(__file__)
    }
    assert {path: count for path, count in counts.items() if count} == {
        path: count for path, (count, _) in SLEEPS.items()
    }


def test_every_wait_has_the_same_deadline() -> None:
    tested = [path for path in sorted((ROOT / "tests").rglob("*.py")) if "tools" not in path.parts]
    own = {
        str(path.relative_to(ROOT)): deadlines_in(path.read_text(encoding="utf-8"))
        for path in tested
        if path != Path(__file__)
    }
    assert {path: found for path, found in own.items() if found} == {}


@pytest.mark.parametrize(
    "call", ["thread.join(60)", "barrier.wait(10)", "over.wait(timeout=2.5)", "run(x, timeout=300)"]
)
def test_every_way_to_give_up_is_seen(call: str) -> None:
    assert len(deadlines_in(f"    {call}\n")) == 1


@pytest.mark.parametrize("call", ["time.sleep(1)", "sleep(0.1)", "await asyncio.sleep(2)", "page.wait_for_timeout(50)"])
def test_every_way_to_sleep_is_seen(call: str) -> None:
    assert sleeps_in(f"    {call}\n") == 1


def test_giving_way_and_a_clock_of_a_test_are_no_sleep() -> None:
    assert sleeps_in("await asyncio.sleep(0)\ndef sleep(self, seconds: float) -> None: ...\n") == 0
