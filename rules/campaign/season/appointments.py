"""When a match is played and who decides in it: dates, absent players, and when bots may play it alone (Q-157).

Moments are aware datetimes that the caller brings; nothing here asks a clock.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from rules.core.refusals import Refusal

GRACE = timedelta(minutes=30)
"""How long after the agreed hour a player waits before they may claim that the other one did not come."""

EXTRA_TIME = timedelta(days=7)
"""How far away the one new date may be when every deadline of the round has passed (Q-157)."""

LONGEST_HAND_OVER = timedelta(days=120)
"""The longest time of one hand-over of a stable."""

FARTHEST = timedelta(days=366)
"""How far ahead anything may be arranged, with or without deadlines."""

TIMES_UP = 3
"""A player counts as absent once their time has run out in this many rounds."""

HOLDERS = ("stand_in", "ai", "hand_over", "program", "person")
"""Who may decide for a stable in a match. If several could, the earlier one in this order decides."""

DECIDED_BY_BOT = frozenset({"stand_in", "ai", "hand_over"})
"""The holders that are bots."""


def moment_text(moment: datetime) -> str:
    """Return a moment in UTC, to the minute, as refusals and notices name it.

    On the first and last day of the calendar, a moment that has no equivalent in UTC keeps its own digits.
    """
    with suppress(OverflowError):
        # On the calendar's first and last day UTC may lie beyond it: such a moment is refused with its own digits.
        moment = moment.astimezone(UTC)
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def check_date(at: datetime, now: datetime, due: datetime | None) -> list[Refusal]:
    """Return why a match may not be played at `at`; empty when it may.

    `due` is the last moment allowed, None without one. The codes are date_not_ahead, date_too_far and
    date_after_deadline.
    """
    if at <= now:
        return [Refusal("date_not_ahead", {"date": moment_text(at)})]
    if at - now > FARTHEST:
        return [Refusal("date_too_far", {"date": moment_text(at), "days": FARTHEST.days})]
    if due is not None and at > due:
        return [Refusal("date_after_deadline", {"date": moment_text(at), "due": moment_text(due)})]
    return []


def latest_new_date(now: datetime, deadlines: Iterable[datetime | None]) -> datetime | None:
    """Return the latest hour for the one new date that an absent player gets (Q-157); None without deadlines.

    It is the round's last deadline. When all deadlines have passed, the round waits EXTRA_TIME from now.
    """
    known = [deadline for deadline in deadlines if deadline is not None]
    if not known:
        return None
    return max(known) if max(known) > now else now + EXTRA_TIME


def claims_from(appointment: datetime, over: datetime | None = None) -> datetime:
    """Return the first moment at which a player may claim that the other one missed `appointment`.

    It is GRACE after the appointment, or halfway between the appointment and `over` if that is sooner. `over` is the
    round's last deadline, None without one; one that is not after the appointment does not count.
    """
    if over is None or over <= appointment:
        return appointment + GRACE
    return min(appointment + GRACE, appointment + (over - appointment) / 2)


def check_claim(appointment: datetime | None, now: datetime, over: datetime | None = None) -> list[Refusal]:
    """Return why nobody may claim now that a player missed `appointment` (Q-157); empty when they may.

    `appointment` None means that no date was agreed and no deadline stands for it. `over` is the round's last deadline,
    None without one; one that is not after the appointment does not count. The codes are no_date_to_miss and
    claim_too_early.
    """
    if appointment is None:
        return [Refusal("no_date_to_miss")]
    first = claims_from(appointment, over)
    if now < first:
        return [Refusal("claim_too_early", {"date": moment_text(appointment), "from": moment_text(first)})]
    return []


def may_forfeit(sides: Sequence[str], has_match: bool, *, table_only: bool = False) -> bool:
    """Return whether the absent stable of a fixture may lose by forfeit, given the side of each of its stables.

    When two stables share a side, the partner would lose too. In a match of more than two sides that has begun
    (`has_match`), the absent stable's units are in the arena. In both cases only a stand-in is left (Q-138, Q-157,
    Q-168). In a season for real tables only (`table_only`) nobody may stand in. The match goes on without the absent
    stable, also once the phones count it. Its partner fights alone and keeps the numbers of their units.
    """
    if table_only:
        return True
    if len(set(sides)) != len(sides):
        return False
    return len(sides) == 2 or not has_match


def holder(*, is_stood_in: bool, has_person: bool, is_handed_over: bool, has_program: bool) -> str:
    """Return which of HOLDERS decides for a stable in its match.

    A stand-in that was chosen for this match decides first. Without a person the AI decides. A hand-over comes before
    the program that otherwise plays for the person.
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
    """Return whether bots may play every side of a fixture: each of its `persons` has agreed or is absent.

    `is_default` says that the season's calendar lets bots play all matches; then everybody has agreed by joining.
    """
    return is_default or all(person in agreed or person in absent for person in persons)


def mode_played(mode: str, holders: Collection[str], bots_may: bool) -> str:
    """Return how a fixture of `mode` is really played: "ai", "browser" or "table".

    `holders` are those of HOLDERS who decide in it. When all of them are bots, or when its mode is "ai" and `bots_may`,
    bots play it. At a table every holder must be a person. All other matches are played in the browser.
    """
    if all(one in DECIDED_BY_BOT for one in holders):
        return "ai"
    if mode == "table" and all(one == "person" for one in holders):
        return "table"
    return "ai" if mode == "ai" and bots_may else "browser"


def check_hand_over(starts: datetime, ends: datetime, now: datetime) -> list[Refusal]:
    """Return why a stable may not be handed over from `starts` to `ends`; empty when it may.

    The codes are hand_over_takes_no_time, hand_over_too_long and date_too_far.
    """
    if ends <= now or ends <= starts:
        return [Refusal("hand_over_takes_no_time", {"from": moment_text(starts), "to": moment_text(ends)})]
    if ends - starts > LONGEST_HAND_OVER:
        return [Refusal("hand_over_too_long", {"days": LONGEST_HAND_OVER.days})]
    if starts - now > FARTHEST:
        return [Refusal("date_too_far", {"date": moment_text(starts), "days": FARTHEST.days})]
    return []


def left_of_limit(limit: int | None, spent: int) -> int | None:
    """Return how many Stones may still be spent under a hand-over, at least 0; None without a limit."""
    return None if limit is None else max(limit - spent, 0)
