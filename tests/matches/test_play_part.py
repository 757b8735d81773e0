"""What the script of a match in play gets: what a step changes, small enough for a slow network."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from matches.models import Match
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from matches.views.play import PART
from people.models import User
from rules.catalogue import load_builtin
from rules.competition.match import Match as EngineMatch
from rules.competition.setups import read_setup
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup
from tests.matches.playing import SEED as OF_PLAYING
from tests.matches.playing import address_of, filled_form, read, store

from .conftest import SEED

pytestmark = pytest.mark.django_db

LATER = re.compile(r' id="([^"]+)" data-later')
MOST_COMMITS = 30
MOST_BYTES = 15_000
"""Of the answer to a commit, compressed, in any match."""


def test_the_script_gets_neither_head_and_foot_nor_the_ground_again(client: Client, player: User) -> None:
    match = create_match(demonstration_setup(), SEED, None, [Seat("red", player.pk), Seat("blue", bot="greedy")])
    client.force_login(player)
    whole, part = read(client, address_of(match)), client.get(address_of(match), headers={PART: "1"}).content.decode()
    assert whole.count('class="b-hex"') > 100
    for mark in ('class="b-hex"', "<header", "<footer", "<script"):
        assert mark in whole
        assert mark not in part
    assert '<g class="b-arena"></g>' in part
    assert '<div id="play"' in part
    assert "<title>Play: " in part


def test_the_answer_to_a_commit_is_small(client: Client, player: User) -> None:
    match = against_bots(player, demonstration_setup())
    client.force_login(player)
    sizes = [len(gzip.compress(text.encode(), 6)) for text in commits(client, match, 4)]
    assert len(sizes) > 10
    assert max(sizes) <= MOST_BYTES


def test_the_answer_to_a_commit_is_small_in_a_grand_melee_of_eight(client: Client, player: User) -> None:
    """To its end, which comes after several rounds without the reader, and with what was left out a click away."""
    match = against_bots(player, random_setup(load_builtin(), random.Random(5), "grand_melee", sides=8).to_json())
    client.force_login(player)
    sizes, left_out = [], set()
    for text in commits(client, match, 5):
        sizes.append(len(gzip.compress(text.encode(), 6)))
        later = set(LATER.findall(text))
        whole = read(client, address_of(match))
        assert not LATER.findall(whole)
        assert all(f' id="{each}"' in whole for each in later)
        left_out |= {each.partition("-")[0] for each in later}
    assert match.is_over
    assert left_out == {"sheet", "sum", "since", "signs", "board", "log"}
    assert max(sizes) <= MOST_BYTES


@pytest.mark.parametrize(("number", "answers", "marked", "rolls"), [(2, 55, 211, 88), (10, 141, 228, 86)])
def test_the_answer_to_a_commit_is_small_where_much_has_happened_and_much_can_be_chosen(
    client: Client, player: User, number: int, answers: int, marked: int, rolls: int
) -> None:
    """The heaviest positions of twelve melees of eight: all sides have acted since, initiative was tied again and
    again, and more than two hundred hexes are marked."""
    setup = random_setup(load_builtin(), random.Random(number), "grand_melee", sides=8).to_json()
    engine, rng = EngineMatch.start(read_setup(setup), SeededDice(OF_PLAYING)), random.Random(number)
    while len(engine.actions) < answers:
        engine.play(engine.sample_action(rng))
    assert engine.decision is not None
    own = engine.decision.side
    others = [Seat(side["id"], bot="greedy") for side in setup["sides"] if side["id"] != own]
    match = store(setup, OF_PLAYING, engine, [Seat(own, player.pk), *others])
    client.force_login(player)
    # The language of the last request stays, so it is English.
    for language in ("de", "pl", "en"):
        answer = client.get(address_of(match), headers={PART: "1", "Accept-Language": language})
        text = answer.content.decode()
        assert text.count('class="pick pick-') == marked
        assert text.count("event-initiative_rolled") == rolls
        assert len(gzip.compress(answer.content, 6)) <= MOST_BYTES


def against_bots(player: User, setup: dict[str, Any]) -> Match:
    first, *others = (side["id"] for side in setup["sides"])
    return create_match(setup, SEED, None, [Seat(first, player.pk), *(Seat(side, bot="greedy") for side in others)])


def commits(client: Client, match: Match, seed: int) -> Iterator[str]:
    """Play at random to the end, or MOST_COMMITS; the part that answers each."""
    rng = random.Random(seed)
    for _ in range(MOST_COMMITS):
        if match.is_over:
            return
        answer = client.post(address_of(match), filled_form(client, match, rng), headers={PART: "1"})
        assert answer.status_code == 200
        match.refresh_from_db()
        yield answer.content.decode()
