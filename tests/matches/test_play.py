"""The page on which people play: every decision is answered through its plain links and its form."""

from __future__ import annotations

import random
import re
from html import unescape
from urllib.parse import parse_qs, urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from matches.models import Match
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.matches import create_match
from people.models import User
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.matches.playing import (
    KINDS,
    Page,
    address_of,
    answer_once,
    filled_form,
    hot_seat,
    leave,
    match_at,
    near_its_end,
    open_links,
    read,
)

from .conftest import SEED, play_some

MOST_QUERIES = 15
ANSWERED = 8
"""Decisions of a match that are answered one by one; then the sides surrender."""


@pytest.mark.parametrize("format_key", ["standard", "team", "tag_team", "capture_the_flag", "grand_melee"])
@pytest.mark.parametrize("is_at_its_end", [False, True], ids=["from the start", "to the end"])
def test_a_match_is_played_through_links_and_forms_alone(
    format_key: str, is_at_its_end: bool, client: Client, player: User
) -> None:
    """Its first answers, and its last ones, with those that random answers add; one that is not over is given up."""
    match = hot_seat(format_key, player, 4)
    if is_at_its_end:
        match = near_its_end(match, player, ANSWERED // 2)
    client.force_login(player)
    rng = random.Random(8)
    for _ in range(ANSWERED):
        if match.is_finished:
            break
        before = match.last_sequence
        answer_once(client, match, rng)
        match.refresh_from_db()
        assert match.last_sequence > before
    while not match.is_finished:
        assert leave(client, match, "surrender", confirm="yes").status_code == 302
        match.refresh_from_db()
    assert "The match is over" in read(client, address_of(match))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_decision_is_asked_in_words_and_answered(kind: str, client: Client, player: User) -> None:
    match = match_at(kind, lambda side: Seat(side, player.pk))
    client.force_login(player)
    text = read(client, address_of(match))
    assert 'class="asked-why"' in text
    assert "{" not in text.split('class="asked"')[1].split("</section>")[0]
    answer_once(client, match, random.Random(3))
    match.refresh_from_db()
    assert len(rebuild(match).actions) == match.last_sequence


@pytest.mark.parametrize("kind", ["answering", "react", "special"])
def test_what_an_attack_comes_to_is_shown_before_it_is_made(kind: str, client: Client, player: User) -> None:
    rng = random.Random(1)
    match = match_at(kind, lambda side: Seat(side, player.pk))
    client.force_login(player)
    for _ in range(30):
        fields = filled_form(client, match, rng)
        kept = {key: word for key, word in fields.items() if key not in ("csrfmiddlewaretoken", "seen", "kind", "unit")}
        text = read(client, f"{address_of(match)}?{urlencode(kept)}")
        if "% to hit" in text:
            assert 'class="rule"' in text.split('id="preview"')[1]
            return
    raise AssertionError("no attack in thirty tries")


@pytest.mark.parametrize("kind", KINDS)
def test_every_visible_text_of_the_page_is_translated(
    kind: str, client: Client, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_at(kind, lambda side: Seat(side, player.pk))
    client.force_login(player)
    speak_pseudo(monkeypatch)
    rng = random.Random(6)
    text = read(client, address_of(match))
    for _ in range(6):
        assert untranslated(text) == []
        links = open_links(text)
        if not links:
            break
        text = read(client, address_of(match) + rng.choice(links))


def test_the_page_takes_few_queries_whatever_has_been_played(client: Client, waiting: Match, player: User) -> None:
    client.force_login(player)
    counts = set()
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            read(client, address_of(waiting))
        counts.add(len(queries))
        play_some(waiting, 6)
    assert len(counts) == 1
    assert max(counts) <= MOST_QUERIES


def test_the_ai_answers_at_once_and_its_doings_are_shown(client: Client, player: User, setup_document: dict) -> None:
    match = create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", bot="greedy")])
    client.force_login(player)
    rng = random.Random(4)
    for _ in range(6):
        answer_once(client, match, rng)
        match.refresh_from_db()
        assert match.is_finished or rebuild(match).decision.side == "red"
    assert "Since your last decision" in read(client, address_of(match))


def test_the_screen_is_handed_over_before_a_hand_is_shown(client: Client, player: User) -> None:
    match = match_at("rally", lambda side: Seat(side, player.pk))
    decision = rebuild(match).decision
    assert decision is not None
    cards = {
        card["name"]
        for side in match.setup["sides"]
        for loadout in side["units"]
        for card in loadout.get("hand") or ()
        if side["id"] == decision.side
    }
    client.force_login(player)
    text = client.get(address_of(match)).content.decode()
    assert 'name="take"' in text
    assert not any(card in text for card in cards)
    # Pressing for another side does not help; pressing for this one does, until another side is asked.
    client.post(address_of(match), {"take": "nobody"})
    assert 'name="take"' in client.get(address_of(match)).content.decode()
    client.post(address_of(match), {"take": decision.side})
    text = client.get(address_of(match)).content.decode()
    assert 'name="take"' not in text
    assert any(card in text for card in cards)
    client.session.flush()


def test_without_hands_nobody_hands_over_the_screen(client: Client, player: User) -> None:
    match = hot_seat("standard", player, 4)
    client.force_login(player)
    assert 'name="take"' not in client.get(address_of(match)).content.decode()


def test_the_values_of_a_hot_seat_keep_their_order_from_turn_to_turn(client: Client, player: User) -> None:
    match = hot_seat("standard", player, 4)
    client.force_login(player)
    rng, asked, orders = random.Random(8), set(), set()
    for _ in range(ANSWERED):
        decision = rebuild(match).decision
        assert decision is not None
        asked.add(decision.side)
        orders.add(tuple(re.findall(r'data-now="([^"]+)"', read(client, address_of(match)))))
        answer_once(client, match, rng)
        match.refresh_from_db()
    assert len(asked) == 2
    assert len(orders) == 1


def test_every_stage_of_choosing_has_a_way_back_by_one_and_to_the_start(client: Client, player: User) -> None:
    match = match_at("move", lambda side: Seat(side, player.pk))
    client.force_login(player)
    text = read(client, address_of(match))
    assert 'class="way-back"' not in text
    for _ in range(4):
        links = [link for link in open_links(text) if "order=move" in link] or open_links(text)
        if not links or Page(text).fields is not None:
            break
        text = read(client, address_of(match) + links[0])
        way = re.search(r'class="way-back".*?href="([^"]*)".*?href="([^"]*)"', text, re.S)
        assert way is not None
        assert parse_qs(unescape(way[2])[1:]).keys() == {"at"}
        chosen = re.findall(r'aria-label="Take back', text)
        back = read(client, address_of(match) + unescape(way[1]))
        assert len(re.findall(r'aria-label="Take back', back)) < len(chosen)
