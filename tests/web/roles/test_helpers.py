"""What those who help to run a season may do, at every address below it: beside a stranger, and beside the organiser.

In helpers.txt is all that is closed to a stranger and open to a referee, and all that is open to the organiser and
closed to a co-organiser, or the other way round. `WRITE_TABLES=1` writes it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.worlds import taken_back

from .addresses import address_of
from .bodies import body_of
from .readings import asking_as
from .test_permissions import ADDRESSES, PARAMETERS, lines
from .test_stand_ins import CLOSED
from .world import ROLES, World

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).parent / "helpers.txt"
HEAD = """\
# What is open to a referee and closed to a stranger, and where a co-organiser (helper) may do more or less:
# who, an address, then R for reading it, A for the act, which is sent nothing or what test_permissions.py sends.
# Written with WRITE_TABLES=1 by test_helpers.py; each changed line is a decision.
"""
COMPARED = {"referee": "spectator", "helper": "organiser"}
"""With whom each is compared, by the table of permissions. What strangers may is the same for all, and not asked."""


def differing(world: World, role: str) -> list[str]:
    """The addresses below the season that are open to one of the two alone, with what differs."""
    known, stranger, other = lines(), ROLES.index("spectator"), ROLES.index(COMPARED[role])
    found = []
    for name in (each for each in ADDRESSES if "season_slug" in PARAMETERS[each]):
        letters = ""
        for letter, codes, method in (("R", known[name][0], "get"), ("A", known[name][1], "post")):
            if codes[stranger] not in CLOSED:
                continue
            with taken_back():
                sent = body_of(world, name, role) if method == "post" else {}
                answer = getattr(asking_as(world, role), method)(address_of(world, name, PARAMETERS[name]), sent)
            assert answer.status_code < 500, (role, name, method)
            is_same = (answer.status_code in CLOSED) == (codes[other] in CLOSED)
            letters += "" if is_same else letter
        if letters:
            found.append(f"{role} {name} {letters}")
    return found


def test_exactly_what_the_table_names_differs_for_those_who_help(world: World) -> None:
    found = [line for role in COMPARED for line in differing(world, role)]
    if os.environ.get("WRITE_TABLES") == "1":
        TABLE.write_text(HEAD + "\n" + "\n".join(found) + "\n", encoding="utf-8")
    known = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert found == known
