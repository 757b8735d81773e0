"""What the interface lets a person do who stands in for an owner, and not a stranger: each operation, nothing sent.

`WRITE_TABLES=1` writes stand_ins.txt; the pages have the same table in tests/web/roles.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from people.services.tokens import SCOPES, make_token
from tests.web.roles.test_stand_ins import CLOSED, PLACES, standing_in_at
from tests.web.roles.world import ROLES, World

from .operations import operations
from .test_permissions import asked, lines

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).parent / "stand_ins.txt"
HEAD = """\
# What is open to a person who stands in and closed to a stranger: a season, and an operation of the interface.
# Written with WRITE_TABLES=1 by test_permissions_of_stand_ins.py; each changed line is a decision.
"""


def open_at(world: World, place: str, token: str) -> list[str]:
    """The operations below the season that are closed to a stranger and not to the stand-in."""
    known, stranger = lines(), ROLES.index("spectator")
    found = []
    with standing_in_at(world, place):
        for each in operations():
            if "season_slug" in each.parameters and known[str(each)][stranger] in CLOSED:
                status = asked(world, each, token)
                assert status < 500, each
                found += [] if status in CLOSED else [f"{place} {each}"]
    return found


def test_exactly_what_the_table_names_is_open_to_a_stand_in(world: World) -> None:
    token = make_token(user=world.people["spectator"], name="stands in", scopes=SCOPES).text
    found = [line for place in PLACES for line in open_at(world, place, token)]
    if os.environ.get("WRITE_TABLES") == "1":
        TABLE.write_text(HEAD + "\n" + "\n".join(found) + "\n", encoding="utf-8")
    known = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert found == known
