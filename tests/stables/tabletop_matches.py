"""Matches at a table for tests: who plays, who decides, and reports that are true."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import get_user_model

from stables.models import Fixture, FixtureSide, Season, SeasonRole, Stable
from stables.services.results import reports
from tests.stables.seasons import open_with, pair, stock

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def person(name: str) -> Any:
    found = get_user_model().objects.filter(username=name).first()
    return found or get_user_model().objects.create_user(name, f"{name}@example.org", "-")


def tables(release: Any, names: list[str], secret: bytes = b"t" * 32, **settings: Any) -> Season:
    """A running season whose round 1 is played at tables: every stable has an owner of its name in lower case."""
    season = stock(open_with(release, names, secret, **settings))
    fixtures = pair(season)
    at_a_table(season)
    season.refresh_from_db()
    assert fixtures
    return season


def at_a_table(season: Season) -> None:
    """Give every stable its person, and let what is sealed be played at tables."""
    for stable in season.stables.all():
        Stable.objects.filter(pk=stable.pk).update(owner=person(stable.name.lower()), is_ai=False)
    organiser, referee = person("organiser"), person("referee")
    Season.objects.filter(pk=season.pk).update(organiser=organiser)
    SeasonRole.objects.get_or_create(season=season, user=referee, role=SeasonRole.Role.REFEREE)
    Fixture.objects.filter(round__cycle__season=season).exclude(state="settled").update(mode=Fixture.Mode.TABLE)


def fixture_of(season: Season, number: int = 1) -> Fixture:
    return Fixture.objects.get(round__cycle__season=season, round__number=1, number=number)


def sides_of(fixture: Fixture) -> list[FixtureSide]:
    return list(fixture.sides.select_related("stable__owner", "line_up").order_by("id"))


def reported(season: Season, documents: list[dict[str, Any]]) -> Season:
    """The season of the fixture `four`, settled with these results."""
    for number, document in enumerate(documents, 1):
        fixture = fixture_of(season, number)
        for side in sides_of(fixture):
            reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=document)
    return season


def red_wins(clicks: int = 2, tokens: int = 5, **blue: Any) -> dict[str, Any]:
    """A duel in which red eliminates blue."""
    return {
        "winner": "red",
        "sides": {"red": {"tokens": tokens}},
        "units": {"red-1": {"clicks": clicks, "kills": 1}, "blue-1": {"eliminated": True, **blue}},
    }


def blue_wins() -> dict[str, Any]:
    """The same duel the other way round, nobody else hurt."""
    return {"winner": "blue", "units": {"blue-1": {"kills": 1}, "red-1": {"eliminated": True}}}
