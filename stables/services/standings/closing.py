"""Closing a cycle in steps: places, purses, compulsory repairs, and the next cycle or the titles.

R-PUR-01, R-CRP-10, R-CYC-11, Q-126, Q-131, Q-159, Q-170.

Each step is one transaction that may be repeated; the whole may start again from the top.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from people.services.accounts import notify
from rules.campaign.garage.repair import compulsory_repairs
from rules.campaign.states import CYCLE
from rules.core.refusals import SeasonRefused
from stables.models import Asset, Cycle, Placing, Season, Stable
from stables.selectors.windows import window_of
from stables.services.base.ledger import Movement, lock_stable, post
from stables.services.base.locks import lock_season
from stables.services.base.news import tell_places
from stables.services.base.steps import RunStep, in_a_transaction
from stables.services.garage.repairs import mend, repair_costs
from stables.services.market.sponsors import pay_grant
from stables.services.results.placings import places_of
from stables.services.results.settlement import is_over
from stables.services.season.endings import let_titles_be_decided
from stables.services.season.seasons import begin_when_nobody_shops, open_cycle
from stables.services.season.settings import take_effect


@dataclass(frozen=True)
class ClosedCycle:
    """A closed cycle: the stables' numbers in order of place, and the number of the next cycle, None after the last."""

    places: tuple[int, ...]
    next_cycle: int | None


def close_cycle(*, cycle_id: int, run_step: RunStep = in_a_transaction) -> ClosedCycle:
    """Close a cycle whose rounds are all settled; a closed one is left as it is.

    The steps are "places", then for each stable in order of number "purse:<number>" and "repairs:<number>", then
    "finish". Raises SeasonRefused (cycle_not_over) before the rounds, and while a match is not settled.
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
    """Return the cycle with its season and release, its row locked until the transaction ends.

    Raises Cycle.DoesNotExist.
    """
    return Cycle.objects.select_for_update(of=("self",), no_key=True).select_related("season__release").get(pk=cycle_id)


def waits_for_a_result(*, cycle_id: int) -> bool:
    """Return whether a cycle is in rounds that are not over (`is_over`), so that its close must wait.

    A result was then reopened after the close was asked for. The settlement of that result asks for the close again.
    """
    cycle = Cycle.objects.get(pk=cycle_id)
    return cycle.state == Cycle.State.ROUNDS and not is_over(cycle)


@transaction.atomic
def decide_places(*, cycle_id: int) -> list[int]:
    """Write the places of a cycle and what they pay, once, and return the stables' numbers in order of place.

    The purses are not posted yet (`pay_purse`). Raises SeasonRefused (cycle_not_over) before the rounds, and while a
    match is not settled.
    """
    cycle = lock_cycle(cycle_id)
    known = Placing.current().filter(cycle=cycle).order_by("place").values_list("stable__number", flat=True)
    if cycle.state in (Cycle.State.CLOSING, Cycle.State.CLOSED):
        return list(known)
    closing = CYCLE.require("decide_places", cycle.state, "cycle_not_over", cycle=cycle.number)
    if not is_over(cycle):
        raise SeasonRefused("cycle_not_over", cycle=cycle.number)
    placings = places_of(cycle, cycle.placings_revision)
    Placing.objects.bulk_create(placings)
    cycle.state = closing
    cycle.save(update_fields=["state"])
    return [placing.stable.number for placing in placings]


@transaction.atomic
def pay_purse(*, cycle_id: int, stable_id: int) -> int:
    """Post a stable's purse for a cycle, once, and return its capital afterwards, in Stones.

    A stable without a place gets no purse (Q-159).
    """
    placing = Placing.current().select_related("cycle").filter(cycle_id=cycle_id, stable_id=stable_id).first()
    if placing is None:
        return lock_stable(stable_id).capital
    movement = Movement(
        placing.purse,
        "purse",
        f"cycle:{cycle_id}:stable:{stable_id}:purse",
        {"cycle": placing.cycle.number, "place": placing.place},
    )
    return post(stable_id=stable_id, movements=[movement]).capital


@transaction.atomic
def repair_compulsorily(*, cycle_id: int, stable_id: int) -> list[str]:
    """Repair a stable's damaged units by its own priority until it can afford none; then pay a sponsor's grant.

    The grant is paid only in seasons that have it. Nothing happens unless the cycle is closing. A second call finds
    the units repaired or unaffordable and the grant paid. Return the codes of the units that this call repaired.
    """
    stable = lock_stable(stable_id)
    cycle = Cycle.objects.filter(pk=cycle_id, state=Cycle.State.CLOSING).first()
    if cycle is None:
        return []
    assets = list(Asset.objects.filter(stable=stable, sold_at=None))
    by_id = {asset.pk: asset for asset in assets}
    costs = {by_id[asset_id].code: cost for asset_id, cost in repair_costs(stable, assets).items()}
    chosen = compulsory_repairs(costs, stable.repair_priority, stable.capital)
    if chosen:
        damaged = {asset.code: asset for asset in assets}
        units = [damaged[code] for code in chosen]
        mend(stable, units, window_of(stable), gear=assets, cause="compulsory_repair")
    pay_grant(stable, cycle)
    return chosen


@transaction.atomic
def finish_cycle(*, cycle_id: int) -> int | None:
    """Close the cycle, notify the owners, and open the next market or ask for the titles.

    Return the next cycle's number, None after the last. The notices are written with the change of state, so a second
    call writes none. Call it after all purses are paid. Raises SeasonRefused (cycle_not_over) before the places are
    decided.
    """
    season = lock_season(Cycle.objects.values_list("season_id", flat=True).get(pk=cycle_id))
    cycle = lock_cycle(cycle_id)
    # Announced settings may drop the cycles to come (R-CYC-04).
    take_effect(season, cycle.number + 1)
    is_last = cycle.number >= len(season.rules.cycles)
    if cycle.state != Cycle.State.CLOSED:
        cycle.state = CYCLE.require("finish", cycle.state, "cycle_not_over", cycle=cycle.number)
        cycle.save(update_fields=["state"])
        _tell_owners(season, cycle)
        tell_places(cycle)
        if is_last:
            let_titles_be_decided(season)
        else:
            begin_when_nobody_shops(open_cycle(season, cycle.number + 1))
    return None if is_last else cycle.number + 1


def _tell_owners(season: Season, cycle: Cycle) -> None:
    """Write each owner a notice of their stable's place and purse."""
    for placing in Placing.current().filter(cycle=cycle).exclude(stable__owner=None).select_related("stable__owner"):
        stable = placing.stable
        stable.season = season
        parameters = {"season": season.name, "cycle": cycle.number, "place": placing.place, "purse": placing.purse}
        owners = [stable.owner] if stable.owner is not None else []
        notify(owners, "cycle_closed", parameters, stable.get_absolute_url())
