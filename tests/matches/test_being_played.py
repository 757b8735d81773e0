"""The list of matches being played: what everybody may watch, and none that is somebody's secret."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from operator import add
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.models import Match
from matches.selectors import matches as selectors
from matches.selectors.matches import STILL_PLAYED, being_played, rebuild
from matches.services.answering import Seat
from matches.services.beginning import quick_duels
from matches.services.beginning.friendly import BY_LINK, Wishes, start_friendly
from matches.services.finished.continuing import play_on
from matches.services.matches import close, create_match
from people.models import User
from stables.models import Season
from tests.matches.hosts import Host
from tests.matches.leagues import ROLES, League

from .conftest import SEED, play_some

pytestmark = [pytest.mark.django_db, pytest.mark.database]

ADDRESS = "/matches/being-played/"


def listed(client: Client) -> list[Match]:
    return [each.match for each in client.get(ADDRESS).context["matches"]]


def test_everybody_sees_who_plays_in_which_round_and_how_it_stands(client: Client, waiting: Match) -> None:
    play_some(waiting, 12)
    snapshot = rebuild(waiting).snapshot()
    answer = client.get(ADDRESS)
    (each,) = answer.context["matches"]
    assert each.round == snapshot["round"]
    assert [(side.name, reputation) for side, reputation, _ in each.standings] == [
        ("player", snapshot["reputation"]["red"]),
        ("rival", snapshot["reputation"]["blue"]),
    ]
    text = answer.content.decode()
    assert f'href="{waiting.get_absolute_url()}"' in text
    assert "Red: reputation" in text
    assert [f"{colour}: {name}" in text for colour, name in (("Red", "player"), ("Blue", "rival"))] == [True, True]


def test_the_header_leads_to_it(client: Client) -> None:
    assert f'href="{ADDRESS}"' in client.get(reverse("stables:home")).content.decode()
    page = client.get(ADDRESS).content.decode()
    assert "Nothing is being played" in page
    assert f'action="{reverse("matches:fight")}"' in page
    assert "open-finished" not in page


def test_an_empty_list_leads_to_the_newest_finished_match_that_a_list_may_show(
    client: Client, finished: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago = timezone.now() - timedelta(days=9)
    Match.objects.filter(pk=finished.pk).update(fixture_key="season:shown", finished_at=long_ago)
    for listed_there in (["season:shown"], []):
        Host(listed=listed_there).instead(monkeypatch)
        page = client.get(ADDRESS).content.decode()
        assert ('id="open-finished"' in page) == bool(listed_there)
        assert (f'href="{finished.get_absolute_url()}"' in page) == bool(listed_there)


def test_the_match_that_moved_last_comes_first(client: Client, waiting: Match, player: User) -> None:
    newer = create_match(waiting.setup, b"n" * 32, None, [Seat("red", player.pk), Seat("blue", player.pk)])
    assert listed(client) == [newer, waiting]
    play_some(waiting, 1)
    assert listed(client) == [waiting, newer]


def test_matches_that_are_over_wait_for_a_rival_or_go_on_from_another_are_not_listed(
    client: Client, finished: Match, waiting: Match, player: User
) -> None:
    start_friendly(player, Wishes(opponent=BY_LINK))
    play_on(finished, player, 3, "red")
    assert listed(client) == [waiting]
    close(waiting.pk)
    assert listed(client) == []


def test_duels_of_one_person_against_the_ai_are_not_listed(
    client: Client, waiting: Match, player: User, rival: User
) -> None:
    start_friendly(player, Wishes())
    quick_duels.fight(player)
    quick_duels.teach(player)
    assert listed(client) == [waiting]
    Match.objects.filter(pk=waiting.pk).update(is_tutorial=True)
    assert listed(client) == []


def test_people_who_play_beside_bots_are_listed(client: Client, waiting: Match) -> None:
    waiting.seats.create(side="green", bot="greedy")
    assert listed(client) == [waiting]
    waiting.seats.filter(side="blue").update(user=None, bot="greedy")
    assert listed(client) == []


def test_a_friendly_match_is_listed_for_a_day_after_its_newest_step(
    waiting: Match, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = waiting.actions.get(sequence=waiting.last_sequence).created_at
    for after, shown in ((STILL_PLAYED, [waiting]), (STILL_PLAYED + timedelta(seconds=1), [])):
        monkeypatch.setattr(timezone, "now", partial(add, moved, after))
        assert being_played(player) == shown


def test_a_match_of_a_season_is_listed_for_a_week_after_its_newest_step_and_for_a_day_after_its_end(
    waiting: Match, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    Host(listed=["season:shown"]).instead(monkeypatch)
    Match.objects.filter(pk=waiting.pk).update(fixture_key="season:shown")
    moved = waiting.actions.get(sequence=waiting.last_sequence).created_at
    for after, shown in ((timedelta(days=7), [waiting]), (timedelta(days=7, seconds=1), [])):
        monkeypatch.setattr(timezone, "now", partial(add, moved, after))
        assert being_played(player) == shown
    ended = moved + timedelta(days=30)
    Match.objects.filter(pk=waiting.pk).update(state=Match.State.FINISHED, finished_at=ended, result={})
    for after, shown in ((timedelta(days=1), [waiting]), (timedelta(days=1, seconds=1), [])):
        monkeypatch.setattr(timezone, "now", partial(add, ended, after))
        assert being_played(player) == shown


def test_of_friendly_matches_only_the_newest_are_looked_at(
    client: Client, waiting: Match, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = create_match(waiting.setup, b"n" * 32, None, [Seat("red", player.pk), Seat("blue", player.pk)])
    play_some(waiting, 1)
    monkeypatch.setattr(selectors, "MOST_FRIENDLY", 1)
    assert listed(client) == [newer]


def test_a_match_of_another_room_is_listed_where_that_room_lists_it(
    client: Client, waiting: Match, setup_document: dict[str, Any], player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = [Seat("red", player.pk), Seat("blue", player.pk)]
    shown, _ = [create_match(setup_document, SEED, f"season:{key}", seats) for key in ("shown", "hidden")]
    Host(listed=["season:shown"]).instead(monkeypatch)
    assert listed(client) == [shown, waiting]


@pytest.mark.parametrize("visibility", Season.Visibility)
def test_of_seasons_those_are_listed_that_lists_show_to_the_reader(league: League, visibility: str) -> None:
    Match.objects.filter(pk=league.match.pk).update(state="playing", result=None, finished_at=None)
    league.close(visibility)
    seeing = {role for role in ROLES if league.match in listed(league.clients[role])}
    everybody = visibility == Season.Visibility.PUBLIC
    assert ("anonymous" in seeing) is everybody
    assert "owner" in seeing
    assert (seeing == set(ROLES)) is everybody


def test_many_matches_cost_no_more_queries_than_one(
    client: Client, waiting: Match, player: User, django_assert_num_queries: Any
) -> None:
    """Three, of which the events are asked once a step; seeds are not read."""
    for number in range(3):
        create_match(waiting.setup, bytes([number]) * 32, None, [Seat("red", player.pk), Seat("blue", player.pk)])
    cache.clear()
    with django_assert_num_queries(3) as first:
        client.get(ADDRESS)
    assert '"matches_match"."seed",' not in "".join(query["sql"] for query in first.captured_queries)
    with django_assert_num_queries(2):
        client.get(ADDRESS)
