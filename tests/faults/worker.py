"""A Celery worker that kills itself at chosen points, or tells where it is while others kill it.

The points are put around the product's code from outside: its job functions, steps and commits are what they are, and
new ones are found by themselves. Each point is one line, "job|step|moment":

    claimed            the job is this worker's
    before a commit    a transaction has done its work and is about to be committed, with the step's checkpoint
    after a commit     it is committed
    over               the function of the job returned, the job is not marked done
    done               it is marked done, the queue has not heard yet
"""

from __future__ import annotations

import mmap
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STATUS_BYTES = 400
COUNT_BYTES = 4
IDLE = "idle"
STARTING = "starting"


class Status:
    """Where a worker is, in memory that its parent shares; the parent reads it while the worker is stopped."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, STATUS_BYTES)
        self.write(STARTING)

    def write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")[: STATUS_BYTES - COUNT_BYTES - 1]
        # One slice is one copy: a stopped writer leaves at worst the front of one text and the end of another.
        self.memory[: COUNT_BYTES + len(data) + 1] = (self.count + 1).to_bytes(COUNT_BYTES, "big") + data + b"\0"

    @property
    def count(self) -> int:
        """How often the worker told where it is."""
        return int.from_bytes(self.memory[:COUNT_BYTES], "big")

    def read(self) -> str:
        return bytes(self.memory[COUNT_BYTES:]).split(b"\0", 1)[0].decode("utf-8", "replace")


class Points:
    """The points of jobs, as the worker passes them. With a `file`, it dies once at each that the file does not name
    yet; without one it only tells where it is."""

    def __init__(self, status: Status, file: Path | None, only: str = "") -> None:
        self.status = status
        self.file = file
        self.only = only
        self.passed = set(file.read_text().splitlines()) if file is not None and file.exists() else set()
        self.here = threading.local()

    @property
    def job(self) -> str:
        return getattr(self.here, "job", "")

    @property
    def step(self) -> str:
        return getattr(self.here, "step", "")

    def reach(self, moment: str) -> None:
        """Pass a point of the job that this thread does, or die there."""
        if not self.job:
            return
        point = f"{self.job}|{self.step or '-'}|{moment}"
        self.status.write(point)
        if self.file is None or point in self.passed or (self.only and job_name(point) != self.only):
            return
        with self.file.open("a") as file:
            file.write(point + "\n")
        os.kill(os.getpid(), signal.SIGKILL)

    @contextmanager
    def doing(self, job: str) -> Iterator[None]:
        self.here.job, self.here.step = job, ""
        self.status.write(f"{job}|-|at work")
        try:
            yield
        finally:
            self.here.job = ""
            self.status.write(IDLE)

    @contextmanager
    def at(self, step: str) -> Iterator[None]:
        before, self.here.step = self.step, step
        self.status.write(f"{self.job}|{step}|at work")
        try:
            yield
        finally:
            self.here.step = before
            self.status.write(f"{self.job}|{before or '-'}|at work")


def committing() -> str:
    """Who is committing: the function whose transaction ends here, as it was decorated or as it stands in the stack."""
    frame = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.endswith("contextlib.py"):
            function = frame.f_locals.get("func")
            if function is not None:
                return f"{function.__module__}.{function.__qualname__}"
        elif "/django/" not in file and "/faults/" not in file:
            module = frame.f_globals.get("__name__", "")
            return f"{module}.{frame.f_code.co_name}"
        frame = frame.f_back  # type: ignore[assignment]
    return "?"


def instrument(points: Points) -> None:
    """Put the points around jobs.runner and around the commits of the database's connection."""
    from django.db.backends.base.base import BaseDatabaseWrapper

    from jobs import runner

    execute, once, commit = runner.execute, runner.Run.once, BaseDatabaseWrapper.commit
    find = runner.registry.handler

    def executed(job: Any) -> Any:
        with points.doing(f"{job.name} #{job.pk}"):
            points.reach("claimed")
            result = execute(job)
            points.reach("done")
            return result

    def once_with_points(run: Any, step: str, function: Callable[[], Any]) -> Any:
        with points.at(step):
            return once(run, step, function)

    def committed(connection: Any) -> None:
        if not points.job:
            commit(connection)
            return
        who = committing()
        points.reach(f"before the commit of {who}")
        commit(connection)
        points.reach(f"after the commit of {who}")

    def handler(name: str) -> Any:
        function = find(name)
        if function is None:
            return None

        def called(run: Any) -> None:
            function(run)
            points.reach("over")

        return called

    runner.execute = executed
    runner.Run.once = once_with_points  # type: ignore[method-assign]
    runner.registry.handler = handler  # type: ignore[method-assign]
    BaseDatabaseWrapper.commit = committed  # type: ignore[method-assign]


def work(status: Status, file: Path | None, only: str = "") -> None:
    """Be a worker until killed, at the points of jobs called `only` or of all. To be called in a fresh process."""
    from solaris_site.celery import app

    instrument(Points(status, file, only))
    status.write(IDLE)
    options = ["--pool", "threads", "--concurrency", "1", "--loglevel", "CRITICAL"]
    app.worker_main(["worker", *options, "--without-gossip", "--without-mingle", "--without-heartbeat"])


def job_name(point: str) -> str:
    """The name of a point's job, without its number."""
    return re.sub(r" #\d+$", "", point.split("|")[0])


def is_in_a_job(point: str) -> bool:
    """Whether a worker that told this was at a job."""
    return "|" in point
