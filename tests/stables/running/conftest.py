"""The world of the tests of running a season."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.stables.duels import Club


@pytest.fixture
def club(db: None, opened: Club) -> Club:
    """The club as it was opened, whatever other tests did to it."""
    return deepcopy(opened)
