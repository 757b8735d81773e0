"""The time banks of a match in words: how much is left, until when, and who answers after that. No clock ticks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext

from matches.host import stops_in
from matches.models import Match
from matches.selectors.time_banks import absent_sides, elapsed, newest_step
from matches.services.answering import has_lapsed
from rules.competition.match import Match as EngineMatch
from web.moments import moment_words


@dataclass(frozen=True)
class Thinking:
    """What the reader should know about the time. `can_come_back`: they may take their decisions back from the AI.

    `away` are the names of the rival sides whose people count as absent.
    """

    sentences: tuple[str, ...]
    can_come_back: bool
    away: tuple[str, ...]


def thinking_of(
    match: Match, engine: EngineMatch, sides: Sequence[str], names: Mapping[str, str], now: datetime | None = None
) -> Thinking | None:
    """Return the time left for the player of `sides` in a match from `find_match`, and for the side that must decide.

    None without a time limit and after the end, without queries; otherwise 2 queries and those of the hosts. `names`
    are those of the sides.
    """
    if match.seconds_a_round is None or engine.decision is None:
        return None
    now = now or timezone.now()
    stops = stops_in(match.pk)
    since, asked, number = newest_step(match), engine.decision.side, engine.table.position.round
    lines = [gettext("The season is paused: no time passes.")] if stops.paused_at is not None else []
    if not lines and stops.stand_still(now):
        lines.append(gettext("Today is a day off of the season: no time passes."))
    is_standing = bool(lines)
    lapsed = False
    for seat in match.seats.all():
        is_own, is_asked = seat.side in sides, seat.side == asked
        if seat.user_id is None or not (is_own or is_asked):
            continue
        if has_lapsed(seat, number):
            lapsed = lapsed or is_own
            lines.append(_ran_out(is_own, names[seat.side]))
            continue
        left = max(0, seat.bank_seconds - (elapsed(since, now, stops) if is_asked else 0))
        ends = None if is_standing else stops.after(now, timedelta(seconds=left))
        lines.append(_left(left, is_own, is_asked, names[seat.side], ends))
    away = tuple(names[side] for side in absent_sides(match) if side not in sides)
    return Thinking(tuple(lines), lapsed, away)


def _ran_out(is_own: bool, name: str) -> str:
    if is_own:
        return gettext("Your time for this round ran out: the AI answers for you until the next round.")
    return gettext("The time of %(name)s ran out: the AI answers for them until the next round.") % {"name": name}


def _left(left: int, is_own: bool, is_asked: bool, name: str, ends: datetime | None) -> str:
    """Return a sentence on the time that is left. `ends` is when it will be used up, None while no time passes."""
    values: dict[str, Any] = {"left": amount(left), "name": name}
    if not is_asked:
        return gettext("Time for your own decisions: %(left)s. It passes only while you are asked.") % values
    if ends is None:
        return _plain(is_own) % values
    values["until"] = moment_words(ends)
    if left == 0:
        return gettext("The time is used up; the AI answers in a moment.")
    if is_own:
        return (
            gettext(
                "Time left for this round, with the rounds saved up: %(left)s. The AI answers for you after %(until)s "
                "until the next round."
            )
            % values
        )
    return gettext("Time left for %(name)s: %(left)s. The AI answers for them after %(until)s.") % values


def _plain(is_own: bool) -> str:
    return gettext("Your time left: %(left)s.") if is_own else gettext("Time left for %(name)s: %(left)s.")


def amount(seconds: int) -> str:
    """Return seconds in the reader's words, in the two largest units of time."""
    start = datetime(2000, 1, 1, tzinfo=UTC)
    return timesince(start, start + timedelta(seconds=seconds))
