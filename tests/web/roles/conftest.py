"""The world of all roles, built once for the modules of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .world import World, built


@pytest.fixture(scope="package")
def world(django_db_setup: None, django_db_blocker: Any, quiet_settings: None) -> Iterator[World]:
    with django_db_blocker.unblock(), built() as made:
        yield made
