"""Assigning gear and pilots to units between matches; a swap of gear ends the repairs of a pause.

R-AST-04, R-AST-10, R-AST-11, R-CRP-08, R-CRP-12, R-GER-05; Q-170, Q-171.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from rules.campaign.garage.gear import TWO_SIDED, check_gear_moves, check_loadout, check_swap
from rules.core.refusals import Malformed, SeasonRefused
from rules.solaris.house_rules import HouseRules
from stables.models import Asset, Stable
from stables.selectors.assets import own_asset, state_of
from stables.selectors.definitions import definition, definition_of
from stables.selectors.windows import Window, repairs_are_over, window_of
from stables.services.base.ledger import lock_stable
from stables.services.garage.repairs import damaged_units


@dataclass(frozen=True)
class Assignment:
    """Gear or a pilot, the unit it is on now, and whether the repairs of this pause are over.

    On the list, off all units, `unit_id` is None and `unit` is "".
    """

    asset_id: int
    name: str
    unit_id: int | None
    unit: str
    repairs_are_over: bool


@transaction.atomic
def assign(*, stable_id: int, asset_id: int, unit_id: int, side: str = "", confirmed: bool = False) -> Assignment:
    """Put gear or a pilot of the stable on one of its units; it leaves the unit it was on.

    A pilot who sat there goes back to the list. `side` is that of two-sided gear. Gear that leaves a unit is a swap and
    ends the repairs of the pause, which needs `confirmed` while units are damaged.

    Raises SeasonRefused (swaps_closed, swaps_wait_for_repairs, unit_eliminated, gear_locked, repairs_would_end,
    over_build_total, asset_sold, and the codes of rules.solaris.building.card_problems) or Malformed (unknown_asset,
    bad_field).
    """
    if side and side not in Asset.Side.values:
        raise Malformed("bad_field", field="side", value=side)
    stable = lock_stable(stable_id)
    card, unit = own_asset(stable, asset_id), own_asset(stable, unit_id)
    if card.kind not in (Asset.Kind.GEAR, Asset.Kind.PILOT) or unit.kind != Asset.Kind.UNIT:
        raise Malformed("unknown_asset")
    window = window_of(stable)
    is_gear = card.kind == Asset.Kind.GEAR
    window.require_swaps(is_gear)
    two_sided = is_gear and definition(stable.season, card.kind, card.catalogue_key)["slot"] == TWO_SIDED
    card.side = side if two_sided else ""
    _require_loadout(stable, unit, card)
    if card.assigned_to_id not in (None, unit.pk):
        leave_unit(stable, card, window, confirmed)
    if not is_gear:
        others = Asset.objects.filter(assigned_to=unit, kind=Asset.Kind.PILOT)
        others.exclude(pk=card.pk).update(assigned_to=None)
    card.assigned_to = unit
    card.save(update_fields=["assigned_to", "side"])
    return Assignment(card.pk, card.label, unit.pk, unit.label, repairs_are_over(stable, window))


@transaction.atomic
def unassign(*, stable_id: int, asset_id: int, confirmed: bool = False) -> Assignment:
    """Take gear or a pilot off its unit, back to the list; an asset on no unit stays unchanged.

    Taking gear off needs `confirmed` while units are damaged, because it ends the repairs of the pause. Raises
    SeasonRefused (swaps_closed, swaps_wait_for_repairs, gear_locked, repairs_would_end, asset_sold) or Malformed
    (unknown_asset).
    """
    stable = lock_stable(stable_id)
    card = own_asset(stable, asset_id)
    if card.kind not in (Asset.Kind.GEAR, Asset.Kind.PILOT):
        raise Malformed("unknown_asset")
    window = window_of(stable)
    window.require_swaps(card.kind == Asset.Kind.GEAR and card.assigned_to_id is not None)
    if card.assigned_to_id is not None:
        leave_unit(stable, card, window, confirmed)
        card.assigned_to = None
        card.side = ""
        card.save(update_fields=["assigned_to", "side"])
    return Assignment(card.pk, card.label, None, "", repairs_are_over(stable, window))


def leave_unit(stable: Stable, card: Asset, window: Window, confirmed: bool) -> None:
    """Check that a card may leave its unit, and note the swap when it is gear. The caller moves it.

    A pilot is free at once (R-CRP-12). Raises SeasonRefused (gear_locked, swaps_closed, swaps_wait_for_repairs,
    repairs_would_end).
    """
    if card.kind != Asset.Kind.GEAR or card.assigned_to is None:
        return
    state = state_of(stable.season, card.assigned_to)
    for problem in check_gear_moves(card.label, card.assigned_to.label, state):
        raise SeasonRefused(problem.code, **problem.parameters)
    note_swap(stable, window, confirmed)


def note_swap(stable: Stable, window: Window, confirmed: bool) -> None:
    """End the repairs of this pause for a locked stable (R-AST-11, Q-170).

    After the last match of a cycle gear waits for the compulsory repairs. While units are damaged, the swap must be
    `confirmed`. Raises SeasonRefused (swaps_closed, swaps_wait_for_repairs, repairs_would_end).
    """
    window.require_swaps(moves_gear=True)
    damaged = damaged_units(stable, Asset.objects.filter(stable=stable, kind=Asset.Kind.UNIT, sold_at=None))
    is_over = repairs_are_over(stable, window)
    for problem in check_swap([unit.label for unit in damaged], is_over, confirmed):
        raise SeasonRefused(problem.code, **problem.parameters)
    if not is_over:
        stable.swapped_cycle, stable.swapped_round = window.pause
        stable.save(update_fields=["swapped_cycle", "swapped_round"])


def _require_loadout(stable: Stable, unit: Asset, card: Asset) -> None:
    """Raise SeasonRefused if the unit may not carry the card with what it already carries.

    Its codes are unit_eliminated, over_build_total, and those of rules.solaris.building.card_problems.
    """
    season = stable.season
    carried = Asset.objects.filter(assigned_to=unit, sold_at=None, died_at=None).exclude(pk=card.pk).order_by("id")
    cards = [*carried, card]
    gear = [definition_of(season, one) for one in cards if one.kind == Asset.Kind.GEAR]
    # A new pilot takes the seat of the old one.
    pilots = [definition_of(season, one) for one in cards if one.kind == Asset.Kind.PILOT][-1:]
    rules = HouseRules.from_json(season.rules.house_rules)
    unit_definition = definition_of(season, unit)
    pilot = pilots[0] if pilots else None
    for problem in check_loadout(unit_definition, state_of(season, unit), pilot, gear, rules):
        raise SeasonRefused(problem.code, **problem.parameters)


def release_cards(unit: Asset) -> None:
    """Put the gear and the pilot of a unit that is being sold back on the stable's list (Q-171)."""
    Asset.objects.filter(assigned_to=unit).update(assigned_to=None, side="")
