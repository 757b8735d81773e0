"""Units without a dial in a collection and in a season: no page, no sheet and no answer of the interface fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from catalogue.text import labels
from jobs.services import run_pending
from stables.models import Fixture, Season
from stables.services.results import reports
from tests.api.operations import operations
from tests.catalogue.table_unit import FIGURE
from tests.stables.figures import called, opened, sealed, with_crews
from tests.stables.tabletop_matches import red_wins
from tests.worlds import taken_back

from .addresses import address_of
from .readings import asking_as
from .test_permissions import ADDRESSES, PARAMETERS, UNWELL
from .world import World

pytestmark = pytest.mark.django_db
SENTENCE = str(labels.NO_DIAL)


def _settle(fixture: Fixture) -> None:
    for side in fixture.sides.select_related("stable__owner").order_by("id"):
        user = side.stable.owner
        reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=red_wins(clicks=3), user=user)
    run_pending()


@pytest.fixture
def figures(world: World, request: pytest.FixtureRequest) -> Iterator[World]:
    """The world with a season for real tables only, at a stage, in the place of the season that addresses name."""
    with taken_back():
        people = world.people
        season = opened(people["organiser"])
        stables = with_crews(season, people["player"], people["rival"])
        values: dict[str, Any] = {"fixture_id": world.values["fixture_id"]}
        if request.param == "called":
            values["fixture_id"] = called(season).pk
        elif request.param != "market":
            fixture = sealed(season)
            values["fixture_id"] = fixture.pk
            if request.param == "settled":
                _settle(fixture)
        season = Season.objects.get(pk=season.pk)
        values |= {"season_slug": season.slug, "stable_slug": stables[0].slug, "key": FIGURE["id"], "slug": "figures"}
        yield replace(world, values={**world.values, **values})


def _pages(world: World) -> list[str]:
    """Every address that names a season, a stable of it, a match of it or a unit."""
    return [
        address_of(world, name, PARAMETERS[name])
        for name in ADDRESSES
        if "season_slug" in PARAMETERS[name] and name not in UNWELL and not name.startswith("admin:")
    ]


def _of_interface(world: World, word: str) -> list[str]:
    return [
        operation.address(world)
        for operation in operations()
        if operation.method == "get" and (word in operation.parameters or word in operation.name)
    ]


def _failed(world: World, role: str, addresses: list[str], least: int) -> list[tuple[str, int]]:
    """The addresses that fail for a role; so many at least have something to read."""
    client, found, read = asking_as(world, role), [], 0
    for address in addresses:
        with taken_back():
            status = client.get(address).status_code
        read += status == 200
        if status >= 500:
            found.append((address, status))
    assert read >= least, "else nothing was read"
    return found


@pytest.mark.parametrize(
    ("figures", "role"),
    [
        ("market", "player"),
        ("called", "player"),
        ("sealed", "player"),
        ("sealed", "organiser"),
        ("settled", "player"),
    ],
    indirect=["figures"],
)
def test_nothing_of_the_season_fails(figures: World, role: str) -> None:
    assert _failed(figures, role, _pages(figures) + _of_interface(figures, "season_slug"), 40) == []


@pytest.mark.parametrize("figures", ["market"], indirect=True)
def test_nothing_of_the_catalogue_fails(figures: World) -> None:
    pages = [address_of(figures, name, PARAMETERS[name]) for name in ADDRESSES if name.startswith("catalogue:")]
    asked = [f"{address}?collection=figures" for address in pages]
    asked += [f"{address}?collection=figures&unit=ICE001&unit=002&from=ICE001" for address in pages]
    asked += _of_interface(figures, "catalogue")
    assert _failed(figures, "organiser", asked, 40) == []


@pytest.mark.parametrize(
    ("figures", "names"),
    [
        ("market", ["stables:market", "stables:garage", "stables:stable"]),
        ("sealed", ["stables:table", "stables:print_fixture_cards", "stables:print_stable_cards"]),
    ],
    indirect=["figures"],
)
def test_pages_of_a_season_say_that_there_is_no_dial(figures: World, names: list[str]) -> None:
    for name in names:
        answer = asking_as(figures, "player").get(address_of(figures, name, PARAMETERS[name]))
        assert (answer.status_code, SENTENCE in answer.content.decode()) == (200, True), name
