"""Steps of a job's work, each in a transaction of its own. A job passes in the function that runs each step once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction

RunStep = Callable[[str, Callable[[], Any]], Any]
"""A function that runs a named step and returns its output, JSON-able; a step done already is not run again."""


def in_a_transaction(name: str, function: Callable[[], Any]) -> Any:
    """Run a step without a checkpoint; each step notices itself what is done already."""
    with transaction.atomic():
        return function()
