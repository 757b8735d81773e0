"""A played season of two stables with people around it: who owns one, who organises, who has nothing to do with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.test import Client

from catalogue.services.releases import load_release
from jobs.services import run_pending
from matches.models import Match
from people.models import User
from stables.models import Fixture, Season, SeasonRole
from stables.services.season import seasons
from tests.worlds import Worlds

ROLES = ("anonymous", "stranger", "owner", "rival", "helper", "referee", "organiser", "staff")
INSIDE = ("owner", "rival", "helper", "referee", "organiser")
"""Who takes part in the season; `staff` may read seasons in the admin, and so look as well."""


@dataclass
class League:
    """`match` is finished and belongs to `fixture`; `clients` are logged in, by role."""

    season: Season
    fixture: Fixture
    match: Match
    people: dict[str, User]
    clients: dict[str, Client]

    def close(self, visibility: str = Season.Visibility.PRIVATE) -> None:
        Season.objects.filter(pk=self.season.pk).update(visibility=visibility)

    @property
    def season_fixtures(self) -> list[Fixture]:
        """Those with a match, in the order of the season."""
        order = ("round__cycle__number", "round__number", "number")
        return list(Fixture.objects.filter(round__cycle__season=self.season, match__isnull=False).order_by(*order))

    @property
    def fixture_url(self) -> str:
        return f"{self.season.get_absolute_url()}fixtures/{self.fixture.pk}/"


def make_league(worlds: Worlds) -> League:
    """Build it, or copy it from who did; for tests with the fixture `db`."""
    season, fixture, match, people = worlds.enter("a league of two stables", _play)
    clients = {role: Client() for role in ROLES}
    for role, user in people.items():
        clients[role].force_login(user)
    return League(season, fixture, match, people, clients)


def _play() -> tuple[Season, Fixture, Match, dict[str, User]]:
    people = {
        role: User.objects.create_user(role, f"{role}@example.org", "secret words")
        for role in ROLES
        if role not in ("anonymous", "staff")
    }
    people["staff"] = User.objects.create_superuser("staff", "staff@example.org", "secret words")
    opened = seasons.open_season(
        name="Season of secrets",
        settings={"weight_class": "light", "cycles": ["standard"]},
        release=load_release(),
        organiser=people["organiser"],
        secret=b"0123456789abcdef" * 2,
    )
    for name in ("Ash", "Birch"):
        seasons.found_stable(season_id=opened.season_id, name=name, bot="random")
    seasons.start_season(season_id=opened.season_id)
    run_pending()
    season = Season.objects.get(pk=opened.season_id)
    for stable, role in zip(season.stables.order_by("number"), ("owner", "rival"), strict=True):
        type(stable).objects.filter(pk=stable.pk).update(owner=people[role], is_ai=False)
    for role, name in (("helper", SeasonRole.Role.CO_ORGANISER), ("referee", SeasonRole.Role.REFEREE)):
        SeasonRole.objects.create(season=season, user=people[role], role=name)
    fixture = Fixture.objects.filter(round__cycle__season=season, match__isnull=False).order_by("pk")[1]
    return season, fixture, Match.objects.get(pk=fixture.match_id), people


def statuses(clients: dict[str, Client], address: str, **options: Any) -> dict[str, int]:
    return {role: client.get(address, **options).status_code for role, client in clients.items()}
