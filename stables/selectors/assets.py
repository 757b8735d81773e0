"""Assets in the terms of the rules. Fetch each season with its release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.campaign.garage.repair import repair_cost, repair_points, state_of_unit
from rules.campaign.line_ups.checks import OwnedCard, OwnedGear, OwnedPilot, OwnedUnit
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Asset, Season, Stable
from stables.selectors.definitions import definition_of


@dataclass(frozen=True)
class Holding:
    """A stable's assets by asset id, in the order in which they were given; units have their assigned gear."""

    units: dict[int, OwnedUnit]
    pilots: dict[int, OwnedPilot]
    gear: dict[int, OwnedGear] = field(default_factory=dict)
    cards: dict[int, OwnedCard] = field(default_factory=dict)


def state_of(season: Season, asset: Asset) -> str:
    """Return the state of a unit asset (rules.campaign.garage.repair)."""
    return state_of_unit(definition_of(season, asset), asset.damage, asset.is_eliminated)


def cost_of_repair(season: Season, asset: Asset, gear: Iterable[Asset] = (), state: str = "") -> int:
    """Return the Stones that the repair of a unit with its gear costs now; 0 when it is undamaged (R-CRP-02).

    With `state` it is the cost for that state instead of the unit's own.
    """
    points = repair_points(definition_of(season, asset), (definition_of(season, card) for card in gear))
    return repair_cost(points, state or state_of(season, asset))


def gear_by_unit(assets: Iterable[Asset]) -> dict[int, list[Asset]]:
    """Return the unsold gear among `assets` by the id of the unit that it is assigned to. No query."""
    found: dict[int, list[Asset]] = {}
    for asset in assets:
        if asset.kind == Asset.Kind.GEAR and asset.sold_at is None and asset.assigned_to_id is not None:
            found.setdefault(asset.assigned_to_id, []).append(asset)
    return found


def holding_of(season: Season, assets: Iterable[Asset], *, cycle: int, round_number: int) -> Holding:
    """Return `assets` before the match of a round, in the terms of the rules. No query.

    Sold assets and dead pilots are left out (R-AST-07, R-DTH-01). Units that sit this match out are marked so.
    """
    units, pilots, cards = {}, {}, {}
    listed = [asset for asset in assets if asset.sold_at is None and asset.died_at is None]
    gear = {
        asset.pk: OwnedGear(asset.code, definition_of(season, asset))
        for asset in listed
        if asset.kind == Asset.Kind.GEAR
    }
    on_units = gear_by_unit(listed)
    for asset in listed:
        entry = definition_of(season, asset)
        if asset.kind == Asset.Kind.PILOT:
            pilots[asset.pk] = OwnedPilot(asset.code, entry)
        elif asset.kind == Asset.Kind.RALLY_CARD:
            cards[asset.pk] = OwnedCard(asset.code, entry)
        elif asset.kind == Asset.Kind.UNIT:
            sits_out = (asset.sits_out_cycle, asset.sits_out_round) == (cycle, round_number)
            carried = tuple(gear[card.pk] for card in on_units.get(asset.pk, ()))
            units[asset.pk] = OwnedUnit(asset.code, entry, state_of(season, asset), asset.damage, sits_out, carried)
    return Holding(units, pilots, gear, cards)


def own_asset(stable: Stable, asset_id: int) -> Asset:
    """Return an asset that the stable has; one query.

    Raises Malformed (unknown_asset) for an id that is not the stable's, or SeasonRefused (asset_sold) for a sold or
    dead one.
    """
    asset = next(iter(Asset.objects.filter(stable=stable, pk=asset_id).order_by()), None)
    if asset is None:
        raise Malformed("unknown_asset")
    if asset.sold_at is not None or asset.died_at is not None:
        raise SeasonRefused("asset_sold", name=asset.label)
    return asset
