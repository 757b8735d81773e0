"""Repairs (R-CRP-01..13, R-AST-11, Q-130..Q-132, Q-170)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from rules.campaign.garage.repair import UNDAMAGED, compulsory_repairs, must_sit_out
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Asset, LedgerEntry, Stable
from stables.selectors.assets import cost_of_repair, gear_by_unit, own_asset, state_of
from stables.selectors.windows import Window, repairs_are_over, window_of
from stables.services.base.ledger import Movement, lock_stable, post
from stables.services.season.staying_ready import Act, keeps_ready_true


@dataclass(frozen=True)
class Repair:
    """The repair of a unit to its start marker: its cost in Stones, and whether the unit sits out the next match.

    `state` is that before the repair (rules.campaign.garage.repair).
    """

    asset_id: int
    name: str
    state: str
    cost: int
    sits_out: bool


@dataclass(frozen=True)
class RepairBill(Act):
    """The repairs made together, and the capital left."""

    repairs: tuple[Repair, ...]
    capital: int


@dataclass(frozen=True)
class RepairOrder:
    """The units, by asset id, that are repaired first at the end of a cycle, in this order."""

    assets: tuple[int, ...]


@dataclass(frozen=True)
class RepairPreview:
    """The outcome of repairing everything now: `chosen` are the asset ids that the capital pays for, in order.

    `costs` holds every damaged unit's cost by asset id; `total` is the sum of all, `price` that of the chosen ones.
    """

    costs: dict[int, int]
    chosen: tuple[int, ...]
    total: int
    price: int
    capital_after: int


@transaction.atomic
def set_repair_order(*, stable_id: int, asset_ids: Sequence[int]) -> RepairOrder:
    """Store in what order the stable's units are repaired when a cycle closes (R-CRP-10, Q-131).

    Units that are not named follow, the cheapest repair first. If it raises, the order stays as it was. Raises
    Malformed (unknown_asset) for an asset that is not an unsold unit of the stable, or SeasonRefused (unit_twice).
    """
    stable = lock_stable(stable_id)
    own = Asset.objects.filter(stable=stable, kind=Asset.Kind.UNIT, sold_at=None)
    units = {asset.pk: asset for asset in own}
    seen: set[int] = set()
    for asset_id in asset_ids:
        if asset_id not in units:
            raise Malformed("unknown_asset")
        if asset_id in seen:
            raise SeasonRefused("unit_twice", name=units[asset_id].label)
        seen.add(asset_id)
    stable.repair_priority = [units[asset_id].code for asset_id in asset_ids]
    stable.save(update_fields=["repair_priority"])
    return RepairOrder(tuple(asset_ids))


@keeps_ready_true
def repair(*, stable_id: int, asset_id: int) -> RepairBill:
    """Repair one unit between matches.

    Raises SeasonRefused (repairs_closed, repairs_ended, unit_not_damaged, capital_too_small, spending_limit_reached,
    asset_sold) or Malformed (unknown_asset).
    """
    stable = lock_stable(stable_id)
    asset = own_asset(stable, asset_id)
    if asset.kind != Asset.Kind.UNIT:
        raise Malformed("unknown_asset")
    window = window_of(stable)
    window.require_repairs()
    if state_of(stable.season, asset) == UNDAMAGED:
        raise SeasonRefused("unit_not_damaged", name=asset.label)
    return mend(stable, [asset], window, gear=Asset.objects.filter(assigned_to=asset))


@keeps_ready_true
def repair_all(*, stable_id: int) -> RepairBill:
    """Repair every damaged unit that the capital pays for: in the owner's order, then the cheapest first.

    A unit that is too expensive is passed over. With nothing to repair, or no Stones for it, the bill is empty.
    Raises SeasonRefused (repairs_closed, repairs_ended).
    """
    stable = lock_stable(stable_id)
    window = window_of(stable)
    window.require_repairs()
    assets = list(Asset.objects.filter(stable=stable, sold_at=None).order_by("id"))
    by_id = {asset.pk: asset for asset in assets}
    chosen = [by_id[asset_id] for asset_id in preview(stable, assets).chosen]
    return mend(stable, chosen, window, gear=assets) if chosen else RepairBill((), stable.capital)


def preview(stable: Stable, assets: Iterable[Asset]) -> RepairPreview:
    """Return what `repair_all` would do with these assets of the stable, which include its gear; no query."""
    listed = list(assets)
    costs = repair_costs(stable, listed)
    by_code = {asset.code: asset.pk for asset in listed if asset.pk in costs}
    by_cost = {code: costs[asset_id] for code, asset_id in by_code.items()}
    chosen = tuple(by_code[code] for code in compulsory_repairs(by_cost, stable.repair_priority, stable.capital))
    price = sum(costs[asset_id] for asset_id in chosen)
    return RepairPreview(costs, chosen, sum(costs.values()), price, stable.capital - price)


def repair_costs(stable: Stable, assets: Iterable[Asset]) -> dict[int, int]:
    """Return the Stones of each damaged unit's repair by asset id; `assets` must include the gear on it. No query."""
    listed = list(assets)
    gear = gear_by_unit(listed)
    return {
        asset.pk: cost_of_repair(stable.season, asset, gear.get(asset.pk, ()))
        for asset in damaged_units(stable, listed)
    }


def mend(
    stable: Stable, assets: Sequence[Asset], window: Window, *, gear: Iterable[Asset], cause: str = "repair"
) -> RepairBill:
    """Repair damaged units of a locked stable in order and post their costs; a constant number of queries.

    `gear` includes the gear on the units and may hold other assets too. The objects in `assets` change like their rows.
    Call it in a transaction that is rolled back if it raises. Raises SeasonRefused (repairs_ended, capital_too_small,
    spending_limit_reached).
    """
    if assets and repairs_are_over(stable, window):
        raise SeasonRefused("repairs_ended", name=assets[0].label, rule="R-AST-11")
    carried = gear_by_unit(gear)
    written = LedgerEntry.objects.filter(stable=stable, idempotency_key__contains=":repair:")
    known = list(written.values_list("idempotency_key", flat=True))
    repairs, movements = [], []
    for asset in assets:
        state = state_of(stable.season, asset)
        cost = cost_of_repair(stable.season, asset, carried.get(asset.pk, ()))
        sits_out = make_as_new(stable, asset, window)
        repairs.append(Repair(asset.pk, asset.label, state, cost, sits_out))
        # A unit is damaged at most once between two of its matches, and once more by each correction.
        key = f"asset:{asset.pk}:repair:{asset.purchases}:{window.cycle}:{window.next_round}"
        again = sum(one == key or one.startswith(f"{key}:again") for one in known)
        key = f"{key}:again:{again}" if again else key
        movements.append(Movement(-cost, cause, key, {"name": asset.label, "state": state}))
    posting = post(stable_id=stable.pk, movements=movements)
    Asset.objects.bulk_update(assets, ["damage", "is_eliminated", "sits_out_cycle", "sits_out_round"])
    return RepairBill(tuple(repairs), posting.capital)


def make_as_new(stable: Stable, asset: Asset, window: Window) -> bool:
    """Set a unit back to its start marker, without saving it, and return whether it sits out the next match."""
    sits_out = must_sit_out(state_of(stable.season, asset), window.in_break)
    asset.damage = 0
    asset.is_eliminated = False
    asset.sits_out_cycle = window.cycle if sits_out else None
    asset.sits_out_round = window.next_round if sits_out else None
    return sits_out


def damaged_units(stable: Stable, assets: Iterable[Asset]) -> list[Asset]:
    """Return the unsold units that are not on their start marker."""
    return [
        asset
        for asset in assets
        if asset.kind == Asset.Kind.UNIT and asset.sold_at is None and state_of(stable.season, asset) != UNDAMAGED
    ]
