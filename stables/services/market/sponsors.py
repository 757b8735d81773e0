"""The sponsor's grant: Stones for a stable that could not field anybody in the next cycle (sponsor_grant)."""

from __future__ import annotations

from rules.campaign.garage.repair import UNDAMAGED
from rules.campaign.line_ups.checks import MatchTerms
from rules.campaign.market.hire import Owned, sponsor_grant
from rules.solaris.house_rules import HouseRules
from stables.models import Asset, Cycle, Stable
from stables.selectors.assets import holding_of
from stables.services.base.ledger import Movement, post
from stables.services.base.log import record
from stables.services.garage.repairs import repair_costs
from stables.services.market.trading import for_sale


def pay_grant(stable: Stable, cycle: Cycle) -> int:
    """Post a sponsor's grant to a locked stable for the cycle after `cycle`, once, and return the Stones.

    Call it in the transaction that closes `cycle` for the stable: after its purse and its repairs, and before the next
    market opens, so that a stable cannot spend its Stones first to get a grant. Return 0 if the season has no grants,
    after its last cycle, and for a stable that has withdrawn, that owes Stones, that can help itself, or for which no
    crew on sale fits.
    """
    season = stable.season
    number = cycle.number + 1
    if not season.rules.sponsor_grant or number > len(season.rules.cycles) or stable.left_in_cycle is not None:
        return 0
    stable.refresh_from_db(fields=["capital", "owed"])
    amount = _amount(stable, number)
    if amount:
        key = f"stable:{stable.pk}:cycle:{number}:sponsor_grant"
        posting = post(stable_id=stable.pk, movements=[Movement(amount, "sponsor_grant", key, {"cycle": number})])
        if posting.posted:
            facts = {"stable": stable.name, "amount": amount, "cycle": number}
            record(season, "sponsor_grant", facts, cycle=cycle)
    return amount


def _amount(stable: Stable, cycle_number: int) -> int:
    season = stable.season
    rules = season.rules
    assets = list(Asset.objects.filter(stable=stable, sold_at=None, died_at=None).order_by("id"))
    holding = holding_of(season, assets, cycle=cycle_number, round_number=1)
    repairs = repair_costs(stable, assets)
    owned = [
        Owned(
            unit=unit,
            worth=asset.price_paid if unit.state == UNDAMAGED else 0,
            repair=repairs.get(asset.pk, 0),
        )
        for asset, unit in ((asset, holding.units[asset.pk]) for asset in assets if asset.pk in holding.units)
    ]
    owned += [
        Owned(pilot=holding.pilots[asset.pk], worth=asset.price_paid) for asset in assets if asset.pk in holding.pilots
    ]
    locked = {asset.pk for asset in assets if asset.is_eliminated}
    others = sum(
        asset.price_paid
        for asset in assets
        if asset.kind in (Asset.Kind.GEAR, Asset.Kind.RALLY_CARD) and asset.assigned_to_id not in locked
    )
    terms = MatchTerms(
        rules.class_of(cycle_number), rules.cycles[cycle_number - 1], HouseRules.from_json(rules.house_rules)
    )
    return sponsor_grant(
        stable.capital, stable.owed, owned, others, for_sale(stable, "unit"), for_sale(stable, "pilot"), terms
    )
