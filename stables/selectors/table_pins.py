"""The PINs of matches at tables: how many tries they have left, never the PINs themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import QuerySet

from stables.models import Fixture, FixtureSide, Season, TablePin


def tries_left(sides: Iterable[FixtureSide]) -> Mapping[int, int]:
    """Return the tries left of the PINs of these sides, by the id of the side; sides without a PIN are left out."""
    return dict(TablePin.objects.filter(side__in=list(sides)).values_list("side", "tries_left"))


def at_open_tables(season: Season) -> QuerySet[Fixture]:
    """Return the matches of a season that are played at tables, have their line-ups and no result, as a query."""
    matches = Fixture.objects.filter(round__cycle__season=season, kind=Fixture.Kind.MATCH, match=None)
    return matches.filter(state=Fixture.State.SEALED, mode=Fixture.Mode.TABLE)


def sides_with_owner(fixture: Fixture) -> list[FixtureSide]:
    """Return the sides of a fixture that a person plays, with their stables; one query."""
    sides = fixture.sides.filter(forfeits="", stable__owner__isnull=False)
    return list(sides.select_related("stable").order_by("id"))
