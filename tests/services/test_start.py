"""start.py: what it makes, asks for and refuses, and its whole road without what only POSIX has."""

from __future__ import annotations

import json
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

import pytest

import start
from tests.services.processes import descendants, environment, free_port, is_alive, process
from tests.waiting import DEADLINE_SECONDS, wait_until

ADDRESS = "192.0.2.10"
"""The laptop's address in the network of the hall. Here nobody has it, so requests only name it."""

WITHOUT_POSIX = """
import os, signal, sys
# These libraries ask for the name of the system, and take their branches for Windows only there.
import billiard.compat, crontab
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
del signal.SIGHUP, os.fork, os.killpg
"""
"""Every Python process of the road begins with this."""


# A laptop in a hall ---------------------------------------------------------------------------------------------------


@dataclass
class Hall:
    process: subprocess.Popen[bytes]
    port: int
    folder: Path
    log: Path

    def ask(self, path: str, form: dict[str, str] | None = None, cookie: str = "") -> tuple[HTTPResponse, str]:
        """Ask as a phone in the hall does, and return the answer with its text."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE_SECONDS)
        headers = {"Host": f"{ADDRESS}:{self.port}", "Cookie": cookie}
        if form is not None:
            headers |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "Origin": f"http://{ADDRESS}:{self.port}",
            }
        body = None if form is None else urlencode(form)
        with closing(connection):
            connection.request("GET" if form is None else "POST", path, body, headers)
            answer = connection.getresponse()
            return answer, answer.read().decode()

    def is_well(self) -> bool:
        try:
            return self.ask("/readyz")[0].status == 200
        except OSError:
            return False


@pytest.fixture
def hall(migrated_site: Path, tmp_path: Path) -> Iterator[Hall]:
    """An event that start.py has started without what only POSIX has; its jobs are done, so it is ready."""
    folder = shutil.copytree(migrated_site, tmp_path / "event")
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "sitecustomize.py").write_text(WITHOUT_POSIX)
    # The queue and the database of another site in the surroundings lead nowhere.
    variables = environment(
        PYTHONPATH=str(tmp_path / "start"),
        DATABASE_URL="postgres://nobody@127.0.0.1:1/nothing",
        SECURE_SSL_REDIRECT="1",
    )
    port, log = free_port(), tmp_path / "log"
    command = ("start.py", "event", "--address", ADDRESS, "--port", str(port), "--folder", str(folder))
    with process(*command, variables=variables, log=log) as started:
        made = Hall(started, port, folder, log)
        wait_until(lambda: made.is_well() or started.poll() is not None, "an event that is ready")
        assert started.poll() is None, log.read_text()
        yield made


def test_an_event_runs_on_a_system_without_posix_and_stops_when_asked(hall: Hall) -> None:
    answer, page = hall.ask("/people/log-in")
    assert answer.status == 200
    # DEBUG is off: files have names with a hash, and the one process serves them.
    style = re.search(r'href="(/static/css/[\w.-]+\.[0-9a-f]{12}\.css)"', page)
    assert style is not None
    assert hall.ask(style[1])[0].status == 200
    # Over plain http: browsers keep the cookie and are sent nowhere else, and a form comes through.
    cookie = answer.headers["Set-Cookie"]
    assert "secure" not in cookie.lower()
    assert "Strict-Transport-Security" not in answer.headers
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token is not None
    form = {"csrfmiddlewaretoken": token[1], "username": "demo", "password": "demo"}
    answer, page = hall.ask("/people/log-in", form, cookie.partition(";")[0])
    assert (answer.status, 'name="password"' in page) == (200, True)
    # Nobody has an account yet, and there is nothing to look at.
    with closing(sqlite3.connect(f"file:{hall.folder / 'solaris.sqlite3'}?mode=ro", uri=True)) as database:
        assert database.execute("SELECT count(*) FROM people_user").fetchone() == (0,)
        assert database.execute("SELECT count(*) FROM stables_season").fetchone() == (0,)
    log = hall.log.read_text()
    assert f"http://{ADDRESS}:{hall.port}/" in log
    assert "█▀▀▀" in log or "█▄▄▄" in log
    assert "localhost" not in log

    family = descendants(hall.process.pid)
    hall.process.terminate()
    wait_until(lambda: hall.process.poll() is not None and not any(map(is_alive, family)), "the end")
    assert hall.process.returncode == 0
    assert "Traceback" not in hall.log.read_text()


# The parts of the start -----------------------------------------------------------------------------------------------


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The commands of manage.py that would be run, and no environment is asked for."""
    found: list[tuple[str, ...]] = []

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        assert command[:3] == [str(start.python()), "-c", start.RUN_COMMANDS]
        found.extend(tuple(words) for words in json.loads(command[3]))
        return subprocess.CompletedProcess(command, 0)

    def attend(variables: dict[str, str], *words: str) -> int:
        found.append(words)
        return 0

    monkeypatch.setattr(start.subprocess, "run", run)
    monkeypatch.setattr(start, "attend", attend)
    for name in ("make_environment", "require_environment"):
        monkeypatch.setattr(start, name, lambda: None)
    return found


def test_a_look_has_a_demo_and_an_event_has_none(commands: list[tuple[str, ...]], tmp_path: Path) -> None:
    assert start.main(["run", "--port", "8123"]) == 0
    assert ("demo", "--address", "http://127.0.0.1:8123") in commands
    assert commands[-1] == ("up", "--host", "127.0.0.1", "--port", "8123")
    commands.clear()
    assert start.main(["event", "--address", ADDRESS, "--port", "8123", "--folder", str(tmp_path)]) == 0
    assert [words for words in commands if "demo" in words[0]] == []
    assert ("challenge_begin", "--name", "", "--address", f"http://{ADDRESS}:8123") in commands
    assert commands[-1] == ("up", "--host", "0.0.0.0", "--port", "8123", "--code")


def test_preparing_makes_everything_and_starts_nothing(
    commands: list[tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "own_addresses", list)
    assert start.main(["event", "--prepare", "--folder", str(tmp_path)]) == 0
    assert [words[0] for words in commands] == ["migrate", "load_catalogue", "collectstatic"]


def test_another_laptop_goes_on_from_a_copy_and_makes_copies(
    commands: list[tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: dict[str, str] = {}
    monkeypatch.setattr(start, "attend", lambda variables, *words: found.update(variables) or 0)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stick").mkdir()
    chosen = ["--copy-to", "stick", "--go-on-from", "stick/steel-night.json"]
    assert start.main(["event", "--address", ADDRESS, "--folder", str(tmp_path / "event"), *chosen]) == 0
    copy = str(tmp_path / "stick" / "steel-night.json")
    assert commands[-1] == ("import_challenge", copy, "--address", f"http://{ADDRESS}:8000")
    assert found["CHALLENGE_COPY_TO"] == str(tmp_path / "stick")


def test_a_second_place_that_is_not_there_is_refused(
    commands: list[tuple[str, ...]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that the start made would lie on this computer, and the stick in a bag."""
    stick = tmp_path / "stick"
    assert start.main(["event", "--address", ADDRESS, "--folder", str(tmp_path), "--copy-to", str(stick)]) == 1
    assert f"No copy can go to {stick}" in capsys.readouterr().err
    assert commands == []
    assert not stick.exists()


def test_a_command_that_fails_ends_the_start(tmp_path: Path) -> None:
    variables = environment(VAR_DIR=str(tmp_path), DEBUG="no word for yes or no")
    with pytest.raises(SystemExit) as ended:
        start.manage(variables, ["up"], ["collectstatic"])
    assert ended.value.code == 1


def test_the_venue_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    """Nothing is made there, and no package index is asked."""
    shutil.copy(start.ROOT / "start.py", tmp_path)
    (tmp_path / "requirements.txt").write_text("# What the site needs.\ndjango==0.0.1\nsolaris-nothing==1.0\n")
    command = [sys.executable, "start.py", "event", "--folder", "data"]
    refused = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "not prepared" in refused.stderr
    assert "django==0.0.1, solaris-nothing==1.0" in refused.stderr
    assert "python start.py event --prepare" in refused.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"start.py", "requirements.txt"}


def test_an_old_python_makes_no_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "missing_packages", lambda: ["django==5.2"])
    monkeypatch.setattr(start, "OWN_PYTHON", Path("/nowhere"))
    monkeypatch.setattr(start.sys, "version_info", (3, 10, 1))
    assert start.main(["run"]) == 1
    assert "needs Python 3.11 or newer" in capsys.readouterr().err


class Asker:
    """A socket of a laptop in two networks and one that it gave itself, without a way to the internet."""

    ROADS = {"192.168.1.254": "192.168.1.20", "10.42.0.254": "10.42.0.1", "192.168.8.254": "127.0.0.1"}

    def __init__(self, family: int, kind: int) -> None:
        self.own = ""

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def connect(self, place: tuple[str, int]) -> None:
        if place[0] == "203.0.113.1":
            self.own = "169.254.7.7"
        elif place[0] in self.ROADS:
            self.own = self.ROADS[place[0]]
        else:
            raise OSError("Network is unreachable")

    def getsockname(self) -> tuple[str, int]:
        return self.own, 1


def test_addresses_are_those_of_the_networks_the_one_of_no_router_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", Asker)
    assert start.own_addresses() == ["192.168.1.20", "10.42.0.1", "169.254.7.7"]


def test_the_address_that_is_asked_for_wins() -> None:
    assert start.chosen_address("arena.example", ["192.168.1.20"], is_needed=True) == "arena.example"
    assert start.chosen_address(None, ["192.168.1.20", "10.42.0.1"], is_needed=True) == "192.168.1.20"


@pytest.mark.parametrize("asked", ["localhost", "127.0.0.1", "0.0.0.0", "http://192.168.1.20", "a b", "", "x,y"])
def test_an_address_that_no_phone_can_follow_is_refused(asked: str) -> None:
    with pytest.raises(start.Refused):
        start.chosen_address(asked, ["192.168.1.20"], is_needed=True)


def test_without_a_network_the_venue_is_refused_and_home_is_not() -> None:
    with pytest.raises(start.Refused, match="--address"):
        start.chosen_address(None, [], is_needed=True)
    assert start.chosen_address(None, [], is_needed=False) == "127.0.0.1"


def test_an_event_keeps_its_key_and_nobody_else_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    made = start.secret_key(path)
    assert len(made) >= start.SHORTEST_SECRET
    assert start.secret_key(path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("cut o")
    assert start.secret_key(path) not in ("cut o", made)


def test_an_event_is_no_part_of_another_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in start.OF_ANOTHER_SITE:
        monkeypatch.setenv(name, "of another")
    made = start.event_variables(tmp_path / "event", ADDRESS, [ADDRESS, "10.42.0.1"], 8000)
    assert "of another" not in made.values()
    assert made["SITE_URL"] == f"http://{ADDRESS}:8000"
    assert made["ALLOWED_HOSTS"].split(",")[:2] == [ADDRESS, "10.42.0.1"]
    assert {"localhost", "127.0.0.1"} < set(made["ALLOWED_HOSTS"].split(","))


def test_make_run_is_the_same_start(tmp_path: Path) -> None:
    asked = ["make", "--no-print-directory", "--dry-run", "run", "HOST=0.0.0.0", "PORT=8123"]
    shown = subprocess.run(asked, cwd=start.ROOT, capture_output=True, text=True, check=True).stdout
    assert shown.split()[1:] == ["start.py", "run", "--host", "0.0.0.0", "--port", "8123"]


def test_a_look_at_every_address_is_linked_by_a_name(
    commands: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    start.run(Namespace(host="0.0.0.0", port=8123))
    assert ("demo", "--address", "http://localhost:8123") in commands
