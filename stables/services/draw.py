"""Who meets whom in a round, and in which arena (R-CYC-07, Q-149, Q-158)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Sum

from rules.campaign.pairing import Field, draw_round, drawn_order
from rules.competition.formats.grand_melee import SIDES_ON_ONE_MAP
from stables.catalogues import catalogue_of
from stables.models import Cycle, Fixture, FixtureSide, ReputationEntry, Round, Stable
from stables.streams import season_dice

SIDES = ("red", "blue", "green", "gold", "violet", "orange", "teal", "gray")
"""The sides of a match. Of a pair the first, the one with more reputation, plays red."""

MAPS_OF_A_LARGE_GROUND = 4
"""Arenas that are joined for a grand melee of more sides than one holds (R-FMT-21)."""


@dataclass(frozen=True)
class DrawnRound:
    """A paired round: its id, its fixtures' ids in order, and the number of the stable that has a bye."""

    round_id: int
    fixture_ids: tuple[int, ...]
    bye: int | None


@transaction.atomic
def pair_round(*, cycle_id: int, number: int) -> DrawnRound:
    """Pair round `number` of a cycle and call for line-ups; a round that is paired already is returned as it is."""
    cycle = Cycle.objects.select_for_update(of=("self",)).select_related("season__release").get(pk=cycle_id)
    known = Round.objects.filter(cycle=cycle, number=number).first()
    if known is not None:
        return _drawn(known)
    stables = {_name(stable.number): stable for stable in cycle.season.stables.order_by("number")}
    dice = season_dice(cycle.season, "pairing", cycle.number, number)
    if cycle.format == "grand_melee":
        meetings: list[tuple[str, ...]] = [tuple(drawn_order(stables, dice))]
        bye = None
    else:
        pairing = draw_round(_field(cycle, stables), number == 1, dice)
        meetings, bye = list(pairing.pairs), pairing.bye
    if cycle.state == Cycle.State.MARKET:
        _begin(cycle, len(stables))
    created = Round.objects.create(cycle=cycle, number=number)
    _create_fixtures(created, cycle, meetings, bye, stables)
    return _drawn(created)


def _name(number: int) -> str:
    """Return what stands for a stable in a draw: its number, so that names and ids have no influence."""
    return f"{number:02d}"


def _begin(cycle: Cycle, stables: int) -> None:
    cycle.state = Cycle.State.ROUNDS
    cycle.started_with = stables
    cycle.rounds_planned = cycle.season.rules.rounds_of(cycle.number, stables)
    cycle.save(update_fields=["state", "started_with", "rounds_planned"])


def _field(cycle: Cycle, stables: dict[str, Stable]) -> Field:
    names = {stable.pk: name for name, stable in stables.items()}
    totals = (
        ReputationEntry.objects.filter(stable__season=cycle.season, asset=None)
        .order_by()
        .values("stable")
        .annotate(total=Sum("amount"))
        .values_list("stable", "total")
    )
    sides = FixtureSide.objects.filter(fixture__round__cycle__season=cycle.season).values_list(
        "fixture", "fixture__kind", "fixture__round__cycle", "stable"
    )
    meetings: dict[int, list[str]] = {}
    byes: Counter[str] = Counter()
    byes_this_cycle: Counter[str] = Counter()
    for fixture, kind, of_cycle, stable in sides:
        if kind == Fixture.Kind.BYE:
            byes[names[stable]] += 1
            byes_this_cycle[names[stable]] += of_cycle == cycle.pk
        else:
            meetings.setdefault(fixture, []).append(names[stable])
    met = [(pair[0], pair[1]) for pair in meetings.values() if len(pair) == 2]
    return Field(tuple(stables), {names[stable]: total for stable, total in totals}, met, byes, byes_this_cycle)


def _create_fixtures(
    created: Round, cycle: Cycle, meetings: list[tuple[str, ...]], bye: str | None, stables: dict[str, Stable]
) -> None:
    arenas = sorted(catalogue_of(cycle.season).arenas)
    fixtures = []
    for number, names in enumerate(meetings, 1):
        dice = season_dice(cycle.season, "arena", cycle.number, created.number, number)
        maps = MAPS_OF_A_LARGE_GROUND if len(names) > SIDES_ON_ONE_MAP else 1
        drawn = [arenas[dice.draw(len(arenas), "arena")] for _ in range(maps)]
        fixtures.append(Fixture(round=created, number=number, arena_key="+".join(drawn)))
    if bye is not None:
        fixtures.append(
            Fixture(round=created, number=len(fixtures) + 1, kind=Fixture.Kind.BYE, state=Fixture.State.SETTLED)
        )
    Fixture.objects.bulk_create(fixtures)
    sides: list[tuple[int, Iterable[str]]] = list(enumerate(meetings))
    if bye is not None:
        sides.append((len(meetings), (bye,)))
    FixtureSide.objects.bulk_create(
        FixtureSide(fixture=fixtures[index], stable=stables[name], side=side)
        for index, names in sides
        for side, name in zip(SIDES, names, strict=False)
    )


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
