"""What the interface lets a person do who stands in for an owner, and not a stranger: each operation, nothing sent.

`WRITE_TABLES=1` writes stand_ins.txt; the pages have the same table in tests/web/roles.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.roles.differing import differing, stored_lines
from tests.web.roles.test_stand_ins import PLACES, standing_in_at
from tests.web.roles.world import World

from .test_permissions import operations_asked_by

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).parent / "stand_ins.txt"
HEAD = """\
# What is open to a person who stands in and closed to a stranger: a season, and an operation of the interface.
# Written with WRITE_TABLES=1 by test_permissions_of_stand_ins.py; each changed line is a decision.
"""


def test_exactly_what_the_table_names_is_open_to_a_stand_in(world: World) -> None:
    found = []
    for place in PLACES:
        with standing_in_at(world, place):
            opened = differing(operations_asked_by(world, world.people["spectator"]), "spectator")
        found += [f"{place} {name}" for name in opened]
    assert found == stored_lines(TABLE, HEAD, found)
