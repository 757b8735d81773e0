"""Kept engines: built once, never stale, never shared, and only so many of them."""

from __future__ import annotations

import random
from typing import Any
from uuid import uuid4

import pytest

from matches.models import Match
from matches.selectors import engines
from matches.selectors.matches import rebuild
from matches.services.matches import play_action
from rules.competition.match import Match as EngineMatch
from rules.competition.setups import read_setup
from rules.core.dice import SeededDice
from tests.matches.conftest import SEED, play_some

pytestmark = pytest.mark.database


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of actions of each engine that was built anew."""
    engines.forget()
    calls: list[int] = []
    plain = EngineMatch.replay

    def replay(setup: Any, dice: Any, actions: Any) -> EngineMatch:
        calls.append(len(actions))
        return plain(setup, dice, actions)

    monkeypatch.setattr(EngineMatch, "replay", replay)
    return calls


def fresh(setup: Any, seed: bytes, actions: list[Any]) -> EngineMatch:
    engine = EngineMatch.start(read_setup(setup), SeededDice(seed))
    for action in actions:
        engine.play(action)
    return engine


def test_a_twin_goes_on_as_the_match_itself_with_dice_and_events(setup_document: dict[str, Any]) -> None:
    one = fresh(setup_document, SEED, [])
    rng = random.Random(4)
    for _ in range(25):
        one.play(one.sample_action(rng))
    two = one.clone()
    assert (two.events, two.actions, two.snapshot()) == (one.events, one.actions, one.snapshot())
    before = one.events
    for _ in range(25):
        if two.decision is None:
            break
        action = two.sample_action(rng)
        two.play(action)
        assert one.events == before
        before = [*before, *[two.events[-1]]]
        one.play(action)
        assert one.events == two.events == before


@pytest.mark.django_db
def test_a_match_is_built_once_and_goes_on_from_there(waiting: Match, built: list[int]) -> None:
    play_some(waiting, 6)
    for _ in range(3):
        engine = rebuild(waiting)
    assert built == [0]
    plain = fresh(waiting.setup, SEED, engine.actions)
    assert (engine.events, engine.snapshot()) == (plain.events, plain.snapshot())


@pytest.mark.django_db
def test_what_a_caller_plays_stays_the_callers_own(waiting: Match, built: list[int]) -> None:
    play_some(waiting, 2)
    mine = rebuild(waiting)
    mine.play(mine.default_action())
    other = rebuild(waiting)
    assert len(other.actions) == 2
    assert len(mine.actions) == 3
    assert other.events == fresh(waiting.setup, SEED, other.actions).events


def test_another_setup_seed_or_past_is_built_again(setup_document: dict[str, Any], built: list[int]) -> None:
    key = uuid4()
    engine = engines.engine_at(key, setup_document, SEED, [])
    first, second = engine.legal_actions()[:2]
    assert engines.engine_at(key, setup_document, SEED, [first]).actions == [first]
    assert built == [0]
    assert engines.engine_at(key, setup_document, SEED, [second]).actions == [second]
    engines.engine_at(key, setup_document, bytes(32), [])
    engines.engine_at(key, {**setup_document, "house_rules": {"target_tokens": False}}, bytes(32), [])
    engines.engine_at(uuid4(), setup_document, SEED, [])
    assert len(built) == 5


def test_only_so_many_are_kept(setup_document: dict[str, Any], built: list[int]) -> None:
    for _ in range(engines.MOST_KEPT + 3):
        engines.engine_at(uuid4(), setup_document, SEED, [])
    assert len(engines._kept) == engines.MOST_KEPT


@pytest.mark.django_db
def test_a_step_that_was_refused_leaves_nothing_behind(waiting: Match, built: list[int]) -> None:
    engine = rebuild(waiting)
    assert engine.decision is not None
    with pytest.raises(Exception, match=r"."):
        play_action(waiting.pk, engine.decision.side, 0, {"unit": engine.decision.unit, "choose": "start"})
    assert rebuild(waiting).actions == []
