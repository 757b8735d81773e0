"""Where deadlines go that are set already when a calendar gets days off; pure arithmetic, without a clock.

A deadline only ever becomes later. By correspondence it is later by the days off that lie between now and it. In a
weekly calendar it is later by whole weeks, so that it keeps its day, and at a club night a round moves to an evening
that is free.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from rules.campaign.season.calendar import CLUB_NIGHT, DAYS_OF_A_WEEK, WEEKLY, Calendar, RoundTimes
from rules.campaign.season.clock import A_DAY


@dataclass(frozen=True)
class NewDaysOff:
    """A calendar with days off that the calendar `before` it may not have, at the moment `now` of the change."""

    before: Calendar
    after: Calendar
    now: datetime

    def deadline(self, due: datetime) -> datetime:
        """Return where a single deadline goes. One that has passed stays."""
        if due <= self.now:
            return due
        if self.after.preset == CLUB_NIGHT:
            return self._in_weeks(due, 1) if self.after.clock.is_off(due) else due
        moved = self.after.clock.behind(due, self._days_until(due))
        return self._in_weeks(due, self._weeks(due, moved)) if self.after.preset == WEEKLY else moved

    def elapsing(self, due: datetime) -> datetime:
        """Return where a deadline goes that follows no day of the week, such as the end of a silence."""
        return due if due <= self.now else self.after.clock.behind(due, self._days_until(due))

    def round(self, times: RoundTimes) -> RoundTimes:
        """Return where the times of a round go; they stay in order."""
        if self.after.preset == CLUB_NIGHT:
            return self._evening(times)
        line_ups, play, confirm = (
            None if due is None else self.deadline(due) for due in (times.line_ups, times.play, times.confirm)
        )
        play = play if play is None or line_ups is None else max(play, line_ups)
        confirm = confirm if confirm is None or play is None else max(confirm, play)
        return RoundTimes(line_ups, play, confirm)

    def _evening(self, times: RoundTimes) -> RoundTimes:
        """Return the times on the first evening, in weeks from their own, on which no time still ahead is off."""
        weeks = 0
        while True:
            moved = RoundTimes(
                *(
                    due if due is None or due <= self.now else self._shifted(due, weeks)
                    for due in (times.line_ups, times.play, times.confirm)
                )
            )
            if not any(due > self.now and self.after.clock.is_off(due) for due in moved.all):
                return moved
            weeks += 1

    def _days_until(self, due: datetime) -> int:
        """Return how many days off are new from today to the day of a deadline, both included."""
        today, day = (moment.astimezone(self.after.zone).date() for moment in (self.now, due))
        count = 0
        for first, last in self.after.clock.off:
            each = max(first, today)
            while each <= min(last, day):
                count += not self.before.clock.is_day_off(each)
                each += A_DAY
        return count

    def _in_weeks(self, due: datetime, weeks: int) -> datetime:
        """Return a moment so many weeks later by the wall clock, or the next such week that is not off."""
        while self.after.clock.is_off(self._shifted(due, weeks)):
            weeks += 1
        return self._shifted(due, weeks)

    def _shifted(self, due: datetime, weeks: int) -> datetime:
        day = due.astimezone(self.after.zone).date()
        return self.after.clock.on(due, day + weeks * DAYS_OF_A_WEEK * A_DAY)

    def _weeks(self, due: datetime, moved: datetime) -> int:
        """Return the fewest whole weeks that reach the local day of a later moment; 0 for the same day."""
        days = moved.astimezone(self.after.zone).date() - due.astimezone(self.after.zone).date()
        return -(-days // (DAYS_OF_A_WEEK * A_DAY))
