"""Closing a cycle in steps: places, purses, compulsory repairs, and what comes next.

R-PUR-01, R-CRP-10, Q-126, Q-131, Q-170.

Each step is one transaction that may be repeated; together they are safe to start again from the top.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Sum

from people.services import notify
from rules.campaign.purses import purse
from rules.campaign.repair import compulsory_repairs
from rules.campaign.standings import CycleScore, cycle_places, melee_places
from rules.core.refusals import SeasonRefused
from stables.models import Asset, Cycle, Fixture, Placing, ReputationEntry, Round, Season, Stable
from stables.services.assets import cost_of_repair
from stables.services.garage import damaged_units, mend
from stables.services.ledger import Movement, lock_stable, post
from stables.services.seasons import ask_for, begin_when_nobody_shops, lock_season, open_cycle
from stables.services.windows import window_of
from stables.streams import season_dice

RunStep = Callable[[str, Callable[[], Any]], Any]
"""Runs a named step once, in a transaction with its checkpoint (jobs.runner.Run.once)."""


@dataclass(frozen=True)
class ClosedCycle:
    """A closed cycle: the stables' numbers in order of place, and the number of the next cycle, null after the last."""

    places: tuple[int, ...]
    next_cycle: int | None


def in_a_transaction(name: str, function: Callable[[], Any]) -> Any:
    """Run a step without a checkpoint of its own; each step notices what is done already."""
    with transaction.atomic():
        return function()


def close_cycle(*, cycle_id: int, run_step: RunStep = in_a_transaction) -> ClosedCycle:
    """Close a cycle whose rounds are all settled; a closed one is left as it is.

    Steps: "places", then for each stable in order of number "purse:<number>" and "repairs:<number>", then "finish".
    Raises SeasonRefused (cycle_not_over) while a match is open.
    """
    cycle = Cycle.objects.get(pk=cycle_id)
    places = run_step("places", lambda: decide_places(cycle_id=cycle_id))
    for number, stable_id in (
        Stable.objects.filter(season_id=cycle.season_id).order_by("number").values_list("number", "pk")
    ):
        run_step(f"purse:{number}", lambda: pay_purse(cycle_id=cycle_id, stable_id=stable_id))  # noqa: B023
        run_step(f"repairs:{number}", lambda: repair_compulsorily(cycle_id=cycle_id, stable_id=stable_id))  # noqa: B023
    next_cycle = run_step("finish", lambda: finish_cycle(cycle_id=cycle_id))
    return ClosedCycle(tuple(places), next_cycle)


def lock_cycle(cycle_id: int) -> Cycle:
    """Return the cycle with its season, its row locked until the transaction ends."""
    return Cycle.objects.select_for_update(of=("self",)).select_related("season__release").get(pk=cycle_id)


@transaction.atomic
def decide_places(*, cycle_id: int) -> list[int]:
    """Write the places and purses of a cycle, once; returns the stables' numbers in order of place."""
    cycle = lock_cycle(cycle_id)
    known = Placing.current().filter(cycle=cycle).order_by("place").values_list("stable__number", flat=True)
    if cycle.state in (Cycle.State.CLOSING, Cycle.State.CLOSED):
        return list(known)
    is_over = cycle.state == Cycle.State.ROUNDS and (
        cycle.rounds.filter(state=Round.State.SETTLED).count() == cycle.rounds_planned
    )
    if not is_over:
        raise SeasonRefused("cycle_not_over", cycle=cycle.number)
    stables = {stable.number: stable for stable in cycle.season.stables.order_by("number")}
    scores = _scores(cycle, stables)
    rules = cycle.season.rules
    dice = season_dice(cycle.season, "places", cycle.number)
    by_name = {score.stable: score for score in scores}
    if cycle.format == "grand_melee":
        places = melee_places(*_melee_order(cycle))
    else:
        places = cycle_places(scores, dice, rules.purse_rank_by)
    started_with = cycle.started_with or len(stables)
    placings = [
        Placing(
            cycle=cycle,
            stable=stables[int(place.stable)],
            place=place.place,
            reputation=by_name[place.stable].reputation,
            kills=by_name[place.stable].kills,
            wins=by_name[place.stable].wins,
            matches=by_name[place.stable].matches,
            decided_by=place.decided_by or "",
            purse=purse(cycle.format, cycle.match_class, started_with, place.place, rules.purse_team4_lightweight),
        )
        for place in places
    ]
    Placing.objects.bulk_create(placings)
    cycle.state = Cycle.State.CLOSING
    cycle.save(update_fields=["state"])
    return [placing.stable.number for placing in placings]


def _melee_order(cycle: Cycle) -> tuple[list[str], list[str]]:
    """Return the stables of a grand melee in the order in which its match ended, and those that forfeited it."""
    fixture = Fixture.objects.select_related("result").get(round__cycle=cycle)
    sides = {side.side: side for side in fixture.sides.select_related("stable")}
    places = fixture.result.document["places"]
    names = {key: f"{side.stable.number:02d}" for key, side in sides.items()}
    return [names[key] for key in places], [names[key] for key, side in sides.items() if key not in places]


def _scores(cycle: Cycle, stables: dict[int, Stable]) -> list[CycleScore]:
    book = ReputationEntry.objects.filter(stable__season=cycle.season, asset=None).order_by()
    totals = dict(book.values("stable__number").annotate(total=Sum("amount")).values_list("stable__number", "total"))
    sums = (
        book.filter(cycle=cycle)
        .values("stable__number")
        .annotate(earned=Sum("amount"), killed=Sum("kills"), won=Sum("wins"), played=Sum("matches"))
    )
    in_cycle = {row["stable__number"]: row for row in sums}
    nothing = {"earned": 0, "killed": 0, "won": 0, "played": 0}
    scores = []
    for number in stables:
        row = in_cycle.get(number, nothing)
        # Two digits keep the order of numbers in the order of texts, which is the order of rolling dice.
        scores.append(
            CycleScore(f"{number:02d}", row["earned"], row["killed"], row["won"], row["played"], totals.get(number, 0))
        )
    return scores


@transaction.atomic
def pay_purse(*, cycle_id: int, stable_id: int) -> int:
    """Post a stable's purse for a cycle, once; returns its capital afterwards."""
    placing = Placing.current().select_related("cycle").get(cycle_id=cycle_id, stable_id=stable_id)
    movement = Movement(
        placing.purse,
        "purse",
        f"cycle:{cycle_id}:stable:{stable_id}:purse",
        {"cycle": placing.cycle.number, "place": placing.place},
    )
    return post(stable_id=stable_id, movements=[movement]).capital


@transaction.atomic
def repair_compulsorily(*, cycle_id: int, stable_id: int) -> list[str]:
    """Repair a stable's damaged units by its own priority until none is affordable; returns what was repaired.

    Only while the cycle is closing: a second call finds the repaired undamaged and the rest unaffordable.
    """
    stable = lock_stable(stable_id)
    if not Cycle.objects.filter(pk=cycle_id, state=Cycle.State.CLOSING).exists():
        return []
    damaged = {asset.code: asset for asset in damaged_units(stable, Asset.objects.filter(stable=stable, sold_at=None))}
    costs = {code: cost_of_repair(stable.season, asset) for code, asset in damaged.items()}
    chosen = compulsory_repairs(costs, stable.repair_priority, stable.capital)
    if chosen:
        mend(stable, [damaged[code] for code in chosen], window_of(stable), "compulsory_repair")
    return chosen


@transaction.atomic
def finish_cycle(*, cycle_id: int) -> int | None:
    """Close the cycle, tell the owners, and open the next one's market or let the titles be decided.

    Returns the next cycle's number. The notices are written in the transaction that changes the state, so once. Each
    purse must have been paid. Raises SeasonRefused (cycle_not_over) when the places were not decided.
    """
    season = lock_season(Cycle.objects.values_list("season_id", flat=True).get(pk=cycle_id))
    cycle = lock_cycle(cycle_id)
    is_last = cycle.number >= len(season.rules.cycles)
    if cycle.state == Cycle.State.CLOSING:
        cycle.state = Cycle.State.CLOSED
        cycle.save(update_fields=["state"])
        _tell_owners(season, cycle)
        if is_last:
            season.state = Season.State.SUDDEN_DEATH
            season.save(update_fields=["state"])
            ask_for(season, "stables.award_titles", f"season:{season.pk}:titles")
        else:
            begin_when_nobody_shops(open_cycle(season, cycle.number + 1))
    elif cycle.state != Cycle.State.CLOSED:
        raise SeasonRefused("cycle_not_over", cycle=cycle.number)
    return None if is_last else cycle.number + 1


def _tell_owners(season: Season, cycle: Cycle) -> None:
    """Write each owner of a stable a notice of its place and purse; stables of the AI have nobody to tell."""
    for placing in Placing.current().filter(cycle=cycle).exclude(stable__owner=None).select_related("stable__owner"):
        stable = placing.stable
        stable.season = season
        parameters = {"season": season.name, "cycle": cycle.number, "place": placing.place, "purse": placing.purse}
        owners = [stable.owner] if stable.owner is not None else []
        notify(owners, "cycle_closed", parameters, stable.get_absolute_url())
