"""The page of play says whether the other person is there, and nothing of it to anybody else."""

from __future__ import annotations

import re

from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from matches.models import Match
from matches.services.beginning.friendly import Wishes, start_friendly
from people.models import User
from tests.matches.playing import address_of, read


def shown(page: str) -> list[str]:
    return [text.strip() for text in re.findall(r"<span data-rival[^>]*>([^<]*)</span>", page)]


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_rival_is_there_while_their_page_asks(waiting: Match, player: User, rival: User) -> None:
    mine, theirs = logged_in(player), logged_in(rival)
    changes = reverse("matches:changes", args=[waiting.public_id])
    cache.clear()
    page = read(mine, address_of(waiting))
    assert shown(page) == ["is not here now"]
    assert rival.get_username() in page
    version = re.findall(r'data-version="(\w+)"', page)[0]
    assert mine.get(changes, {"version": version})["X-There"] == ""
    theirs.get(changes, {"version": "0"})
    assert shown(read(mine, address_of(waiting))) == ["is here"]
    answer = mine.get(changes, {"version": version})
    assert answer.status_code == 204
    assert answer["X-There"] in ("red", "blue")
    cache.clear()
    assert shown(read(mine, address_of(waiting))) == ["is not here now"]


def test_the_name_of_the_other_person_stands_with_their_score(waiting: Match, player: User, rival: User) -> None:
    """On a phone the title of the match is not seen."""
    page = read(logged_in(player), address_of(waiting))
    running = re.search(r'<p class="running.*?</p>', page, re.S)
    assert running is not None
    sides = re.findall(r'<span><span class="side-mark.*?reputation \d', running[0], re.S)
    assert [rival.get_username() in side for side in sides].count(True) == 1
    assert [">you<" in side for side in sides] == [rival.get_username() not in side for side in sides]


def test_nobody_is_looked_for_in_a_match_against_the_ai(player: User) -> None:
    match = start_friendly(player, Wishes(opponent="random"))
    assert shown(read(logged_in(player), address_of(match))) == []
