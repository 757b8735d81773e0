"""The page beside a real table: each unit's values at its click and heat, the counts, and the reports.

It shows units, pilots and gear of the line-ups, as the page of the fixture does. Rally hands and target tokens stay
hidden, so the page names neither. A constant number of queries.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

from rules.campaign.results.agreeing import fields_of
from rules.campaign.results.reports import Contest, read
from rules.campaign.results.tabletop_counts import DICE, FLAG_PLACES, Counts, as_report, doubts, fold
from rules.core.refusals import Malformed
from rules.solaris.rewards import FLAG_POINTS
from rules.wording import sentence
from stables.models import Fixture, FixtureSide, Report, TableMark
from stables.presenters.reported import reported
from stables.presenters.results import names_of
from stables.presenters.tabletop_units import Button, UnitView, unit_view
from stables.selectors.definitions import catalogue_of
from stables.selectors.fixtures import crews_by_unit
from stables.services.results.contests import contest_of
from stables.services.results.reports import newest_reports
from stables.services.results.tabletop import last_round, marks_of, require_at_table, stored_marks
from stables.text import results
from stables.text.tabletop import HINTS, PLACES, mark_line, odd_die
from web.languages.reader import translate

MOST_LINES = 60
"""Lines of the log that a page shows."""


@dataclass(frozen=True)
class SideView:
    """A side beside the table, with its units; `groups` has buttons only for a reader who counts for the side."""

    key: str
    name: str
    is_own: bool
    tokens: int
    flags: int
    kills: int
    surrendered: bool
    units: tuple[UnitView, ...]
    groups: tuple[tuple[str, tuple[Button, ...]], ...] = ()


@dataclass
class Tabletop:
    """Everything that was counted at a fixture's table; four queries at most on a fixture from `find_fixture`.

    Raises SeasonRefused (report_too_early, report_not_at_table).
    """

    fixture: Fixture
    sides: list[FixtureSide] = field(init=False)
    contest: Contest = field(init=False)
    names: dict[str, str] = field(init=False)
    stored: list[TableMark] = field(init=False)
    counts: Counts = field(init=False)

    def __post_init__(self) -> None:
        require_at_table(self.fixture)
        self.sides = list(self.fixture.sides.all())
        self.contest = contest_of(self.fixture, self.sides)
        self.names = names_of(self.sides)
        self.stored = stored_marks(self.fixture)
        self.counts = fold(marks_of(self.stored), self.contest)

    @property
    def report(self) -> dict[str, Any]:
        """The counts as a report for people to check."""
        return as_report(self.counts, self.contest, last_round(self.fixture))

    @property
    def read_report(self) -> dict[str, Any] | None:
        """The counts as the report that would be filed; None while they leave something open."""
        try:
            return read(self.report, self.contest).to_json()
        except Malformed:
            return None

    def doubts(self) -> list[str]:
        """Return sentences on what people should check before they report."""
        found = doubts(self.counts, self.contest, last_round(self.fixture))
        return [sentence(one.code, one.parameters, translate, self.names) for one in found]


def lines_of(stored: Iterable[TableMark], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return marks as a phone stores them: id, side, mark, its line in words, who made it and when."""
    return [
        {
            "uid": str(mark.uid),
            "side": mark.side,
            "mark": mark.mark,
            "told": mark_line(mark.mark, names),
            "who": mark.made_by.get_username() if mark.made_by else "",
            "at": mark.made_at.isoformat(),
        }
        for mark in stored
    ]


def version_of(fixture: Fixture, sides: Iterable[FixtureSide], reports: Iterable[Report]) -> str:
    """Return a text that changes when a report, a result or a forfeit changes the page; counts leave it alone."""
    absent = [f"f{side.pk}" for side in sides if side.forfeits]
    return "-".join([fixture.state, *absent, *(str(report.pk) for report in reports)])


def tabletop_context(table: Tabletop, sides: Sequence[str], user: Any) -> dict[str, Any]:
    """Return what the page shows to a reader who counts for `sides` (empty: they only watch).

    One query, one more when a player reads reports.
    """
    fixture = table.fixture
    reports = newest_reports(fixture)
    mine = {side.stable_id for side in table.sides if side.is_played_by(user)}
    is_open = fixture.state == Fixture.State.SEALED
    writable = sides if is_open else ()
    views = [_side_view(table, key, key in writable) for key in table.contest.sides]
    views.sort(key=lambda view: view.key not in sides)
    lines = lines_of(table.stored, table.names)
    undone = table.counts.undone
    log = [
        {
            **line,
            "is_undone": (line["uid"], line["side"]) in undone,
            "at": mark.made_at,
        }
        for line, mark in zip(lines, table.stored, strict=True)
        if mark.mark["kind"] != "undo"
    ]
    log.sort(key=lambda line: line["at"], reverse=True)
    last = next((line for line in reversed(lines) if _can_undo(line, writable, undone)), None)
    state = {
        "id": fixture.pk,
        "me": user.pk,
        "cursor": table.stored[-1].pk if table.stored else 0,
        "version": version_of(fixture, table.sides, reports),
        "sides": list(writable),
        "name": user.get_username(),
        "dice": DICE,
        "flags": {f"{str(is_own).lower()} {place}": points for (is_own, place), points in FLAG_POINTS.items()},
        "units": {unit.key: {"side": side.key, **unit.facts} for side in views for unit in side.units},
        "marks": lines,
        **_words(is_reported=any(report.stable_id not in mine for report in reports)),
    }
    return {
        "fixture": fixture,
        "season": fixture.round.cycle.season,
        "is_open": is_open,
        "is_own": bool(sides),
        "can_count": bool(writable),
        "round": table.counts.round,
        "last_round": last_round(fixture),
        "sides": views,
        "match_buttons": _match_buttons(table, writable),
        "rolls": _rolls(table, writable),
        "log": log[:MOST_LINES],
        "rolled_last": bool(log) and log[0]["mark"]["kind"] == "roll",
        "hint": str(HINTS.get(table.contest.format, "")),
        "last": last,
        "undo_value": _undo_value(last) if last else "",
        "has_flags": any(view.flag_places for view in table.counts.sides.values()),
        "reports": _report_views(table, reports, mine) if is_open else [],
        "doubts": table.doubts() if table.stored and is_open else [],
        "state": state,
        "state_json": json.dumps(state),
    }


def _can_undo(line: Mapping[str, Any], writable: Sequence[str], undone: Container[tuple[str, str]]) -> bool:
    return line["side"] in writable and line["mark"]["kind"] != "undo" and (line["uid"], line["side"]) not in undone


def _undo_value(line: Mapping[str, Any]) -> str:
    return json.dumps({"side": line["side"], "mark": {"kind": "undo", "of": line["uid"]}})


def _words(is_reported: bool) -> dict[str, str]:
    news = gettext("Everything is saved. There is a report; look at the top of the page.")
    return {
        "saved": news if is_reported else gettext("Everything is saved."),
        "waits": gettext("Marks that wait for the network:"),
        "odd": odd_die(),
        "undone": gettext("(taken back)"),
    }


# Sides -----------------------------------------------------------------------------------------------------------


def _side_view(table: Tabletop, key: str, is_own: bool) -> SideView:
    count = table.counts.sides[key]
    units = [unit for unit, entrant in table.contest.units.items() if entrant.side == key]
    crews = crews_by_unit(table.sides)
    season = table.fixture.round.cycle.season
    return SideView(
        key=key,
        name=table.names[key],
        is_own=is_own,
        tokens=sum(count.tokens),
        flags=count.flags,
        kills=sum(len(table.counts.units[unit].killed) for unit in units),
        surrendered=count.surrendered,
        units=tuple(
            unit_view(table.contest, table.counts.units[unit], table.names, unit, crews[unit][1], season, is_own)
            for unit in units
        ),
        groups=tuple(_side_groups(table, key)) if is_own else (),
    )


def _side_groups(table: Tabletop, key: str) -> Iterable[tuple[str, tuple[Button, ...]]]:
    def button(label: str, **what: Any) -> Button:
        return Button(what, label, mark_line(what, table.names), key)

    if table.contest.tokens:
        tokens = catalogue_of(table.fixture.round.cycle.season).target_tokens.values()
        worth = sorted({int(token[name]) for token in tokens for name in ("rp", "else_rp")} - {0})
        label = gettext("+%(rp)s reputation")
        yield (
            gettext("Target token destroyed"),
            tuple(button(label % {"rp": rp}, kind="token", rp=rp) for rp in worth),
        )
    count = table.counts.sides[key]
    for flag in count.flag_places:
        title = gettext("Our flag") if flag == key else gettext("The flag of %(name)s") % {"name": table.names[flag]}
        yield (
            title,
            tuple(
                button(str(PLACES[place]), kind="flag", flag=flag, place=place, step=count.step)
                for place in FLAG_PLACES
            ),
        )
    yield gettext("Give up"), (button(gettext("We surrender"), kind="surrender"),)


def _match_buttons(table: Tabletop, writable: Sequence[str]) -> list[Button]:
    if not writable:
        return []
    what = {"kind": "round", "number": table.counts.round}
    return [Button(what, gettext("This round is over"), mark_line(what, table.names), writable[0])]


def _rolls(table: Tabletop, writable: Sequence[str]) -> list[Button]:
    labels_of = {
        "attack": gettext("3 dice: two alike, one odd"),
        "initiative": gettext("2 dice"),
        "one": gettext("1 die"),
    }
    found = []
    for purpose in labels_of if writable else ():
        what = {"kind": "roll", "purpose": purpose}
        found.append(Button(what, labels_of[purpose], mark_line(what, table.names), writable[0]))
    return found


# Reports ---------------------------------------------------------------------------------------------------------


def _report_views(table: Tabletop, reports: list[Report], mine: Container[int]) -> list[dict[str, Any]]:
    """Return each report with the fields in which it differs from the counts; for players also all that it says."""
    is_player = any(side.stable_id in mine for side in table.sides)
    told = reported(table.fixture, table.sides, reports if is_player else [], table.names)
    return [
        _report_view(table, report, report.stable_id in mine) | {"told": told[place] if told else None}
        for place, report in enumerate(reports)
    ]


def _report_view(table: Tabletop, report: Report, is_mine: bool) -> dict[str, Any]:
    counted = table.read_report
    theirs, ours = fields_of(report.document), fields_of(counted or {})
    return {
        "report": report,
        "stable": report.stable,
        "is_mine": is_mine,
        "is_same": counted is not None and theirs == ours,
        "rows": [
            {
                "field": results.field_name(path, table.names),
                "theirs": results.value_text(path, theirs.get(path), table.names),
                "ours": results.value_text(path, ours.get(path), table.names),
            }
            for path in theirs
            if counted is not None and theirs[path] != ours.get(path)
        ],
    }
