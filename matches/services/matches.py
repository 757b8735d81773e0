"""The only writers of matches. Engines play outside transactions; `steps` accepts what they played."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

import rules
from matches.host import surroundings_of
from matches.models import Match, MatchAction, MatchSeat, StandingAnswers
from matches.selectors.engines import engine_at
from matches.selectors.matches import free_seat, rebuild
from matches.selectors.time_banks import is_empty
from matches.services import time_banks
from matches.services.advice import may_ask
from matches.services.answering import Desk, Seat, answer_alone, desk_of, play_to_the_end
from matches.services.steps import Played, side_of, store_new_steps
from rules.bots.preset_answers import ROUTINE, ROUTINE_BETWEEN_PEOPLE
from rules.competition.match import Match as EngineMatch
from rules.core.dice import commitment
from rules.core.refusals import Refused

MOST_STEPS_BACK = 30
"""How many steps back are taken in one match, because each of them is stored."""


def create_match(
    setup: Mapping[str, Any],
    seed: bytes,
    fixture_key: str | None = None,
    seats: Iterable[Seat] = (),
    seconds_a_round: int | None = None,
    public_id: UUID | None = None,
    is_opening: Callable[[EngineMatch], bool] | None = None,
    begun: Sequence[MatchAction] = (),
) -> Match:
    """Store a new match from a setup (JSON of `MatchSetup`) and a secret seed, with its opening events as step 0.

    If a person has a seat, the bots' first decisions are played at once; a match of bots alone waits for
    `resolve_with_bots`. If a match with this `fixture_key` (or, without one, this `public_id`) exists, that match is
    returned and nothing is stored, even when two workers come at the same moment. With `seconds_a_round` each side gets
    that much time for each round (matches.selectors.time_banks), and as much before the first. The AI answers for
    people what `is_opening` (matches.services.answering.Desk). `begun` are the first steps, without the opening, of
    another match with the same setup and dice (`rules.core.dice.continued_seed`): the new match goes on from them, and
    its players take their seats after them. Raises Malformed when the setup cannot be read.
    """
    name = {"fixture_key": fixture_key} if fixture_key is not None else {"public_id": public_id}
    is_named = fixture_key is not None or public_id is not None
    if is_named and (known := Match.objects.filter(**name).first()):
        return known
    seats = list(seats)
    match = Match(
        setup=dict(setup),
        rules_version=rules.RULES_VERSION,
        seed=seed,
        seed_commitment=commitment(seed),
        fixture_key=fixture_key,
        **({} if public_id is None else {"public_id": public_id}),
        seconds_a_round=seconds_a_round,
        last_sequence=len(begun),
    )
    engine = engine_at(match.public_id, match.setup, seed, [step.action for step in begun])
    opening = engine.events[: len(begun) + 1]
    causes: dict[int, str] = {}
    if any(seat.user_id is not None for seat in seats):
        units = {unit: seat.standing for seat in seats for unit in _units_of(match, seat)}
        desk = Desk(str(match), {seat.side: seat for seat in seats}, units, is_opening=is_opening)
        causes = answer_alone(engine, seed, desk)
    first = {
        "taken_at": len(begun),
        "bank_seconds": seconds_a_round or 0,
        "bank_round": engine.table.position.round,
    }
    try:
        with transaction.atomic():
            match.save()
            stored = MatchSeat.objects.bulk_create(
                MatchSeat(match=match, side=seat.side, user_id=seat.user_id, bot=seat.bot, **first) for seat in seats
            )
            for held, seat in zip(stored, seats, strict=True):
                _begin_standing(match, held, seat)
            MatchAction.objects.create(match=match, sequence=0, events=opening[0])
            MatchAction.objects.bulk_create(
                MatchAction(
                    match=match,
                    sequence=number,
                    side=step.side,
                    action=step.action,
                    events=opening[number],
                    cause=step.cause,
                )
                for number, step in enumerate(begun, start=1)
            )
            if len(engine.actions) > len(begun):
                store_new_steps(match, engine, Played("", causes))
    except IntegrityError:
        if not is_named:
            raise
        return Match.objects.get(**name)
    return match


def resolve_with_bots(match_id: int, players: Mapping[str, str], given: Collection[str] = ()) -> Match:
    """Let bots (`players`: side -> bot name, every side) play a match on to its end, and store all of it at once.

    The steps of sides that their person has `given` to the AI get that cause, and are stored only if no seat has
    changed meanwhile.

    It is safe to repeat and to run twice at once: a finished match is returned unchanged, and of two runs one stores
    its steps (both play the same match, because the bots' choices come from the match's seed too). For a bot that fails
    or is unknown the default answer is played (matches.services.guarded). Call it outside transactions. Raises Refused
    (stale_action) when others are faster three times.
    """
    for _ in range(3):
        match = Match.objects.get(pk=match_id)
        if match.is_over:
            return match
        engine = rebuild(match)
        seats = tuple(match.seats.all()) if given else None
        causes = play_to_the_end(engine, bytes(match.seed), desk_of(match, seats or ()), players, given)
        if store_new_steps(match, engine, Played("", causes, seats)):
            return match
    raise Refused("stale_action")


def play_action(match_id: int, side: str, expected_sequence: int, action: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Play one action of `side`, let bots in other seats answer, store the steps and return their new events.

    `expected_sequence` is the last step that the player has seen. Call it outside transactions. Raises Refused
    (stale_action, match_over, seat_open, not_your_unit, back_against_people, taken_back_too_often), and IllegalAction
    or Malformed with the engine's codes; then nothing has changed.
    """
    match = Match.objects.get(pk=match_id)
    if match.is_over:
        raise Refused("match_over")
    if free_seat(match) is not None:
        raise Refused("seat_open")
    if match.last_sequence != expected_sequence:
        raise Refused("stale_action")
    if action.get("order") == "take_back" and not may_ask(match, (side,), surroundings_of(match)):
        raise Refused("back_against_people")
    engine = rebuild(match)
    first_new = match.last_sequence + 1
    asked = engine.decision.side if engine.decision is not None else ""
    if action.get("order") == "time_up" or side_of(match.setup, action) != side:
        # Only the clock may say that time is up, for any unit; and no player may move another side's unit.
        raise Refused("not_your_unit", unit=action.get("unit"), side=side)
    if action.get("order") == "take_back":
        require_steps_back(engine)
    engine.play(dict(action))
    seats = tuple(match.seats.all())
    causes = answer_alone(engine, bytes(match.seed), desk_of(match, seats))
    if not store_new_steps(match, engine, Played(asked, causes, seats)):
        raise Refused("stale_action")
    return [event for events in engine.events[first_new:] for event in events]


def has_steps_back(engine: EngineMatch) -> bool:
    """Return whether fewer than MOST_STEPS_BACK steps back were taken in a match."""
    return sum(action.get("order") == "take_back" for action in engine.actions) < MOST_STEPS_BACK


def require_steps_back(engine: EngineMatch) -> None:
    """Raise Refused (taken_back_too_often) when MOST_STEPS_BACK steps back were taken in a match."""
    if not has_steps_back(engine):
        raise Refused("taken_back_too_often", most=MOST_STEPS_BACK)


def reseat(match_id: int, seats: Iterable[Seat], *, keeps_answers: bool = False) -> bool:
    """Give sides of a match other players. Return whether a seat changed; never in a finished match. Safe to repeat.

    It locks the match's row, so no step is stored between two seats, and a step that was played for the old seats is
    stale. Bots in new seats wait for `answer_with_bots`. A side keeps its bank of time whoever plays it; with an empty
    one a person gets what `time_banks.come_back` gives. A person who sits down begins with the standing answers of
    their new seat alone and without times that ran out, unless the seat `keeps_answers`: then they take over from a
    person what the side has planned, and how often its time ran out. Where the new seats are those of people among
    themselves, so are the routine answers of those who sit already.
    """
    changed, seats = False, list(seats)
    with transaction.atomic():
        locked = Match.objects.select_for_update(of=("self",))
        match = locked.only("pk", "state", "last_sequence", "seconds_a_round").get(pk=match_id)
        if match.is_over:
            return False
        known = {seat.side: seat for seat in MatchSeat.objects.filter(match=match)}
        for seat in seats:
            held = known.get(seat.side)
            if held is not None and (held.user_id, held.bot) == (seat.user_id, seat.bot):
                continue
            takes_over = keeps_answers and held is not None and None not in (held.user_id, seat.user_id)
            if held is None:
                held = MatchSeat(match=match, side=seat.side, bank_seconds=match.seconds_a_round or 0)
            elif not takes_over:
                # One person's standing answers are not for the next one in the seat.
                StandingAnswers.objects.filter(seat=held).delete()
                held.expiries = held.expiries if seat.user_id is None else 0
            if seat.user_id is not None and held.bank_seconds == 0:
                # With an empty bank the newcomer's time would have run out before they came.
                held.bank_seconds = min(time_banks.SECONDS_BACK, match.seconds_a_round or 0)
            held.user_id, held.bot, held.taken_at = seat.user_id, seat.bot, match.last_sequence
            held.save()
            if not takes_over:
                _begin_standing(match, held, seat)
            changed = True
        if changed and any(seat.standing == ROUTINE_BETWEEN_PEOPLE for seat in seats):
            alone = StandingAnswers.objects.filter(seat__match=match, answers=dict(ROUTINE))
            alone.update(answers=dict(ROUTINE_BETWEEN_PEOPLE))
    return changed


def _begin_standing(match: Match, held: MatchSeat, seat: Seat) -> None:
    """Store the standing answers with which the units of `seat` begin; `held` is that seat in the database."""
    if seat.standing:
        StandingAnswers.objects.bulk_create(
            StandingAnswers(seat=held, unit=unit, answers=dict(seat.standing)) for unit in _units_of(match, seat)
        )


def _units_of(match: Match, seat: Seat) -> list[str]:
    """Return the ids of the units of a person's seat; empty for a seat of a bot and for a free one."""
    sides = [side for side in match.setup["sides"] if side["id"] == seat.side and seat.user_id is not None]
    return [loadout["id"] for side in sides for loadout in side["units"]]


def answer_with_bots(match_id: int) -> Match:
    """Let the bots in the match's seats decide until a person must or the match is over, and return the match.

    It is safe to repeat. Call it outside transactions. Raises Refused (stale_action) when others are faster three
    times.
    """
    for _ in range(3):
        match = Match.objects.get(pk=match_id)
        if match.is_over:
            return match
        engine = rebuild(match)
        seats = tuple(match.seats.all())
        asked = engine.decision.side if engine.decision is not None else ""
        causes = answer_alone(engine, bytes(match.seed), desk_of(match, seats))
        if not causes or store_new_steps(match, engine, Played(asked, causes, seats)):
            return match
    raise Refused("stale_action")


def answer_expired(match_id: int, sequence: int, seat_id: int, now: datetime | None = None) -> bool:
    """Let the AI answer for a side whose time ran out since step `sequence`, until the round of the match is over.

    Return whether the AI has answered. When two workers, or a worker and the person, answer at the same moment, one of
    them counts. Nothing happens when the match has a newer step, is paused, or waits for somebody else. The person gets
    a notice in the transaction that stores the steps. Call it outside transactions.
    """
    now = now or timezone.now()
    match = Match.objects.get(pk=match_id)
    if match.is_over or match.last_sequence != sequence:
        return False
    engine = rebuild(match)
    seats = tuple(match.seats.select_related("user"))
    seat = next((each for each in seats if each.pk == seat_id and each.user_id is not None), None)
    if seat is None or engine.decision is None or engine.decision.side != seat.side:
        return False
    if not is_empty(match, seat, now):
        return False
    seat.bank_seconds, seat.bank_round = 0, max(seat.bank_round, engine.table.position.round)
    causes = answer_alone(engine, bytes(match.seed), desk_of(match, seats))
    return store_new_steps(match, engine, Played(seat.side, causes, seats, seat.side, now))


def close(match_id: int, now: datetime | None = None) -> None:
    """Close a match that is not over, because something else decided: nobody plays it on, and its seed is shown.

    Call it in a transaction. Safe to repeat.
    """
    open_match = Match.objects.filter(pk=match_id).exclude(state__in=Match.OVER)
    open_match.update(state=Match.State.CLOSED, finished_at=now or timezone.now())
