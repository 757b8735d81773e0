"""The leaders of a season and the holders of its titles, as the season's page names them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Sum
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.campaign.standings.places import Record, leaders
from stables.models import ReputationEntry, Season, Title


@dataclass(frozen=True)
class TitleLine:
    """One title of a season: the names of its leaders or holders (several if tied or shared), and what decided it.

    `kind` is a value of Title.Kind. `is_held` says that the title is decided. `decided_by` is in words, "" for leaders.
    `match_url` is the page of the match that decided it, "" when there is none.
    """

    kind: str
    label: str | Promise
    names: tuple[str, ...]
    is_held: bool
    decided_by: str = ""
    match_url: str = ""

    @property
    def is_shared(self) -> bool:
        return len(self.names) > 1


KINDS = (Title.Kind.STABLE, Title.Kind.PILOT)
LEADING = {Title.Kind.STABLE: _("In the lead"), Title.Kind.PILOT: _("Leading pilot")}


def title_lines(season: Season) -> list[TitleLine]:
    """Return a line for each title: its holders once it is decided, and its leaders before that; stables first.

    A withdrawn stable leads for no title (Q-159). Nobody leads before there is any reputation, and in a finished
    season; such a title has no line. One query, and a second one while the titles are decided.
    """
    held = []
    if season.state in (Season.State.SUDDEN_DEATH, Season.State.FINISHED):
        held = list(season.titles.select_related("stable", "asset", "match").defer(*HEAVY).order_by("id"))
    leading = {} if season.state == Season.State.FINISHED else _leading(season)
    lines = []
    for kind in KINDS:
        own = [title for title in held if title.kind == kind]
        if own:
            first = own[0]
            url = first.match.get_absolute_url() if first.match is not None else ""
            names = tuple(holder(title) for title in own)
            lines.append(TitleLine(kind, first.get_kind_display(), names, True, first.get_decided_by_display(), url))
        elif names := leading.get(kind, ()):
            lines.append(TitleLine(kind, LEADING[kind], names, False))
    return lines


HEAVY = ("match__setup", "match__seed", "match__result")
"""Large columns of a match that lists do not need."""


def holder(title: Title) -> str:
    """Return the name of a title's holder: a stable, or an individual with its stable."""
    return title.stable.name if title.asset is None else f"{title.asset.label} ({title.stable.name})"


def _leading(season: Season) -> dict[str, tuple[str, ...]]:
    """Return the names of the leaders for each title, without titles for which nobody has reputation; one query."""
    rows: Any = (
        ReputationEntry.objects.filter(stable__season=season, stable__left_in_cycle=None)
        .order_by()
        .values("stable__name", "asset", "asset__name", "asset__serial")
        .annotate(earned=Sum("amount"), killed=Sum("kills"))
    )
    records: dict[str, list[Record]] = {kind: [] for kind in KINDS}
    for row in rows:
        kind = Title.Kind.STABLE if row["asset"] is None else Title.Kind.PILOT
        records[kind].append(Record(_name(row), row["earned"], row["killed"]))
    return {kind: leaders(found) for kind, found in records.items() if any(record.reputation > 0 for record in found)}


def _name(row: dict[str, Any]) -> str:
    if row["asset"] is None:
        return str(row["stable__name"])
    copy = "" if row["asset__serial"] == 1 else f" #{row['asset__serial']}"
    return f"{row['asset__name']}{copy} ({row['stable__name']})"
