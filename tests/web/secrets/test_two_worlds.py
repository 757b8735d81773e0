"""Two worlds that differ in one secret read the same to everybody else, at every address, to the letter.

The clock and chance are held, so that times, tokens and tags are the same in both and nothing need be left out. Here it
is one secret and three people, and each address once; `everything` asks all of it.
"""

from __future__ import annotations

import pytest

from tests.worlds import Worlds, taken_back

from .asking import routes
from .comparing import differing, read, tables_apart
from .kept import SECRETS

pytestmark = pytest.mark.django_db
SECRET = "hand and tokens"


def test_an_opponent_a_stranger_and_staff_cannot_tell_hands_apart(worlds: Worlds) -> None:
    """An answer that asks no table in which the worlds differ is the same in both: it is read once.

    The opponent reads pages and interface, a stranger what of that could differ, staff the admin.
    """
    tables, found = tables_apart(worlds, SECRET), []
    addresses: list[str] | None = None
    for role in ("rival", "anonymous", "viewer"):
        if role == "viewer":
            with taken_back():
                every = routes(SECRETS[SECRET].world(worlds, 0), role, everything=False)
            addresses = [address for address in every if address.startswith("/admin/")]
        first = read(worlds, SECRET, 0, role, addresses, everything=False)
        addresses = [address for address, sql in first.queries.items() if any(table in sql for table in tables)]
        assert addresses, "else nothing was compared"
        found += differing(first, read(worlds, SECRET, 1, role, addresses, everything=False))
    assert not found, "\n".join(found)


def test_the_player_can_tell_hands_apart(worlds: Worlds) -> None:
    with taken_back():
        match = SECRETS[SECRET].world(worlds, 0).values["public_id"]
    own = [f"/api/v1/matches/{match}/observation/"]
    readers = [read(worlds, SECRET, which, "player", own, everything=False) for which in (0, 1)]
    assert differing(*readers) != [], "else nothing was compared"
