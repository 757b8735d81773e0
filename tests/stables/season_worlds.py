"""Fixtures that build a world before a test stores anything, and enter it where the test asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from tests.worlds import Worlds, taken_back

Enters = Callable[[], Any]
"""Enters the world and returns what its build told."""


def world_of(name: str, build: Callable[[], Any]) -> Any:
    """Make a fixture of the whole run that gives `Enters`; no clock of a test is held when the world is built."""

    @pytest.fixture(scope="session")
    def ready(django_db_setup: None, django_db_blocker: Any, quiet_settings: None, worlds: Worlds) -> Enters:
        if connection.vendor == "sqlite":
            with django_db_blocker.unblock():
                worlds.made(name, build)
        return lambda: worlds.enter(name, build) if connection.in_atomic_block else worlds.replace(name, build)

    return ready


@contextmanager
def inside(blocker: Any, enter: Enters) -> Iterator[Any]:
    """Stay in a world for the tests of a module; what is stored in the block is taken back.

    `blocker` is pytest-django's `django_db_blocker`. Each test begins a savepoint inside. Not for tests with
    transactions of their own.
    """
    with blocker.unblock(), taken_back():
        yield enter()
