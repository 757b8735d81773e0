"""The standings of a season as rows: totals of stables and individuals, and what decides their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Sum

from rules.campaign.capital import net_worth, worth_of
from rules.campaign.results.corrections import Document
from rules.campaign.standings.crew_records import NO_RECORD, crew_records, individuals_of
from rules.campaign.standings.places import (
    Record,
    Standing,
    counts_a_match,
    rank_changes,
    ranked,
    reputation_a_match,
)
from rules.campaign.standings.schedule import HeadToHead, head_to_head, strengths_of_schedule
from stables.models import Asset, Placing, ReputationEntry, Season, Stable
from stables.selectors.assets import cost_of_repair, gear_by_unit
from stables.selectors.leaders import champions_of
from stables.selectors.records import documents_of
from stables.text import names as words

CORRECTION = "correction"
"""The cause of entries that correct a settlement."""


@dataclass
class Tally:
    """What a stable or an individual did, in one cycle or in the season."""

    reputation: int = 0
    kills: int = 0
    wins: int = 0
    matches: int = 0

    @property
    def losses(self) -> int:
        return self.matches - self.wins

    @property
    def reputation_a_match(self) -> Decimal | None:
        """The reputation for each match played, None without a match."""
        return reputation_a_match(self.reputation, self.matches)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row of sums from the reputation book."""
        self.reputation += row["earned"]
        self.kills += row["killed"]
        self.wins += row["won"]
        self.matches += row["played"]


@dataclass
class StandingRow:
    """One stable: its totals, their parts by cycle, and its place in the table.

    `worth` is in Stones. `change` is the number of ranks that it rose in the newest cycle, None in the first.
    `schedule` is the strength of its schedule in percent (None without one), and `against` has what it did against each
    stable that it met, by number: statistics of the house, which decide no place (O-M12).
    """

    stable: Stable
    total: Tally = field(default_factory=Tally)
    cycles: dict[int, Tally] = field(default_factory=dict)
    corrections: list[ReputationEntry] = field(default_factory=list)
    placings: dict[int, Placing] = field(default_factory=dict)
    worth: int = 0
    standing: Standing = field(default_factory=lambda: Standing("", 0, False, None))
    change: int | None = None
    is_champion: bool = False
    is_provisional: bool = False
    schedule: Decimal | None = None
    against: list[tuple[Stable, HeadToHead]] = field(default_factory=list)

    @property
    def purses(self) -> int:
        return sum(placing.purse for placing in self.placings.values())

    @property
    def parts(self) -> list[tuple[int, Tally, Placing | None]]:
        """The cycles in order, each with its tally and its placing (None before it has places, and without a place)."""
        numbers = sorted({*self.cycles, *self.placings})
        return [(number, self.cycles.get(number, Tally()), self.placings.get(number)) for number in numbers]


@dataclass
class IndividualRow:
    """One pilot, or unit that fought without one (Q-162)."""

    asset: Asset
    stable: Stable
    total: Tally = field(default_factory=Tally)
    standing: Standing = field(default_factory=lambda: Standing("", 0, False, None))
    is_champion: bool = False
    is_provisional: bool = False


def tables_of(season: Season) -> tuple[dict[int, StandingRow], dict[int, IndividualRow]]:
    """Return the rows of stables and of individuals by id, with champions marked, provisional ones too; ten queries."""
    rows = stable_rows(season)
    documents = documents_of(season)
    add_schedules(rows.values(), documents)
    individuals = individual_rows(season, {pk: row.stable for pk, row in rows.items()}, documents)
    is_final = season.state != Season.State.PROVISIONAL
    for title in champions_of(season):
        row = rows[title.stable_id] if title.asset_id is None else individuals.get(title.asset_id)
        if row is not None:
            row.is_champion, row.is_provisional = is_final, not is_final
    return rows, individuals


def stable_rows(season: Season) -> dict[int, StandingRow]:
    """Return the stables with their totals, by id; five queries."""
    rows = {stable.pk: StandingRow(stable) for stable in season.stables.order_by("number")}
    book = ReputationEntry.objects.filter(stable__season=season, asset=None)
    sums = (
        book.order_by()
        .values("stable", "cycle__number")
        .annotate(earned=Sum("amount"), killed=Sum("kills"), won=Sum("wins"), played=Sum("matches"))
    )
    for line in sums:
        row = rows[line["stable"]]
        row.total.add(line)
        row.cycles.setdefault(line["cycle__number"], Tally()).add(line)
    corrections = book.filter(cause=CORRECTION).select_related("cycle", "fixture__round")
    for entry in corrections.order_by("id"):
        rows[entry.stable_id].corrections.append(entry)
    for placing in Placing.current().filter(cycle__season=season).select_related("cycle").order_by("cycle__number"):
        rows[placing.stable_id].placings[placing.cycle.number] = placing
    assets = list(Asset.objects.filter(stable__season=season, sold_at=None))
    gear = gear_by_unit(assets)
    for stable_id, row in rows.items():
        own = (asset for asset in assets if asset.stable_id == stable_id)
        row.worth = net_worth(
            row.stable.capital, row.stable.owed, [_worth(season, asset, gear.get(asset.pk, [])) for asset in own]
        )
    return rows


def _worth(season: Season, asset: Asset, gear: list[Asset]) -> int:
    cost = cost_of_repair(season, asset, gear) if asset.kind == Asset.Kind.UNIT else 0
    return worth_of(asset.price_paid, cost, is_alive=asset.died_at is None)


def in_order(rows: Iterable[StandingRow]) -> list[StandingRow]:
    """Return the rows in the order of the rules, each with its standing and its change of rank in the newest cycle."""
    named = {row.stable.name: row for row in rows}
    now = [Record(name, row.total.reputation, row.total.kills) for name, row in named.items()]
    newest = max((number for row in named.values() for number in row.cycles), default=0)
    before = [
        Record(
            name,
            row.total.reputation - row.cycles.get(newest, Tally()).reputation,
            row.total.kills - row.cycles.get(newest, Tally()).kills,
        )
        for name, row in named.items()
    ]
    changes = rank_changes(before, now) if newest > 1 else {}
    ordered = []
    for standing in ranked(now):
        row = named[standing.name]
        row.standing, row.change = standing, changes.get(standing.name)
        ordered.append(row)
    return ordered


def add_schedules(rows: Iterable[StandingRow], documents: Sequence[Document]) -> None:
    """Set `schedule` and `against` of all rows of a season, from the valid documents of its results; no query."""
    listed = list(rows)
    met, strengths = head_to_head(documents), strengths_of_schedule(documents)
    for row in listed:
        number = row.stable.number
        row.schedule = strengths.get(number)
        row.against = [
            (other.stable, met[number, other.stable.number]) for other in listed if (number, other.stable.number) in met
        ]


def individual_rows(
    season: Season, stables: dict[int, Stable], documents: Sequence[Document]
) -> dict[int, IndividualRow]:
    """Return the individuals with a record, by asset id; two queries. `documents` are those of all results.

    Reputation and kills are those of the books. Matches and wins are those in which the individual was in the arena:
    forfeits and voided results count for nobody.
    """
    book = ReputationEntry.objects.filter(stable__season=season).exclude(asset=None).order_by()
    sums = book.values("asset").annotate(earned=Sum("amount"), killed=Sum("kills"))
    records = {row["asset"]: row for row in sums}
    fought, fighters = crew_records(documents), individuals_of(documents)
    kinds = (Asset.Kind.UNIT, Asset.Kind.PILOT)
    rows = {}
    for asset in Asset.objects.filter(stable__season=season, kind__in=kinds).order_by("id"):
        stable = stables[asset.stable_id]
        line = (stable.number, asset.code)
        if asset.pk not in records and line not in fighters:
            continue
        record = records.get(asset.pk, {"earned": 0, "killed": 0})
        own = fought.get(line, NO_RECORD)
        total = Tally(record["earned"], record["killed"], own.wins, own.matches)
        rows[asset.pk] = IndividualRow(asset, stable, total)
    return rows


def individuals_in_order(rows: Iterable[IndividualRow]) -> list[IndividualRow]:
    """Return the rows in the order of the rules, each with its standing."""
    named = {f"{row.asset.label}\0{row.asset.pk:012d}": row for row in rows}
    ordered = []
    for standing in ranked(Record(name, row.total.reputation, row.total.kills) for name, row in named.items()):
        named[standing.name].standing = standing
        ordered.append(named[standing.name])
    return ordered


def placing_decided(placing: Placing, all_of_cycle: Iterable[Placing]) -> str:
    """Return in words what separates a place from the next better one; "" for the first.

    Where the stables of the cycle have played unequal numbers of matches, it says that reputation counts for each match
    (Q-158).
    """
    if not placing.decided_by:
        return ""
    if placing.decided_by == "reputation" and counts_a_match(each.matches for each in all_of_cycle):
        return str(words.REPUTATION_A_MATCH)
    return words.word(words.DECIDED_BY, placing.decided_by)
