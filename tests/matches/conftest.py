"""Matches to test with: real ones, from the catalogue that comes with the game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from matches.demonstration import demonstration_setup
from matches.models import Match
from matches.selectors import rebuild
from matches.services import Seat, create_match, play_action, resolve_with_bots
from people.models import User
from tests.matches.leagues import League, make_league

SEED = b"a seed of 32 bytes, for tests..."


@pytest.fixture
def player(db: None) -> User:
    return User.objects.create_user("player", "player@example.org", "secret words")


@pytest.fixture
def rival(db: None) -> User:
    return User.objects.create_user("rival", "rival@example.org", "secret words")


@pytest.fixture
def setup_document() -> dict[str, Any]:
    return demonstration_setup()


@pytest.fixture
def waiting(setup_document: dict[str, Any], player: User, rival: User) -> Match:
    """A match of two people that nobody has touched."""
    return create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", rival.pk)])


@pytest.fixture
def finished(setup_document: dict[str, Any], db: None) -> Match:
    """A match that two bots played."""
    match = create_match(setup_document, SEED, "fixture:1", [Seat("red", bot="random"), Seat("blue", bot="random")])
    return resolve_with_bots(match.pk, {"red": "random", "blue": "random"})


@pytest.fixture
def league(db: None) -> League:
    return make_league()


def play_some(match: Match, count: int) -> Match:
    """Play `count` legal actions, each by the side that decides."""
    rng = random.Random(1)
    for _ in range(count):
        match.refresh_from_db()
        engine = rebuild(match)
        assert engine.decision is not None
        play_action(match.pk, engine.decision.side, match.last_sequence, engine.sample_action(rng))
    match.refresh_from_db()
    return match
