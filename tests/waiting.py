"""Waiting for what other processes, threads and browsers do."""

from __future__ import annotations

import time
from collections.abc import Callable

DEADLINE_SECONDS = 120
"""Reports a hang and nothing else: no test passes or fails by how quick the machine is."""


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Return once `condition` holds; ask it 20 times a second. AssertionError names `what` never came."""
    end = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        assert time.monotonic() < end, f"{what} did not come within {DEADLINE_SECONDS} s"
        time.sleep(0.05)
