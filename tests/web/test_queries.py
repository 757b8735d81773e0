"""How many queries a page takes: few, and as many for a large season as for a small one."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from people.models import User
from stables.models import Fixture, Season

from .conftest import World, play

pytestmark = pytest.mark.database

MOST_QUERIES = 15


def queries_of(client: Client, address: str) -> int:
    # Asked of the database once a process; whichever page comes first would be charged for it.
    assert connection.features.supports_json_field
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def pages_of(season: Season) -> list[str]:
    own = season.get_absolute_url()
    stable = season.stables.select_related("season").order_by("number")[0]
    fixture = Fixture.objects.filter(round__cycle__season=season, match__isnull=False)[0]
    return [
        "/",
        own,
        f"{own}standings/",
        stable.get_absolute_url(),
        fixture.match.get_absolute_url(),
        f"{own}fixtures/{fixture.pk}/",
        f"{own}programs/",
        f"{own}log/",
        "/champions/",
        stable.identity.get_absolute_url(),
    ]


@pytest.mark.parametrize("is_logged_in", [False, True], ids=["anonymous", "logged in"])
def test_pages_take_few_queries_whatever_the_size_of_the_season(
    release: Any, people: dict[str, User], client: Client, is_logged_in: bool
) -> None:
    if is_logged_in:
        client.force_login(people["player"])
    small = play(release, "Small season", people["organiser"], 2)
    client.get(pages_of(small)[3])  # the catalogue of a release is read once a process
    few = [queries_of(client, address) for address in pages_of(small)]
    large = play(release, "Large season", people["organiser"], 6)
    many = [queries_of(client, address) for address in pages_of(large)]
    assert many == few
    assert max(many) <= MOST_QUERIES


def test_the_page_of_a_running_season_takes_few_queries_for_everybody(
    world: World, people: dict[str, User], client: Client
) -> None:
    own = world.running.get_absolute_url()
    taken = {}
    for name in ("spectator", "player", "organiser"):
        client.force_login(people[name])
        taken |= {f"{name} {page}": queries_of(client, f"{own}{page}") for page in ("", "standings/", "log/")}
    assert {page: count for page, count in taken.items() if count > MOST_QUERIES} == {}
