"""What a person who stands in for an owner may do that a stranger may not, at every address.

The spectator of the world stands in for the player in one match: at a table, where reports differ, and in a season in
which line-ups are called for. In stand_ins.txt is all that is closed to a stranger and open to them.
`WRITE_TABLES=1` writes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stables.services.running import standing_in
from tests.worlds import taken_back

from .addresses import address_of
from .bodies import body_of
from .readings import asking_as
from .test_permissions import ADDRESSES, PARAMETERS, lines
from .world import ROLES, World

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).parent / "stand_ins.txt"
HEAD = """\
# What is open to a person who stands in and closed to a stranger: a season, an address, then R for reading it, A for
# the act, which is sent nothing. Written with WRITE_TABLES=1 by test_stand_ins.py; each changed line is a decision.
"""
CLOSED = (403, 404)
PLACES = ("running", "table")


@contextmanager
def standing_in_at(world: World, place: str) -> Iterator[None]:
    """Let the spectator stand in for the player in the match of a season; addresses lead there meanwhile."""
    kept, stable, fixture = dict(world.values), world.stable(place), world.fixtures[place]
    with taken_back():
        row = standing_in.name_person(
            stable_id=stable.pk,
            fixture_id=fixture.pk,
            name="spectator",
            reason="agreed",
            user=world.people["player"],
        )
        of_match = {"season_slug": stable.season.slug, "stable_slug": stable.slug, "fixture_id": fixture.pk}
        world.values.update(of_match, stand_in_id=row.pk)
        try:
            yield
        finally:
            world.values.clear()
            world.values.update(kept)


def open_at(world: World, place: str) -> list[str]:
    """The addresses below the season that are closed to a stranger and not to the stand-in, with what is open."""
    known, stranger = lines(), ROLES.index("spectator")
    found = []
    with standing_in_at(world, place):
        for name in (each for each in ADDRESSES if "season_slug" in PARAMETERS[each]):
            letters = ""
            for letter, codes, method in (("R", known[name][0], "get"), ("A", known[name][1], "post")):
                if codes[stranger] not in CLOSED:
                    continue
                with taken_back():
                    sent = body_of(world, name, "spectator") if method == "post" else {}
                    address = address_of(world, name, PARAMETERS[name])
                    answer = getattr(asking_as(world, "spectator"), method)(address, sent)
                assert answer.status_code < 500, (name, method)
                letters += "" if answer.status_code in CLOSED else letter
            if letters:
                found.append(f"{place} {name} {letters}")
    return found


def test_exactly_what_the_table_names_is_open_to_a_stand_in(world: World) -> None:
    found = [line for place in PLACES for line in open_at(world, place)]
    if os.environ.get("WRITE_TABLES") == "1":
        TABLE.write_text(HEAD + "\n" + "\n".join(found) + "\n", encoding="utf-8")
    known = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert found == known
