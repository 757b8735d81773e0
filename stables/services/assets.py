"""Assets as the rules see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.campaign.line_ups import OwnedPilot, OwnedUnit
from rules.campaign.repair import repair_cost, unit_state
from rules.core.refusals import Malformed, SeasonRefused
from stables.catalogues import definition_of
from stables.models import Asset, Season, Stable


@dataclass(frozen=True)
class Holding:
    """What a stable owns, by asset id, in the order of buying."""

    units: dict[int, OwnedUnit]
    pilots: dict[int, OwnedPilot]

    @property
    def crew_count(self) -> int:
        """How many units could have a pilot of their own."""
        return min(len(self.units), len(self.pilots))


def state_of(season: Season, asset: Asset) -> str:
    """Return the state of a unit asset (rules.campaign.repair)."""
    return unit_state(definition_of(season, asset)["dial"], asset.damage, asset.is_eliminated)


def cost_of_repair(season: Season, asset: Asset) -> int:
    """Return the Stones that the repair of a unit costs now; 0 when it is undamaged."""
    return repair_cost(int(definition_of(season, asset)["points"]), state_of(season, asset))


def holding_of(season: Season, assets: Iterable[Asset], *, cycle: int, round_number: int) -> Holding:
    """Return the unsold among `assets` as the rules see them before the match of a round. No query."""
    units, pilots = {}, {}
    for asset in assets:
        if asset.sold_at is not None:
            continue
        entry = definition_of(season, asset)
        if asset.kind == Asset.Kind.PILOT:
            pilots[asset.pk] = OwnedPilot(asset.code, entry)
        else:
            sits_out = (asset.sits_out_cycle, asset.sits_out_round) == (cycle, round_number)
            units[asset.pk] = OwnedUnit(asset.code, entry, state_of(season, asset), asset.damage, sits_out)
    return Holding(units, pilots)


def own_asset(stable: Stable, asset_id: int) -> Asset:
    """Return an asset that the stable has. Raises Malformed for a stranger's, SeasonRefused for one that was sold."""
    asset = Asset.objects.filter(stable=stable, pk=asset_id).first()
    if asset is None:
        raise Malformed("unknown_asset")
    if asset.sold_at is not None:
        raise SeasonRefused("asset_sold", name=asset.label)
    return asset
