"""The leaders of a season and the holders of its titles, as the season's page names them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from matches.models import Match
from rules.campaign.standings.places import Record, leaders, ranked
from stables.models import ProvisionalTitle, ReputationEntry, Season, SuddenDeath, Title
from stables.text import names as words


@dataclass(frozen=True)
class TitleLine:
    """One title of a season: the names of its leaders or holders (several if tied or shared), and what decided it.

    `kind` is a value of Title.Kind. `is_held` says that the title is decided, `is_provisional` that a correction may
    still change it. `decided_by` is in words, "" for leaders. `match_url` is the page of the match that decided it, ""
    when there is none.
    """

    kind: str
    label: str | Promise
    names: tuple[str, ...]
    is_held: bool
    decided_by: str = ""
    match_url: str = ""
    is_provisional: bool = False

    @property
    def is_shared(self) -> bool:
        return len(self.names) > 1


@dataclass(frozen=True)
class SeasonRank:
    """The rank of a stable in its season, from 1, and its reputation there. Stables that are even share a rank."""

    rank: int
    reputation: int


def ranks_of(season: Season) -> dict[int, SeasonRank]:
    """Return the ranks of a season's stables by their numbers, without those that have left; one query."""
    rows = season.stables.filter(left_in_cycle=None).order_by("number").values("name", "number")
    own = Q(reputation__asset=None)
    totals = rows.annotate(earned=Sum("reputation__amount", filter=own), killed=Sum("reputation__kills", filter=own))
    records = {row["number"]: Record(row["name"], row["earned"] or 0, row["killed"] or 0) for row in totals}
    standing = {each.name: each.rank for each in ranked(records.values())}
    return {number: SeasonRank(standing[record.name], record.reputation) for number, record in records.items()}


KINDS = (Title.Kind.STABLE, Title.Kind.PILOT)
LEADING = {Title.Kind.STABLE: _("In the lead"), Title.Kind.PILOT: _("Leading pilot")}


def champions_of(season: Season) -> list[Title] | list[ProvisionalTitle]:
    """Return the champions of a season, provisional ones until it is closed; [] before its ceremony.

    While a correction lets its titles be decided again it has none. At most one query.
    """
    shown: Any = None
    if season.state == Season.State.PROVISIONAL:
        shown = season.provisional_titles
    elif season.state in (Season.State.SUDDEN_DEATH, Season.State.FINISHED):
        shown = season.titles
    if shown is None:
        return []
    return list(shown.select_related("stable", "asset", "match").defer(*HEAVY).order_by("id"))


def title_lines(season: Season) -> list[TitleLine]:
    """Return a line for each title: its holders once it is decided, and its leaders before that; stables first.

    A withdrawn stable leads for no title (Q-159). Nobody leads before there is any reputation, and after the ceremony;
    such a title has no line. One query, and two more while the titles are decided.
    """
    held = champions_of(season)
    is_provisional = season.state == Season.State.PROVISIONAL
    is_open = season.state not in (Season.State.PROVISIONAL, Season.State.FINISHED)
    leading = _leading(season) if is_open else {}
    fought = _fought(season) if season.state == Season.State.SUDDEN_DEATH and len(held) < len(KINDS) else {}
    lines = []
    for kind in KINDS:
        own = [title for title in held if title.kind == kind]
        if own:
            first = own[0]
            names = tuple(holder(title) for title in own)
            how, url = words.word(words.TITLE_DECIDED_BY, first.decided_by), _url(first.match)
            lines.append(TitleLine(kind, first.get_kind_display(), names, True, how, url, is_provisional))
        elif leaders_now := leading.get(kind, {}):
            row = fought.get(kind)
            winners = {key: name for key, name in leaders_now.items() if row is not None and key in row.holders}
            if row is not None and winners:
                how, names = words.word(words.TITLE_DECIDED_BY, row.decided_by), tuple(winners.values())
                label = row.get_kind_display()
                lines.append(TitleLine(kind, label, names, True, how, _url(row.match), is_provisional=True))
            else:
                lines.append(TitleLine(kind, LEADING[kind], tuple(leaders_now.values()), False))
    return lines


def _url(match: Match | None) -> str:
    return "" if match is None else match.get_absolute_url()


def _fought(season: Season) -> dict[str, SuddenDeath]:
    """Return the newest ended sudden death of each title; one query."""
    ended = season.sudden_deaths.filter(decided_at__isnull=False).select_related("match").defer(*HEAVY)
    return {row.kind: row for row in ended.order_by("id")}


HEAVY = ("match__setup", "match__seed", "match__result")
"""Large columns of a match that lists do not need."""


def holder(title: Title | ProvisionalTitle) -> str:
    """Return the name of a title's holder: a stable, or an individual with its stable."""
    return title.stable.name if title.asset is None else f"{title.asset.label} ({title.stable.name})"


def _leading(season: Season) -> dict[str, dict[str, str]]:
    """Return the names of the leaders for each title by their keys, without titles for which nobody has reputation.

    One query.
    """
    rows: Any = (
        ReputationEntry.objects.filter(stable__season=season, stable__left_in_cycle=None)
        .order_by()
        .values(
            "stable__name", "stable__number", "asset", "asset__name", "asset__serial", "asset__kind",
            "asset__catalogue_key",
        )
        .annotate(earned=Sum("amount"), killed=Sum("kills"))
    )  # fmt: skip
    records: dict[str, list[Record]] = {kind: [] for kind in KINDS}
    names: dict[str, str] = {}
    for row in rows:
        kind = Title.Kind.STABLE if row["asset"] is None else Title.Kind.PILOT
        names[_key(row)] = _name(row)
        records[kind].append(Record(_key(row), row["earned"], row["killed"]))
    return {
        kind: {key: names[key] for key in leaders(found)}
        for kind, found in records.items()
        if any(record.reputation > 0 for record in found)
    }


def _key(row: dict[str, Any]) -> str:
    """Return the key of a candidate, the same as Claim.key of stables.services.standings.titles."""
    number = f"{row['stable__number']:02d}"
    if row["asset"] is None:
        return number
    return f"{number}:{row['asset__kind']}:{row['asset__catalogue_key']}:{row['asset__serial']}"


def _name(row: dict[str, Any]) -> str:
    if row["asset"] is None:
        return str(row["stable__name"])
    copy = "" if row["asset__serial"] == 1 else f" #{row['asset__serial']}"
    return f"{row['asset__name']}{copy} ({row['stable__name']})"
