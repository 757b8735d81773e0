"""A preview: what closing a cycle would bring, and what ending the wait would do now (Q-157). Nothing is stored.

The preview uses the code that decides places, purses, repairs and stand-ins when the cycle closes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from rules.campaign.season.settings import SeasonSettings
from rules.campaign.season.unplayed import ending_of
from rules.campaign.states import UNDECIDED
from stables.models import (
    Asset,
    Cycle,
    ExternalSeat,
    Fixture,
    FixtureSide,
    HandOver,
    LogEntry,
    NoShowClaim,
    Placing,
    Report,
    Round,
    SavedLineUp,
    Season,
    Stable,
)
from stables.selectors.assets import holding_of
from stables.selectors.fixtures import is_excused
from stables.selectors.seating import arrange, has_person, running_at
from stables.services.base import deadlines
from stables.services.base.ledger import withheld_of
from stables.services.garage.repairs import preview
from stables.services.line_ups.sealing import Called, terms_for
from stables.services.line_ups.stand_ins import source_of_stand_in
from stables.services.results.placings import places_of, purse_at

DIE = "die"
"""The value of Placing.decided_by for stables that only a die could separate."""


@dataclass(frozen=True)
class Missing:
    """A side without a line-up.

    `source` says which line-up would stand in: a LineUp.Source, or "" if the stable can field nothing. `is_called`
    says whether calling time for line-ups would reach the side: only the newest round is called, and no match of
    which a stable is excused.
    """

    side: FixtureSide
    source: str
    is_called: bool


@dataclass(frozen=True)
class Unplayed:
    """An open match.

    `ending` says what ends the match when its time is over: "ai", "extend" or "forfeit"; "" when nothing has to end
    it, and for a match with reports. `reporters` are the names of the stables that reported it. `is_disputed`: every
    person who plays has reported and the match is still open, or it waits for an organiser or a referee.
    """

    fixture: Fixture
    stables: tuple[str, ...]
    ending: str
    reporters: tuple[str, ...] = ()
    is_disputed: bool = False


@dataclass(frozen=True)
class Share:
    """A stable's place and purse in Stones, each as (lowest, highest): they differ while a die has yet to decide.

    `placing` is None and both are (0, 0) for a stable without a place. `repairs` are the names of the units that the
    stable would repair with the lowest purse, for `repair_price` Stones in all; only organisers get repairs.
    """

    stable: Stable
    placing: Placing | None = None
    places: tuple[int, int] = (0, 0)
    purses: tuple[int, int] = (0, 0)
    repairs: tuple[str, ...] = ()
    repair_price: int = 0


@dataclass(frozen=True)
class Next:
    """The cycle after this one; `number` is None after the last, when the titles are decided."""

    number: int | None
    format: str = ""
    match_class: str = ""


@dataclass
class CloseOut:
    """What closing a cycle would bring. `is_over`: every match is settled. `newest_round` is None before the first.

    While places are unknown `shares` is empty; for organisers it then has every stable without a place.
    """

    cycle: Cycle
    rounds_settled: int
    is_over: bool
    next: Next
    newest_round: Round | None
    shares: list[Share] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    unplayed: list[Unplayed] = field(default_factory=list)

    @property
    def is_last_round(self) -> bool:
        return self.newest_round is not None and self.newest_round.number >= (self.cycle.rounds_planned or 0)


def close_out(season: Season, cycle: Cycle, *, for_organisers: bool, now: datetime | None = None) -> CloseOut:
    """Return what closing a cycle in its rounds would bring now; at most ten queries.

    Only organisers get the missing line-ups, the open matches, the repairs and the stables without a place.
    """
    cycle.season = season
    rounds = list(cycle.rounds.order_by("number"))
    settled = sum(each.state == Round.State.SETTLED for each in rounds)
    sides = list(_open_sides(cycle, now or timezone.now()))
    for side in sides:
        side.fixture.round.cycle = cycle
    is_over = settled == cycle.rounds_planned and not sides
    found = CloseOut(cycle, settled, is_over, next_of(season, cycle), rounds[-1] if rounds else None)
    # The only match of a grand melee decides its places.
    if is_over or cycle.format != "grand_melee":
        found.shares = _shares(cycle, is_over)
    if for_organisers:
        stables = {stable.pk: stable for stable in season.stables.order_by("number")}
        owned = _assets(season)
        found.shares = _with_repairs(found.shares, stables, owned)
        found.missing = _missing(cycle, sides, owned, found.newest_round, now or timezone.now())
        found.unplayed = _unplayed(season, sides, now or timezone.now())
    return found


def next_of(season: Season, cycle: Cycle) -> Next:
    """Return the cycle after this one, with the announced changes of the settings; no query."""
    rules = SeasonSettings.from_json({**season.settings, **season.pending_settings})
    number = cycle.number + 1
    if number > len(rules.cycles):
        return Next(None)
    return Next(number, rules.cycles[number - 1], rules.class_of(number))


# Places, purses, repairs ----------------------------------------------------------------------------------------------


def _shares(cycle: Cycle, is_over: bool) -> list[Share]:
    """Return the places as the close would write them, best first.

    Stables that only a die can separate stay tied until every match is settled: somebody who saw the roll earlier
    could call time when it favours them.
    """
    placings = places_of(cycle, cycle.placings_revision)
    if is_over:
        return [_share(cycle, [placing], placing) for placing in placings]
    groups: list[list[Placing]] = []
    for placing in placings:
        if placing.decided_by == DIE and groups:
            groups[-1].append(placing)
        else:
            groups.append([placing])
    return [
        _share(cycle, group, placing)
        for group in groups
        for placing in sorted(group, key=lambda each: each.stable.number)
    ]


def _share(cycle: Cycle, group: list[Placing], placing: Placing) -> Share:
    started_with = cycle.started_with or 0
    places = [one.place for one in group]
    if len(group) == 1:
        return Share(placing.stable, placing, (placing.place, placing.place), (placing.purse, placing.purse))
    purses = [purse_at(cycle, placing.stable, place, started_with) for place in places]
    return Share(placing.stable, placing, (min(places), max(places)), (min(purses), max(purses)))


def _assets(season: Season) -> dict[int, list[Asset]]:
    """Return the unsold assets of a season by their stable's id; one query."""
    found: dict[int, list[Asset]] = {}
    for asset in Asset.objects.filter(stable__season=season, sold_at=None).order_by("id"):
        found.setdefault(asset.stable_id, []).append(asset)
    return found


def _with_repairs(
    shares: Iterable[Share], stables: Mapping[int, Stable], owned: Mapping[int, list[Asset]]
) -> list[Share]:
    """Return the shares with their repairs. Stables without a share follow: their units are repaired too (Q-131).

    Changes the capital of the objects in `stables`; do not save them.
    """
    placed = {share.stable.pk: share for share in shares}
    listed = [*placed.values(), *(Share(stable) for pk, stable in stables.items() if pk not in placed)]
    return [_with_repair(share, stables[share.stable.pk], owned.get(share.stable.pk, [])) for share in listed]


def _with_repair(share: Share, stable: Stable, assets: list[Asset]) -> Share:
    purse = share.purses[0]
    # Change only the object, never its row: repairs are paid after the purse.
    stable.capital += purse - withheld_of(stable, purse)
    plan = preview(stable, assets)
    names = {asset.pk: asset.label for asset in assets}
    repairs = tuple(names[pk] for pk in plan.chosen)
    return Share(share.stable, share.placing, share.places, share.purses, repairs, plan.price)


# What is open ---------------------------------------------------------------------------------------------------------


def _open_sides(cycle: Cycle, now: datetime) -> QuerySet[FixtureSide]:
    """Return the sides of a cycle's open matches, annotated for `_missing` and `_unplayed`; one query."""
    sides = FixtureSide.objects.filter(fixture__round__cycle=cycle).exclude(fixture__state=Fixture.State.SETTLED)
    claims = NoShowClaim.objects.filter(fixture=OuterRef("fixture"))
    log = LogEntry.objects.filter(fixture=OuterRef("fixture"))
    saved = SavedLineUp.objects.filter(
        stable=OuterRef("stable"), match_class=cycle.match_class, format=cycle.format
    ).values("document")
    return (
        sides.select_related("fixture__round", "stable__owner", "line_up")
        .annotate(
            is_finished=Exists(Fixture.objects.filter(pk=OuterRef("fixture"), match__state="finished")),
            is_claimed=Exists(claims.filter(state__in=UNDECIDED)),
            is_stood_in=Exists(claims.filter(state=NoShowClaim.State.STAND_IN, absent=OuterRef("stable"))),
            is_extended=Exists(log.filter(code=deadlines.EXTENDED)),
            is_away=Exists(HandOver.objects.filter(running_at(now), stable=OuterRef("stable"))),
            has_program=Exists(
                ExternalSeat.objects.filter(stable=OuterRef("stable"), ended_at=None).exclude(agreed_at=None)
            ),
            saved=Subquery(saved[:1]),
        )
        .order_by(F("fixture__round__number"), F("fixture__number"), "id")
    )


def _by_fixture(sides: Iterable[FixtureSide]) -> dict[int, list[FixtureSide]]:
    found: dict[int, list[FixtureSide]] = {}
    for side in sides:
        found.setdefault(side.fixture_id, []).append(side)
    return found


def _missing(
    cycle: Cycle, sides: list[FixtureSide], owned: Mapping[int, list[Asset]], newest: Round | None, now: datetime
) -> list[Missing]:
    """Return the sides whose line-up is missing; no query."""
    found = []
    by_fixture = _by_fixture(sides)
    for side in sides:
        fixture = side.fixture
        if fixture.state != Fixture.State.LINE_UPS or side.forfeits or hasattr(side, "line_up"):
            continue
        side.stable.season = cycle.season
        sharing = sum(each.side == side.side for each in by_fixture[fixture.pk])
        holding = holding_of(
            cycle.season, owned.get(side.stable_id, []), cycle=cycle.number, round_number=fixture.round.number
        )
        called = Called(side, fixture, side.stable, holding, terms_for(cycle, sharing))
        source = source_of_stand_in(called, side.saved)  # type: ignore[attr-defined]
        is_called = newest is not None and fixture.round_id == newest.pk and not is_excused(fixture, now)
        found.append(Missing(side, source, is_called))
    return found


def _unplayed(season: Season, sides: list[FixtureSide], now: datetime) -> list[Unplayed]:
    """Return the open matches and what ends each; one query, for the reports."""
    reported: dict[int, dict[int, str]] = {}
    by_fixture = _by_fixture(sides)
    reports = Report.objects.filter(fixture__in=list(by_fixture)).order_by("stable__number")
    for fixture, stable, name in reports.values_list("fixture", "stable", "stable__name"):
        reported.setdefault(fixture, {})[stable] = name
    return [_open_match(season, of_one, reported.get(pk, {}), now) for pk, of_one in by_fixture.items()]


def _open_match(season: Season, sides: list[FixtureSide], reported: Mapping[int, str], now: datetime) -> Unplayed:
    fixture = sides[0].fixture
    people = [side.stable_id for side in sides if not side.forfeits and has_person(side.stable)]
    names = tuple(side.stable.name for side in sides)
    if reported:
        is_disputed = set(people) <= set(reported) or fixture.confirm_due_at is None
        return Unplayed(fixture, names, "", tuple(reported.values()), is_disputed)
    return Unplayed(fixture, names, _ending(season, fixture, sides, people, now))


def _ending(season: Season, fixture: Fixture, sides: list[Any], people: list[int], now: datetime) -> str:
    playing = [side for side in sides if not side.forfeits]
    seating = arrange(
        fixture,
        playing,
        {side.stable_id for side in playing if side.is_away},
        {side.stable_id: side.stable.owner for side in playing if side.has_program},
        {side.stable_id for side in playing if side.is_stood_in},
        # The AI plays a match between people only where they, or the season for them, agreed to it.
        people,
    )
    is_sealed = fixture.state == Fixture.State.SEALED
    waits_for_people = any(seat.user is not None for seat in seating.seats)
    if sides[0].is_finished or not waits_for_people or (seating.mode == Fixture.Mode.AI and is_sealed):
        return ""
    # Once the time to play is over all line-ups are in: by then stand-ins replace the missing ones.
    may_extend = season.rules.unplayed == "extend" and not (sides[0].is_claimed or sides[0].is_extended)
    has_date_left = may_extend and deadlines.calendar_of(season).new_date(now, fixture.round.cycle.format) is not None
    return ending_of(season.rules.unplayed, is_sealed=True, has_date_left=has_date_left)
