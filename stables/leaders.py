"""Who leads a season or holds its titles: the part of the season's page that names them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.campaign.standings import Record, leaders
from stables.models import ReputationEntry, Season, Title


@dataclass(frozen=True)
class TitleLine:
    """One title of a season: who leads for it or holds it (several: tied, or shared), and what decided it.

    `match_url` is that of the sudden death that decided it, else empty.
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
    """The holders of the titles of a finished season, else who leads; stables first. Three queries at most.

    A withdrawn stable leads for no title (Q-159). Nobody leads before there is any reputation.
    """
    held = list(season.titles.select_related("stable", "asset", "match").defer(*HEAVY).order_by("id"))
    lines = []
    for kind in KINDS:
        own = [title for title in held if title.kind == kind]
        if own:
            first = own[0]
            url = first.match.get_absolute_url() if first.match is not None else ""
            names = tuple(holder(title) for title in own)
            lines.append(TitleLine(kind, first.get_kind_display(), names, True, first.get_decided_by_display(), url))
        elif season.state not in (Season.State.FINISHED, Season.State.RECRUITING) and (names := _leading(season, kind)):
            lines.append(TitleLine(kind, LEADING[kind], names, False))
    return lines


HEAVY = ("match__setup", "match__seed", "match__result")


def holder(title: Title) -> str:
    """The name of who holds a title."""
    return title.stable.name if title.asset is None else f"{title.asset.label} ({title.stable.name})"


def _leading(season: Season, kind: str) -> tuple[str, ...]:
    entries = ReputationEntry.objects.filter(stable__season=season, stable__left_in_cycle=None).order_by()
    if kind == Title.Kind.STABLE:
        return _best(entries.filter(asset=None), ("stable__name",), lambda row: str(row["stable__name"]))
    fields = ("asset", "asset__name", "asset__serial", "stable__name")
    return _best(entries.exclude(asset=None), fields, _individual)


def _individual(row: dict[str, Any]) -> str:
    copy = "" if row["asset__serial"] == 1 else f" #{row['asset__serial']}"
    return f"{row['asset__name']}{copy} ({row['stable__name']})"


def _best(
    entries: QuerySet[ReputationEntry], fields: tuple[str, ...], name: Callable[[dict[str, Any]], str]
) -> tuple[str, ...]:
    rows: Any = entries.values(*fields).annotate(earned=Sum("amount"), killed=Sum("kills"))
    records = [Record(name(row), row["earned"], row["killed"]) for row in rows]
    return leaders(records) if any(record.reputation > 0 for record in records) else ()
