"""What the interface lets those do who help to run a season: beside a stranger, and beside the organiser; nothing sent.

`WRITE_TABLES=1` writes helpers.txt; the pages have the same table in tests/web/roles.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from people.services.tokens import SCOPES, make_token
from tests.web.roles.test_helpers import COMPARED
from tests.web.roles.test_stand_ins import CLOSED
from tests.web.roles.world import ROLES, World

from .operations import operations
from .test_permissions import asked, lines

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).parent / "helpers.txt"
HEAD = """\
# What is open to a referee and closed to a stranger, and where a co-organiser (helper) may do more or less:
# who, and an operation of the interface, asked with a token for everything.
# Written with WRITE_TABLES=1 by test_permissions_of_helpers.py; each changed line is a decision.
"""


def differing(world: World, role: str) -> list[str]:
    """The operations below the season that are open to one of the two alone."""
    known, stranger, other = lines(), ROLES.index("spectator"), ROLES.index(COMPARED[role])
    token = make_token(user=world.people[role], name="helps", scopes=SCOPES).text
    found = []
    for each in operations():
        codes = known[str(each)]
        if "season_slug" in each.parameters and codes[stranger] in CLOSED:
            status = asked(world, each, token)
            assert status < 500, (role, each)
            found += [] if (status in CLOSED) == (codes[other] in CLOSED) else [f"{role} {each}"]
    return found


def test_exactly_what_the_table_names_differs_for_those_who_help(world: World) -> None:
    found = [line for role in COMPARED for line in differing(world, role)]
    if os.environ.get("WRITE_TABLES") == "1":
        TABLE.write_text(HEAD + "\n" + "\n".join(found) + "\n", encoding="utf-8")
    known = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert found == known
