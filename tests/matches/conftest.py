"""Matches to test with: real ones, from the catalogue that comes with the game."""

from __future__ import annotations

import itertools
import logging
import random
from collections.abc import Iterator
from typing import Any

import pytest

from matches.models import Match
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match, play_action, resolve_with_bots
from people.models import User
from rules import bots
from tests.matches.failing_bots import SEED, Broken
from tests.matches.leagues import League, make_league
from tests.worlds import Worlds


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
def finished(worlds: Worlds, db: None) -> Match:
    """A match that two bots played."""
    return worlds.enter("a match of two bots", lambda: play_with_bots("fixture:1"))


@pytest.fixture
def league(db: None, worlds: Worlds) -> League:
    return make_league(worlds)


def play_with_bots(key: str | None) -> Match:
    """A match that two bots play to its end."""
    seats = [Seat("red", bot="random"), Seat("blue", bot="random")]
    match = create_match(demonstration_setup(), SEED, key, seats)
    return resolve_with_bots(match.pk, {"red": "random", "blue": "random"})


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


@pytest.fixture
def seat_of(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a bot of a class onto the list of bots; returns its name."""

    def put(kind: type[Broken], every: int = 1, name: str = "broken") -> str:
        monkeypatch.setattr(Broken, "asked", itertools.count(1))
        monkeypatch.setattr(Broken, "every", every)
        monkeypatch.setitem(bots._BOTS, name, kind)  # type: ignore[arg-type]
        return name

    return put


@pytest.fixture
def lines() -> Iterator[list[logging.LogRecord]]:
    """What is logged of bots."""
    found: list[logging.LogRecord] = []

    class Keeps(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(record)

    logger, handler = logging.getLogger("matches.bots"), Keeps()
    logger.addHandler(handler)
    yield found
    logger.removeHandler(handler)
