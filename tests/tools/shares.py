"""Print what each room of the tests costs: `make shares`, and the table of docs/testing.md.

This pytest plugin (`-p tests.tools.shares`) counts the processor time (user and system) of each test with its set-up,
in the process that runs it and in the children that it waits for. A browser or server that outlives a test counts for
the test that runs when it ends. Collecting is counted apart.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any

import pytest

SECONDS = "processor_seconds"
SLOWEST = 25


def spent() -> float:
    """Return the processor time of this process and its ended children, in seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[BEGAN] = spent()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    now = spent()
    setattr(report, SECONDS, now - item.stash[BEGAN])
    item.stash[BEGAN] = now
    return report


BEGAN = pytest.StashKey[float]()


class Collecting:
    """What a process spent until it had collected its tests."""

    seconds = 0.0


def pytest_collection_finish(session: pytest.Session) -> None:
    Collecting.seconds = spent()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[SECONDS] = Collecting.seconds


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    Collecting.seconds += (getattr(node, "workeroutput", None) or {}).get(SECONDS, 0.0)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    rooms: Counter[str] = Counter()
    tests: Counter[str] = Counter()
    for report in _reports(terminalreporter):
        seconds = getattr(report, SECONDS, 0.0)
        rooms[_room(report.nodeid)] += seconds
        tests[report.nodeid] += seconds
    whole = rooms.total() + Collecting.seconds
    terminalreporter.section("processor time by room")
    for room, seconds in [*rooms.most_common(), ("starting and collecting", Collecting.seconds)]:
        terminalreporter.write_line(f"| {room} | {seconds:.0f} s | {100 * seconds / whole:.0f} % |")
    terminalreporter.section(f"the {SLOWEST} costliest tests")
    for test, seconds in tests.most_common(SLOWEST):
        terminalreporter.write_line(f"{seconds:7.2f} s  {test}")


def _reports(terminalreporter: Any) -> Iterator[Any]:
    for reports in terminalreporter.stats.values():
        yield from (report for report in reports if isinstance(report, pytest.TestReport))


def _room(nodeid: str) -> str:
    parts = nodeid.partition("::")[0].split("/")
    return "/".join(parts[1:3] if parts[1] == "rules" else parts[1:2])
