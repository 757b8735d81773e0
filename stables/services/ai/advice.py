"""The situation of a stable for an AI owner to judge, and purchases that follow its advice as a whole.

AI owners judge (`rules.bots.owners.advice`) what the stable has and what its own market offers. They see nothing of
rivals except what the market itself says: that a Unique is taken.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from rules.bots.budget import Overran
from rules.bots.owners.advice import BUY, PieceOfAdvice, Situation, advise
from rules.bots.owners.wares import Means
from rules.campaign.garage.repair import UNDAMAGED
from rules.campaign.line_ups.checks import MatchTerms, OwnedCard, OwnedGear, OwnedPilot, OwnedUnit
from rules.campaign.market.prices import is_unique, price_of
from rules.core.refusals import SeasonRefused
from rules.solaris.house_rules import HouseRules
from rules.wording.isolation import name_of
from stables.models import Asset, Basket, Cycle, Season, Stable
from stables.selectors.crews import why_no_crew
from stables.selectors.definitions import definition
from stables.selectors.windows import Window, repairs_are_over, window_of
from stables.services.ai.stock import classes_to_come, market_of, means_of
from stables.services.base.ledger import look_at_stable
from stables.services.base.locks import lock_season
from stables.services.market import baskets, readiness
from stables.services.market.baskets import BasketState
from stables.services.market.readiness import Readiness
from stables.services.market.trading import terms_in
from stables.services.season import buyers

logger = logging.getLogger(__name__)

IN_BASKET = "basket:"
"""The prefix of keys for things in the basket, which count as bought."""

Ware = tuple[str, Mapping[str, Any]]


def lines_in(basket: Basket | None) -> Sequence[Mapping[str, str]]:
    """Return the lines of a basket that is still to be bought; [] for no basket and a bought one."""
    return [] if basket is None or basket.filled_at is not None else basket.lines


def situation_of(
    stable: Stable,
    window: Window,
    assets: Sequence[Asset],
    lines: Sequence[Mapping[str, str]],
    hireable: Sequence[Mapping[str, Any]],
) -> Situation | None:
    """Return the situation of a stable for the AI owners to judge; None during matches and without a next match.

    There is none in a season for real tables only: no bot knows its figures.
    """
    season = stable.season
    if season.rules.table_only:
        return None
    at_close = window.in_break and not window.is_market
    terms = _terms(season, window, at_close)
    if not window.is_between_matches or terms is None:
        return None
    means = means_of(stable, window, assets)
    wares = [(line["kind"], definition(season, line["kind"], line["key"])) for line in lines]
    can_buy = window.can_buy(season.rules.buy_between_matches)
    return Situation(
        with_basket(means, wares),
        terms,
        market=market_of(season, terms) if can_buy else None,
        matches_left=window.matches_left,
        in_break=window.in_break,
        at_close=at_close,
        can_repair=not repairs_are_over(stable, window),
        can_sell=True,
        can_mount=window.gear_may_move,
        hireable=hireable,
        classes_to_come=classes_to_come(season, window.cycle + at_close, terms),
        owed=stable.owed,
        bought=[asset.code for asset in sorted(assets, key=lambda asset: asset.pk)]
        + [f"{IN_BASKET}{number}" for number in range(1, len(lines) + 1)],
        turn=stable.number - 1,
    )


def _terms(season: Season, window: Window, at_close: bool) -> MatchTerms | None:
    """Return the terms of the next match, which is in the next cycle if `at_close`; None without a next match."""
    if not at_close:
        return terms_in(season, window) if window.match_class else None
    rules, number = season.rules, window.cycle + 1
    if not window.cycle or number > len(rules.cycles):
        return None
    return MatchTerms(rules.class_of(number), rules.cycles[number - 1], HouseRules.from_json(rules.house_rules))


def with_basket(means: Means, wares: Sequence[Ware]) -> Means:
    """Return an owner's means after buying the basket in order.

    Left out are lines that cost more than the Stones that remain, and second copies of rally cards or Uniques.
    """
    owned = means.owned_ids
    for number, (kind, entry) in enumerate(wares, 1):
        key, code = str(entry["id"]), f"{IN_BASKET}{number}"
        price = price_of(kind, entry)
        if price > means.capital or (key in owned and (kind == "rally_card" or is_unique(entry))):
            continue
        owned.add(key)
        means = replace(means, capital=means.capital - price)
        if kind == "unit":
            means = replace(means, units=(*means.units, OwnedUnit(code, entry, UNDAMAGED)))
        elif kind == "pilot":
            means = replace(means, pilots=(*means.pilots, OwnedPilot(code, entry)))
        elif kind == "gear":
            means = replace(means, gear=(*means.gear, OwnedGear(code, entry)))
        else:
            means = replace(means, cards=(*means.cards, OwnedCard(code, entry)))
    return means


@dataclass(frozen=True)
class SuggestedCrew:
    """Purchases that give a stable the crew that it lacks: lines of a basket, their names, and their sum in Stones.

    `left` are the Stones that the whole basket leaves then.
    """

    lines: tuple[Mapping[str, str], ...]
    names: tuple[str, ...]
    price: int
    left: int


def suggested_crew(stable: Stable) -> SuggestedCrew | None:
    """Return what a stable should put into its basket to have a crew for the coming match; at most six queries.

    None if nothing is needed, if what is needed cannot be bought beside the basket as it is, or if purchases alone do
    not help. Fetch `stable` with its season and release.
    """
    cycle, assets, lines, advice = _advice(stable)
    wanted = [{"kind": one.kind, "key": one.key} for one in advice if one.deed == BUY and one.is_needed]
    if cycle is None or not wanted:
        return None
    filled = buyers.what_if(stable, [*lines, *wanted])
    if any(one.problems for one in filled[len(lines) :]):
        return None
    bought = [(one.line.kind, one.line.definition) for one in filled if not one.problems]
    if why_no_crew(cycle, assets, bought) is not None:
        return None
    mine = filled[len(lines) :]
    names = tuple(name_of(one.line.definition) for one in mine)
    return SuggestedCrew(tuple(wanted), names, sum(one.price for one in mine), mine[-1].capital_after)


def say_ready_with_crew(*, stable_id: int) -> Readiness:
    """Put the suggested crew into a stable's basket, seal it, and say that its owner is ready.

    A sealed basket is opened for it first. Call it outside transactions where nobody waits for the stable: the AI
    thinks first. Raises SeasonRefused (no_crew_suggested, no_open_market, takes_no_part, market_closed,
    basket_too_long, basket_not_valid, no_crew_for_match).
    """
    crew = suggested_crew(look_at_stable(stable_id))
    if crew is None:
        raise SeasonRefused("no_crew_suggested")
    with transaction.atomic():
        lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
        baskets.unseal(stable_id=stable_id)
        for line in crew.lines:
            baskets.put_in(stable_id=stable_id, kind=line["kind"], key=line["key"])
        return readiness.say_ready(stable_id=stable_id)


def put_advice_in(*, stable_id: int) -> BasketState:
    """Put everything that the advice would buy into a stable's basket, in its order, as far as the Stones go.

    The AI thinks before the stable is locked. Raises SeasonRefused (market_closed, basket_sealed, basket_no_advice).
    """
    _, _, _, advice = _advice(look_at_stable(stable_id))
    wanted = [{"kind": one.kind, "key": one.key} for one in advice if one.deed == BUY]
    return baskets.put_all_in(stable_id=stable_id, lines=wanted)


def _advice(
    stable: Stable,
) -> tuple[Cycle | None, list[Asset], Sequence[Mapping[str, str]], Sequence[PieceOfAdvice]]:
    """Return the open cycle, the stable's assets, its basket's lines and the advice; no advice without a market."""
    window = window_of(stable)
    cycle = Cycle.objects.filter(season=stable.season, number=window.cycle).first()
    assets = list(stable.assets.filter(sold_at=None).order_by("id"))
    if cycle is None or not window.is_market:
        return None, assets, [], []
    cycle.season = stable.season
    lines = lines_in(buyers.basket_of(stable, cycle))
    situation = situation_of(stable, window, assets, lines, [])
    if situation is None:
        return cycle, assets, lines, []
    try:
        return cycle, assets, lines, advise(situation)
    except Overran as error:
        logger.error("There is no advice for the stable %s: %s", stable.pk, error)
        return cycle, assets, lines, []
