"""Fixtures with what belongs to them."""

from __future__ import annotations

from stables.models import Fixture, FixtureSide

SMALLEST_MATCH = 2
"""Sides that a match needs; with fewer ready ones a fixture is settled without being played."""


def lock_fixture(fixture_id: int) -> Fixture:
    """Return the fixture with its round, cycle and season, its row locked until the transaction ends."""
    return (
        Fixture.objects.select_for_update(of=("self",))
        .select_related("round__cycle__season__release")
        .get(pk=fixture_id)
    )


def sides_with_line_ups(fixture: Fixture) -> list[FixtureSide]:
    """Return the sides in order, with stable, line-up, crews and their assets: a constant number of queries."""
    return list(
        FixtureSide.objects.filter(fixture=fixture)
        .select_related("stable", "line_up")
        .prefetch_related("line_up__crews__unit", "line_up__crews__pilot")
        .order_by("id")
    )


def match_unit(side: str, position: int) -> str:
    """Return the id of a crew's unit inside the match."""
    return f"{side}-{position}"
