"""Works of studies that end the process which plays them, by SIGKILL as when memory runs out."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from rules.measuring import studies
from rules.measuring.studies import Study


def dies_once(given: dict[str, Any], first: int, count: int) -> list[int]:
    """Squares; the first process that comes to the number `at` dies over it, which the file `mark` remembers."""
    time.sleep(0.02)
    if first <= given.get("at", -1) < first + count:
        try:
            Path(given["mark"]).touch(exist_ok=False)
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return [number**2 for number in range(first, first + count)]


def dies(given: dict[str, Any], first: int, count: int) -> list[int]:
    """No process gets past number 0."""
    if first == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return list(range(first, first + count))


@contextmanager
def works(**named: str) -> Iterator[None]:
    """Inside, studies may ask for functions of this module, by whatever names."""
    with mock.patch.object(studies, "WORKS", {name: f"{__name__}:{function}" for name, function in named.items()}):
        yield


def run_over_which_all_die() -> None:
    """A study over which every process dies."""
    with works(dies="dies"):
        studies.run([Study("dies", {}, 6, 1)], studies.in_processes(2))
