"""What a guest reads and does, at every address: as an owner does, except what belongs to an account.

The guest is the player of the world, whose account becomes that of a guest; the rest of the world stays as it is. In
guests.txt are all addresses that answer the player otherwise than the guest. `WRITE_TABLES=1` writes it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from people.models import User
from stables.middleware import OWN_READS
from tests.worlds import taken_back

from .addresses import address_of
from .bodies import body_of
from .readings import asking_as
from .test_permissions import ADDRESSES, PARAMETERS, lines
from .world import ROLES, World

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).parent / "guests.txt"
HEAD = """\
# What is closed to guests: an address, then R for reading it, A for the act, where it answers an owner otherwise.
# Written with WRITE_TABLES=1 by test_guests.py; each changed line is a decision.
"""
FORBIDDEN = 403


def closed() -> list[str]:
    return [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def may_be_closed(name: str) -> bool:
    """Whether the site closes an address to the eyes of guests at all; all others take time and answer as before."""
    return name.startswith("people:") or name in OWN_READS


def asked_as_guest(world: World) -> list[str]:
    """The addresses that are closed to a guest but not to the player, with what is closed."""
    known, player = lines(), ROLES.index("player")
    found = []
    with taken_back():
        User.objects.filter(pk=world.people["player"].pk).update(is_guest=True)
        for name in (each for each in ADDRESSES if not each.startswith("admin:")):
            address = address_of(world, name, PARAMETERS[name])
            letters = ""
            for letter, codes, method in (("R", known[name][0], "head"), ("A", known[name][1], "post")):
                if codes[player] in (FORBIDDEN, 405) or (method == "head" and not may_be_closed(name)):
                    continue
                with taken_back():
                    client = asking_as(world, "player")
                    sent = (body_of(world, name, "player"),) if method == "post" else ()
                    if getattr(client, method)(address, *sent).status_code == FORBIDDEN:
                        letters += letter
            if letters:
                found.append(f"{name} {letters}")
    return found


def test_exactly_what_the_table_names_is_closed_to_guests(world: World) -> None:
    found = asked_as_guest(world)
    if os.environ.get("WRITE_TABLES") == "1":
        TABLE.write_text(HEAD + "\n" + "\n".join(found) + "\n", encoding="utf-8")
    assert found == closed()
