"""`manage.py up`: web, worker and beat start together and stop together."""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import override_settings

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
from tests.waiting import DEADLINE_SECONDS, wait_until

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
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=DEADLINE_SECONDS)) as connection:
        (tasks,) = connection.execute("SELECT count(*) FROM django_celery_beat_periodictask").fetchone()
    return bool(tasks)


def children_of(pid: int) -> dict[str, int]:
    return {part: child for part in PARTS for child in descendants(pid) if part in command_line(child)}


@pytest.fixture
def site(migrated_site: Path, tmp_path: Path) -> Iterator[Site]:
    """A running site of its own, once its front door answers and its three parts are there."""
    folder = shutil.copytree(migrated_site, tmp_path / "var")
    variables = environment(VAR_DIR=str(folder))
    port, log = free_port(), tmp_path / "log"
    with process("manage.py", "up", "--port", str(port), variables=variables, log=log) as up:
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"), "an answer")
        assert answers(f"http://127.0.0.1:{port}/people/log-in")
        # The one that answers is the first that is started; the others may not be what they will be.
        wait_until(lambda: set(children_of(up.pid)) == set(PARTS), "the three parts")
        children = children_of(up.pid)
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


@pytest.mark.services
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells children that their parent ended")
def test_nothing_runs_on_when_it_is_killed(site: Site) -> None:
    site.process.kill()
    wait_until(site.is_gone, "the end")


def test_a_port_that_is_taken_is_named_before_anything_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(up, "Group", None)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CommandError, match=f"Port {port} of 127.0.0.1 is taken.* killed.*--port"):
            call_command("up", "--port", str(port))


def test_counts_of_requests_lie_in_memory_and_not_beside_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk kills processes that map files on it."""
    monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR", raising=False)
    ask = "import os, sys; sys.exit(not os.path.isdir(os.environ['PROMETHEUS_MULTIPROC_DIR']))"
    group = up.Group({"web": [sys.executable, "-c", ask]})
    with override_settings(DEBUG=False):
        assert (group.run(), group.statuses) == ("web", {"web": 0})
    assert group.metrics is not None
    assert settings.VAR_DIR not in group.metrics.parents
    if os.path.isdir("/dev/shm"):
        assert group.metrics.parent == Path("/dev/shm")
    group.stop()
    assert not group.metrics.exists()


@pytest.mark.parametrize(
    ("arguments", "told", "url"),
    [
        (("--port", "8202"), None, "http://127.0.0.1:8202"),
        (("--port", "8202", "--host", "0.0.0.0"), None, "http://localhost:8202"),
        (("--port", "8202", "--host", "::1"), None, "http://[::1]:8202"),
        (("--port", "8202"), "https://circuit.example", "https://circuit.example"),
    ],
)
def test_links_carry_the_address_that_the_site_answers_on(
    arguments: tuple[str, ...], told: str | None, url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Workers write mails and news, and no request tells them the address. A SITE_URL that is set wins."""
    monkeypatch.delenv("SITE_URL", raising=False)
    if told is not None:
        monkeypatch.setenv("SITE_URL", told)
    written = tmp_path / "url"
    write = f"import os; open({str(written)!r}, 'w').write(os.environ['SITE_URL'])"
    monkeypatch.setattr(up, "web", lambda address: [sys.executable, "-c", write])
    waits = [sys.executable, "-c", "import signal; signal.pause()"]
    monkeypatch.setattr(up, "worker", lambda count: waits)
    monkeypatch.setattr(up, "beat", lambda: waits)
    monkeypatch.setattr(up, "check_port", lambda host, port: None)
    with override_settings(DEBUG=True), pytest.raises(CommandError, match="The web process stopped"):
        call_command("up", *arguments)
    assert written.read_text() == url


@pytest.mark.parametrize(
    ("debug", "queue", "locks", "server"),
    [
        (True, True, True, "runserver"),
        (True, False, False, "runserver"),
        (False, True, True, "gunicorn"),
        (False, True, False, "serve"),
        (False, False, True, "serve"),
    ],
)
def test_the_server_is_one_that_runs_on_this_system(debug: bool, queue: bool, locks: bool, server: str) -> None:
    """Without the locks of POSIX there is no gunicorn, and without a queue one process is enough."""
    with override_settings(DEBUG=debug, HAS_QUEUE=queue, HAS_FILE_LOCKS=locks):
        command = up.web("0.0.0.0:8202")
        assert server in command
        assert "0.0.0.0" in command or "0.0.0.0:8202" in command
        assert set(up.parts_for_jobs(2)) == ({"worker", "beat"} if queue else {"jobs"})


def test_children_end_on_a_system_without_groups_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "killpg")
    for at_once, status in ((False, -signal.SIGTERM), (True, -signal.SIGKILL)):
        child = subprocess.Popen([sys.executable, "-S", "-c", "import signal; signal.pause()"])
        up.end_child(child, at_once)
        assert child.wait(timeout=DEADLINE_SECONDS) == status
        up.end_child(child, at_once)


@pytest.mark.parametrize("part", PARTS)
def test_everything_stops_when_one_part_dies(site: Site, part: str) -> None:
    os.kill(site.children[part], signal.SIGKILL)
    wait_until(site.is_gone, "the end")
    assert site.process.returncode == 1
    name = {"runserver": "web"}.get(part, part)
    assert f"The {name} process stopped" in site.log.read_text()
