"""Open matches at tables with a report: who has reported, who has not yet, and whether the reports differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, prefetch_related_objects

from rules.campaign.results.agreeing import agree
from stables.models import Fixture, FixtureSide, Report, Season, Stable
from stables.selectors.fixtures import crews_by_unit

OPEN = Q(fixture__state=Fixture.State.SEALED, fixture__match=None)
DUEL = 2
"""The number of stables whose reports must agree in every field; with more, owners decide about their own units."""


@dataclass(frozen=True)
class Reported:
    """An open match with a report. `reporters` have reported, `waits_for` are the stables of people that have not.

    `differs` says that the reports contradict each other, or agree on a result that cannot be true. `sides` have their
    stables.
    """

    fixture: Fixture
    sides: tuple[FixtureSide, ...]
    reporters: tuple[Stable, ...]
    waits_for: tuple[Stable, ...]
    differs: bool

    def is_of(self, person_id: int | None) -> bool:
        """Return whether a person owns a stable of the match or stands in for its owner, and so may not decide it."""
        return person_id is not None and any(
            person_id in (side.stable.owner_id, side.stand_in_id) for side in self.sides
        )


def is_open_for_reports(fixture: Fixture) -> bool:
    """Return whether reports may still settle a fixture: its line-ups are in and it has no match in the engine."""
    return fixture.state == Fixture.State.SEALED and fixture.match_id is None


def reported_among(sides: Iterable[FixtureSide]) -> dict[int, Reported]:
    """Return the open matches with a report, by the ids of their fixtures.

    Fetch `sides` with their fixtures, stables and line-ups. One query, none if no match is open for reports, and four
    if a match of three stables or more has two reports.
    """
    waiting = [side for side in sides if is_open_for_reports(side.fixture)]
    if not waiting:
        return {}
    reports = Report.objects.filter(fixture__in={side.fixture_id for side in waiting}).order_by("id")
    return _grouped(reports, waiting)


def reported_in(seasons: Iterable[int], stand_in: Any = None) -> dict[int, Reported]:
    """Return the open matches with a report in those of the seasons that run, by the ids of their fixtures.

    With `stand_in` also those, of any season, in which this person stands in. The fixtures have their round, cycle and
    season. One query, or four if a match of three stables or more has two reports.
    """
    season = "fixture__round__cycle__season"
    wanted = Q(**{f"{season}__in": set(seasons)})
    if stand_in is not None:
        wanted |= Q(fixture__in=FixtureSide.objects.filter(stand_in=stand_in).values("fixture"))
    return _with_sides(wanted & Q(**{f"{season}__state": Season.State.RUNNING}) & OPEN)


def reported_of(stable: Stable) -> list[Reported]:
    """Return the open matches of a stable that have a report, the oldest first.

    One query, or four if a match of three stables or more has two reports.
    """
    own = FixtureSide.objects.filter(stable=stable).values("fixture")
    return list(_with_sides(Q(fixture__in=own) & OPEN).values())


def _with_sides(asked: Q) -> dict[int, Reported]:
    """Return the reported matches from one query, which joins each side with every report of its match."""
    rows = (
        FixtureSide.objects.filter(asked, fixture__reports__isnull=False)
        .select_related("fixture__round__cycle__season", "stable", "line_up")
        .defer("fixture__round__cycle__season__secret")
        .annotate(
            report=F("fixture__reports"),
            reporter=F("fixture__reports__stable"),
            document=F("fixture__reports__document"),
        )
        .order_by("fixture__round", "fixture__number", "id")
    )
    reports: dict[int, Report] = {}
    sides: dict[int, FixtureSide] = {}
    for row in rows:
        sides.setdefault(row.pk, row)
        reports[row.report] = Report(
            pk=row.report, fixture_id=row.fixture_id, stable_id=row.reporter, document=row.document
        )
    return _grouped([reports[pk] for pk in sorted(reports)], sides.values())


def _grouped(reports: Iterable[Report], sides: Iterable[FixtureSide]) -> dict[int, Reported]:
    newest: dict[int, dict[int, Report]] = {}
    for report in reports:
        newest.setdefault(report.fixture_id, {})[report.stable_id] = report
    of_fixture: dict[int, list[FixtureSide]] = {}
    for side in sides:
        if side.fixture_id in newest:
            of_fixture.setdefault(side.fixture_id, []).append(side)
    many = [side for group in of_fixture.values() if len(group) > DUEL for side in group if hasattr(side, "line_up")]
    if any(len(newest[side.fixture_id]) > 1 for side in many):
        prefetch_related_objects(many, "line_up__crews__unit", "line_up__crews__pilot")
    return {pk: _reported(group, newest[pk]) for pk, group in of_fixture.items()}


def _reported(sides: list[FixtureSide], newest: dict[int, Report]) -> Reported:
    people = [side.stable for side in sides if not side.forfeits and side.stable.owner_id is not None]
    missing = tuple(stable for stable in people if stable.pk not in newest)
    return Reported(
        fixture=sides[0].fixture,
        sides=tuple(sides),
        reporters=tuple(side.stable for side in sides if side.stable_id in newest),
        waits_for=missing,
        # Equal reports of all would have settled the match.
        differs=len(newest) > 1 and (not missing or _differ(sides, newest)),
    )


def _differ(sides: list[FixtureSide], newest: dict[int, Report]) -> bool:
    count = len({side.stable_id for side in sides if not side.forfeits})
    owners: dict[str, int] = {}
    if count > DUEL:
        owners = {name: side.stable.number for name, (side, _) in crews_by_unit(sides).items()}
    numbers = {side.stable_id: side.stable.number for side in sides}
    facts = {numbers[pk]: report.document for pk, report in newest.items() if pk in numbers}
    return bool(agree(facts, owners, count).differing)
