"""What the interface lets those do who help to run a season: beside a stranger, and beside the organiser; nothing sent.

`WRITE_TABLES=1` writes helpers.txt; the pages have the same table in tests/web/roles.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.roles.differing import differing, stored_lines
from tests.web.roles.test_helpers import COMPARED
from tests.web.roles.world import World

from .test_permissions import operations_asked_by

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).parent / "helpers.txt"
HEAD = """\
# What is open to a referee and closed to a stranger, and where a co-organiser (helper) may do more or less:
# who, and an operation of the interface, asked with a token for everything.
# Written with WRITE_TABLES=1 by test_permissions_of_helpers.py; each changed line is a decision.
"""


def test_exactly_what_the_table_names_differs_for_those_who_help(world: World) -> None:
    found = [
        f"{role} {name}"
        for role, other in COMPARED.items()
        for name in differing(operations_asked_by(world, world.people[role]), other)
    ]
    assert found == stored_lines(TABLE, HEAD, found)
