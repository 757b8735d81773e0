"""Answers without asking a person: bots' decisions, the only legal answer, standing answers, an empty time bank."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from matches.models import Match, MatchAction, MatchSeat, StandingAnswers
from matches.services.guarded import GuardedBots
from rules.bots.preset_answers import unasked_answer
from rules.competition.match import Match as EngineMatch

STAND_IN = "greedy"
"""The bot that answers for a person whose time has run out, who is away, or who leaves the rest to the AI."""

Cause = MatchAction.Cause


@dataclass(frozen=True)
class Seat:
    """The player of a side: `user_id` of a person, or the name of a `bot`, or neither yet.

    The units of a person who sits down begin with the `standing` answers.
    """

    side: str
    user_id: int | None = None
    bot: str = ""
    standing: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Desk:
    """Who plays in a match, by side, and their standing answers by unit. `is_hurried`: the match has time banks.

    `match` is the name of the match in the log. `is_opening` says of a decision of a person whether the AI answers it
    for them, because the match begins later; None where it never does.
    """

    match: str
    seats: Mapping[str, Seat | MatchSeat]
    standing: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    is_hurried: bool = False
    is_opening: Callable[[EngineMatch], bool] | None = None


def desk_of(match: Match, seats: Iterable[MatchSeat]) -> Desk:
    """Return the desk of a stored match, with its players' standing answers (1 query)."""
    seats = list(seats)
    own = StandingAnswers.objects.filter(seat__in=[seat.pk for seat in seats if seat.user_id is not None])
    standing = dict(own.values_list("unit", "answers"))
    is_hurried = match.seconds_a_round is not None
    return Desk(str(match), {seat.side: seat for seat in seats}, standing, is_hurried)


def has_lapsed(seat: Seat | MatchSeat, round_number: int) -> bool:
    """Return whether the AI answers for a person until the end of this round. Ask only in a match with time banks.

    It does when the stored bank is empty, the time for this round included.
    """
    return isinstance(seat, MatchSeat) and seat.bank_seconds == 0 and seat.bank_round >= round_number


def answer_alone(engine: EngineMatch, seed: bytes, desk: Desk) -> dict[int, str]:
    """Play `engine` on until a person or a free seat must decide, or the match is over. Nothing is stored.

    Return the cause of each new action by its number in the match, from 1: a MatchAction.Cause, "" for a bot's own
    answer. The dictionary is empty if nothing was played.
    """
    causes: dict[int, str] = {}
    players = GuardedBots(engine, seed, desk.match)
    while engine.decision is not None:
        cause = _answer(engine, players, desk)
        if cause is None:
            break
        causes[len(engine.actions)] = cause
    return causes


def _answer(engine: EngineMatch, players: GuardedBots, desk: Desk) -> str | None:
    """Play the open decision and return the cause, "" for a bot's own answer.

    Return None, and play nothing, when a person or a free seat must decide.
    """
    decision = engine.decision
    assert decision is not None
    seat = desk.seats.get(decision.side)
    if seat is None:
        return None
    if seat.bot:
        was_a_person = isinstance(seat, MatchSeat) and seat.expiries > 0
        return players.play(decision.side, seat.bot, players.chance()) or (Cause.GIVEN if was_a_person else "")
    if seat.user_id is None:
        return None
    if desk.is_opening is not None and desk.is_opening(engine):
        return players.play(decision.side, STAND_IN, players.chance()) or Cause.OPENING
    if unasked := unasked_answer(engine, desk.standing.get(decision.unit, {})):
        engine.play(unasked.action)
        return Cause.STANDING if unasked.is_standing else Cause.ONLY
    if desk.is_hurried and has_lapsed(seat, engine.table.position.round):
        return players.play(decision.side, STAND_IN, players.chance()) or Cause.TIME
    return None


def play_to_the_end(
    engine: EngineMatch, seed: bytes, desk: Desk, players: Mapping[str, str], given: Collection[str] = ()
) -> dict[int, str]:
    """Let bots (`players`: side -> bot name, every side) play `engine` to the end of the match. Nothing is stored.

    Return the causes of actions by their number in the match, from 1, but only if a bot failed or the side was `given`
    to the AI.
    """
    causes: dict[int, str] = {}
    guarded = GuardedBots(engine, seed, desk.match)
    rng = guarded.chance()
    while (side := _side_to_decide(engine)) is not None:
        if cause := guarded.play(side, players[side], rng) or (Cause.GIVEN if side in given else ""):
            causes[len(engine.actions)] = cause
    return causes


def _side_to_decide(engine: EngineMatch) -> str | None:
    table = engine.table
    return None if table.open is None else table.roster.sides[table.roster.side_of[table.open[1]]]
