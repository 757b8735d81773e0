"""What a season waits for now: its deadlines, the stables it waits for, and the reader's tasks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _

from rules.campaign.results.agreeing import may_decide
from rules.campaign.season.clock import DaysOff
from rules.campaign.states import OPEN
from stables.models import Cycle, Fixture, FixtureSide, Round, Season, Stable
from stables.presenters.report_tasks import awaited, decision_task, owner_task
from stables.selectors.crews import left_to_the_ai, ready_mark
from stables.selectors.entrants import entering
from stables.selectors.proposals import OpenProposal, open_proposals_of
from stables.selectors.reports import Reported, reported_among
from stables.services.base.deadlines import calendar_of, silence_lasts
from stables.services.base.news import stored
from stables.text.calendar import DEADLINES, days_in_words, silence_sentence
from stables.text.parameters import proposed_words


@dataclass(frozen=True)
class Deadline:
    """A deadline to come: its kind, its label, and when; `round` is 0 for the market and the end of the season."""

    what: str
    label: str | Promise
    at: datetime
    round: int = 0


@dataclass(frozen=True)
class Task:
    """Something that the reader may do now, and where. `decides`: it is a decision of their office in the season.
    `is_aside`: the season's next step does not say it.
    """

    sentence: str
    address: str
    decides: bool = False
    is_aside: bool = False


@dataclass
class Now:
    """What a season waits for in `cycle`, its newest. `shopping` are stables of people, `missing` are their sides
    without a line-up. `away` are the ids of the stables that are left to the AI while a market is open.

    `own` is the first open side of the reader's stable, with its match, if there is one. `reported` are the open
    matches that have reports, by the ids of their fixtures. `awaits` says whom the reader's own reports wait for.
    `silence` says what silence does where matches are played at tables; elsewhere it is empty. `is_hurried`: the
    calendar has deadlines. `days_off` are those of the calendar that are not over, in words.
    """

    cycle: Cycle | None
    deadlines: list[Deadline] = field(default_factory=list)
    shopping: list[Stable] = field(default_factory=list)
    away: set[int] = field(default_factory=set)
    missing: list[FixtureSide] = field(default_factory=list)
    unplayed: list[Fixture] = field(default_factory=list)
    reported: dict[int, Reported] = field(default_factory=dict)
    awaits: list[str] = field(default_factory=list)
    silence: str = ""
    is_hurried: bool = False
    days_off: list[str] = field(default_factory=list)
    own: FixtureSide | None = None
    tasks: list[Task] = field(default_factory=list)
    can_say_ready: bool = False
    is_ready: bool = False
    takes_part: bool = False

    @property
    def is_market(self) -> bool:
        return self.cycle is not None and self.cycle.state == Cycle.State.MARKET

    @property
    def listed_tasks(self) -> list[Task]:
        """The tasks for the page to list. A single task of an owner is left out: the panel of the next step has it."""
        is_listed = len(self.tasks) > 1 or any(task.decides or task.is_aside for task in self.tasks)
        return self.tasks if is_listed else []

    @property
    def to_confirm(self) -> list[Reported]:
        """The matches whose reports wait to be confirmed."""
        return [reported_match for reported_match in self.reported.values() if not reported_match.differs]

    @property
    def disputed(self) -> list[Reported]:
        """The matches whose reports differ."""
        return [reported_match for reported_match in self.reported.values() if reported_match.differs]

    @property
    def unplayed_lines(self) -> list[tuple[Fixture, Reported | None]]:
        """The open matches with all line-ups, each with its reports, None when there is none."""
        return [(fixture, self.reported.get(fixture.pk)) for fixture in self.unplayed]


def season_now(
    season: Season,
    cycle: Cycle | None,
    stables: Iterable[Stable],
    mine: Stable | None,
    sides: Iterable[FixtureSide] | None = None,
    office: str = "",
) -> Now:
    """Return where the season stands in its newest cycle, for the owner of `mine`; at most six queries.

    Annotate the stables with stables.selectors.proposals.may_be_asked: one query less while nobody asks them anything.
    While a market is open, prefetch `skipped`. A caller that has read the sides of the cycle's open fixtures
    passes them as `sides`, in order and with line-ups. `office` is the reader's office in the season, for may_decide.
    """
    now = Now(cycle)
    if season.state == Season.State.PROVISIONAL and season.closes_at is not None:
        now.deadlines.append(Deadline("closing", DEADLINES["closing"], season.closes_at))
    if cycle is None or season.state not in OPEN:
        return now
    calendar = calendar_of(season)
    now.is_hurried, now.days_off = calendar.has_deadlines, list(map(days_in_words, coming_days_off(season)))
    if calendar.mode == Fixture.Mode.TABLE:
        now.silence = silence_sentence(silence_lasts(calendar), calendar.has_deadlines)
    if cycle.state == Cycle.State.MARKET:
        part = entering(stables, cycle.number)
        now.takes_part = mine is not None and any(stable.pk == mine.pk for stable in part)
        _market(now, cycle, season, part, mine)
    elif cycle.state == Cycle.State.ROUNDS:
        known = _rounds(now, cycle, sides)
        now.reported = reported_among(known) if season.state == Season.State.RUNNING else {}
        if now.reported or any(side.fixture.mode == Fixture.Mode.TABLE for side in known):
            now.silence = silence_sentence(silence_lasts(calendar), calendar.has_deadlines)
        _reports(now, season, mine, office)
        if mine is not None:
            _own(now, season, mine, known)
    return now


def coming_days_off(season: Season) -> list[DaysOff]:
    """Return the days off of a season's calendar that are not over, in order; no query."""
    return list(calendar_of(season).days_off_from(timezone.now()))


def _market(now: Now, cycle: Cycle, season: Season, part: list[Stable], mine: Stable | None) -> None:
    mark = ready_mark(cycle.number)
    if cycle.market_closes_at is not None:
        now.deadlines.append(Deadline("market", DEADLINES["market"], cycle.market_closes_at))
    now.away = away = left_to_the_ai(season.pk)
    now.shopping = [
        stable for stable in part if stable.owner_id is not None and stable.ready_for != mark and stable.pk not in away
    ]
    if mine is not None and now.takes_part:
        now.can_say_ready = True
        task = market_task(season, mine, cycle)
        now.is_ready = task is None
        now.tasks += [task] if task is not None else []


def market_task(season: Season, mine: Stable, cycle: Cycle) -> Task | None:
    """Return an owner's task while the market of a cycle is open; None once they have said that they are ready."""
    if mine.ready_for == ready_mark(cycle.number):
        return None
    address = reverse("stables:stable", args=[season.slug, mine.slug])
    return Task(_("The market is open: buy, repair, then say that you are ready."), address)


def _rounds(now: Now, cycle: Cycle, known: Iterable[FixtureSide] | None) -> list[FixtureSide]:
    """Fill in what the rounds wait for, and return the sides of the open fixtures."""
    # Filter in Python, because pages prefetch the rounds of their cycles.
    rounds = sorted(
        (each for each in cycle.rounds.all() if each.state != Round.State.SETTLED), key=lambda each: each.number
    )
    for each in rounds:
        times = (("line_ups", each.line_ups_due_at), ("play", each.play_due_at), ("confirm", each.confirm_due_at))
        now.deadlines += [Deadline(what, DEADLINES[what], at, each.number) for what, at in times if at is not None]
    sides = list(_open_sides(rounds) if known is None else known)
    excused = {side.fixture_id: side.fixture for side in sides if side.fixture.excused_until is not None}
    now.deadlines += [
        Deadline("excused", DEADLINES["excused"], fixture.excused_until, fixture.round.number)
        for fixture in excused.values()
        if fixture.excused_until is not None
    ]
    for side in sides:
        waits = not side.forfeits and not hasattr(side, "line_up")
        if waits and side.stable.owner_id is not None:
            now.missing.append(side)
        if side.fixture.state == Fixture.State.SEALED and side.fixture not in now.unplayed:
            now.unplayed.append(side.fixture)
    return sides


def _own(now: Now, season: Season, mine: Stable, sides: Iterable[FixtureSide]) -> None:
    """Fill in what the sides of the reader's stable wait for."""
    for side in sides:
        if side.stable_id != mine.pk:
            continue
        now.own = now.own or side
        reported_match = now.reported.get(side.fixture_id)
        task = match_task(season, mine, side, reported_match)
        now.tasks += [task] if task is not None else []
        waits = awaited(reported_match, mine) if reported_match is not None else None
        now.awaits += [waits] if waits else []
    if now.own is not None and getattr(mine, "may_be_asked", True):
        now.tasks += [proposal_task(season, asked) for asked in open_proposals_of([mine.pk])]


def _reports(now: Now, season: Season, mine: Stable | None, office: str) -> None:
    """Fill in the deadlines of reports, and what the reader has to decide."""
    for reported_match in now.reported.values():
        if reported_match.fixture.confirm_due_at is not None:
            what = "referee" if reported_match.differs else "silence"
            deadline = Deadline(
                what, DEADLINES[what], reported_match.fixture.confirm_due_at, reported_match.fixture.round.number
            )
            now.deadlines.append(deadline)
        task = ruling_task(season, reported_match, office, mine.owner_id if mine is not None else None)
        now.tasks += [task] if task is not None else []


def ruling_task(season: Season, reported_match: Reported, office: str, reader_id: int | None) -> Task | None:
    """Return what a reader with this office has to decide about the reports of a match, None if nothing."""
    if not reported_match.differs or not may_decide(office, reported_match.is_of(reader_id)):
        return None
    return Task(decision_task(reported_match), _fixture_page(season, reported_match.fixture), decides=True)


def match_task(
    season: Season,
    mine: Stable,
    side: FixtureSide,
    reported_match: Reported | None = None,
    *,
    stands_in: bool = False,
) -> Task | None:
    """Return an owner's task for their side of an open fixture, None if there is nothing to do.

    Fetch the side with its line-up and round. `reported_match` has the reports, None when there is none. One who
    `stands_in` has nothing to repair, and finds the line-up on the page of the match.
    """
    if reported_match is not None and not side.forfeits:
        asked = owner_task(reported_match, mine)
        return Task(asked, _fixture_page(season, side.fixture)) if asked is not None else None
    values = {"number": side.fixture.round.number}
    if not side.forfeits and not hasattr(side, "line_up"):
        if stands_in:
            sentence = _("Round {number}: hand in the line-up.").format(**values)
            return Task(sentence, _fixture_page(season, side.fixture))
        address = reverse("stables:stable", args=[season.slug, mine.slug])
        return Task(_("Round {number}: repair, then hand in your line-up.").format(**values), address)
    if side.fixture.state == Fixture.State.SEALED and side.fixture.mode != Fixture.Mode.AI:
        sentence = _("Round {number}: your match is to be played.").format(**values)
        return Task(sentence, _fixture_page(season, side.fixture))
    return None


def proposal_task(season: Season, asked: OpenProposal) -> Task:
    """Return the task of an owner to whom a date or a mode is proposed."""
    proposed = proposed_words({"at": stored(asked.at), "mode": asked.mode})
    text = _("Round {number}: {stable} proposes for your match: {proposed}. Accept or decline it.")
    name = format_html('<span translate="no">{}</span>', asked.proposer)
    sentence = format_html(text, number=asked.round, stable=name, proposed=proposed)
    return Task(sentence, reverse("stables:fixture", args=[season.slug, asked.fixture_id]), is_aside=True)


def _fixture_page(season: Season, fixture: Fixture) -> str:
    return reverse("stables:fixture", args=[season.slug, fixture.pk])


def _open_sides(rounds: Iterable[Round]) -> QuerySet[FixtureSide]:
    """Return the sides of the open fixtures of the rounds; one query."""
    return (
        FixtureSide.objects.filter(fixture__round__in=rounds)
        .exclude(fixture__state=Fixture.State.SETTLED)
        .select_related("fixture__round", "fixture__match", "line_up", "stable")
        .defer("fixture__match__setup", "fixture__match__seed", "fixture__match__result")
        .order_by("fixture__round", "fixture__number", "id")
    )
