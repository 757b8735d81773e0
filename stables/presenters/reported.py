"""What reports say and what they would change, so that nobody confirms or decides blindly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.campaign.results.agreeing import fields_of
from rules.campaign.results.corrections import Line
from stables.models import Asset, Fixture, FixtureSide, Report
from stables.services.results import outcomes
from stables.services.results.contests import contest_of, foreseen, read_report
from stables.services.results.result_books import assets_of
from stables.text import results as words


@dataclass(frozen=True)
class Reported:
    """A report in words: `rows` are its fields that say something, with their values; `changes` what settling it does.

    Fields that are not there are 0 or no.
    """

    report: Report
    rows: list[tuple[str, str]]
    changes: list[str]


def reported(
    fixture: Fixture, sides: list[FixtureSide], reports: Iterable[Report], names: Mapping[str, str]
) -> list[Reported]:
    """Return reports of an open fixture in words; one query, none without reports."""
    found = list(reports)
    if not found:
        return []
    assets = assets_of(side.stable for side in sides)
    return [_in_words(fixture, sides, report, names, assets) for report in found]


def _in_words(
    fixture: Fixture,
    sides: list[FixtureSide],
    report: Report,
    names: Mapping[str, str],
    assets: Mapping[Line, Asset],
) -> Reported:
    rows = [
        (words.field_name(path, names), words.value_text(path, value, names))
        for path, value in fields_of(report.document).items()
        if value not in (None, "", 0)
    ]
    stables = {side.stable.number: side.stable for side in sides}
    settled = foreseen(fixture, sides, read_report(contest_of(fixture, sides), report.document))
    return Reported(report, rows, words.effect_lines(outcomes.preview(settled, stables, assets)))


def side_by_side(reports: list[Report], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return every field of reports in a row: its name, the value of each report, and whether these differ."""
    documents = [fields_of(report.document) for report in reports]
    return [
        {
            "field": words.field_name(path, names),
            "values": [words.value_text(path, document.get(path), names) for document in documents],
            "is_differing": len({str(document.get(path)) for document in documents}) > 1,
        }
        for path in dict.fromkeys(path for document in documents for path in document)
    ]
