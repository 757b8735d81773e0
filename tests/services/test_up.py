"""`manage.py up`: web, worker and beat start together and stop together."""

import os
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from solaris_site.management.commands import up
from tests.services.processes import (
    answers,
    command_line,
    descendants,
    environment,
    free_port,
    is_alive,
    process,
)
from tests.waiting import wait_until

PARTS = ("runserver", "worker", "beat")


@dataclass
class Site:
    process: subprocess.Popen[bytes]
    children: dict[str, int]
    log: Path

    def is_gone(self) -> bool:
        return self.process.poll() is not None and not any(map(is_alive, self.children.values()))


def has_a_schedule(database: Path) -> bool:
    """Whether beat has written its schedule, which it does before its first tick."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        (tasks,) = connection.execute("SELECT count(*) FROM django_celery_beat_periodictask").fetchone()
    return bool(tasks)


@pytest.fixture
def site(migrated_site: Path, tmp_path: Path) -> Iterator[Site]:
    """A running site of its own, once its front door answers and its three parts are there."""
    folder = shutil.copytree(migrated_site, tmp_path / "var")
    variables = environment(VAR_DIR=str(folder))
    port, log = free_port(), tmp_path / "log"
    with process("manage.py", "up", "--port", str(port), variables=variables, log=log) as up:
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"), "an answer")
        assert answers(f"http://127.0.0.1:{port}/people/log-in")
        children = {part: pid for part in PARTS for pid in descendants(up.pid) if part in command_line(pid)}
        assert set(children) == set(PARTS)
        assert f"http://127.0.0.1:{port}/" in log.read_text()
        # A signal in the middle of beat's own start is answered with a traceback of the library's, not of ours.
        wait_until(lambda: has_a_schedule(folder / "solaris.sqlite3"), "beat's schedule")
        yield Site(up, children, log)


def test_its_worker_has_a_name_that_no_other_has() -> None:
    command = up.worker(2)
    assert command[command.index("--hostname") + 1] == f"up-{os.getpid()}@%h"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "TERM"])
def test_everything_stops_cleanly_when_asked(site: Site, number: signal.Signals) -> None:
    site.process.send_signal(number)
    wait_until(site.is_gone, "the end")
    assert site.process.returncode == 0
    assert "Traceback" not in site.log.read_text()


@pytest.mark.parametrize("part", PARTS)
def test_everything_stops_when_one_part_dies(site: Site, part: str) -> None:
    os.kill(site.children[part], signal.SIGKILL)
    wait_until(site.is_gone, "the end")
    assert site.process.returncode == 1
    name = {"runserver": "web"}.get(part, part)
    assert f"The {name} process stopped" in site.log.read_text()
