"""Sealed baskets: filled with lines while the market is open, bought line by line when it closes (Q-161).

Only its owner sees a basket: no page, admin or report shows its lines to anybody else before it is bought.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any

from django.db import transaction
from django.utils import timezone

from people.services.accounts import notify
from rules.campaign.market.baskets import LONGEST_BASKET, FilledLine, decide_uniques, fill
from rules.campaign.market.prices import price_of
from rules.campaign.states import CYCLE
from rules.core.refusals import Malformed, SeasonRefused
from rules.wording.isolation import isolated
from stables.models import Basket, Cycle, Stable
from stables.selectors.definitions import definition
from stables.selectors.seeds import season_dice
from stables.selectors.windows import window_of
from stables.services.base.ledger import lock_stable
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.steps import RunStep
from stables.services.market.trading import acquire
from stables.services.season.buyers import buyer_of, is_one_market, lines_of, what_if
from stables.services.season.seasons import has_begun
from stables.services.season.staying_ready import shop_on


@dataclass(frozen=True)
class BasketState:
    """A basket after a change: its lines in order, whether it is sealed, and the outcome of each line if bought now.

    `what_if` holds for every line its "price" and "capital_after" in Stones, and in "refused" the codes of its
    problems.
    """

    lines: list[dict[str, str]]
    is_sealed: bool
    what_if: list[dict[str, Any]]


@dataclass(frozen=True)
class FilledBasket:
    """The names of the things that a basket bought and of the refused ones.

    Both are empty if there is no basket, if it is not sealed or was bought before, and once the market is over.
    """

    bought: tuple[str, ...]
    refused: tuple[str, ...]


@transaction.atomic
def put_in(*, stable_id: int, kind: str, key: str) -> BasketState:
    """Put one more thing at the end of the stable's basket.

    Whether the stable can pay for it is not checked, since lines before it may still be taken out; `what_if` shows it.
    Raises SeasonRefused (market_closed, basket_sealed, basket_too_long) or Malformed (unknown_asset_kind,
    unknown_catalogue_entry).
    """
    stable = lock_stable(stable_id)
    definition(stable.season, kind, key)
    basket = _open_basket(stable)
    if len(basket.lines) >= LONGEST_BASKET:
        raise SeasonRefused("basket_too_long", most=LONGEST_BASKET)
    return _write(basket, [*basket.lines, {"kind": kind, "key": key}])


@transaction.atomic
def put_all_in(*, stable_id: int, lines: Sequence[Mapping[str, str]]) -> BasketState:
    """Put these lines of kind and key at the end of the stable's basket, in order, up to the first that it cannot buy.

    Lines beyond the longest basket stay out, too. Raises SeasonRefused (market_closed, basket_sealed, basket_no_advice
    if none of them fits) or Malformed (unknown_asset_kind, unknown_catalogue_entry).
    """
    stable = lock_stable(stable_id)
    basket = _open_basket(stable)
    filled = what_if(stable, [*basket.lines, *lines])[len(basket.lines) :]
    able = takewhile(lambda one: not one.problems, filled[: max(LONGEST_BASKET - len(basket.lines), 0)])
    fitting = [{"kind": one.line.kind, "key": one.line.ware[1]} for one in able]
    if not fitting:
        raise SeasonRefused("basket_no_advice")
    return _write(basket, [*basket.lines, *fitting])


@transaction.atomic
def take_out(*, stable_id: int, position: int) -> BasketState:
    """Take the line at `position`, from 1, out of the basket.

    Raises SeasonRefused (market_closed, basket_sealed) or Malformed (bad_field) if there is no such line.
    """
    basket = _open_basket(lock_stable(stable_id))
    lines = list(basket.lines)
    lines.pop(_index(position, lines))
    return _write(basket, lines)


@transaction.atomic
def move_up(*, stable_id: int, position: int) -> BasketState:
    """Move the line at `position`, from 1, before the line above it; the first line stays.

    Raises SeasonRefused (market_closed, basket_sealed) or Malformed (bad_field) if there is no such line.
    """
    basket = _open_basket(lock_stable(stable_id))
    lines = list(basket.lines)
    index = _index(position, lines)
    lines.insert(max(index - 1, 0), lines.pop(index))
    return _write(basket, lines)


@transaction.atomic
def set_lines(*, stable_id: int, lines: Sequence[Mapping[str, str]]) -> BasketState:
    """Replace the whole basket by these lines of kind and key, in order.

    Raises SeasonRefused (market_closed, basket_sealed, basket_too_long) or Malformed (unknown_asset_kind,
    unknown_catalogue_entry).
    """
    stable = lock_stable(stable_id)
    for line in lines:
        definition(stable.season, line["kind"], line["key"])
    if len(lines) > LONGEST_BASKET:
        raise SeasonRefused("basket_too_long", most=LONGEST_BASKET)
    return _write(_open_basket(stable), [{"kind": line["kind"], "key": line["key"]} for line in lines])


@transaction.atomic
def seal(*, stable_id: int, now: datetime | None = None) -> BasketState:
    """Seal the basket: it is bought when the market closes. A sealed basket keeps its time of sealing.

    Raises SeasonRefused (market_closed, basket_empty).
    """
    # Under the season's lock, a basket is sealed before the start of the cycle is asked for, or not at all.
    lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
    basket = _basket(lock_stable(stable_id))
    if not basket.lines:
        raise SeasonRefused("basket_empty")
    if basket.sealed_at is None:
        basket.sealed_at = now or timezone.now()
        basket.save(update_fields=["sealed_at"])
    return _state(basket)


@transaction.atomic
def unseal(*, stable_id: int) -> BasketState:
    """Break the seal, so that the basket can be changed and is not bought.

    An owner who had said that they are ready is not ready any more. Raises SeasonRefused (market_closed).
    """
    # As in `seal`, against a start of the cycle that is asked for meanwhile.
    lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
    basket = _basket(lock_stable(stable_id))
    basket.sealed_at = None
    basket.save(update_fields=["sealed_at"])
    _shop_on(basket)
    return _state(basket)


def fill_baskets(*, cycle_id: int, run_step: RunStep) -> int:
    """Buy the sealed baskets of a cycle whose market closes, and return how many baskets of it are sealed.

    The step "uniques" decides by dice which stable loses which Unique if the season has only one copy of each. Then
    follows "basket:<number>" for each stable with a sealed basket, in order of number. Each step may be repeated.
    Baskets that are not sealed are closed unbought.
    """
    close_unsealed(cycle_id=cycle_id)
    sealed = list(
        Basket.objects.filter(cycle_id=cycle_id).exclude(sealed_at=None).values_list("stable__number", "stable_id")
    )
    if not sealed:
        return 0
    lost = run_step("uniques", lambda: decide_lost(cycle_id=cycle_id))
    for number, stable_id in sorted(sealed):
        own = lost.get(str(number), [])
        run_step(f"basket:{number}", lambda: _counts(fill_basket(cycle_id=cycle_id, stable_id=stable_id, lost=own)))  # noqa: B023
    return len(sealed)


@transaction.atomic
def close_unsealed(*, cycle_id: int, now: datetime | None = None) -> int:
    """Close the baskets of a cycle that were not sealed, once, and notify their owners; return how many.

    Nothing is bought, and each line says why in the basket's outcome. The log says nothing: what was not bought stays
    secret.
    """
    left = Basket.objects.filter(cycle_id=cycle_id, sealed_at=None, filled_at=None).exclude(lines=[])
    found = 0
    for stable_id in list(left.order_by("stable__number").values_list("stable", flat=True)):
        stable = lock_stable(stable_id)
        basket = left.filter(stable=stable).select_related("cycle").first()
        if basket is None or not CYCLE.may("shop", basket.cycle.state):
            continue
        refusal = {"code": "basket_not_sealed", "parameters": {}}
        basket.outcome = [
            {"kind": kind, "key": key, "price": price_of(kind, line.definition), "bought": False, "refused": [refusal]}
            for line in lines_of(stable, basket.lines)
            for kind, key in [line.ware]
        ]
        basket.filled_at = now or timezone.now()
        basket.save(update_fields=["outcome", "filled_at"])
        if stable.owner is not None:
            facts = {"season": stable.season.name, "cycle": basket.cycle.number}
            notify([stable.owner], "basket_not_sealed", facts, stable.get_absolute_url())
        found += 1
    return found


def decide_lost(*, cycle_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return by stable number the Uniques that its sealed basket loses to another basket by dice.

    Each is `{"kind", "key", "told"}`; `told` holds the parameters of the refusal unique_lost_by_die. A stable that
    loses none has an empty list. The result is {} if every stable may have its own copy, or if no basket waits.
    """
    cycle = Cycle.objects.select_related("season__release").get(pk=cycle_id)
    if not is_one_market(cycle.season):
        return {}
    found = []
    for basket in Basket.objects.filter(cycle=cycle, filled_at=None).exclude(sealed_at=None).select_related("stable"):
        basket.stable.season = cycle.season
        found.append((buyer_of(basket.stable), lines_of(basket.stable, basket.lines)))
    lost = decide_uniques(found, season_dice(cycle.season, "uniques", cycle.number))
    return {
        str(number): [{"kind": kind, "key": key, "told": description} for (kind, key), description in wares.items()]
        for number, wares in lost.items()
    }


@transaction.atomic
def fill_basket(
    *, cycle_id: int, stable_id: int, lost: Sequence[Mapping[str, Any]] = (), now: datetime | None = None
) -> FilledBasket:
    """Buy a stable's sealed basket for a cycle, once; log it, and notify the owner.

    `lost` are the stable's Uniques from `decide_lost`. A line that is refused is skipped, and the basket's outcome
    holds its code.
    """
    stable = lock_stable(stable_id)
    basket = Basket.objects.filter(stable=stable, cycle_id=cycle_id).select_related("cycle").first()
    if basket is None or basket.sealed_at is None or basket.filled_at is not None:
        return FilledBasket((), ())
    if not CYCLE.may("shop", basket.cycle.state):
        # The job may run again at any time, but nothing is bought once the round is paired (R-AST-03).
        return FilledBasket((), ())
    by_die = {(one["kind"], one["key"]): one["told"] for one in lost}
    filled = fill(buyer_of(stable), lines_of(stable, basket.lines), by_die)
    for one in filled:
        if not one.problems:
            acquire(stable, one.line.kind, one.line.definition)
    basket.outcome = [_outcome(one) for one in filled]
    basket.filled_at = now or timezone.now()
    basket.save(update_fields=["outcome", "filled_at"])
    bought = tuple(isolated(str(one.line.definition["name"])) for one in filled if not one.problems)
    refused = tuple(isolated(str(one.line.definition["name"])) for one in filled if one.problems)
    _tell(stable, basket.cycle, bought, refused)
    return FilledBasket(bought, refused)


def _counts(filled: FilledBasket) -> dict[str, int]:
    """Return what the job stores of a step: only numbers, because anybody may read them."""
    return {"bought": len(filled.bought), "refused": len(filled.refused)}


def _tell(stable: Stable, cycle: Cycle, bought: tuple[str, ...], refused: tuple[str, ...]) -> None:
    record(stable.season, "basket_bought", {"stable": stable.name, "count": len(bought)}, cycle=cycle)
    if stable.owner is not None:
        parameters = {
            "season": stable.season.name,
            "cycle": cycle.number,
            "bought": list(bought),
            "not_bought": list(refused),
        }
        notify([stable.owner], "basket_filled", parameters, stable.get_absolute_url())


def _outcome(one: FilledLine) -> dict[str, Any]:
    refused = [{"code": problem.code, "parameters": dict(problem.parameters)} for problem in one.problems[:1]]
    kind, key = one.line.ware
    return {"kind": kind, "key": key, "price": one.price, "bought": not refused, "refused": refused}


def _basket(stable: Stable) -> Basket:
    """Return the stable's basket for the open market, created if needed. Raises SeasonRefused (market_closed)."""
    window = window_of(stable)
    if not window.is_market:
        raise SeasonRefused("market_closed", rule="R-AST-03")
    cycle = Cycle.objects.get(season=stable.season, number=window.cycle)
    if has_begun(cycle):
        # The market is closing: sealed baskets are being bought, and a new line would never be.
        raise SeasonRefused("market_closed", rule="R-AST-03")
    basket, _ = Basket.objects.get_or_create(stable=stable, cycle=cycle)
    basket.stable, basket.cycle = stable, cycle
    return basket


def _open_basket(stable: Stable) -> Basket:
    basket = _basket(stable)
    if basket.sealed_at is not None:
        raise SeasonRefused("basket_sealed")
    return basket


def _index(position: int, lines: Sequence[Any]) -> int:
    if not 1 <= position <= len(lines):
        raise Malformed("bad_field", field="line", value=position)
    return position - 1


def _shop_on(basket: Basket) -> None:
    """Note that the owner of an open basket is not ready: else it would not be bought, and nobody would say so."""
    shop_on(basket.stable, basket.cycle.number)


def _write(basket: Basket, lines: list[dict[str, str]]) -> BasketState:
    basket.lines = lines
    basket.save(update_fields=["lines"])
    _shop_on(basket)
    return _state(basket)


def _state(basket: Basket) -> BasketState:
    seen = [
        {"price": one.price, "capital_after": one.capital_after, "refused": [problem.code for problem in one.problems]}
        for one in what_if(basket.stable, basket.lines)
    ]
    return BasketState(list(basket.lines), basket.sealed_at is not None, seen)
