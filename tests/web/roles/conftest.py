"""The world of all roles, entered once for the modules of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.worlds import Worlds

from .readings import Readings
from .world import World, entered


@pytest.fixture(scope="package")
def world(django_db_setup: None, django_db_blocker: Any, quiet_settings: None, worlds: Worlds) -> Iterator[World]:
    with django_db_blocker.unblock(), entered(worlds) as made:
        yield made


@pytest.fixture(scope="package")
def readings(world: World) -> Readings:
    return Readings(world)
