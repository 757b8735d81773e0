"""What a season waits for now: its deadlines, the stables it waits for, and what is for the reader to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from stables.calendar_words import DEADLINES
from stables.models import Cycle, Fixture, FixtureSide, HandOver, Round, Season, Stable
from stables.seating import handed_over
from stables.services.entrants import entering
from stables.services.seasons import ready_mark


@dataclass(frozen=True)
class Deadline:
    """A time that is to come: of what, its label, and when; `round` is 0 for the market."""

    what: str
    label: str | Promise
    at: datetime
    round: int = 0


@dataclass(frozen=True)
class Task:
    """Something that the reader may do now, and where."""

    sentence: str
    address: str


@dataclass
class Now:
    """Where a season stands. `shopping` and `missing` are the stables of people that it waits for."""

    cycle: Cycle | None
    deadlines: list[Deadline] = field(default_factory=list)
    shopping: list[Stable] = field(default_factory=list)
    missing: list[FixtureSide] = field(default_factory=list)
    unplayed: list[Fixture] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    can_say_ready: bool = False
    is_ready: bool = False
    takes_part: bool = False

    @property
    def is_market(self) -> bool:
        return self.cycle is not None and self.cycle.state == Cycle.State.MARKET


def season_now(season: Season, cycle: Cycle | None, stables: Iterable[Stable], mine: Stable | None) -> Now:
    """Return where the season stands in its newest cycle, for the owner of `mine`; at most four queries.

    `stables` come with `skipped`.
    """
    now = Now(cycle)
    if cycle is None or season.state not in (Season.State.RECRUITING, Season.State.RUNNING):
        return now
    part = entering(stables, cycle.number)
    now.takes_part = mine is not None and any(stable.pk == mine.pk for stable in part)
    if cycle.state == Cycle.State.MARKET:
        _market(now, cycle, season, part, mine)
    elif cycle.state == Cycle.State.ROUNDS:
        _rounds(now, season, cycle, mine)
    return now


def _market(now: Now, cycle: Cycle, season: Season, part: list[Stable], mine: Stable | None) -> None:
    mark = ready_mark(cycle.number)
    if cycle.market_closes_at is not None:
        now.deadlines.append(Deadline("market", DEADLINES["market"], cycle.market_closes_at))
    away = {pk for pk, found in handed_over(season.pk).items() if found.scope == HandOver.Scope.EVERYTHING}
    now.shopping = [
        stable for stable in part if stable.owner_id is not None and stable.ready_for != mark and stable.pk not in away
    ]
    if mine is not None and now.takes_part:
        now.can_say_ready = True
        now.is_ready = mine.ready_for == mark
        if not now.is_ready:
            address = reverse("stables:stable", args=[season.slug, mine.slug])
            now.tasks.append(Task(_("The market is open: buy, repair, then say that you are ready."), address))


def _rounds(now: Now, season: Season, cycle: Cycle, mine: Stable | None) -> None:
    # In Python, because pages come with the rounds of their cycles.
    rounds = sorted(
        (each for each in cycle.rounds.all() if each.state != Round.State.SETTLED), key=lambda each: each.number
    )
    for each in rounds:
        times = (("line_ups", each.line_ups_due_at), ("play", each.play_due_at), ("confirm", each.confirm_due_at))
        now.deadlines += [Deadline(what, DEADLINES[what], at, each.number) for what, at in times if at is not None]
    sides = (
        FixtureSide.objects.filter(fixture__round__in=rounds)
        .exclude(fixture__state=Fixture.State.SETTLED)
        .select_related("fixture__round", "line_up", "stable")
        .order_by("fixture__round", "fixture__number", "id")
    )
    for side in sides:
        waits = not side.forfeits and not hasattr(side, "line_up")
        if waits and side.stable.owner_id is not None:
            now.missing.append(side)
        if side.fixture.state == Fixture.State.SEALED and side.fixture not in now.unplayed:
            now.unplayed.append(side.fixture)
        if mine is not None and side.stable_id == mine.pk:
            _own_match(now, season, mine, side, waits)


def _own_match(now: Now, season: Season, mine: Stable, side: FixtureSide, waits: bool) -> None:
    values = {"number": side.fixture.round.number}
    address = reverse("stables:fixture", args=[season.slug, side.fixture_id])
    if waits:
        address = reverse("stables:stable", args=[season.slug, mine.slug])
        now.tasks.append(Task(_("Round {number}: repair, then hand in your line-up.").format(**values), address))
    elif side.fixture.state == Fixture.State.SEALED and side.fixture.mode != Fixture.Mode.AI:
        now.tasks.append(Task(_("Round {number}: your match is to be played.").format(**values), address))
