"""What those who help to run a season may do, at every address below it: beside a stranger, and beside the organiser.

In helpers.txt is all that is closed to a stranger and open to a referee, and all that is open to the organiser and
closed to a co-organiser, or the other way round. `WRITE_TABLES=1` writes it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .differing import differing, pages_asked_as, stored_lines
from .world import World

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).parent / "helpers.txt"
HEAD = """\
# What is open to a referee and closed to a stranger, and where a co-organiser (helper) may do more or less:
# who, an address, then R for reading it, A for the act, which is sent nothing or what test_permissions.py sends.
# Written with WRITE_TABLES=1 by test_helpers.py; each changed line is a decision.
"""
COMPARED = {"referee": "spectator", "helper": "organiser"}
"""With whom each is compared, by the table of permissions. What strangers may is the same for all, and not asked."""


def test_exactly_what_the_table_names_differs_for_those_who_help(world: World) -> None:
    found = [
        f"{role} {name} {letters}"
        for role, other in COMPARED.items()
        for name, letters in differing(pages_asked_as(world, role), other).items()
    ]
    assert found == stored_lines(TABLE, HEAD, found)
