"""The page on which people play: every decision is answered through its plain links and its form."""

from __future__ import annotations

import random
import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.friendly import HOT_SEAT, Wishes, friendly_setup
from matches.models import Match
from matches.selectors import rebuild
from matches.services import Seat, create_match, play_action
from people.models import User
from rules.catalogue import load_builtin

from .conftest import SEED

MOST_QUERIES = 15
FORMATS = ("standard", "team", "weapons_dead", "tag_team", "capture_the_flag", "grand_melee")


class Page(HTMLParser):
    """The links that choose something, and the fields of the form that plays the answer."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fields: dict[str, str] | None = None
        self._fields: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "a" and "data-step" in found:
            self.links.append(str(found["href"]))
        elif tag == "form":
            self._fields = {}
        elif tag == "input" and found.get("name"):
            self._fields[str(found["name"])] = str(found.get("value", ""))
        elif tag == "button" and found.get("id") == "commit":
            self.fields = dict(self._fields)

    def error(self, message: str) -> None:
        raise AssertionError(message)


def address_of(match: Match) -> str:
    return reverse("matches:play", args=[match.public_id])


def read(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content.decode()[-2500:-1200]
    return str(answer.content.decode())


def open_links(text: str) -> list[str]:
    """The links of the open question; on a page with a preview, those that adjust it."""
    question = re.search(r'<div class="question question-(.*?)</div>', text, re.S)
    found = re.findall(r'href="(\?[^"]*)"', question[1]) if question else []
    return [unescape(each) for each in found]


def answer_once(client: Client, match: Match, rng: random.Random) -> str:
    """Follow links until there is a form, perhaps adjust something, and send it. Returns the kind of decision."""
    address = address_of(match)
    text = read(client, address)
    for _ in range(12):
        fields = Page(text).fields
        links = open_links(text)
        if fields is not None and (not links or rng.random() < 0.7):
            kind = fields["kind"]
            answer = client.post(address, fields)
            assert (answer.status_code, answer["Location"]) == (302, address)
            return kind
        assert links, "a question without options"
        text = read(client, address + rng.choice(links))
    fields = Page(text).fields
    assert fields is not None
    assert client.post(address, fields).status_code == 302
    return fields["kind"]


def hot_seat(format_key: str, player: User, seed: int, **more: Any) -> Match:
    setup = friendly_setup(load_builtin(), Wishes(format=format_key, **more), random.Random(seed))
    return create_match(setup, SEED, None, [Seat(side["id"], player.pk) for side in setup["sides"]])


@pytest.mark.parametrize("format_key", FORMATS)
def test_a_whole_match_is_played_through_links_and_forms_alone(format_key: str, client: Client, player: User) -> None:
    match = hot_seat(format_key, player, 4)
    client.force_login(player)
    rng = random.Random(8)
    for _ in range(400):
        match.refresh_from_db()
        if match.is_finished:
            break
        before = match.last_sequence
        answer_once(client, match, rng)
        match.refresh_from_db()
        assert match.last_sequence > before
    else:
        for side in {seat.side for seat in match.seats.all()}:
            if not match.is_finished:
                client.post(address_of(match), {"leave": "surrender", "confirm": "yes"})
                match.refresh_from_db()
        assert side
    text = read(client, address_of(match))
    assert match.is_finished
    assert "The match is over" in text

