"""The end of a season: how long its results may still be corrected after the last one."""

from __future__ import annotations

from datetime import datetime, timedelta

CLOSING_HOURS = 24
"""The hours of a season that names none."""

LONGEST_CLOSING_HOURS = 28 * 24


def grace(hours: int, people: int, *, is_solo: bool) -> timedelta:
    """Return how long a season waits after its last result until it closes itself.

    `hours` is the season's setting, `people` counts the stables that people run, and `is_solo` says that the calendar
    is that of a solo season. A season in which only the AI plays, and a solo season of one person, wait for nobody.
    """
    if people == 0 or (is_solo and people == 1):
        return timedelta()
    return timedelta(hours=hours)


def closes_at(
    held_at: datetime, wait: timedelta, planned: datetime | None, *, is_news: bool, paused_at: datetime | None
) -> datetime:
    """Return when a season closes whose titles are decided at `held_at`.

    `planned` is the time of an earlier ceremony, None at the first. It holds if the champions are the same, and begins
    again if they are not (`is_news`). In a season that is paused since `paused_at` the time has not begun to run.
    """
    if planned is not None and not is_news:
        return max(planned, paused_at or held_at)
    return (paused_at or held_at) + wait
