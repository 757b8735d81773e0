"""Referees: a person who takes no part in a match at a table decides its result."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from people.services.accounts import notify
from rules.campaign.results.agreeing import may_decide
from rules.campaign.states import FIXTURE
from rules.core.refusals import SeasonRefused
from stables.models import Correction, Fixture, FixtureSide, Report, Result, Ruling, Season, SeasonRole, StandIn
from stables.selectors.fixtures import sides_with_line_ups
from stables.services.base import log, reasons
from stables.services.base.news import place_of
from stables.services.results.contests import contest_of, outcome_of, read_report
from stables.services.results.settlement import lock_played_in, settle

LONGEST_REASON = reasons.LONGEST


@dataclass(frozen=True)
class Decided:
    """A result that a referee decided."""

    fixture_id: int


def reason_of(text: str) -> str:
    """Return a reason with its blanks tidied.

    Raises Malformed (reason_missing) if it is empty or longer than LONGEST_REASON.
    """
    return reasons.required(text)


def office_of(user: Any, season: Season) -> str:
    """Return the office by which a person may decide results of a season: organiser, co_organiser, referee, or ""."""
    if not user.is_authenticated:
        return ""
    if season.organiser_id == user.pk:
        return "organiser"
    role = SeasonRole.objects.filter(season=season, user=user).first()
    return "" if role is None else role.role


def takes_part(user: Any, fixture: Fixture) -> bool:
    """Return whether a person owns a stable of the fixture, or stands in for its owner or did at its end; one query.

    A match that was opened again has two ends. Who stood in only between them had no part in either.
    """
    before = Correction.objects.filter(result__fixture=fixture, created_at__lte=OuterRef("ended_at"))
    is_reopened = Exists(before.filter(kind=Correction.Kind.REOPEN))
    # Only the new result of a reopened match replaces another without a reason.
    is_settled_again = Exists(before.filter(kind=Correction.Kind.REPLACE, reason=""))
    stood_in = StandIn.objects.filter(
        ~is_reopened | is_settled_again,
        fixture=fixture,
        user=user,
        ended_at__gte=OuterRef("fixture__result__settled_at"),
    )
    plays = Q(stable__owner=user) | Q(stand_in=user) | Q(Exists(stood_in))
    return FixtureSide.objects.filter(plays, fixture=fixture).exists()


def require_office(user: Any, fixture: Fixture) -> None:
    """Raise PermissionDenied for a person without an office, SeasonRefused (referee_takes_part) for a participant."""
    office = office_of(user, fixture.round.cycle.season)
    if not office:
        raise PermissionDenied
    if not may_decide(office, takes_part(user, fixture)):
        raise SeasonRefused("referee_takes_part")


def require_undecided(fixture: Fixture) -> None:
    """Refuse a match whose result is not to be decided; two queries at most.

    Raises SeasonRefused (fixture_settled, report_too_early, report_not_at_table).
    """
    if fixture.state == Fixture.State.SETTLED or Ruling.objects.filter(fixture=fixture).exists():
        raise SeasonRefused("fixture_settled")
    if not FIXTURE.may("rule", fixture.state) or fixture.match_id is not None:
        raise SeasonRefused("report_too_early", state=fixture.state)
    if fixture.mode != Fixture.Mode.TABLE and not Report.objects.filter(fixture=fixture).exists():
        raise SeasonRefused("report_not_at_table", mode=fixture.mode)


@transaction.atomic
def decide(*, fixture_id: int, user: Any, document: object, reason: str, now: datetime | None = None) -> Decided:
    """Settle a match at a table by the report of an organiser or a referee, regardless of others; log and notify it.

    Raises PermissionDenied for a person without an office, SeasonRefused (referee_takes_part, fixture_settled,
    report_too_early, report_not_at_table, and the codes of rules.campaign.results.report_checks) or Malformed
    (reason_missing, not_an_object, bad_field, not_a_number).
    """
    reason = reason_of(reason)
    played_in, fixture = lock_played_in(fixture_id)
    require_office(user, fixture)
    require_undecided(fixture)
    sides = sides_with_line_ups(fixture)
    report = read_report(contest_of(fixture, sides), document)
    Ruling.objects.create(fixture=fixture, document=report.to_json(), reason=reason, user=user)
    source = Result.Source.REFEREE
    settle(
        played_in, fixture, sides, outcome_of(fixture, sides, report, source), source, user=user,
        now=now or timezone.now(),
    )  # fmt: skip
    cycle = fixture.round.cycle
    facts = {**place_of(fixture, sides), "reason": reason, "office": office_of(user, cycle.season)}
    log.record(cycle.season, "result_decided", facts, cycle=cycle, fixture=fixture, actor=user)
    owners = [side.stable.owner for side in sides if side.stable.owner is not None]
    facts["season"] = cycle.season.name
    notify(owners, "result_decided", facts, fixture.get_absolute_url())
    return Decided(fixture.pk)
