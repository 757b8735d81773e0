"""What the AI does for the stables it runs, by rules.bots.owner through the same services as people."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from rules.bots.owner import choose_basket, choose_repairs, repair_priority
from rules.campaign.classes import units_a_side
from rules.campaign.line_ups import crews
from rules.campaign.repair import UNDAMAGED
from stables.models import Asset, Cycle, FixtureSide, Stable
from stables.services import market
from stables.services.assets import holding_of
from stables.services.garage import RepairBill, mend
from stables.services.ledger import lock_stable
from stables.services.line_ups import SealedSide, submit_nearest_legal
from stables.services.windows import repairs_are_over, window_of
from stables.streams import season_dice


@transaction.atomic
def shop(*, stable_id: int, cycle_id: int) -> list[str]:
    """Buy what the owner made of code wants for a cycle; returns the names bought. Raises as market.buy."""
    stable = lock_stable(stable_id)
    cycle = Cycle.objects.get(pk=cycle_id)
    assets = list(Asset.objects.filter(stable=stable, sold_at=None))
    basket = choose_basket(
        market.for_sale(stable, "unit"),
        market.for_sale(stable, "pilot"),
        cycle.match_class,
        stable.capital,
        season_dice(stable.season, "basket", cycle.number, stable.number),
        owned_keys=[asset.catalogue_key for asset in assets],
        crews_owned=_crews_owned(stable, cycle, assets),
        units_needed=units_a_side(cycle.format),
    )
    bought = [market.buy(stable_id=stable.pk, kind=purchase.kind, key=purchase.key).name for purchase in basket]
    holding = holding_of(stable.season, Asset.objects.filter(stable=stable), cycle=cycle.number, round_number=1)
    stable.refresh_from_db()
    stable.repair_priority = repair_priority(holding.units.values(), cycle.match_class)
    stable.save(update_fields=["repair_priority"])
    return bought


def _crews_owned(stable: Stable, cycle: Cycle, assets: list[Asset]) -> int:
    """How many crews of the cycle's class the stable could field at once, were all its units undamaged."""
    holding = holding_of(stable.season, assets, cycle=cycle.number, round_number=1)
    mended = [replace(unit, state=UNDAMAGED, sits_out=False) for unit in holding.units.values()]
    pilots, taken = list(holding.pilots.values()), set[str]()
    count = 0
    for unit in mended:
        fitting = [crew for crew in crews([unit], pilots, cycle.match_class) if crew.pilot not in taken]
        if fitting:
            count += 1
            taken |= {fitting[0].pilot} if fitting[0].pilot is not None else set()
    return count


@transaction.atomic
def repair_before_match(*, stable_id: int) -> RepairBill | None:
    """Repair what the owner made of code wants before the next match; None when nothing is repaired."""
    stable = lock_stable(stable_id)
    window = window_of(stable)
    if not window.is_between_matches or repairs_are_over(stable, window):
        return None
    assets = {asset.pk: asset for asset in Asset.objects.filter(stable=stable, sold_at=None).order_by("id")}
    holding = holding_of(stable.season, assets.values(), cycle=window.cycle, round_number=window.next_round)
    by_code = {asset.code: asset for asset in assets.values()}
    chosen = choose_repairs(
        holding.units.values(), holding.pilots.values(), window.match_class, stable.capital, window.matches_left
    )
    return mend(stable, [by_code[code] for code in chosen], window) if chosen else None


def prepare(*, stable_id: int, fixture_id: int) -> SealedSide:
    """Repair and nominate for one fixture, in one transaction; a side that is ready already is left alone."""
    with transaction.atomic():
        side = FixtureSide.objects.select_related("line_up").get(fixture_id=fixture_id, stable_id=stable_id)
        if hasattr(side, "line_up") or side.forfeits:
            return SealedSide(side.pk, side.forfeits, False)
        repair_before_match(stable_id=stable_id)
        return submit_nearest_legal(stable_id=stable_id, fixture_id=fixture_id)


def ai_stables(season_id: int) -> list[Stable]:
    """Return the stables that the AI runs, by number."""
    return list(Stable.objects.filter(season_id=season_id, is_ai=True).order_by("number"))
