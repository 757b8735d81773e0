"""Starting the site's processes from a test, and making sure that none outlives it."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from django.db import connection

from tests.waiting import DEADLINE_SECONDS

ROOT = Path(__file__).resolve().parents[2]
PORTS = range(20_000, 32_768)


def free_port() -> int:
    """Return a port on which nobody listens.

    It lies below those that the system gives to whoever connects or asks for any: else it could be gone before it is
    used, and who connects to it where nobody listens could be given the same one, and would reach itself.
    """
    for port in random.Random(os.urandom(8)).sample(PORTS, len(PORTS)):
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


def named_node() -> tuple[str, str]:
    """The options that give a Celery worker a name of its own: workers of one name share the queue in which they are
    asked whether they are there, and of two only one answers."""
    return ("--hostname", f"{uuid.uuid4().hex}@%h")


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=DEADLINE_SECONDS) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def answers_with_host(address: str, host: str) -> bool:
    """Whether the site answers well to who asks for it by this name."""
    try:
        with urllib.request.urlopen(
            urllib.request.Request(address, headers={"Host": host}), timeout=DEADLINE_SECONDS
        ) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def environment(**variables: str) -> dict[str, str]:
    """This process's environment without what would point a child at another site, and with these variables."""
    dropped = {"DATABASE_URL", "SECRET_KEY", "DEBUG", "EMAIL_URL", "VAR_DIR"}
    dropped |= {"CELERY_BROKER_URL", "CELERY_RESULT_BACKEND"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    # Forecasts would take the workers' time from what is tested.
    return kept | {"FORECASTS": "0"} | variables


def database_url() -> str:
    """The test database, as a child process is told of it."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    user = quote(str(database["USER"] or "postgres"))
    password = f":{quote(str(database['PASSWORD']))}" if database["PASSWORD"] else ""
    place = f"{database['HOST'] or 'localhost'}:{database['PORT'] or 5432}"
    return f"postgres://{user}{password}@{place}/{database['NAME']}"


def run(*command: str, variables: dict[str, str], seconds: float = DEADLINE_SECONDS) -> str:
    """The output of a Python command that must succeed, within so many seconds."""
    result = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@contextmanager
def process(*command: str, variables: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A Python process in a session of its own, killed with its whole family at the end, output in `log`."""
    with log.open("ab") as output:
        child = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=variables, stdout=output, stderr=output, start_new_session=True
        )
    family: set[int] = set()
    try:
        yield child
    finally:
        family |= {child.pid, *descendants(child.pid)}
        for pid in family:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        child.wait(timeout=DEADLINE_SECONDS)


def descendants(pid: int) -> list[int]:
    """The process ids below a process, from /proc."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found, waiting = [], [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
