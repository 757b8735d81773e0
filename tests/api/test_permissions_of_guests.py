"""What the interface refuses a guest, who has no token and asks with the session of their phone: each operation.

The guest is the player of the world, whose account becomes that of a guest. In guests.txt is all that is closed to them
as guests, whatever else would be refused to the player. `WRITE_TABLES=1` writes it; the pages have the same table in
tests/web/roles.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from people.models import User
from stables.middleware import OWN_READS
from tests.web.roles.readings import asking_as
from tests.web.roles.world import World
from tests.worlds import taken_back

from .operations import Operation, operations

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).parent / "guests.txt"
HEAD = """\
# What is closed to guests, who ask with a session: an operation of the interface.
# Written with WRITE_TABLES=1 by test_permissions_of_guests.py; each changed line is a decision.
"""


def is_closed(world: World, operation: Operation) -> bool:
    """Whether the answer to an empty request says that this is not for guests; whatever it changed is taken back."""
    body = {} if operation.method == "get" else {"data": {}, "content_type": "application/json"}
    with taken_back():
        answer = getattr(asking_as(world, "player"), operation.method)(operation.address(world), **body)
    assert answer.status_code < 500, operation
    return bool(answer.status_code == 403 and answer.json().get("code") == "guest_may_not")


def test_exactly_what_the_table_names_is_closed_to_guests(world: World) -> None:
    # Only the reads of OWN_READS are closed to guests. The others are not asked, to save time.
    asked = [each for each in operations() if each.method != "get" or each.name in OWN_READS]
    with taken_back():
        User.objects.filter(pk=world.people["player"].pk).update(is_guest=True)
        found = [str(each) for each in asked if is_closed(world, each)]
    if os.environ.get("WRITE_TABLES") == "1":
        TABLE.write_text(HEAD + "\n" + "\n".join(found) + "\n", encoding="utf-8")
    known = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert found == known
