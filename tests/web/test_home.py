"""The first page: what visitors read, and the desk of the person who is logged in."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from matches.models import Match
from people.models import User
from rules.campaign.classes import FORMATS
from stables.models import Cycle, Season, Stable
from stables.selectors.crews import ready_mark

from .conftest import World, found, open_season, play
from .test_queries import MOST_QUERIES, queries_of

MOST_BYTES_OF_A_SEASON = 60_000


def test_a_visitor_hears_what_it_is_and_sees_it_living(world: World, client: Client) -> None:
    fought = Match.objects.filter(result__isnull=False).count()
    assert fought > 0
    answer = client.get("/")
    page = answer.content.decode()
    assert answer.context["numbers"] == {
        "running": 1,
        "recruiting": 1,
        "stables": Stable.objects.count(),
        "matches": fought,
    }
    for address in (
        reverse("people:sign_up"),
        reverse("stables:solo"),
        reverse("catalogue:index"),
        reverse("catalogue:sheets"),
        reverse("help:index"),
        reverse("stables:champions"),
        world.running.get_absolute_url(),
    ):
        assert f'href="{address}' in page, address
    assert 'alt="Two ’Mechs' in page
    assert {view["season"] for view in answer.context["results"]} == {world.played}
    assert {title.season for title in answer.context["titles"]} == {world.played}


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_nothing_of_a_hidden_season_is_shown(world: World, client: Client, visibility: str) -> None:
    Season.objects.update(visibility=visibility)
    answer = client.get("/")
    assert answer.context["listed"] == answer.context["results"] == answer.context["titles"] == []
    assert answer.context["running"] is None
    assert {key: answer.context["numbers"][key] for key in ("running", "recruiting", "stables")} == {
        "running": 0, "recruiting": 0, "stables": 0,
    }  # fmt: skip
    for season in (world.played, world.running, world.recruiting):
        assert season.name not in answer.content.decode()


def test_the_desk_says_what_waits_in_all_seasons(world: World, clients: dict[str, Client]) -> None:
    answer = clients["player"].get("/")
    own = world.running_stable
    waiting = {item.task.address: item for item in answer.context["waiting"]}
    assert waiting[own.get_absolute_url()].stable == own
    assert "hand in your line-up" in answer.content.decode()
    assert "market is open" in waiting[world.stable.get_absolute_url()].task.sentence
    assert clients["spectator"].get("/").context["waiting"] == []


def test_who_is_ready_or_gone_is_not_called(world: World, clients: dict[str, Client]) -> None:
    def called() -> list[Stable]:
        return [item.stable for item in clients["player"].get("/").context["waiting"]]

    assert sorted(stable.pk for stable in called()) == sorted([world.stable.pk, world.running_stable.pk])
    Stable.objects.filter(pk=world.stable.pk).update(ready_for=ready_mark(1))
    assert called() == [world.running_stable]
    Stable.objects.filter(pk=world.running_stable.pk).update(left_in_cycle=1)
    assert called() == []


def test_the_desk_lists_matches_to_play_on(world: World, clients: dict[str, Client], people: dict[str, User]) -> None:
    seat = world.open.seats.first()
    assert seat is not None
    world.open.seats.filter(pk=seat.pk).update(user=people["spectator"], bot="")
    page = clients["spectator"].get("/").content.decode()
    assert f'href="{reverse("matches:play", args=[world.open.public_id])}"' in page
    own = next(each for each in world.open.setup["sides"] if each["id"] == seat.side)
    text = unescape(" ".join(strip_tags(page).split()))
    assert f"spectator ({own['units'][0]['unit']['name']}" in text, "opponents, and not ’Mechs alone (O-S12)"


def test_the_first_page_takes_few_queries_whatever_there_is(
    release: Any, people: dict[str, User], client: Client
) -> None:
    play(release, "First", people["organiser"], 2)
    found(open_season(release, "Own 1", people["organiser"]), "Mine 1", people["player"])
    visitor, player = Client(), client
    player.force_login(people["player"])
    few = queries_of(visitor, "/"), queries_of(player, "/")
    play(release, "Second", people["organiser"], 4)
    for number in (2, 3):
        found(open_season(release, f"Own {number}", people["organiser"]), f"Mine {number}", people["player"])
    assert (queries_of(visitor, "/"), queries_of(player, "/")) == few
    assert max(few) <= MOST_QUERIES


def test_a_long_season_fits_a_page_and_every_cycle_is_reached(
    release: Any, people: dict[str, User], client: Client
) -> None:
    """Six cycles of eight stables, four matches in each of seven rounds: no page of it is over the limit."""
    season = play(release, "Long season", people["organiser"], 8)
    last = season.cycles.get()
    Season.objects.filter(pk=season.pk).update(settings={**season.settings, "cycles": list(FORMATS)})
    Cycle.objects.filter(pk=last.pk).update(number=len(FORMATS))
    for number in range(1, len(FORMATS)):
        Cycle.objects.create(
            season=season,
            number=number,
            format=last.format,
            match_class=last.match_class,
            state=last.state,
            started_with=last.started_with,
            rounds_planned=last.rounds_planned,
        )
    own = season.get_absolute_url()
    page = client.get(own)
    assert page.context["view"]["cycle"].number == len(FORMATS)
    assert len(page.content) <= MOST_BYTES_OF_A_SEASON
    for number in range(1, len(FORMATS) + 1):
        assert f'href="{own}?cycle={number}#cycle-{number}"' in page.content.decode()
        assert client.get(f"{own}?cycle={number}").context["view"]["cycle"].number == number
    assert client.get(f"{own}?cycle=nonsense").context["view"]["cycle"].number == len(FORMATS)
