"""When a match is played and who decides in it: dates, absent players, and when bots may play it alone (Q-157).

Moments are aware datetimes that the caller brings; nothing here asks a clock.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from rules.core.refusals import Refusal

GRACE = timedelta(minutes=30)
"""How long a player waits after the hour before they may say that the other one did not come."""

EXTRA_TIME = timedelta(days=7)
"""How far away the one new date may be when every deadline of the round is over (Q-157)."""

LONGEST_HAND_OVER = timedelta(days=120)
"""The longest time for which a stable is handed over at once; a season lasts weeks."""

FARTHEST = timedelta(days=366)
"""How far ahead anything is arranged at all, deadlines or none: nobody waits longer, and calendars have an end."""

TIMES_UP = 3
"""After so many rounds in which their time ran out a player counts as one who did not come."""

HOLDERS = ("stand_in", "ai", "hand_over", "program", "person")
"""Who may decide for a stable in a match, in the order in which one goes before the other."""

DECIDED_BY_BOT = frozenset({"stand_in", "ai", "hand_over"})
"""The holders of whom a bot is one."""


def moment_text(moment: datetime) -> str:
    """Return a moment in UTC, to the minute, as refusals and notices name it."""
    with suppress(OverflowError):
        # On the calendar's first and last day UTC may lie beyond it: such a moment is refused with its own digits.
        moment = moment.astimezone(UTC)
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def check_date(at: datetime, now: datetime, due: datetime | None) -> list[Refusal]:
    """Return what forbids to play at `at`; `due` is the end of the round's time to play, None when nobody hurries."""
    if at <= now:
        return [Refusal("date_not_ahead", {"date": moment_text(at)})]
    if at - now > FARTHEST:
        return [Refusal("date_too_far", {"date": moment_text(at), "days": FARTHEST.days})]
    if due is not None and at > due:
        return [Refusal("date_after_deadline", {"date": moment_text(at), "due": moment_text(due)})]
    return []


def latest_new_date(now: datetime, deadlines: Iterable[datetime | None]) -> datetime | None:
    """Return the latest hour of the one new date that an absent player gets (Q-157); None: any, nobody hurries.

    It lies within the round's deadlines; when all of them are over, the round waits for it a little longer.
    """
    known = [deadline for deadline in deadlines if deadline is not None]
    if not known:
        return None
    return max(known) if max(known) > now else now + EXTRA_TIME


def claims_from(appointment: datetime, over: datetime | None = None) -> datetime:
    """Return from when on somebody may be said not to have come to `appointment`.

    After the grace; where the match is over by then (`over`), after half of the time until then.
    """
    if over is None or over <= appointment:
        return appointment + GRACE
    return min(appointment + GRACE, appointment + (over - appointment) / 2)


def check_claim(appointment: datetime | None, now: datetime, over: datetime | None = None) -> list[Refusal]:
    """Return what forbids to claim now that a player did not come to `appointment` (Q-157); `over`: see claims_from."""
    if appointment is None:
        return [Refusal("no_date_to_miss")]
    first = claims_from(appointment, over)
    if now < first:
        return [Refusal("claim_too_early", {"date": moment_text(appointment), "from": moment_text(first)})]
    return []


def may_forfeit(sides: Sequence[str], has_match: bool) -> bool:
    """Return whether the absent stable of a fixture may be forfeited, given the side of each of its stables.

    Where two stables share a side the partner would lose with it; in a match of several sides that has begun the
    absent one's units stand in the arena. Then only the stand-in is left (Q-138, Q-157, Q-168).
    """
    if len(set(sides)) != len(sides):
        return False
    return len(sides) == 2 or not has_match


def holder(*, is_stood_in: bool, has_person: bool, is_handed_over: bool, has_program: bool) -> str:
    """Return which of HOLDERS decides for a stable in its match.

    A stand-in was chosen for this match; without a person the AI decides; a person who is away goes before the program
    that otherwise plays for them.
    """
    if is_stood_in:
        return "stand_in"
    if not has_person:
        return "ai"
    if is_handed_over:
        return "hand_over"
    return "program" if has_program else "person"


def bots_may_play_all(
    persons: Collection[Hashable], *, agreed: Collection[Hashable], absent: Collection[Hashable], is_default: bool
) -> bool:
    """Return whether bots may play every side of a fixture: each of its `persons` agreed to that, or is absent.

    With `is_default` it is what the season's calendar says of all matches, and everybody agreed by joining.
    """
    return is_default or all(person in agreed or person in absent for person in persons)


def mode_played(mode: str, holders: Collection[str], bots_may: bool) -> str:
    """Return how a fixture of `mode` is really played: "ai", "browser" or "table".

    Where nobody is left to play, bots play it; at a table every side needs a person; what bots may not play alone is
    played in the browser by those who are there.
    """
    if all(one in DECIDED_BY_BOT for one in holders):
        return "ai"
    if mode == "table" and all(one == "person" for one in holders):
        return "table"
    return "ai" if mode == "ai" and bots_may else "browser"


def check_hand_over(starts: datetime, ends: datetime, now: datetime) -> list[Refusal]:
    """Return what forbids to hand a stable over from `starts` to `ends`."""
    if ends <= now or ends <= starts:
        return [Refusal("hand_over_takes_no_time", {"from": moment_text(starts), "to": moment_text(ends)})]
    if ends - starts > LONGEST_HAND_OVER:
        return [Refusal("hand_over_too_long", {"days": LONGEST_HAND_OVER.days})]
    if starts - now > FARTHEST:
        return [Refusal("date_too_far", {"date": moment_text(starts), "days": FARTHEST.days})]
    return []


def left_of_limit(limit: int | None, spent: int) -> int | None:
    """Return how many Stones may still be spent under a hand-over; None: without limit."""
    return None if limit is None else max(limit - spent, 0)
