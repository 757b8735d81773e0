"""Stables whose owners have finished with the market, so that the cycle need not wait for its deadline."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from rules.campaign.states import CYCLE, SEASON
from rules.core.refusals import SeasonRefused
from rules.solaris.rewards import FORFEIT_LOSS, FORFEIT_WIN
from stables.models import Asset, Basket, Cycle, Stable
from stables.selectors.crews import left_to_the_ai, ready_mark, why_no_crew
from stables.selectors.entrants import entering
from stables.services.base.ledger import lock_stable
from stables.services.base.locks import lock_season
from stables.services.market import baskets
from stables.services.season import buyers
from stables.services.season.seasons import begin_when_nobody_shops, has_begun
from stables.services.season.staying_ready import shop_on


@dataclass(frozen=True)
class Readiness:
    """The market that a stable is ready for ("market:2", "" for none), whether that sealed its basket, and whether the
    cycle's start is asked for.
    """

    ready_for: str
    begins: bool
    seals: bool = False


def require_shopping(stable: Stable) -> Cycle:
    """Return the cycle whose open market the stable takes part in; three queries. Fetch it with its season.

    Raises SeasonRefused (no_open_market, takes_no_part).
    """
    season = stable.season
    cycle = season.cycles.order_by("-number").first()
    SEASON.require("shop", season.state, "no_open_market", state=season.state)
    if cycle is None or not CYCLE.may("shop", cycle.state) or has_begun(cycle):
        raise SeasonRefused("no_open_market", state=season.state)
    if not entering([stable], cycle.number):
        raise SeasonRefused("takes_no_part", cycle=cycle.number)
    cycle.season = season
    return cycle


def may_shop(stable: Stable) -> bool:
    """Return whether the stable takes part in an open market; at most three queries."""
    try:
        require_shopping(stable)
    except SeasonRefused:
        return False
    return True


@transaction.atomic
def say_ready(*, stable_id: int, is_ready: bool = True, without_crew: bool = False) -> Readiness:
    """Store that a stable has finished shopping in the open market, or with `is_ready` False that it has not.

    Who is ready has a sealed basket or an empty one: a basket is sealed if each of its lines can be bought, and opened
    again by "not ready". Unless `without_crew` says that the owner knows it, the stable must have a crew for the coming
    match once its basket is bought. A stable that is handed over with everything needs none: the AI shops for it.

    When all stables of people that take part are ready, the start of the cycle is asked for at once, if the season is
    running and not paused. Stables of the AI, and those handed over to it with everything, count as ready. Raises
    SeasonRefused (no_open_market, takes_no_part, basket_not_valid, no_crew_for_match).
    """
    lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
    stable = lock_stable(stable_id)
    cycle = require_shopping(stable)
    seals = False
    if not is_ready:
        Basket.objects.filter(stable=stable, cycle=cycle, filled_at=None).update(sealed_at=None)
        shop_on(stable, cycle.number)
    else:
        seals = _finish(stable, cycle, without_crew)
        stable.ready_for = ready_mark(cycle.number)
        stable.save(update_fields=["ready_for"])
    begin_when_nobody_shops(cycle)
    return Readiness(stable.ready_for, has_begun(cycle), seals)


def _finish(stable: Stable, cycle: Cycle, without_crew: bool) -> bool:
    """Seal the basket of a stable if something lies in it, and look for a crew; return whether it was sealed now.

    Raises SeasonRefused (basket_not_valid, no_crew_for_match).
    """
    basket = buyers.basket_of(stable, cycle)
    filled = [] if basket is None or basket.filled_at is not None else buyers.what_if(stable, basket.lines)
    seals = bool(filled) and basket is not None and basket.sealed_at is None
    if seals:
        for position, one in enumerate(filled, 1):
            for problem in one.problems[:1]:
                facts = {**problem.parameters, "line": position, "problem": problem.code}
                raise SeasonRefused("basket_not_valid", **facts)
        baskets.seal(stable_id=stable.pk)
    if not without_crew and stable.pk not in left_to_the_ai(stable.season_id):
        bought = [(one.line.kind, one.line.definition) for one in filled if not one.problems]
        assets = list(stable.assets.filter(sold_at=None).order_by("id"))
        lack = why_no_crew(cycle, assets, bought)
        if lack is not None:
            kinds = {str(asset.kind) for asset in assets} | {kind for kind, _ in bought}
            has_unit = Asset.Kind.UNIT.value in kinds
            pays = FORFEIT_LOSS if has_unit else stable.season.rules.absence_pays
            facts = {**lack.parameters, "problem": lack.code, "pays": pays, "others": FORFEIT_WIN}
            raise SeasonRefused("no_crew_for_match", **facts)
    return seals
