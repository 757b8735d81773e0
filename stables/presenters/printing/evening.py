"""An evening at the club for everybody in the room: who plays whom, at which table, in which arena, and how it ended.

The sheet for the wall and the page for the projector show it. It holds what everybody may see who may see the season:
no line-ups.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.http import Http404
from django.utils.functional import Promise

from rules.campaign.states import OPEN
from stables.models import Cycle, Fixture, Round, Season, Stable
from stables.presenters.charts.season import listed_fixtures
from stables.presenters.season_parts import fixtures
from stables.selectors.fixtures import arena_names
from stables.text import names as words
from stables.text.calendar import DEADLINES

NEAR = timedelta(minutes=5)
"""How long before its end a countdown shows the sign that little time is left."""

FAR = timedelta(hours=12)
"""How much time must be left for a countdown to name the day: an hour alone would read as that of tonight."""

FEW, MANY, CROWD = 4, 8, 16
"""The most meetings that a projector shows in one column, in two with letters as large, and in two with small ones."""


@dataclass(frozen=True)
class Meeting:
    """A match of the round, or a bye. `score` has the reputation of each side in order, () without a result.

    `state` and `winner` are words; `winner` is empty without one.
    """

    fixture: Fixture
    sides: tuple[tuple[Stable, ...], ...]
    arenas: str
    state: str
    winner: str
    score: tuple[int, ...]

    @property
    def is_bye(self) -> bool:
        return self.fixture.kind == Fixture.Kind.BYE

    @property
    def is_over(self) -> bool:
        return self.fixture.state == Fixture.State.SETTLED


@dataclass(frozen=True)
class Countdown:
    """The next deadline: its name in words, when it is, and how much time was left when the page was made."""

    label: str | Promise
    until: datetime
    left: timedelta

    @property
    def minutes(self) -> int:
        """The whole minutes that are left, a begun one counted."""
        return -(-int(self.left.total_seconds()) // 60)

    @property
    def is_near(self) -> bool:
        return self.left <= NEAR

    @property
    def is_far(self) -> bool:
        return self.left > FAR


@dataclass(frozen=True)
class Evening:
    """A round with its meetings, those at a table first and byes last. `round` is None before the first pairing.

    `countdown` is None when no deadline is to come; while the season is paused no time runs.
    """

    season: Season
    round: Round | None
    format_name: str
    meetings: tuple[Meeting, ...]
    countdown: Countdown | None

    @property
    def is_over(self) -> bool:
        """Whether every match of the round has its result."""
        return bool(self.meetings) and all(meeting.is_over or meeting.is_bye for meeting in self.meetings)

    @property
    def has_dates(self) -> bool:
        return any(meeting.fixture.scheduled_at is not None for meeting in self.meetings)

    @property
    def size(self) -> str:
        """How many meetings a projector has to show: "few" stand in one column, "many" in two, a "crowd" is smaller.

        A "throng" stands in three.
        """
        count = len(self.meetings)
        return "few" if count <= FEW else "many" if count <= MANY else "crowd" if count <= CROWD else "throng"

    @property
    def version(self) -> str:
        """A short text that changes whenever something on the page does, apart from the time that is left."""
        season, shown = self.season, self.round
        facts: list[Any] = [season.name, season.state, str(season.paused_at), None if shown is None else shown.pk]
        facts.append(None if self.countdown is None else [str(self.countdown.label), str(self.countdown.until)])
        for meeting in self.meetings:
            names = [[stable.name for stable in side] for side in meeting.sides]
            fixture = meeting.fixture
            facts.append([fixture.pk, fixture.table_number, str(fixture.scheduled_at), meeting.arenas, names])
            facts.append([meeting.state, meeting.winner, meeting.score])
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def evening_of(season: Season, at: datetime, asked: tuple[int, int] | None = None) -> Evening:
    """Return the newest round of a season, or the asked one (cycle and round); at most five queries.

    Fetch the season with its release. Raises Http404 for a round that there is not.
    """
    newest = season.cycles.order_by("-number").first()
    rounds = Round.objects.filter(cycle__season=season).select_related("cycle").order_by("-cycle__number", "-number")
    if asked is not None:
        rounds = rounds.filter(cycle__number=asked[0], number=asked[1])
    shown = rounds.first()
    if shown is None:
        if asked is not None:
            raise Http404
        return Evening(season, None, "", (), _countdown(season, newest, None, (), at))
    shown.cycle.season = season
    found = list(fixtures().filter(round=shown))
    for fixture in found:
        fixture.round = shown
    meetings = tuple(_meeting(row) for row in listed_fixtures(found, None))
    format_name = words.word(words.FORMATS, shown.cycle.format)
    return Evening(
        season, shown, format_name, tuple(sorted(meetings, key=_place)), _countdown(season, newest, shown, found, at)
    )


def _meeting(row: Any) -> Meeting:
    result = getattr(row.fixture, "result", None)
    by_side = {} if result is None else result.current.get("sides", {})
    keys = list(dict.fromkeys(side.side for side in row.fixture.sides.all()))
    score = tuple(by_side[key]["reputation"] for key in keys if key in by_side)
    return Meeting(
        fixture=row.fixture,
        sides=row.sides,
        arenas=arena_names(row.fixture.round.cycle.season, row.fixture.arena_key),
        state=row.state,
        winner=row.winner,
        score=score if len(score) == len(keys) > 1 else (),
    )


def _place(meeting: Meeting) -> tuple[bool, bool, int, int]:
    table = meeting.fixture.table_number
    return meeting.is_bye, table is None, table or 0, meeting.fixture.number


def _countdown(
    season: Season, newest: Cycle | None, shown: Round | None, found: Iterable[Fixture], at: datetime
) -> Countdown | None:
    """Return the countdown to the next deadline of the market, or of a round with open matches; None without one."""
    if newest is None or season.state not in OPEN or season.paused_at is not None:
        return None
    times: list[tuple[str, datetime | None]] = []
    if newest.state == Cycle.State.MARKET:
        times = [("market", newest.market_closes_at)]
    elif shown is not None:
        states = {fixture.state for fixture in found if fixture.kind == Fixture.Kind.MATCH}
        times = [("line_ups", shown.line_ups_due_at)] if Fixture.State.LINE_UPS in states else []
        if states - {Fixture.State.SETTLED}:
            times += [("play", shown.play_due_at), ("confirm", shown.confirm_due_at)]
    coming = [(until, what) for what, until in times if until is not None and until > at]
    if not coming:
        return None
    until, what = min(coming)
    return Countdown(DEADLINES[what], until, until - at)
