"""What a person who stands in for an owner may do that a stranger may not, at every address.

The spectator of the world stands in for the player in one match: at a table, where reports differ, and in a season in
which line-ups are called for. In stand_ins.txt is all that is closed to a stranger and open to them.
`WRITE_TABLES=1` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stables.services.running import standing_in
from tests.worlds import taken_back

from .differing import differing, pages_asked_as, stored_lines
from .world import World

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).parent / "stand_ins.txt"
HEAD = """\
# What is open to a person who stands in and closed to a stranger: a season, an address, then R for reading it, A for
# the act, which is sent nothing. Written with WRITE_TABLES=1 by test_stand_ins.py; each changed line is a decision.
"""
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
    with standing_in_at(world, place):
        found = differing(pages_asked_as(world, "spectator"), "spectator")
    return [f"{place} {name} {letters}" for name, letters in found.items()]


def test_exactly_what_the_table_names_is_open_to_a_stand_in(world: World) -> None:
    found = [line for place in PLACES for line in open_at(world, place)]
    assert found == stored_lines(TABLE, HEAD, found)
