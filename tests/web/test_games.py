"""Each game can be switched off, and the other goes on."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from solaris_site.environment import Environment
from solaris_site.games import GAMES

pytestmark = pytest.mark.django_db


def test_both_games_are_played_unless_one_is_switched_off(client: Client) -> None:
    page = client.get("/").content.decode()
    assert 'href="/challenge/"' in page
    assert client.get("/challenge/").status_code == 200
    assert client.get("/matches/being-played/").status_code == 200


def test_without_the_challenge_nothing_of_it_is_there(client: Client, settings: Any) -> None:
    settings.GAMES = ("solaris",)
    assert client.get("/challenge/").status_code == 404
    assert "/challenge/" not in client.get("/").content.decode()


def test_without_seasons_the_front_page_leads_to_the_events(client: Client, settings: Any) -> None:
    settings.GAMES = ("challenge",)
    answer = client.get("/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/challenge/")
    page = client.get("/challenge/").content.decode()
    assert "/catalogue/" not in page
    for address in ("/catalogue/", "/ladder/", "/matches/being-played/", "/api/v1/seasons/"):
        assert client.get(address).status_code == 404, address
    assert client.get("/people/log-in").status_code == 200
    assert client.get("/help/").status_code == 200


def test_a_game_that_nobody_knows_is_refused_at_the_start() -> None:
    assert Environment({}).choices("GAMES", GAMES) == GAMES
    assert Environment({"GAMES": "challenge"}).choices("GAMES", GAMES) == ("challenge",)
    with pytest.raises(ImproperlyConfigured):
        Environment({"GAMES": "chess"}).choices("GAMES", GAMES)
