"""Steps of a job's work, each in a transaction of its own; a job hands in what runs each of them once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction

RunStep = Callable[[str, Callable[[], Any]], Any]
"""Run a named step and return its output, which is JSON-able; one that is done already is not run again."""


def in_a_transaction(name: str, function: Callable[[], Any]) -> Any:
    """Run a step without a checkpoint of its own; each step notices what is done already."""
    with transaction.atomic():
        return function()
