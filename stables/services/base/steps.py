"""Steps of a job's work, each in a transaction of its own. A job passes in the function that runs each step once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction

RunStep = Callable[[str, Callable[[], Any]], Any]
"""A function that runs a named step and returns its output, which must fit JSON. The function of a job returns the
stored output of a step that is done already, and does not run it again."""


def in_a_transaction(name: str, function: Callable[[], Any]) -> Any:
    """Run a step in one transaction and return its output, without storing that it is done.

    If it runs again, the step itself must notice what is done already.
    """
    with transaction.atomic():
        return function()
