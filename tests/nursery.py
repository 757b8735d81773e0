"""A site's processes, up in a moment: each is a fork of one that has imported the site.

To start Python with Django and the site costs two to four seconds of processor. Where not the start but what comes
after is tested, a test asks a nursery:

    with Nursery(variables, folder) as nursery:
        worker = nursery.start("-m", "celery", "-A", "solaris_site", "worker")
        nursery.run("manage.py", "migrate")

Commands are those of Python's own command line: `-m MODULE`, `-c CODE` or a file, each with arguments. All are of the
one environment that the nursery was started with. The nursery itself opens neither database nor queue.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[1]
IMPORTED = (
    "celery.bin.celery",
    "celery.bin.worker",
    "celery.apps.worker",
    "celery.concurrency.thread",
    "solaris_site.urls",
)


@dataclass
class Child:
    """A process that a nursery started; its output and its errors go to files."""

    nursery: Nursery
    pid: int
    output: Path
    errors: Path
    returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, the negative number of the signal that ended it, or None while it runs."""
        if self.returncode is None:
            self.returncode = self.nursery.ask({"status": self.pid})
        return self.returncode

    def wait(self) -> int:
        wait_until(lambda: self.poll() is not None, f"the end of {self.pid}")
        assert self.returncode is not None
        return self.returncode

    def kill(self) -> None:
        """End it by SIGKILL and wait for that."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()


class Nursery:
    """The process that forks for a site with these environment variables; files of its children go to `folder`."""

    def __init__(self, variables: dict[str, str], folder: Path) -> None:
        self.variables, self.folder = variables, folder
        self.children: list[Child] = []

    def __enter__(self) -> Nursery:
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.nursery"],
            cwd=ROOT, env=self.variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        return self

    def __exit__(self, *exception: object) -> None:
        self.kill_all()
        self.process.communicate()

    def kill_all(self) -> None:
        """End by SIGKILL every child that is still there, with what it started."""
        for child in self.children:
            if child.poll() is None:
                # Each leads a process group of its own.
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        self.children = []

    def ask(self, question: dict[str, Any]) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def start(self, *command: str, variables: dict[str, str] | None = None, **settings: Any) -> Child:
        """Start a command, with variables of its own for what is not read yet, and with settings put in place."""
        files = [self.folder / f"{uuid.uuid4().hex}.{kind}" for kind in ("out", "err")]
        task = {"start": command, "files": list(map(str, files)), "variables": variables or {}, "settings": settings}
        child = Child(self, self.ask(task), *files)
        self.children.append(child)
        return child

    def run(self, *command: str) -> str:
        """Return the output of a command that must succeed."""
        child = self.start(*command)
        assert child.wait() == 0, child.errors.read_text()
        return child.output.read_text().strip()


def serve() -> dict[str, Any] | None:
    """Answer questions. Return, in a child, what it is to do; in the nursery, None when nobody asks any more."""
    for line in sys.stdin:
        question = json.loads(line)
        if "start" in question:
            answer: int | None = os.fork()
            if not answer:
                return question
        else:
            pid, status = os.waitpid(question["status"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        print(json.dumps(answer), flush=True)
    return None


def become(task: dict[str, Any]) -> None:
    """Be the process of a command: with its own session, files, variables and settings."""
    from django.conf import settings

    os.setsid()
    for number, name in enumerate([os.devnull, *task["files"]]):
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(file, number)
        os.close(file)
    os.environ.update(task["variables"])
    for name, value in task["settings"].items():
        setattr(settings, name, value)
    first, *rest = task["start"]
    if first == "-c":
        sys.argv = [first, *rest[1:]]
        exec(rest[0], {"__name__": "__main__"})
    elif first == "-m":
        sys.argv = [first, *rest[1:]]
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [first, *rest]
        runpy.run_path(first, run_name="__main__")


def main() -> None:
    import importlib

    import django

    django.setup()
    for name in IMPORTED:
        importlib.import_module(name)
    task = serve()
    if task is not None:
        become(task)


if __name__ == "__main__":
    main()
