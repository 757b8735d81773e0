"""What the script of a match in play gets: what a step changes, small enough for a slow network."""

from __future__ import annotations

import gzip
import random

import pytest
from django.test import Client

from matches.models import Match
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from matches.views.play import PART
from people.models import User
from tests.matches.playing import address_of, filled_form, read

from .conftest import SEED

pytestmark = pytest.mark.django_db

MOST_BYTES = 15_000
"""Of the answer to a commit, compressed, in any match of two."""


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
    match = create_match(demonstration_setup(), SEED, None, [Seat("red", player.pk), Seat("blue", bot="greedy")])
    client.force_login(player)
    sizes, rng = [], random.Random(4)
    while match.state != Match.State.FINISHED and len(sizes) < 30:
        answer = client.post(address_of(match), filled_form(client, match, rng), headers={PART: "1"})
        assert answer.status_code == 200
        sizes.append(len(gzip.compress(answer.content, 6)))
        match.refresh_from_db()
    assert len(sizes) > 10
    assert max(sizes) <= MOST_BYTES
