"""Who meets whom in a round, and in which arena (R-CYC-07, Q-149, Q-158)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import product

from django.db import transaction
from django.db.models import Sum

from rules.campaign.line_ups.checks import team_size
from rules.campaign.season.calendar import mode_for
from rules.campaign.season.pairing import Field, Side, draw_sides, drawn_order, pair_some
from rules.campaign.season.participation import FEWEST_IN_A_CYCLE
from rules.competition.formats.grand_melee import SIDES_ON_ONE_MAP
from rules.core.dice import SeededDice
from rules.core.refusals import SeasonRefused
from stables.catalogues import catalogue_of
from stables.models import Asset, Cycle, Fixture, FixtureSide, ReputationEntry, Round, Season, Stable
from stables.services import endings, times
from stables.services.asking import ask_for
from stables.services.assets import holding_of
from stables.services.entrants import entrants, playing
from stables.services.locks import lock_season
from stables.services.log import record
from stables.services.news import call_for_line_ups, tell_pairings
from stables.services.rounds import settle_when_complete
from stables.services.sealing import terms_for
from stables.services.times import calendar_of
from stables.streams import season_dice

SIDES = ("red", "blue", "green", "gold", "violet", "orange", "teal", "gray")
"""The sides of a match. Of a pair the first, the one with more reputation, plays red."""

MAPS_OF_A_LARGE_GROUND = 4
"""Arenas that are joined for a grand melee of more sides than one holds (R-FMT-21)."""


@dataclass(frozen=True)
class DrawnRound:
    """A paired round: its id, its fixtures' ids in order, and the number of the stable that has a bye.

    The id is null when the cycle was dropped instead, for want of stables.
    """

    round_id: int | None
    fixture_ids: tuple[int, ...]
    bye: int | None


@dataclass(frozen=True)
class PairedReady:
    """The numbers of the stables that were paired without waiting for the others, and of those that still wait."""

    paired: tuple[int, ...]
    waiting: tuple[int, ...]


@transaction.atomic
def pair_round(*, cycle_id: int, number: int, now: datetime | None = None) -> DrawnRound:
    """Pair round `number` of a cycle, once the one before is settled, and call for line-ups.

    Stables that have a fixture in it already keep it; a round in which everybody has one is returned as it is. A first
    round for which fewer than two stables are left drops the cycle (R-CYC-04).
    """
    season = lock_season(Cycle.objects.values_list("season_id", flat=True).get(pk=cycle_id))
    cycle = Cycle.objects.select_for_update(of=("self",), no_key=True).get(pk=cycle_id)
    cycle.season = season
    paired = Round.objects.select_for_update(no_key=True).filter(cycle=cycle, number=number).first()
    if cycle.state == Cycle.State.MARKET and not _begin(cycle):
        return DrawnRound(None, (), None)
    if cycle.state != Cycle.State.ROUNDS:
        return DrawnRound(None, (), None) if paired is None else _drawn(paired)
    placed = _placed(paired)
    stables = {_name(stable.number): stable for stable in playing(season, cycle.number) if stable.pk not in placed}
    if paired is not None and not stables:
        settle_when_complete(paired)
        return _drawn(paired)
    dice = _pairing_dice(cycle, number, paired)
    bye = None
    if cycle.format == "grand_melee":
        meetings: list[Sequence[Side]] = [[(name,) for name in drawn_order(stables, dice)]]
    else:
        singles = _singles(cycle, number, stables)
        pairing = draw_sides(_field(cycle, stables), singles, number == 1, dice)
        meetings, bye = list(pairing.meetings), pairing.bye
    called = _call(cycle, number, paired, now)
    _create_fixtures(called, cycle, meetings, bye, stables)
    settle_when_complete(called)
    return _drawn(called)


@transaction.atomic
def pair_ready(*, season_id: int, now: datetime | None = None) -> PairedReady:
    """Pair those who wait for nothing but others' late matches, so that their next round begins; an odd one waits on.

    Everybody meets whom he met least, then who is near in reputation (Q-149). The late ones are added to the same
    rounds when their matches are settled. Raises SeasonRefused (nobody_to_pair).
    """
    season = lock_season(season_id)
    cycle = Cycle.objects.select_for_update(of=("self",), no_key=True).filter(season=season).order_by("-number").first()
    if season.state != Season.State.RUNNING or cycle is None or cycle.state != Cycle.State.ROUNDS:
        raise SeasonRefused("nobody_to_pair")
    cycle.season = season
    paired: list[int] = []
    waiting: list[int] = []
    for number, ready in sorted(ready_for_rounds(cycle).items()):
        stables = {_name(stable.number): stable for stable in ready}
        known = Round.objects.select_for_update(no_key=True).filter(cycle=cycle, number=number).first()
        pairs = pair_some(_field(cycle, stables), _pairing_dice(cycle, number, known)).pairs
        met = {name for pair in pairs for name in pair}
        paired += sorted(stables[name].number for name in met)
        waiting += sorted(stable.number for name, stable in stables.items() if name not in met)
        if pairs:
            called = _call(cycle, number, known, now)
            _create_fixtures(called, cycle, [((one,), (other,)) for one, other in pairs], None, stables)
            # The line-ups of the AI are a job's work; its key names the newest fixture, for there may be more to come.
            newest = called.fixtures.order_by("-number").values_list("number", flat=True)[0]
            ask_for(season, "stables.prepare_round", f"round:{called.pk}:prepare:{newest}", round=called.pk)
    if not paired:
        raise SeasonRefused("nobody_to_pair")
    record(season, "round_of_the_ready", {"stables": ", ".join(map(str, paired))}, cycle=cycle)
    return PairedReady(tuple(paired), tuple(waiting))


def ready_for_rounds(cycle: Cycle, part: Iterable[Stable] | None = None) -> dict[int, list[Stable]]:
    """Return, by the number of the round that would be their next, the stables whose matches are all settled.

    Three queries; one when `part` are those who play in the cycle. Nobody is ready for a round after the last.
    """
    matches: Counter[int] = Counter()
    busy = set()
    sides = FixtureSide.objects.filter(fixture__round__cycle=cycle).values_list("stable", "fixture__state")
    for stable_id, state in sides:
        matches[stable_id] += 1
        if state != Fixture.State.SETTLED:
            busy.add(stable_id)
    found: dict[int, list[Stable]] = {}
    for stable in playing(cycle.season, cycle.number) if part is None else part:
        if stable.pk not in busy and matches[stable.pk] < (cycle.rounds_planned or 0):
            found.setdefault(matches[stable.pk] + 1, []).append(stable)
    return found


def _placed(paired: Round | None) -> set[int]:
    if paired is None:
        return set()
    return set(FixtureSide.objects.filter(fixture__round=paired).values_list("stable", flat=True))


def _name(number: int) -> str:
    """Return what stands for a stable in a draw: its number, so that names and ids have no influence."""
    return f"{number:02d}"


def _pairing_dice(cycle: Cycle, number: int, paired: Round | None) -> SeededDice:
    """The dice of a round's pairing; what is added to it later has streams of its own, by the fixtures there are."""
    there = 0 if paired is None else paired.fixtures.count()
    place = (cycle.number, number, there) if there else (cycle.number, number)
    return season_dice(cycle.season, "pairing", *place)


def _begin(cycle: Cycle) -> bool:
    """Count the stables of a cycle whose market closes; False when it is dropped, as fewer than two are left."""
    stables = len(entrants(cycle.season, cycle.number))
    if stables < FEWEST_IN_A_CYCLE:
        endings.drop_cycle(cycle, stables)
        return False
    cycle.state = Cycle.State.ROUNDS
    cycle.started_with = stables
    cycle.rounds_planned = cycle.season.rules.rounds_of(cycle.number, stables)
    cycle.save(update_fields=["state", "started_with", "rounds_planned"])
    return True


def _call(cycle: Cycle, number: int, paired: Round | None, now: datetime | None) -> Round:
    """Return the round, made when it is not there; its times are those of a round that begins now."""
    called = paired if paired is not None else Round.objects.create(cycle=cycle, number=number)
    times.call_round(called, now)
    return called


def _field(cycle: Cycle, stables: Mapping[str, Stable]) -> Field:
    names = {pk: _name(number) for pk, number in cycle.season.stables.values_list("pk", "number")}
    totals = (
        ReputationEntry.objects.filter(stable__season=cycle.season, asset=None)
        .order_by()
        .values("stable")
        .annotate(total=Sum("amount"))
        .values_list("stable", "total")
    )
    sides = FixtureSide.objects.filter(fixture__round__cycle__season=cycle.season).values_list(
        "fixture", "fixture__kind", "fixture__round__cycle", "side", "stable"
    )
    meetings: dict[int, dict[str, list[str]]] = {}
    byes: Counter[str] = Counter()
    byes_this_cycle: Counter[str] = Counter()
    for fixture, kind, of_cycle, side, stable in sides:
        if kind == Fixture.Kind.BYE:
            byes[names[stable]] += 1
            byes_this_cycle[names[stable]] += of_cycle == cycle.pk
        else:
            meetings.setdefault(fixture, {}).setdefault(side, []).append(names[stable])
    # A grand melee is no meeting of two; partners of one side have not met either.
    met = [
        (one, other)
        for of_sides in meetings.values()
        if len(of_sides) == 2
        for one, other in product(*of_sides.values())
    ]
    return Field(tuple(stables), {names[stable]: total for stable, total in totals}, met, byes, byes_this_cycle)


def _create_fixtures(
    called: Round,
    cycle: Cycle,
    meetings: Sequence[Sequence[Side]],
    bye: str | None,
    stables: Mapping[str, Stable],
) -> None:
    arenas = sorted(catalogue_of(cycle.season).arenas)
    default = calendar_of(cycle.season).mode
    fixtures = []
    first = called.fixtures.count() + 1
    for number, sides in enumerate(meetings, first):
        dice = season_dice(cycle.season, "arena", cycle.number, called.number, number)
        maps = MAPS_OF_A_LARGE_GROUND if len(sides) > SIDES_ON_ONE_MAP else 1
        drawn = [arenas[dice.draw(len(arenas), "arena")] for _ in range(maps)]
        mode = mode_for(default, [stables[name].owner_id is not None for side in sides for name in side])
        fixtures.append(Fixture(round=called, number=number, arena_key="+".join(drawn), mode=mode))
    placed: list[Sequence[Side]] = list(meetings)
    if bye is not None:
        number = first + len(fixtures)
        fixtures.append(Fixture(round=called, number=number, kind=Fixture.Kind.BYE, state=Fixture.State.SETTLED))
        placed.append([(bye,)])
    Fixture.objects.bulk_create(fixtures)
    FixtureSide.objects.bulk_create(
        FixtureSide(fixture=fixture, stable=stables[name], side=side)
        for fixture, sides in zip(fixtures, placed, strict=True)
        for side, names in zip(SIDES, sides, strict=False)
        for name in names
    )
    told = [[" & ".join(stables[name].name for name in side) for side in sides] for sides in meetings]
    tell_pairings(cycle, called, told, None if bye is None else stables[bye].name)
    call_for_line_ups(cycle, called, [stables[name] for sides in meetings for side in sides for name in side])


def _singles(cycle: Cycle, number: int, stables: Mapping[str, Stable]) -> list[str]:
    """Return the stables that can field one unit but not the two that the format asks for (Q-154); one query.

    What is repaired before the match changes nothing in that: who is eliminated would sit it out.
    """
    terms = terms_for(cycle)
    if terms.size == 1:
        return []
    owned: dict[int, list[Asset]] = {stable.pk: [] for stable in stables.values()}
    for asset in Asset.objects.filter(stable__in=list(owned), sold_at=None, died_at=None).order_by("id"):
        owned[asset.stable_id].append(asset)
    found = []
    for name, stable in stables.items():
        holding = holding_of(cycle.season, owned[stable.pk], cycle=cycle.number, round_number=number)
        if team_size(holding.units.values(), holding.pilots.values(), terms) == 1:
            found.append(name)
    return found


def _drawn(paired: Round) -> DrawnRound:
    fixtures = list(paired.fixtures.order_by("number").values_list("pk", "kind"))
    bye = (
        FixtureSide.objects.filter(fixture__round=paired, fixture__kind=Fixture.Kind.BYE)
        .select_related("stable")
        .first()
    )
    return DrawnRound(
        paired.pk,
        tuple(pk for pk, kind in fixtures if kind == Fixture.Kind.MATCH),
        None if bye is None else bye.stable.number,
    )
