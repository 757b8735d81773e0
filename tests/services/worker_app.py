"""The site's Celery application with two jobs for tests: `celery -A tests.services.worker_app worker`."""

import os
import signal
from pathlib import Path

import django

from solaris_site.celery import app

django.setup()

from jobs import services  # noqa: E402 - after the set-up
from jobs.registry import job  # noqa: E402
from jobs.run import Run  # noqa: E402

__all__ = ["app"]


@job("test.chain")
def chain(run: Run) -> None:
    """Asks for the next job of a chain until `left` is 0."""
    if run.payload["left"]:
        payload = {"left": run.payload["left"] - 1}
        run.once("next", lambda: services.enqueue("test.chain", payload).pk)


@job("test.hangs_once")
def hangs_once(run: Run) -> None:
    """Does a step; its first attempt then waits to be killed."""
    run.once("first", lambda: os.getpid())
    if run.attempt == 1:
        Path(run.payload["mark"]).touch()
        while True:
            signal.pause()
    run.once("second", lambda: os.getpid())
