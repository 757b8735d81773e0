"""The places of a cycle and what they pay, from the reputation book (R-PUR-01, Q-126, Q-127, Q-158, Q-159, Q-167)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Sum

from rules.campaign.season.participation import is_paid
from rules.campaign.standings.places import CycleScore, Place, cycle_places, melee_places
from rules.campaign.standings.purses import purse
from stables.models import Cycle, Fixture, Placing, ReputationEntry, Stable
from stables.selectors.entrants import entrants
from stables.selectors.seeds import season_dice


def places_of(cycle: Cycle, revision: int, melee: Mapping[str, Any] | None = None) -> list[Placing]:
    """Return the places of a cycle, best first, unsaved; a constant number of queries.

    The same books give the same places: the dice of a tie come from the cycle's own stream. Only stables that took part
    in the cycle have a place. `melee` is the result document of a grand melee if it is not stored yet. Fetch `cycle`
    with its season.
    """
    # With two digits the texts sort like the numbers, which is the order in which dice are rolled.
    stables = {f"{stable.number:02d}": stable for stable in entrants(cycle.season, cycle.number)}
    rules = cycle.season.rules
    scores = _scores(cycle, stables, rules.purse_rank_by == "total_reputation")
    by_name = {score.stable: score for score in scores}
    order = _melee_order(cycle, melee) if cycle.format == "grand_melee" else None
    if order is None:
        places = cycle_places(scores, season_dice(cycle.season, "places", cycle.number), rules.purse_rank_by)
    else:
        places = order
    started_with = cycle.started_with or len(stables)
    return [
        Placing(
            cycle=cycle,
            stable=stables[place.stable],
            place=place.place,
            reputation=by_name[place.stable].reputation,
            kills=by_name[place.stable].kills,
            wins=max(0, by_name[place.stable].wins),
            matches=max(0, by_name[place.stable].matches),
            decided_by=place.decided_by or "",
            purse=purse_at(cycle, stables[place.stable], place.place, started_with),
            revision=revision,
        )
        for place in places
    ]


def purse_at(cycle: Cycle, stable: Stable, place: int, started_with: int) -> int:
    """Return the Stones that a place of a cycle pays a stable, 0 for a stable that has withdrawn by the end of it.

    Fetch `cycle` with its season; then there is no query.
    """
    if not is_paid(stable.left_in_cycle, cycle.number):
        return 0
    team4 = cycle.season.rules.purse_team4_lightweight
    return purse(cycle.format, cycle.match_class, started_with, place, team4)


def _melee_order(cycle: Cycle, document: Mapping[str, Any] | None) -> list[Place] | None:
    """Return the places of a grand melee by its result document, given or stored; None for a voided result (Q-167)."""
    fixture = Fixture.objects.select_related("result").prefetch_related("result__corrections").get(round__cycle=cycle)
    document = document if document is not None else fixture.result.current
    if document["ended_by"] == "void":
        return None
    names = {side.side: f"{side.stable.number:02d}" for side in fixture.sides.select_related("stable")}
    placed = document["places"]
    return melee_places([names[key] for key in placed], [name for key, name in names.items() if key not in placed])


def _scores(cycle: Cycle, stables: dict[str, Stable], with_totals: bool) -> list[CycleScore]:
    """Return each stable's score in the cycle from the sums of its reputation book.

    Season totals run up to this cycle; they are 0 unless `with_totals`.
    """
    book = ReputationEntry.objects.filter(asset=None).order_by()
    totals = {}
    if with_totals:
        so_far = book.filter(cycle__season=cycle.season, cycle__number__lte=cycle.number)
        totals = dict(so_far.values("stable").annotate(total=Sum("amount")).values_list("stable", "total"))
    sums = (
        book.filter(cycle=cycle)
        .values("stable")
        .annotate(earned=Sum("amount"), killed=Sum("kills"), won=Sum("wins"), played=Sum("matches"))
    )
    in_cycle = {row["stable"]: row for row in sums}
    nothing = {"earned": 0, "killed": 0, "won": 0, "played": 0}
    rows = {name: in_cycle.get(stable.pk, nothing) for name, stable in stables.items()}
    return [
        CycleScore(name, row["earned"], row["killed"], row["won"], row["played"], totals.get(stables[name].pk, 0))
        for name, row in rows.items()
    ]
