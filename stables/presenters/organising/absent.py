"""The organisers' page of the stables that a season waits for, and the sentences about what was done for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules.campaign.season.hand import LINE_UP, MARKET, MATCH
from rules.core.digits import whole_number
from rules.wording import sentence
from rules.wording.filling import fill, joined, say
from stables.forms.absent import AbsentForm, ChoiceForm
from stables.forms.coming import AskForm
from stables.models import Season, Stable
from stables.presenters.season_parts import home_crumb
from stables.selectors.absent import Awaited, awaited
from stables.selectors.coming import WhoComes, who_comes
from stables.services.running.absent import EXTEND, LINE_UP_FOR, REMIND, REPAIR, Done
from web.crumbs import Link
from web.languages.reader import translate

LONGEST_ID = 18
"""The most digits of an id that is looked up."""

WAITS_FOR: Mapping[str, str | Promise] = {
    MARKET: _("still shopping"),
    LINE_UP: _("line-up is missing"),
    MATCH: _("match is to be played"),
}

DONE: Mapping[str, str | Promise] = {
    REMIND: _("Reminded: {names}."),
    EXTEND: _("The matches of these have more time: {names}."),
    REPAIR: _("Repaired for their match: {names}."),
    LINE_UP_FOR: _("A line-up is handed in for: {names}."),
}
"""Act -> the sentence about those for which it was done."""


@dataclass(frozen=True)
class Line:
    """A stable that the season waits for; `address` is the organisers' page of its match, "" in a market."""

    awaited: Awaited
    waits_for: str
    address: str


def absent_context(
    season: Season,
    form: AbsentForm | None = None,
    ask_form: AskForm | None = None,
    choice_form: ChoiceForm | None = None,
) -> dict[str, Any]:
    """Return what the page shows; at most eight queries. A bound form keeps what was typed."""
    rows, is_running = awaited(season), season.state == Season.State.RUNNING
    who = who_comes(season) if is_running else None
    return {
        "season": season,
        "lines": [Line(row, str(WAITS_FOR[row.what]), _address(season, row)) for row in rows],
        "form": form or form_for(season, rows),
        "choice_form": choice_form or choice_form_for(season, rows),
        "has_matches": any(row.side is not None for row in rows),
        "is_running": is_running,
        "ask_form": ask_form or AskForm(),
        "who": who,
        "coming_lines": _coming_lines(season, who, rows),
        "crumbs": [
            home_crumb(),
            Link(season.name, season.get_absolute_url()),
            Link(gettext("Organise"), reverse("stables:console", args=[season.slug])),
        ],
    }


def form_for(season: Season, rows: list[Awaited], data: QueryDict | None = None) -> AbsentForm:
    """Return the form for these stables, each once; with `data`, one query."""
    names = {row.stable.pk: row.stable.name for row in rows}
    return AbsentForm((_sent(season, data, "stables") | names).items(), data)


def choice_form_for(season: Season, rows: list[Awaited], data: QueryDict | None = None) -> ChoiceForm:
    """Return the form of a choice for one of these stables whose match waits for it; with `data`, one query."""
    names = {row.stable.pk: row.stable.name for row in rows if row.side is not None}
    return ChoiceForm((_sent(season, data, "stable") | names).items(), data, table_only=season.rules.table_only)


def _sent(season: Season, data: QueryDict | None, field: str) -> dict[int, str]:
    """Return the names of the season's stables that a field names, by id.

    The season may have stopped waiting for one since the page was shown; then the act itself says so.
    """
    if data is None:
        return {}
    ids = [number for number in map(whole_number, data.getlist(field)) if number is not None]
    return dict(season.stables.filter(pk__in=ids).order_by("number").values_list("pk", "name"))


def outcome(act: str, done: Done) -> tuple[str, list[str]]:
    """Return the sentence about those for which an act was done, "" for none, and one for each that refused it."""
    names = joined([each.name for each in done.stables], translate)
    refused = [
        say(
            "{stable}: {why}",
            {"stable": each.stable.name, "why": sentence(each.code, each.parameters, translate)},
            translate,
        )
        for each in done.refused
    ]
    return (fill(str(DONE[act]), {"names": names}) if names else ""), refused


@dataclass(frozen=True)
class ComingLine:
    """A stable with its answer (True, False, None for none yet), and the organisers' pages to decide about it.

    `match_address` is "" without an open match.
    """

    stable: Stable
    is_coming: bool | None
    manage_address: str
    stand_in_address: str
    match_address: str


def _coming_lines(season: Season, who: WhoComes | None, rows: list[Awaited]) -> list[ComingLine]:
    matches = {row.stable.pk: _address(season, row) for row in reversed(rows)}
    return [
        ComingLine(
            stable,
            is_coming,
            reverse("stables:manage", args=[season.slug, stable.slug]),
            reverse("stables:stand_ins", args=[season.slug, stable.slug]),
            matches.get(stable.pk, ""),
        )
        for stable, is_coming in (who.answers if who is not None else ())
    ]


def _address(season: Season, row: Awaited) -> str:
    if row.side is None:
        return ""
    return reverse("stables:organise_fixture", args=[season.slug, row.side.fixture_id])
