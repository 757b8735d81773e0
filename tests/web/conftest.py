"""People, seasons and matches that the pages are tried on. Everything is played by the real services and jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from catalogue.services.releases import load_release
from jobs.services import run_pending
from matches.models import Match
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from people.models import User
from stables.models import Fixture, Season, Stable
from stables.selectors.definitions import catalogue_of
from stables.services.market import trading
from stables.services.season import seasons
from tests.worlds import Worlds

SEED = b"a seed that nobody may see early"
ROLES = ("anonymous", "spectator", "player", "rival", "organiser", "staff")
PEOPLE = "people of the pages"


@dataclass
class World:
    """`played` is finished, in `running` people are called for line-ups, `recruiting` has an open market."""

    played: Season
    running: Season
    recruiting: Season
    running_stable: Stable
    stable: Stable
    rivals: Stable
    machines: Stable
    finished: Match
    open: Match


@pytest.fixture
def people(db: None, worlds: Worlds) -> dict[str, User]:
    return worlds.enter(PEOPLE, _people)


def _people() -> dict[str, User]:
    known = {user.username: user for user in User.objects.all()}
    if known:
        # On PostgreSQL a world is built on top of what is there.
        return known
    users = {
        name: User.objects.create_user(name, f"{name}@example.org", "secret words")
        for name in ("spectator", "player", "rival", "organiser")
    }
    users["staff"] = User.objects.create_superuser("staff", "staff@example.org", "secret words")
    return users


def open_season(release: Any, name: str, organiser: User, **settings: Any) -> Season:
    settings = {"weight_class": "light", "cycles": ["standard"], **settings}
    opened = seasons.open_season(
        name=name, settings=settings, release=release, organiser=organiser, secret=b"0123456789abcdef" * 2
    )
    return Season.objects.get(pk=opened.season_id)


def found(season: Season, name: str, owner: User | None = None) -> Stable:
    founded = seasons.found_stable(season_id=season.pk, name=name, owner=owner, bot="random")
    return Stable.objects.select_related("season").get(pk=founded.stable_id)


def play(release: Any, name: str, organiser: User, stables: int) -> Season:
    """A season of machines, played to its end."""
    season = open_season(release, name, organiser)
    for number in range(stables):
        found(season, f"Machines {number + 1}")
    seasons.start_season(season_id=season.pk)
    run_pending()
    season.refresh_from_db()
    return season


@pytest.fixture
def release(db: None) -> Any:
    return load_release()


@pytest.fixture
def world(people: dict[str, User], worlds: Worlds) -> World:
    return worlds.enter("pages", lambda: _world(worlds.enter(PEOPLE, _people)))


def _world(people: dict[str, User]) -> World:
    release = load_release()
    organiser = people["organiser"]
    played = play(release, "Played season", organiser, 2)
    running = open_season(release, "Running season", organiser)
    running_stable = found(running, "Waiting Works", people["player"])
    found(running, "Other Machines")
    buy_crew(running_stable)
    seasons.start_season(season_id=running.pk)
    run_pending()
    running.refresh_from_db()
    recruiting = open_season(release, "Recruiting season", organiser)
    stable = found(recruiting, "Alpha <Works>", people["player"])
    rivals = found(recruiting, "Beta & Sons", people["rival"])
    seats = [Seat("red", people["player"].pk), Seat("blue", people["rival"].pk)]
    return World(
        played=played,
        running=running,
        recruiting=recruiting,
        running_stable=running_stable,
        stable=stable,
        rivals=rivals,
        machines=played.stables.get(number=1),
        finished=Fixture.objects.filter(round__cycle__season=played, match__isnull=False)[0].match,
        open=create_match(demonstration_setup(), SEED, None, seats),
    )


def buy_crew(stable: Stable) -> None:
    """The first unit of the class, and the first pilot that fits it."""
    catalogue = catalogue_of(stable.season)
    unit = next(key for key, entry in sorted(catalogue.units.items()) if entry["class"] == "light")
    pilot = next(
        key
        for key, entry in sorted(catalogue.pilots.items())
        if "light" in (entry["requires"].get("class") or ["light"])
    )
    trading.buy(stable_id=stable.pk, kind="unit", key=unit)
    trading.buy(stable_id=stable.pk, kind="pilot", key=pilot)


@pytest.fixture
def clients(people: dict[str, User]) -> dict[str, Client]:
    """A logged-in client a role."""
    result = {role: Client() for role in ROLES}
    for role, user in people.items():
        result[role].force_login(user)
    return result
