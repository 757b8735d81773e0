"""The only writers of matches. Engines play outside transactions; a short conditional one accepts what they did."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

import rules
from matches.models import Match, MatchAction, MatchSeat
from matches.selectors import rebuild
from matches.signals import match_ended
from rules import bots
from rules.competition.match import Match as EngineMatch
from rules.competition.setup import MatchSetup
from rules.core.dice import SeededDice, commitment, stream_seed
from rules.core.refusals import Refused


@dataclass(frozen=True)
class Seat:
    """Who decides for a side: `user_id` of a person, or the name of a `bot`, or neither yet."""

    side: str
    user_id: int | None = None
    bot: str = ""


def create_match(
    setup: Mapping[str, Any],
    seed: bytes,
    fixture_key: str | None = None,
    seats: Iterable[Seat] = (),
) -> Match:
    """Store a new match from a setup (JSON of `MatchSetup`) and a secret seed, with its opening events as step 0.

    Where a person sits against bots, the bots' first decisions are played at once; a match of bots alone waits for
    `resolve_with_bots`. With a `fixture_key` that a match already has, that match is returned and nothing is stored,
    also when two workers come with one key at the same moment. Raises Malformed when the setup cannot be read.
    """
    if fixture_key is not None and (known := Match.objects.filter(fixture_key=fixture_key).first()):
        return known
    seats = list(seats)
    engine = EngineMatch.start(MatchSetup.from_json(dict(setup)), SeededDice(seed))
    if any(seat.user_id is not None for seat in seats):
        _let_bots_answer(engine, seed, seats)
    match = Match(
        setup=dict(setup),
        rules_version=rules.RULES_VERSION,
        seed=seed,
        seed_commitment=commitment(seed),
        fixture_key=fixture_key,
    )
    try:
        with transaction.atomic():
            match.save()
            MatchSeat.objects.bulk_create(
                MatchSeat(match=match, side=seat.side, user_id=seat.user_id, bot=seat.bot) for seat in seats
            )
            MatchAction.objects.create(match=match, sequence=0, events=engine.events[0])
            if engine.actions:
                _store_new_steps(match, engine)
    except IntegrityError:
        if fixture_key is None:
            raise
        return Match.objects.get(fixture_key=fixture_key)
    return match


def resolve_with_bots(match_id: int, players: Mapping[str, str]) -> Match:
    """Let bots (`players`: side -> bot name) play a match from where it stands to its end, and store all of it at once.

    Safe to repeat and to run twice at once: a finished match is returned as it is, and of two runs one stores its
    steps (both play the same match, because the bots' choices come from the match's seed too). Call it outside any
    transaction. Raises Malformed for an unknown bot.
    """
    for _ in range(3):
        match = Match.objects.get(pk=match_id)
        if match.is_finished:
            return match
        engine = rebuild(match)
        rng = random.Random(stream_seed(bytes(match.seed), "bots", match.last_sequence))
        bots.play_out(engine, {side: bots.get(name) for side, name in players.items()}, rng)
        if _store_new_steps(match, engine):
            return match
    raise Refused("stale_action", expected=match.last_sequence)


def play_action(match_id: int, side: str, expected_sequence: int, action: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Play one action of `side`, let bots in other seats answer, store the steps and return their new events.

    `expected_sequence` is the last step that the player has seen. Raises Refused (`stale_action`, `match_over`,
    `not_your_unit`), IllegalAction or Malformed; then nothing has changed.
    """
    match = Match.objects.get(pk=match_id)
    if match.is_finished:
        raise Refused("match_over")
    if match.last_sequence != expected_sequence:
        raise Refused("stale_action", expected=match.last_sequence)
    engine = rebuild(match)
    first_new = match.last_sequence + 1
    if action.get("order") == "time_up" or side_of(match.setup, action) != side:
        # The clock's own action, which no player has, whatever unit it names; or another side's unit.
        raise Refused("not_your_unit", unit=action.get("unit"), side=side)
    engine.play(dict(action))
    seats = list(match.seats.all())
    _let_bots_answer(engine, bytes(match.seed), seats)
    if not _store_new_steps(match, engine, seats):
        match.refresh_from_db(fields=["last_sequence"])
        raise Refused("stale_action", expected=match.last_sequence)
    return [event for events in engine.events[first_new:] for event in events]


def reseat(match_id: int, seats: Iterable[Seat]) -> bool:
    """Give sides of an unfinished match other players; returns whether a seat changed. Safe to repeat.

    The match's row is locked, so nobody's step is stored between two seats, and a step that was thought out for the
    old seats is stale. Bots in new seats wait for `answer_with_bots`.
    """
    changed = False
    with transaction.atomic():
        match = Match.objects.select_for_update(of=("self",)).only("pk", "state").get(pk=match_id)
        if match.is_finished:
            return False
        known = {seat.side: seat for seat in MatchSeat.objects.filter(match=match)}
        for seat in seats:
            held = known.get(seat.side)
            if held is None:
                MatchSeat.objects.create(match=match, side=seat.side, user_id=seat.user_id, bot=seat.bot)
            elif (held.user_id, held.bot) != (seat.user_id, seat.bot):
                held.user_id, held.bot = seat.user_id, seat.bot
                held.save(update_fields=["user", "bot"])
            else:
                continue
            changed = True
    return changed


def answer_with_bots(match_id: int) -> Match:
    """Play what bots in the match's seats must decide now, until a person must or the match is over. Safe to repeat.

    Call it outside any transaction. Raises Refused (`stale_action`) when others are always faster.
    """
    for _ in range(3):
        match = Match.objects.get(pk=match_id)
        if match.is_finished:
            return match
        engine = rebuild(match)
        seats = list(match.seats.all())
        _let_bots_answer(engine, bytes(match.seed), seats)
        if len(engine.actions) == match.last_sequence or _store_new_steps(match, engine, seats):
            return match
    raise Refused("stale_action", expected=match.last_sequence)


def side_of(setup: Mapping[str, Any], action: Mapping[str, Any]) -> str:
    """The side that an action belongs to, by its unit; empty for the clock's action and for a unit nobody has."""
    unit = action.get("unit")
    for side in setup["sides"]:
        if any(loadout["id"] == unit for loadout in side["units"]):
            return str(side["id"])
    return ""


def _let_bots_answer(engine: EngineMatch, seed: bytes, seats: Iterable[Seat | MatchSeat]) -> None:
    """Play the decisions of bot seats until a person must decide or the match is over.

    What a person is asked and can answer in one way only is answered too.
    """
    seats = list(seats)
    players = {seat.side: bots.get(seat.bot) for seat in seats if seat.bot}
    people = {seat.side for seat in seats if seat.user_id is not None}
    while (decision := engine.decision) is not None:
        if player := players.get(decision.side):
            rng = random.Random(stream_seed(seed, "bots", len(engine.actions)))
            engine.play(player.choose(engine, rng))
        elif decision.side in people and (only := _only_answer(engine)):
            engine.play(only)
        else:
            return


CAN_BE_FORCED = ("token", "flag_drop")
"""The kinds of decision that may have one answer only."""


def _only_answer(engine: EngineMatch) -> dict[str, Any] | None:
    """The one legal answer to the open decision, None where there are several."""
    if engine.decision is None or engine.decision.kind not in CAN_BE_FORCED:
        return None
    actions = engine.legal_actions()
    return actions[0] if len(actions) == 1 else None


class _SeatsChanged(Exception):
    """The steps were thought out for seats that others hold by now."""


def _store_new_steps(match: Match, engine: EngineMatch, seats: Iterable[MatchSeat] | None = None) -> bool:
    """Append what `engine` played beyond the stored steps; False, and nothing stored, when somebody was faster.

    With `seats` it also counts as faster when one of them changed hands in between.
    """
    try:
        return _store(match, engine, seats)
    except _SeatsChanged:
        return False


def _store(match: Match, engine: EngineMatch, seats: Iterable[MatchSeat] | None) -> bool:
    before = match.last_sequence
    actions, events = engine.actions, engine.events
    after = len(actions)
    changes: dict[str, Any] = {"last_sequence": after, "state": Match.State.PLAYING}
    if engine.result is not None:
        changes |= {
            "state": Match.State.FINISHED,
            "result": engine.result.to_json(),
            "finished_at": timezone.now(),
        }
    with transaction.atomic():
        # The conditional update takes the row's lock and compares in one statement.
        open_match = Match.objects.filter(pk=match.pk, last_sequence=before).exclude(state=Match.State.FINISHED)
        if not open_match.update(**changes):
            return False
        if seats is not None:
            now = set(MatchSeat.objects.filter(match=match).values_list("side", "user_id", "bot"))
            if now != {(seat.side, seat.user_id, seat.bot) for seat in seats}:
                raise _SeatsChanged
        MatchAction.objects.bulk_create(
            MatchAction(
                match=match,
                sequence=number,
                side=side_of(match.setup, actions[number - 1]),
                action=actions[number - 1],
                events=events[number],
            )
            for number in range(before + 1, after + 1)
        )
        for name, value in changes.items():
            setattr(match, name, value)
        if match.is_finished:
            match_ended.send(sender=Match, match=match)
    return True
