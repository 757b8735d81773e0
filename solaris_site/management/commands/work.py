"""Do the site's jobs in one process without a queue."""

from __future__ import annotations

import signal
from argparse import ArgumentParser
from threading import Event
from types import FrameType
from typing import Any

from commands.migrated import MigratedCommand
from jobs.watch import work


class Command(MigratedCommand):
    help = (
        "Does due jobs until Ctrl-C, without a queue: with CELERY_BROKER_URL=memory:// it takes the place of worker "
        "and beat. Run exactly one."
    )

    # They would load every page, and there are none here.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--threads", type=int, default=2, help="jobs at the same time (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        stop = Event()

        def ask_to_stop(number: int, frame: FrameType | None) -> None:
            stop.set()

        before = {number: signal.signal(number, ask_to_stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            work(stop, max(1, options["threads"]))
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
