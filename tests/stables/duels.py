"""A running season: the stables of Anna, Ben and Carla, one of the AI, and fixtures of a round that is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from people.models import Notice
from stables.models import Cycle, Fixture, FixtureSide, Round, Season, Stable
from stables.selectors.definitions import catalogue_of
from stables.services.line_ups import line_ups
from stables.services.market import trading
from stables.services.season import seasons
from tests.stables.seasons import open_with

BOT = "random"
"""Plays for whom the AI plays: what it does is not what these tests are about."""

SIDES = ("red", "blue", "green", "gold")


@dataclass
class Club:
    """People by name, and the stable of each; `machines` is the AI's."""

    season: Season
    people: dict[str, Any]
    stables: dict[str, Stable]
    round: Round

    def fixture(self, *names: str, **values: Any) -> Fixture:
        """A fixture of the round between these stables, each on a side of its own."""
        number = self.round.fixtures.count() + 1
        arena = "+".join(["factory"] * (4 if len(names) > 4 else 1))
        made = Fixture.objects.create(
            round=self.round, number=number, **{"mode": "browser", "arena_key": arena, **values}
        )
        for side, name in zip(SIDES, names, strict=False):
            FixtureSide.objects.create(fixture=made, stable=self.stables[name], side=side)
        return made

    def hand_in(self, fixture: Fixture, *names: str) -> None:
        """Hand in the nearest legal line-up of each of these stables."""
        for name in names:
            line_ups.submit_nearest_legal(stable_id=self.stables[name].pk, fixture_id=fixture.pk)

    def stable_id(self, name: str) -> int:
        return self.stables[name].pk

    def client(self, name: str | None) -> Client:
        client = Client()
        if name is not None:
            client.force_login(self.people[name])
        return client

    def address(self, name: str, fixture: Fixture) -> str:
        return reverse(f"stables:{name}", args=[self.season.slug, fixture.pk])


def open_club(release: Any, *, format_name: str = "standard", mode: str = "browser", **round_values: Any) -> Club:
    """A season in which matches are played in the browser unless agreed otherwise, its stables stocked."""
    people = {
        name: get_user_model().objects.create_user(name, f"{name}@example.org", "-")
        for name in ("anna", "ben", "carla", "organiser", "spectator")
    }
    season = open_with(release, [], cycles=[format_name])
    Season.objects.filter(pk=season.pk).update(organiser=people["organiser"], calendar={"mode": mode})
    stables = {}
    for name in ("anna", "ben", "carla", "machines"):
        founded = seasons.found_stable(season_id=season.pk, name=f"Stable of {name}", owner=people.get(name), bot=BOT)
        stables[name] = founded.stable_id
    cycle = season.cycles.get()
    for stable_id in stables.values():
        _stock(season, stable_id)
    # That they joined is old news.
    Notice.objects.all().delete()
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    Cycle.objects.filter(pk=cycle.pk).update(state=Cycle.State.ROUNDS, started_with=4, rounds_planned=3)
    called = Round.objects.create(cycle=cycle, number=1, **round_values)
    season = Season.objects.get(pk=season.pk)
    found = {name: Stable.objects.select_related("season").get(pk=pk) for name, pk in stables.items()}
    return Club(season, people, found, called)


def _stock(season: Season, stable_id: int) -> None:
    """Two cheap units and two copies of a common pilot that fits them."""
    catalogue = catalogue_of(season)
    units = sorted((entry["points"], key) for key, entry in catalogue.units.items() if entry["class"] == "light")
    pilots = sorted(
        (entry["points"], key)
        for key, entry in catalogue.pilots.items()
        if entry["kind"] == "common" and set(entry["requires"]) <= {"class"} and "light" in entry["requires"]["class"]
    )
    for _, key in units[:2]:
        trading.buy(stable_id=stable_id, kind="unit", key=key)
        trading.buy(stable_id=stable_id, kind="pilot", key=pilots[0][1])


def sides_of(fixture: Fixture) -> Sequence[tuple[str, int | None, str]]:
    """The seats of a fixture's match: side, account, bot."""
    fixture.refresh_from_db()
    assert fixture.match is not None
    return list(fixture.match.seats.order_by("id").values_list("side", "user_id", "bot"))


def in_zone(moment: datetime) -> str:
    """A moment as a form writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M")
