"""The numbers behind the pictures of a season, read from its books, corrections included.

All of them are as public as the season: reputation, ledgers, results, and the damage of units.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter

from django.db.models import Prefetch, Sum

from rules.campaign.standings.schedule import meetings_in
from rules.core.digits import whole_number
from stables.models import (
    Asset,
    Correction,
    Fixture,
    FixtureSide,
    LedgerEntry,
    LogEntry,
    ReputationEntry,
    Result,
    Season,
    Stable,
)
from stables.selectors.leaders import HEAVY

REPAIRS = ("repair", "compulsory_repair")
"""Causes of ledger entries that put a unit back to its start marker."""

Gains = Mapping[int, Mapping[int, int]]
"""Stable's id -> number of a cycle or round -> the stable's reputation or Stones there."""


# Reputation ------------------------------------------------------------------------------------------------------


def reputation_by_round(season: Season) -> dict[tuple[int, int, int], int]:
    """Return the reputation that each stable earned, by (stable's id, cycle, round); one query.

    Round 0 holds the reputation that belongs to no fixture.
    """
    book = ReputationEntry.objects.filter(stable__season=season, asset=None).order_by()
    sums = book.values_list("stable", "cycle__number", "fixture__round__number").annotate(earned=Sum("amount"))
    return {(stable, cycle, round_number or 0): earned for stable, cycle, round_number, earned in sums}


def by_cycle(earned: Mapping[tuple[int, int, int], int]) -> dict[int, dict[int, int]]:
    """Return the sums of `reputation_by_round` over the rounds: stable's id -> cycle -> reputation. No query."""
    found: dict[int, dict[int, int]] = {}
    for (stable, cycle, _), amount in earned.items():
        of_stable = found.setdefault(stable, {})
        of_stable[cycle] = of_stable.get(cycle, 0) + amount
    return found


def by_round(earned: Mapping[tuple[int, int, int], int], cycle: int) -> dict[int, dict[int, int]]:
    """Return one cycle of `reputation_by_round`: stable's id -> round -> reputation. No query."""
    found: dict[int, dict[int, int]] = {}
    for (stable, number, round_number), amount in earned.items():
        if number == cycle:
            found.setdefault(stable, {})[round_number] = amount
    return found


# Capital ---------------------------------------------------------------------------------------------------------


def balances(season: Season) -> dict[int, dict[int, int]]:
    """Return each stable's balance at the close of each cycle, and its first balance as that of cycle 0; two queries.

    The season's log says when a cycle closed. Entries posted later, corrections too, belong to the next cycle. A
    cycle that closed before the stable was founded has no balance.
    """
    closed = LogEntry.objects.filter(season=season, code="cycle_closed").exclude(cycle=None)
    ends = sorted((moment, number) for number, moment in closed.values_list("cycle__number", "created_at"))
    moments = [moment for moment, _ in ends]
    entries = LedgerEntry.objects.filter(stable__season=season, stable__removed_at=None).order_by("stable", "sequence")
    found: dict[int, dict[int, int]] = {}
    for stable, sequence, moment, balance in entries.values_list("stable", "sequence", "created_at", "balance_after"):
        of_stable = found.setdefault(stable, {})
        if sequence == 1:
            of_stable[0] = balance
        for _, number in ends[bisect_left(moments, moment) :]:
            of_stable[number] = balance
    return found


# Fixtures --------------------------------------------------------------------------------------------------------


def fixtures_of(season: Season) -> list[Fixture]:
    """Return all fixtures with round, cycle, match, sides, stables, result and corrections, in order; three queries."""
    found = list(
        Fixture.objects.filter(round__cycle__season=season)
        .select_related("round__cycle", "match", "result")
        .defer(*HEAVY)
        .prefetch_related(
            Prefetch("result__corrections", queryset=Correction.objects.defer("effects", "reason")),
            Prefetch("sides", queryset=FixtureSide.objects.select_related("stable").order_by("id")),
        )
        .order_by("round__cycle__number", "round__number", "number")
    )
    for fixture in found:
        fixture.round.cycle.season = season
    return found


@dataclass
class Rivalry:
    """What one stable did against another: meetings won and lost, reputation banked in them, and the last meeting."""

    wins: int = 0
    losses: int = 0
    meetings: int = 0
    reputation: int = 0
    last: Fixture | None = None


def rivalries(fixtures: Iterable[Fixture]) -> dict[tuple[int, int], Rivalry]:
    """Return the rivalries of stables that met on different sides of a settled match, by (stable's id, other's id).

    Each pair is there in both orders, as `rules.campaign.standings.schedule` counts it. No query on fixtures of
    `fixtures_of`.
    """
    found: dict[tuple[int, int], Rivalry] = {}
    for fixture in fixtures:
        result: Result | None = getattr(fixture, "result", None)
        if result is None:
            continue
        ids = {side.stable.number: side.stable_id for side in fixture.sides.all()}
        for own, other, met in meetings_in(result.current):
            rivalry = found.setdefault((ids[own], ids[other]), Rivalry())
            rivalry.meetings += met.matches
            rivalry.wins += met.wins
            rivalry.losses += met.losses
            rivalry.reputation += met.reputation
            rivalry.last = fixture
    return found


# Damage ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Event:
    """Something that happened to a unit: a "match", a "repair", or "now" for its present state.

    `before` and `after` count lost clicks. `moment` is None for "now"; only a match has a fixture.
    """

    kind: str
    moment: datetime | None
    before: int
    after: int
    is_eliminated: bool = False
    fixture: Fixture | None = None


@dataclass
class Wear:
    """A unit, the clicks of its dial, and its events, the oldest first."""

    asset: Asset
    clicks: int
    events: list[Event] = field(default_factory=list)


def results_of(stable: Stable) -> list[Fixture]:
    """Return the settled fixtures of a stable with round, cycle, result and corrections, in order; two queries."""
    return list(
        Fixture.objects.filter(sides__stable=stable, result__isnull=False)
        .select_related("round__cycle", "result")
        .prefetch_related(Prefetch("result__corrections", queryset=Correction.objects.defer("effects", "reason")))
        .order_by("round__cycle__number", "round__number", "number")
    )


def wear_of(
    stable: Stable,
    units: Sequence[tuple[Asset, int]],
    fixtures: Iterable[Fixture],
    ledger: Iterable[LedgerEntry] | None = None,
) -> list[Wear]:
    """Return what happened to those `units` that fought a match; one query, none with the stable's `ledger`.

    `units` pairs each unit with the clicks of its dial. `fixtures` are in order; voided matches are left out. The last
    event of an unsold unit is its present state.
    """
    found = {asset.code: Wear(asset, clicks) for asset, clicks in units}
    for fixture in fixtures:
        result: Result | None = getattr(fixture, "result", None)
        if result is None or result.current["ended_by"] == "void":
            continue
        for shown in result.current["units"].values():
            wear = found.get(str(shown["asset"])) if int(shown["stable"]) == stable.number else None
            if wear is not None:
                before, after = int(shown.get("before", 0)), int(shown["clicks"])
                wear.events.append(Event("match", result.settled_at, before, after, bool(shown["eliminated"]), fixture))
    by_id = {wear.asset.pk: wear for wear in found.values()}
    if ledger is None:
        ledger = LedgerEntry.objects.filter(stable=stable, cause__in=REPAIRS)
    for entry in sorted((each for each in ledger if each.cause in REPAIRS), key=attrgetter("sequence")):
        # The key of a repair names the unit: "asset:12:repair:...".
        number = whole_number(entry.idempotency_key.split(":")[1])
        if number in by_id:
            by_id[number].events.append(Event("repair", entry.created_at, 0, 0))
    return [_in_order(wear) for wear in found.values() if any(event.kind == "match" for event in wear.events)]


def _in_order(wear: Wear) -> Wear:
    events = sorted(wear.events, key=attrgetter("moment"))
    wear.events = []
    clicks = 0
    for event in events:
        is_repair = event.kind == "repair"
        wear.events.append(Event("repair", event.moment, clicks, 0) if is_repair else event)
        clicks = event.after
    if wear.asset.sold_at is None:
        now = wear.clicks if wear.asset.is_eliminated else wear.asset.damage
        wear.events.append(Event("now", None, now, now, wear.asset.is_eliminated))
    return wear
