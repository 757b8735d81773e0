"""Options of commands that play studies: who plays them, and how long workers may take."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from rules.measuring.studies import Executor
from studies.fan_out import LONGEST_STUDY_SECONDS, on_workers


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of a command that plays a study. They do not change the study's result."""
    parser.add_argument("--workers", action="store_true", help="let all running Celery workers play, and wait for them")
    parser.add_argument(
        "--time-limit",
        type=float,
        default=LONGEST_STUDY_SECONDS,
        metavar="SECONDS",
        help="with --workers: give up after this time (default: %(default)s)",
    )


def executor_of(options: Mapping[str, Any]) -> Executor | None:
    """Return the executor that these options ask for; None leaves the choice to the study's own options."""
    return on_workers(options["time_limit"]) if options["workers"] else None
