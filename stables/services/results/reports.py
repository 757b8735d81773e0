"""Results from a table: reports, their comparison, and confirmation by silence.

Agreeing reports of all stables that people run settle the match at once, if there are at least two. Silence confirms
agreeing reports a day after the first one, or after the span of the calendar. A stable that was silent may reopen the
result once, until the cycle closes. Between two stables reports agree if they are equal. Among more, owners decide
about their own units and a majority of the reports about the rest (rules.campaign.results.agreeing).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from people.models import Notice
from people.services.accounts import Limit, count_attempt, notify
from rules.campaign.results.agreeing import Agreement, agree, reminders_due
from rules.campaign.results.corrections import void
from rules.campaign.results.reports import read
from rules.campaign.states import CYCLE, FIXTURE
from rules.core.refusals import SeasonRefused
from stables.models import Correction, Cycle, Fixture, FixtureSide, Report, Result, Round, Season
from stables.selectors.fixtures import sides_with_line_ups
from stables.selectors.offices import deciders_of
from stables.selectors.seating import People, seating_of
from stables.services.base import log
from stables.services.base.deadlines import CLOCKS_DIFFER, silence_ends
from stables.services.base.job_requests import ask_for
from stables.services.base.news import place_of, stored, tell_people, terms_of
from stables.services.results.contests import contest_of, outcome_of, read_report
from stables.services.results.effects import change
from stables.services.results.result_books import lock_stables
from stables.services.results.settlement import lock_played_in, settle

AGREED, SILENCE = Result.Source.AGREED, Result.Source.SILENCE

REPORTS_OF_A_STABLE = Limit("report", 20)
"""How many reports of one match a stable may file in an hour: each is a notice to others, mailed at once if it is due
soon."""


@dataclass(frozen=True)
class Filed:
    """A filed report: its number among the stable's own, whether it settled the match, and `differing`.

    `differing` holds the paths of the fields on which the newest reports differ. If they agree on a result that cannot
    be true, it holds the code of the problem instead (`compare`).
    """

    number: int
    settled: bool
    differing: tuple[str, ...]


@dataclass(frozen=True)
class Reopened:
    """A reopened match, and the time at which silence confirms its reports again."""

    fixture_id: int
    confirm_due_at: datetime | None


@transaction.atomic
def file_report(
    *, fixture_id: int, stable_id: int, document: object, user: Any = None, now: datetime | None = None
) -> Filed:
    """File a stable's report of its match.

    Once all stables that people run have reported, at least two, agreeing reports settle the match. Otherwise owners
    who have not reported get a notice, and all owners if the reports differ. Raises SeasonRefused (fixture_settled,
    report_too_early, report_not_at_table, report_not_yours, and the codes of rules.campaign.results.report_checks),
    Malformed (not_an_object, bad_field, not_a_number) or TooOften (too_often).
    """
    now = now or timezone.now()
    played_in, fixture = lock_played_in(fixture_id)
    sides = require_open(fixture)
    side = _own_side(sides, stable_id)
    report = read_report(contest_of(fixture, sides), document)
    return _file(played_in, fixture, sides, side, report.to_json(), user, now)


@transaction.atomic
def confirm_report(
    *, fixture_id: int, stable_id: int, report_id: int, user: Any = None, now: datetime | None = None
) -> Filed:
    """File another stable's newest report as the stable's own; it may settle the match as `file_report` says.

    Raises SeasonRefused (fixture_settled, report_too_early, report_not_at_table, report_not_yours, report_not_newest).
    """
    now = now or timezone.now()
    played_in, fixture = lock_played_in(fixture_id)
    sides = require_open(fixture)
    side = _own_side(sides, stable_id)
    theirs = {report.pk: report for report in newest_reports(fixture) if report.stable_id != stable_id}
    if report_id not in theirs:
        raise SeasonRefused("report_not_newest")
    return _file(played_in, fixture, sides, side, theirs[report_id].document, user, now)


def require_open(fixture: Fixture) -> list[FixtureSide]:
    """Return the sides of a fixture that waits for its result from a table, with their line-ups.

    Raises SeasonRefused (fixture_settled, report_too_early, report_not_at_table).
    """
    if fixture.state == Fixture.State.SETTLED:
        raise SeasonRefused("fixture_settled")
    FIXTURE.require("report", fixture.state, "report_too_early", state=fixture.state)
    # A reported match at a table stays one, even if a player hands their stable over afterwards.
    is_reported = Report.objects.filter(fixture=fixture).exists()
    if fixture.match_id is not None or not (is_reported or seating_of(fixture).mode == Fixture.Mode.TABLE):
        raise SeasonRefused("report_not_at_table", mode=fixture.mode)
    return sides_with_line_ups(fixture)


def _own_side(sides: Iterable[FixtureSide], stable_id: int) -> FixtureSide:
    for side in sides:
        if side.stable_id == stable_id and not side.forfeits:
            return side
    raise SeasonRefused("report_not_yours")


def newest_reports(fixture: Fixture) -> list[Report]:
    """Return the newest report of each stable, in the order of their first reports; one query.

    They have their stables and the owners of those.
    """
    found: dict[int, Report] = {}
    for report in Report.objects.filter(fixture=fixture).select_related("stable__owner").order_by("id"):
        found[report.stable_id] = report
    return list(found.values())


def _file(
    played_in: Round,
    fixture: Fixture,
    sides: list[FixtureSide],
    side: FixtureSide,
    document: dict[str, Any],
    user: Any,
    now: datetime,
) -> Filed:
    count_attempt(REPORTS_OF_A_STABLE, f"{fixture.pk} {side.stable_id}")
    number = Report.objects.filter(fixture=fixture, stable=side.stable).count() + 1
    Report.objects.create(fixture=fixture, stable=side.stable, number=number, document=document, user=user)
    reports = newest_reports(fixture)
    agreement = compare(fixture, sides, reports)
    heard = {report.stable_id for report in reports}
    is_complete = len(heard) > 1 and all(each.stable_id in heard for each in _with_people(sides))
    if is_complete and agreement.report is not None:
        _settle_by(played_in, fixture, sides, agreement.report, AGREED, user, now)
        return Filed(number, True, ())
    cycle = fixture.round.cycle
    silent = [each for each in _with_people(sides) if each.stable_id not in heard]
    if number == 1:
        facts = {**place_of(fixture, sides), "stable": side.stable.name}
        asks = [each.stable_id for each in silent]
        log.record(cycle.season, "report_filed", facts, cycle=cycle, fixture=fixture, actor=user, asks=asks)
    _start_waiting(fixture, now)
    facts = {"stable": side.stable.name, **_awaited_by(fixture, sides)}
    tell_people(_people(silent), "report_names_you", facts, fixture.get_absolute_url())
    if agreement.differing:
        place = place_of(fixture, sides)
        if number == 1:
            # A further report of the same side is no further dispute.
            asks = [each.stable_id for each in _with_people(sides)]
            deciders = [person.pk for person in deciders_of(cycle.season, sides)]
            log.record(
                cycle.season, "report_disputed", place, cycle=cycle, fixture=fixture, asks=asks, deciders=deciders
            )
        facts = {"season": cycle.season.name, **place, **terms_of(fixture), "count": len(agreement.differing)}
        tell_people(_people(sides), "report_disputed", facts, fixture.get_absolute_url())
        _tell_deciders(fixture, sides)
    return Filed(number, False, agreement.differing)


def _awaited_by(fixture: Fixture, sides: Iterable[FixtureSide]) -> dict[str, Any]:
    """Return what the notices of a report say to those whose word is awaited: which match, and until when."""
    facts = {"season": fixture.round.cycle.season.name, **place_of(fixture, sides), **terms_of(fixture)}
    return {**facts, "due": stored(fixture.confirm_due_at)}


def _with_people(sides: Iterable[FixtureSide]) -> list[FixtureSide]:
    return [side for side in sides if not side.forfeits and side.stable.owner_id is not None]


def _people(sides: Iterable[FixtureSide]) -> People:
    """Return the owners of sides and those who stand in for them."""
    owned = _with_people(sides)
    stand_ins = [side.stand_in for side in owned if side.stand_in_id is not None]
    return People([side.stable.owner for side in owned], stand_ins)


def compare(fixture: Fixture, sides: list[FixtureSide], reports: Iterable[Report]) -> Agreement:
    """Compare reports field by field, and return their Agreement (rules.campaign.results.agreeing).

    If they agree on a report that cannot be true, `report` is None and `differing` holds the code of its first problem.
    Raises SeasonRefused (report_too_early).
    """
    contest = contest_of(fixture, sides)
    owners = {name: unit.stable for name, unit in contest.units.items()}
    agreement = agree({report.stable.number: report.document for report in reports}, owners, len(contest.stables))
    if agreement.report is not None:
        try:
            read_report(contest, agreement.report)
        except SeasonRefused as problem:
            return Agreement(None, (problem.code,))
    return agreement


def _settle_by(
    played_in: Round,
    fixture: Fixture,
    sides: list[FixtureSide],
    document: dict[str, Any],
    source: str,
    user: Any,
    now: datetime,
) -> None:
    report = read(document, contest_of(fixture, sides))
    settle(played_in, fixture, sides, outcome_of(fixture, sides, report, source), source, user=user, now=now)
    cycle = fixture.round.cycle
    facts = place_of(fixture, sides)
    code = "result_by_silence" if source == SILENCE else "result_agreed"
    log.record(cycle.season, code, facts, cycle=cycle, fixture=fixture, actor=user if source == AGREED else None)


# Silence ---------------------------------------------------------------------------------------------------------


def _start_waiting(fixture: Fixture, now: datetime) -> None:
    """Start the time to contradict a report, unless it runs already."""
    if fixture.confirm_due_at is None:
        wait_until(fixture, due_after(fixture, now), now)


def due_after(fixture: Fixture, now: datetime) -> datetime:
    """Return when silence confirms a report made at `now`: a day later, or after the span of the calendar."""
    return silence_ends(fixture.round.cycle.season, now)


def wait_until(fixture: Fixture, due: datetime, now: datetime) -> None:
    """Set the time at which silence confirms a report to `due`, count reminders from 0, and ask for the looks."""
    fixture.confirm_due_at, fixture.reminders = due, 0
    fixture.save(update_fields=["confirm_due_at", "reminders"])
    ask_for_looks(fixture, now)


def ask_for_looks(fixture: Fixture, now: datetime) -> None:
    """Ask for a look at a reported match at each third of the time that is left; none if no time runs.

    Call it again after a pause.
    """
    if fixture.confirm_due_at is None:
        return
    span = fixture.confirm_due_at - now
    for third in (1, 2, 3):
        at = now + span * third / 3
        season = fixture.round.cycle.season
        ask_for(season, "stables.confirm", confirm_key(fixture, at), not_before=at, fixture=fixture.pk)


def confirm_key(fixture: Fixture, at: datetime) -> str:
    """Return the key of the look at a reported match at this moment; another moment has another key."""
    return f"fixture:{fixture.pk}:confirm:{int(at.timestamp() * 1_000_000)}"


@transaction.atomic
def chase(*, fixture_id: int, now: datetime | None = None) -> str:
    """Remind the owners who have not reported or, once their time is over, confirm the reports if they agree.

    Reports that differ then wait for their players, an organiser or a referee; organisers and referees get a notice.
    Return "reminded", "confirmed", "disputed", or "" if nothing was done. Safe to repeat: reminders are counted, and a
    settled match stays. In a paused season nothing is done. Raises SeasonRefused (report_too_early) if fewer than two
    sides are left.
    """
    # The job waited by the database's clock, which may differ a little from this one.
    now = (now or timezone.now()) + CLOCKS_DIFFER
    played_in, fixture = lock_played_in(fixture_id)
    season: Season = fixture.round.cycle.season
    due = fixture.confirm_due_at
    is_open = fixture.state == Fixture.State.SEALED and season.state == Season.State.RUNNING
    if due is None or not is_open or season.paused_at is not None:
        return ""
    sides = sides_with_line_ups(fixture)
    reports = newest_reports(fixture)
    if not reports:
        return ""
    if now < due:
        return _remind(fixture, sides, reports, due, now)
    agreement = compare(fixture, sides, reports)
    if agreement.report is not None:
        _settle_by(played_in, fixture, sides, agreement.report, SILENCE, None, now)
        heard = {report.stable_id for report in reports}
        silent = _people(side for side in sides if side.stable_id not in heard)
        facts = {"season": season.name, **place_of(fixture, sides)}
        tell_people(silent, "result_by_silence", facts, fixture.get_absolute_url())
        return "confirmed"
    fixture.confirm_due_at = None
    fixture.save(update_fields=["confirm_due_at"])
    _tell_deciders(fixture, sides)
    return "disputed"


def _tell_deciders(fixture: Fixture, sides: list[FixtureSide]) -> None:
    """Tell organisers and referees who may decide a match that its reports differ, once for each dispute."""
    season, address = fixture.round.cycle.season, fixture.get_absolute_url()
    people = {person.pk: person for person in deciders_of(season, sides)}
    know = Notice.objects.filter(user__in=people, code="ruling_wanted", url=address, done_at=None)
    for pk in know.values_list("user", flat=True):
        people.pop(pk, None)
    facts = {"season": season.name, **place_of(fixture, sides)}
    notify(people.values(), "ruling_wanted", facts, address)


def _remind(fixture: Fixture, sides: list[FixtureSide], reports: list[Report], due: datetime, now: datetime) -> str:
    first = min(report.created_at for report in reports)
    wanted = reminders_due(_began(fixture, first), due, now)
    if wanted <= fixture.reminders:
        return ""
    heard = {report.stable_id for report in reports}
    facts = {"stable": reports[0].stable.name, **_awaited_by(fixture, sides)}
    silent = _people(side for side in sides if side.stable_id not in heard)
    tell_people(silent, "report_reminder", facts, fixture.get_absolute_url())
    fixture.reminders = wanted
    fixture.save(update_fields=["reminders"])
    return "reminded"


def _began(fixture: Fixture, first_report: datetime) -> datetime:
    """Return when the time to contradict began: with the first report, or when the match was reopened."""
    newest = Correction.objects.filter(result__fixture=fixture, kind=Correction.Kind.REOPEN).order_by("-number").first()
    return first_report if newest is None else max(first_report, newest.created_at)


@transaction.atomic
def reopen(*, fixture_id: int, stable_id: int, reason: str, user: Any = None, now: datetime | None = None) -> Reopened:
    """Reopen a result that silence confirmed, for a stable that has not reported; once, until the cycle closes.

    All effects of the result are taken back, and the time to contradict runs once more. If the stable stays silent,
    the reports of the others are confirmed again. Raises SeasonRefused (reopen_not_silent, reopen_too_late,
    report_reopened_before, report_not_yours).
    """
    now = now or timezone.now()
    ids = Fixture.objects.values_list("round__cycle_id", flat=True)
    # Under this lock the close of the cycle comes either before or after.
    cycle = Cycle.objects.select_for_update(of=("self",), no_key=True).get(pk=ids.get(pk=fixture_id))
    _, fixture = lock_played_in(fixture_id)
    sides = sides_with_line_ups(fixture)
    side = _own_side(sides, stable_id)
    result = Result.objects.filter(fixture=fixture).prefetch_related("corrections").first()
    if result is None or result.current.get("source") != SILENCE or result.current["ended_by"] == "void":
        raise SeasonRefused("reopen_not_silent")
    if any(one.kind == Correction.Kind.REOPEN for one in result.corrections.all()):
        raise SeasonRefused("report_reopened_before")
    if Report.objects.filter(fixture=fixture, stable_id=stable_id).exists():
        raise SeasonRefused("reopen_not_silent")
    CYCLE.require("reopen_result", cycle.state, "reopen_too_late", cycle=cycle.number)
    reopened = FIXTURE.require("reopen", fixture.state, "reopen_not_silent")
    stables = lock_stables(each.stable for each in sides)
    document = void(result.current)
    made = change(fixture, result, stables, document, Correction.Kind.REOPEN, reason=reason, user=user, now=now)
    fixture.state = reopened
    fixture.save(update_fields=["state"])
    wait_until(fixture, due_after(fixture, now), now)
    season = fixture.round.cycle.season
    facts = {**place_of(fixture, sides), "stable": side.stable.name, "reason": reason, "effects": made.effects}
    log.record(season, "result_reopened", facts, cycle=cycle, fixture=fixture, actor=user, asks=[stable_id])
    facts["season"] = season.name
    for each in sides:
        if each.stable_id != stable_id:
            facts["effects"] = [effect for effect in made.effects if effect["stable"] == each.stable.number]
            tell_people(_people([each]), "result_reopened", facts, fixture.get_absolute_url())
    return Reopened(fixture.pk, fixture.confirm_due_at)
