"""How long a person waits for bots that hang or are slow: once, and for all of them together only so long."""

from __future__ import annotations

import logging
import random
from typing import Any

import pytest

from matches.models import Match, MatchAction
from matches.selectors.matches import rebuild
from matches.services import patience
from matches.services.answering import Seat
from matches.services.guarded import faults_of
from matches.services.matches import create_match, play_action
from people.models import User
from rules.catalogue import load_builtin
from rules.measuring.self_play import random_setup
from tests.matches.failing_bots import (
    Broken,
    Hanging,
    Slow,
    against,
    causes,
    play_on,
    resolved,
)

from .conftest import SEED

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("threads_end")]

Cause = MatchAction.Cause


@pytest.mark.usefixtures("until_it_hangs")
def test_a_person_waits_once_for_a_bot_that_hangs(
    player: User, seat_of: Any, setup_document: dict[str, Any], lines: list[logging.LogRecord]
) -> None:
    """Each answer of the person is a request of its own, to whatever process: what is known is what is stored."""
    name = seat_of(Hanging)
    match = against(player, name, setup_document)
    play_on(match, 12)
    told = causes(match, "blue")
    assert told[0] == Cause.OVERRAN
    assert set(told[1:]) == {Cause.RELIEVED}
    assert len(told) > 5
    assert next(Broken.asked) == 2, "it was asked once"
    assert faults_of(match) == [("blue", "overran")]
    assert len(lines) == 1


def melee_of(player: User, names: list[str], seed: int = 5) -> Match:
    """A grand melee of eight: a person and seven bots."""
    setup = random_setup(load_builtin(), random.Random(seed), "grand_melee", 8)
    sides = [side.key for side in setup.sides]
    seats = [Seat(sides[0], player.pk), *(Seat(side, bot=name) for side, name in zip(sides[1:], names, strict=True))]
    return create_match(setup.to_json(), SEED, None, seats)


def play_first(match: Match, count: int) -> None:
    side = match.seats.exclude(user=None).get().side
    for _ in range(count):
        match.refresh_from_db()
        engine = rebuild(match)
        assert engine.decision is not None
        assert engine.decision.side == side
        play_action(match.pk, side, match.last_sequence, engine.default_action())
    match.refresh_from_db()


@pytest.mark.usefixtures("until_it_hangs")
def test_a_person_waits_once_for_a_bot_that_hangs_in_every_seat(player: User, seat_of: Any) -> None:
    match = melee_of(player, [seat_of(Hanging)] * 7)
    play_first(match, 4)
    assert next(Broken.asked) == 2, "it was asked once, whatever the seat, in each of the requests"
    assert [fault for _, fault in faults_of(match)] == ["overran"]
    assert match.actions.filter(cause=Cause.RELIEVED).count() > 7
    assert len(set(match.actions.filter(cause=Cause.RELIEVED).values_list("side", flat=True))) == 7


@pytest.mark.usefixtures("held_clock")
def test_a_person_waits_for_all_bots_together_no_longer_than_a_few_decisions(
    player: User, seat_of: Any, settings: Any, lines: list[logging.LogRecord]
) -> None:
    """Seven bots that are all within their own time; in the next request they are asked again, for nobody failed."""
    settings.BOT_DECISION_SECONDS = 0.7
    name = seat_of(Slow)
    match = melee_of(player, [name] * 7)
    assert next(Broken.asked) == 4, "two answered, and the third was given up"
    assert faults_of(match) == []
    assert {line.levelname for line in lines} == {"ERROR"}
    assert lines[0].bot == name  # type: ignore[attr-defined]
    told = list(match.actions.filter(sequence__gt=0).order_by("sequence").values_list("cause", flat=True))
    assert told[:2] == ["", ""]
    assert set(told[2:]) == {Cause.RELIEVED}
    play_first(match, 1)
    assert next(Broken.asked) > 5


@pytest.mark.usefixtures("held_clock")
def test_where_who_takes_over_is_slow_too_nobody_is_asked_any_more(player: User, seat_of: Any, settings: Any) -> None:
    settings.BOT_DECISION_SECONDS = 0.7
    seat_of(Slow, name="greedy")
    match = melee_of(player, ["greedy"] * 7)
    assert next(Broken.asked) == 6, "three decisions' time in all"
    assert faults_of(match) == []
    told = list(match.actions.filter(sequence__gt=0).order_by("sequence").values_list("cause", flat=True))
    assert told[-1] == Cause.WITHDRAWN


@pytest.mark.usefixtures("held_clock")
def test_without_clocks_a_slow_bot_answers_for_itself(
    seat_of: Any, settings: Any, setup_document: dict[str, Any]
) -> None:
    settings.BOT_DECISION_SECONDS = 0.01
    with patience.without_clocks():
        match = resolved(setup_document, seat_of(Slow))
    assert set(causes(match, "red")) == {""}
    assert patience.has_clocks()
