"""What pages show of a fixture's result: reports and what differs, what silence will do, corrections and their effects.

Only players of the match and people who may decide it see what the reports say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from rules.campaign.results.agreeing import agree, fields_of, may_decide
from rules.campaign.results.reports import Contest
from rules.core.refusals import SeasonRefused
from stables.forms.reason import ReasonForm
from stables.models import Correction, Cycle, Fixture, FixtureSide, Report, Result, SeasonRole
from stables.presenters.reported import reported
from stables.selectors.fixtures import crews_by_unit
from stables.services.results.contests import contest_of
from stables.text import results as words
from stables.text.reasons import told_reason


def results_context(fixture: Fixture, user: Any) -> dict[str, Any]:
    """Return what the page of a fixture shows of its result and its reports; at most six queries.

    Sides may be prefetched on the fixture.
    """
    sides = list(fixture.sides.all())
    season = fixture.round.cycle.season
    own = next((side for side in sides if side.is_played_by(user)), None)
    office = _office(user, fixture)
    result: Result | None = getattr(fixture, "result", None)
    document = {} if result is None else result.current
    is_open = fixture.state == Fixture.State.SEALED and fixture.match_id is None
    reports = _newest(Report.objects.filter(fixture=fixture).select_related("stable"))
    is_table = fixture.mode == Fixture.Mode.TABLE or bool(reports)
    may_see = own is not None or bool(office)
    names = names_of(sides)
    comparison = compared(sides, reports, names) if may_see else {}
    can_report = is_open and is_table and own is not None and not own.forfeits
    theirs = [report for report in reports if own is not None and report.stable_id != own.stable_id]
    corrections = [] if result is None else sorted(result.corrections.all(), key=lambda one: one.number)
    addresses = {
        name: reverse(f"stables:{address}", args=[season.slug, fixture.pk])
        for name, address in (
            ("report", "report_result"),
            ("confirm", "confirm_report"),
            ("reopen", "reopen_result"),
            ("decide", "decide_result"),
            ("correct", "correct_result"),
        )
    }
    return {
        "results": {
            "is_reported": bool(reports),
            "reporters": [report.stable for report in reports] if is_open else [],
            "confirm_due_at": fixture.confirm_due_at if is_open else None,
            "is_disputed": bool(comparison.get("rows")),
            "can_report": can_report,
            "can_decide": is_open and is_table and may_decide(office, own is not None),
            "can_reopen": result is not None and _can_reopen(fixture, own, reports, corrections, document),
            "organises": office in ("organiser", "co_organiser"),
            "can_correct": result is not None
            and fixture.state == Fixture.State.SETTLED
            and office in ("organiser", "co_organiser"),
            "theirs": reported(fixture, sides, theirs if can_report else [], names),
            "comparison": comparison if is_open else {},
            "source": source_of(result),
            "ending": _ending(result),
            "ruling_reason": _ruling_reason(fixture, document),
            "corrections": [
                {
                    "correction": one,
                    "reason": told_reason(one.reason),
                    "effects": words.effect_lines(one.effects),
                }
                for one in corrections
            ],
            "reopen_form": ReasonForm(prefix_of_ids="reopen"),
            "addresses": addresses,
        }
    }


def _office(user: Any, fixture: Fixture) -> str:
    season = fixture.round.cycle.season
    if not user.is_authenticated:
        return ""
    if season.organiser_id == user.pk:
        return "organiser"
    return SeasonRole.objects.filter(season=season, user=user).values_list("role", flat=True).first() or ""


def _newest(reports: QuerySet[Report]) -> list[Report]:
    found: dict[int, Report] = {}
    for report in reports.order_by("id"):
        found[report.stable_id] = report
    return list(found.values())


def _can_reopen(
    fixture: Fixture,
    own: FixtureSide | None,
    reports: Iterable[Report],
    corrections: Iterable[Correction],
    document: Mapping[str, Any],
) -> bool:
    return (
        own is not None
        and not own.forfeits
        and fixture.state == Fixture.State.SETTLED
        and fixture.round.cycle.state == Cycle.State.ROUNDS
        and document.get("source") == Result.Source.SILENCE
        and all(report.stable_id != own.stable_id for report in reports)
        and all(one.kind != Correction.Kind.REOPEN for one in corrections)
    )


def _ruling_reason(fixture: Fixture, document: Mapping[str, Any]) -> str:
    """Return the reason of the decision that counts now, in the reader's words; empty for any other result."""
    if document.get("source") != Result.Source.REFEREE or not hasattr(fixture, "ruling"):
        return ""
    return told_reason(fixture.ruling.reason)


def source_of(result: Result | None) -> str:
    """Return the source of the current result in words; empty without a result."""
    if result is None:
        return ""
    source = result.current.get("source") or result.source
    if source == Result.Source.REFEREE:
        return gettext("decided by an organiser or a referee")
    return str(Result.Source(source).label) if source in Result.Source.values else ""


def _ending(result: Result | None) -> str:
    """Return how the current result ended in words; empty without a result, and where its source says the same."""
    document = result.current if result is not None else {}
    if document.get("source") == Result.Source.FORFEIT:
        return ""
    return str(words.ENDINGS.get(document.get("ended_by", ""), ""))


def names_of(sides: Sequence[FixtureSide]) -> dict[str, str]:
    """Return the names of sides (their stables) and of units, by their keys in reports; also of those that forfeit.

    Units of different stables with the same name get their stable added (O-S7).
    """
    names: dict[str, str] = {}
    for side in sides:
        names[side.side] = f"{names[side.side]}, {side.stable.name}" if side.side in names else side.stable.name
    crews = crews_by_unit(sides, with_forfeits=True)
    known = Counter(crew.unit.label for _, crew in crews.values())
    for key, (side, crew) in crews.items():
        also = [] if crew.pilot is None else [crew.pilot.label]
        also += [side.stable.name] if known[crew.unit.label] > 1 else []
        names[key] = f"{crew.unit.label} ({', '.join(also)})" if also else crew.unit.label
    return names


def compared(sides: list[FixtureSide], reports: list[Report], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields in which the reports differ, side by side; empty for fewer than two reports."""
    if len(reports) < 2:
        return {}
    owners = {key: side.stable.number for key, (side, _) in crews_by_unit(sides).items()}
    facts = {report.stable.number: report.document for report in reports}
    differing = agree(facts, owners, len({side.stable_id for side in sides if not side.forfeits})).differing
    fields = {number: fields_of(document) for number, document in facts.items()}
    rows = [
        {
            "field": words.field_name(path, names),
            "values": [
                {
                    "stable": report.stable,
                    "value": words.value_text(path, fields[report.stable.number].get(path), names),
                }
                for report in reports
            ],
        }
        for path in differing
    ]
    return {"stables": [report.stable for report in reports], "rows": rows}


# The form --------------------------------------------------------------------------------------------------------


def contest_or_none(fixture: Fixture, sides: list[FixtureSide]) -> Contest | None:
    """Return the match that a report is about; None before all line-ups are in, and with fewer than two sides left."""
    try:
        return contest_of(fixture, sides)
    except SeasonRefused:
        return None
