"""Storing the steps of a match: one short conditional update accepts what an engine played outside transactions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from matches.models import Match, MatchAction, MatchSeat
from matches.selectors.time_banks import newest_step
from matches.services import forecasts, time_banks
from matches.signals import match_ended
from people.services.accounts import notify
from rules.competition.match import Match as EngineMatch
from rules.wording.isolation import isolated


@dataclass(frozen=True)
class Played:
    """Facts about newly played steps, for storing them.

    `asked` is the side whose decision was open before them, "" if no time is charged. `causes` says by number which
    steps were answered without their player and why. `seats` are those that the steps were played for; None if later
    changes of seats do not matter. `expired` is the side whose time has just run out, "" for none. `now` None means the
    time of storing.
    """

    asked: str
    causes: Mapping[int, str] = field(default_factory=dict)
    seats: tuple[MatchSeat, ...] | None = None
    expired: str = ""
    now: datetime | None = None


def side_of(setup: Mapping[str, Any], action: Mapping[str, Any]) -> str:
    """Return the side of an action's unit; empty for an action without a unit and for an unknown unit."""
    unit = action.get("unit")
    for side in setup["sides"]:
        if any(loadout["id"] == unit for loadout in side["units"]):
            return str(side["id"])
    return ""


class _SeatsChanged(Exception):
    """The seats have changed since the steps were played for them."""


def store_new_steps(match: Match, engine: EngineMatch, played: Played) -> bool:
    """Append the steps that `engine` played beyond the stored ones. Return whether they are stored.

    They are not when somebody else has stored a step. With `played.seats` they are not either when a seat has another
    player by now, or when its person came back in time.
    """
    try:
        return _store(match, engine, played)
    except _SeatsChanged:
        return False


def _store(match: Match, engine: EngineMatch, played: Played) -> bool:
    before = match.last_sequence
    actions, events = engine.actions, engine.events
    after = len(actions)
    now = played.now or timezone.now()
    changes: dict[str, Any] = {"last_sequence": after, "state": Match.State.PLAYING}
    if engine.result is not None:
        changes |= {"state": Match.State.FINISHED, "result": engine.result.to_json(), "finished_at": now}
    with transaction.atomic():
        # The conditional update takes the row's lock and compares in one statement.
        open_match = Match.objects.filter(pk=match.pk, last_sequence=before).exclude(state__in=Match.OVER)
        if not open_match.update(**changes):
            return False
        if played.seats is not None:
            _check_seats(match, played)
        since = newest_step(match) if match.seconds_a_round is not None else now
        MatchAction.objects.bulk_create(
            MatchAction(
                match=match,
                sequence=number,
                side=side_of(match.setup, actions[number - 1]),
                action=actions[number - 1],
                events=events[number],
                cause=played.causes.get(number, ""),
            )
            for number in range(before + 1, after + 1)
        )
        time_banks.settle(match, played.asked, since, engine.table.position.round, now, played.expired)
        if played.expired:
            _tell_expired(match, played)
        for name, value in changes.items():
            setattr(match, name, value)
        _ask_for_forecasts(match, engine, events[before + 1 :])
        if match.is_over:
            match_ended.send(sender=Match, match=match)
    return True


def _ask_for_forecasts(match: Match, engine: EngineMatch, news: Iterable[list[dict[str, Any]]]) -> None:
    """Ask for forecasts at the end of the match, and when a round has begun in the new events."""
    if match.is_over:
        forecasts.ask_for_curve(match, "end")
    elif any(event["event"] == "round_began" for events in news for event in events):
        forecasts.ask_for_curve(match, str(engine.table.position.round))


def _check_seats(match: Match, played: Played) -> None:
    """Raise _SeatsChanged when a seat has another player by now, or a time bank ran out or was filled again."""
    stored = MatchSeat.objects.filter(match=match).values_list("side", "user_id", "bot", "bank_seconds")
    now = {(side, user_id, bot, side != played.expired and not left) for side, user_id, bot, left in stored}
    thought = {
        (seat.side, seat.user_id, seat.bot, seat.side != played.expired and not seat.bank_seconds)
        for seat in played.seats or ()
    }
    is_taken_back = played.expired and any(side == played.expired and not left for side, _, _, left in stored)
    if now != thought or is_taken_back:
        raise _SeatsChanged


def _tell_expired(match: Match, played: Played) -> None:
    people = [seat.user for seat in played.seats or () if seat.side == played.expired and seat.user is not None]
    names = " – ".join(isolated(str(side.get("name") or side["id"])) for side in match.setup["sides"])
    notify(people, "time_ran_out", {"match": names}, reverse("matches:play", args=[match.public_id]))
