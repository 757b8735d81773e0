"""Marks that phones make at a real table: each is stored once, and the counts of a match are computed from them.

A bad mark is refused alone; the good marks of the same message are kept. The owners of a side's stables count for it,
on their own phone or on another one on which they typed their password (`Phone.sides`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from rules.campaign.results.reports import Contest
from rules.campaign.results.tabletop_counts import Mark, misfit, read_mark, read_uid
from rules.campaign.states import FIXTURE
from rules.core.refusals import Malformed, SeasonRefused
from rules.solaris.house_rules import HouseRules
from stables.models import Fixture, FixtureSide, TableMark
from stables.selectors.fixtures import lock_fixture
from stables.services.results.contests import contest_of

MOST_MARKS = 1000
"""The most marks of one side that a fixture keeps; a grand melee of thirty rounds takes a third of them."""

MOST_AT_ONCE = 100
"""The most marks in one message of a phone."""

OLDEST = timedelta(days=30)
"""How long ago a mark may have been made by a phone's clock; an earlier time is moved to this limit."""


@dataclass(frozen=True)
class Untaken:
    """A refused mark: its id, None if it had none that can be read, and the reason.

    The codes are not_an_object, bad_field, table_mark_unknown, table_mark_not_yours, table_mark_unfit, table_uid_taken
    and table_full.
    """

    uid: str | None
    problem: Malformed | SeasonRefused


@dataclass(frozen=True)
class Phone:
    """A phone at a table. `sides` maps each side that it may count for to the id of the account that makes the marks.

    `is_form` says that the marks come from plain forms, for which this site rolls the dice.
    """

    sides: Mapping[str, int]
    is_form: bool = False


@dataclass(frozen=True)
class Given:
    """A mark from a phone after reading."""

    uid: UUID
    side: str
    what: dict[str, Any]
    at: datetime


def require_at_table(fixture: Fixture) -> None:
    """Raise SeasonRefused unless a fixture is played at a table and all its line-ups are in.

    The codes are report_too_early, also for a bye, and report_not_at_table.
    """
    if fixture.kind != Fixture.Kind.MATCH or not FIXTURE.may("play_at_table", fixture.state):
        raise SeasonRefused("report_too_early", state=fixture.state)
    if fixture.mode != Fixture.Mode.TABLE or fixture.match_id is not None:
        raise SeasonRefused("report_not_at_table", mode=fixture.mode)


def require_open(fixture: Fixture) -> None:
    """Raise SeasonRefused unless people may still count marks for a fixture at its table.

    The codes are fixture_settled, report_too_early and report_not_at_table.
    """
    if fixture.state == Fixture.State.SETTLED:
        raise SeasonRefused("fixture_settled")
    require_at_table(fixture)


def last_round(fixture: Fixture) -> int | None:
    """Return the number of the last round of a fixture's match, None if a clock ends it (Q-27)."""
    rules = HouseRules.from_json(fixture.round.cycle.season.rules.house_rules)
    by_clock = rules.clock_seconds is not None and rules.time_limit_rounds is None
    return None if by_clock else rules.rounds(fixture.round.cycle.format)


def stored_marks(fixture: Fixture, since: int = 0) -> list[TableMark]:
    """Return a fixture's marks in order of arrival, only those with an id above `since`; one query."""
    return list(TableMark.objects.filter(fixture=fixture, id__gt=since).select_related("made_by").order_by("id"))


def marks_of(stored: Iterable[TableMark]) -> list[Mark]:
    """Return stored marks in the form that rules.campaign.results.tabletop_counts reads."""
    return [Mark(str(mark.uid), mark.side, mark.mark) for mark in stored]


def take_marks(
    *,
    fixture: Fixture,
    sides: Sequence[FixtureSide],
    phone: Phone,
    documents: Sequence[object],
    now: datetime | None = None,
) -> list[Untaken]:
    """Keep the marks of a phone, each once by its id, and return the refused ones.

    A document is {"uid", "side", "at", "mark"}; without a side it counts for the phone's first one. Fetch `sides` with
    their line-ups (`sides_with_line_ups`). At most eight queries. No mark is kept if it raises. Raises SeasonRefused
    (fixture_settled, report_too_early, report_not_at_table) or Malformed (table_batch_too_large).
    """
    if len(documents) > MOST_AT_ONCE:
        raise Malformed("table_batch_too_large", most=MOST_AT_ONCE)
    if not documents:
        return []
    contest = contest_of(fixture, sides)
    now = now or timezone.now()
    refused: list[Untaken] = []
    given: list[Given] = []
    for document in documents:
        try:
            given.append(_read(document, phone, contest, now))
        except (Malformed, SeasonRefused) as problem:
            uid = read_uid(document.get("uid")) if isinstance(document, Mapping) else None
            refused.append(Untaken(uid, problem))
    return refused + (_keep(fixture.pk, phone, given) if given else [])


def _read(document: object, phone: Phone, contest: Contest, now: datetime) -> Given:
    if not isinstance(document, Mapping):
        raise Malformed("not_an_object")
    uid = read_uid(document.get("uid"))
    if uid is None:
        raise Malformed("bad_field", field="uid")
    side = document.get("side", next(iter(phone.sides), None))
    if not isinstance(side, str) or side not in phone.sides:
        raise SeasonRefused("table_mark_not_yours")
    what = read_mark(document.get("mark"))
    if what.get("by") == "site" and not phone.is_form:
        raise Malformed("bad_field", field="by")
    problem = misfit(what, side, contest)
    if problem is not None:
        raise SeasonRefused(problem.code, **problem.parameters)
    return Given(UUID(uid), side, what, _moment(document.get("at"), now))


def _moment(value: object, now: datetime) -> datetime:
    """Return the time of a mark by the phone's clock, but no earlier than OLDEST before `now` and no later than `now`.

    Without a text it is `now`; a time without an offset is in the zone of `now`. Raises Malformed (bad_field) for a
    text that is not a date and time.
    """
    try:
        found = parse_datetime(value) if isinstance(value, str) else now
    except ValueError:
        found = None
    if found is None:
        raise Malformed("bad_field", field="at")
    if timezone.is_naive(found):
        found = found.replace(tzinfo=now.tzinfo)
    return min(max(found, now - OLDEST), now)


@transaction.atomic
def _keep(fixture_id: int, phone: Phone, given: Sequence[Given]) -> list[Untaken]:
    """Write the new marks, and return the refused ones.

    Under the fixture's lock ids rise in the order in which others can read the marks. Raises SeasonRefused
    (fixture_settled, report_too_early, report_not_at_table).
    """
    fixture = lock_fixture(fixture_id)
    require_open(fixture)
    known = TableMark.objects.filter(fixture=fixture)
    kept = dict(known.filter(uid__in=[each.uid for each in given]).values_list("uid", "side"))
    counted = dict(known.values_list("side").annotate(Count("id")).order_by())
    room = {side: MOST_MARKS - counted.get(side, 0) for side in phone.sides}
    refused: list[Untaken] = []
    fresh: dict[UUID, TableMark] = {}
    for each in given:
        if each.uid in kept or each.uid in fresh:
            side = kept[each.uid] if each.uid in kept else fresh[each.uid].side
            if side != each.side:
                refused.append(Untaken(str(each.uid), SeasonRefused("table_uid_taken")))
        elif room[each.side] <= 0:
            refused.append(Untaken(str(each.uid), SeasonRefused("table_full", most=MOST_MARKS)))
        else:
            room[each.side] -= 1
            fresh[each.uid] = TableMark(
                fixture=fixture,
                side=each.side,
                uid=each.uid,
                mark=each.what,
                made_by_id=phone.sides[each.side],
                made_at=each.at,
            )
    TableMark.objects.bulk_create(fresh.values())
    return refused
