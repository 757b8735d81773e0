"""What the AI does for the stables it runs, by rules.bots.owners through the same services as people.

Owners are asked outside these transactions, under guard (`stables.services.ai.guarded`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.db import transaction

from rules.bots.owners.answers import (
    first_line_up,
    read_basket,
    read_keys,
    read_line_up,
    read_mountings,
)
from rules.bots.owners.characters import CHARACTERS, Traits
from rules.bots.owners.garage import (
    choose_gear,
    choose_repairs,
    choose_sales,
    repair_priority,
    useless_units,
)
from rules.bots.owners.line_ups import choose_line_up
from rules.bots.owners.shopping import Purchase, choose_basket
from rules.bots.owners.wares import Market, Means
from rules.campaign.classes import WEIGHT_CLASSES
from rules.campaign.garage.repair import UNDAMAGED
from rules.campaign.line_ups.checks import MatchTerms
from rules.campaign.market.hire import hires_in_emergency
from rules.campaign.market.prices import BuyerState, barriers
from stables.models import Asset, Cycle, LineUp, Season, Stable
from stables.selectors.assets import holding_of
from stables.selectors.definitions import KINDS, catalogue_of, definition
from stables.selectors.fixtures import lock_fixture
from stables.selectors.seeds import season_dice
from stables.selectors.windows import Window, repairs_are_over, window_of
from stables.services.ai.guarded import OwnerQuery, answered, ask, ask_together, carrying_out
from stables.services.base.ledger import lock_stable
from stables.services.garage import equipping
from stables.services.garage.repairs import RepairBill, mend
from stables.services.line_ups.line_ups import SealedSide, give_up, seal_when_ready
from stables.services.line_ups.sealing import (
    Called,
    called_of,
    is_ready,
    require_called,
    side_in,
    sides_of,
    terms_for,
    write_line_up,
)
from stables.services.line_ups.stand_ins import by_keys
from stables.services.market import trading

STANDARD = "standard"


def traits_of(stable: Stable) -> Traits:
    """Return the manner of a stable's AI owner."""
    return CHARACTERS[stable.character]


@dataclass(frozen=True)
class Stock:
    """A locked stable's assets before the coming match: as the rules see them, and by their codes."""

    means: Means
    by_code: Mapping[str, Asset]


def stock_of(stable: Stable, window: Window) -> Stock:
    """Return what a locked stable has, and what it may never buy; one query."""
    return stock_among(stable, window, Asset.objects.filter(stable=stable, sold_at=None).order_by("id"))


def stock_among(stable: Stable, window: Window, assets: Iterable[Asset]) -> Stock:
    """Return the stock of a stable by its unsold assets, in order of id; no query."""
    listed = list(assets)
    return Stock(means_of(stable, window, listed), {asset.code: asset for asset in listed})


def means_of(stable: Stable, window: Window, assets: Sequence[Asset]) -> Means:
    """Return what a stable has before the coming match, of all its unsold `assets`, the dead among them; no query."""
    holding = holding_of(stable.season, assets, cycle=window.cycle, round_number=window.next_round)
    barred = {asset.catalogue_key for asset in assets if asset.died_at is not None}
    return Means(
        stable.capital,
        tuple(holding.units.values()),
        tuple(holding.pilots.values()),
        tuple(holding.gear.values()),
        tuple(holding.cards.values()),
        frozenset(barred),
    )


def market_of(season: Season, terms: MatchTerms) -> Market:
    """Return what the season's market has for matches by these terms; kept, for it is the same for all its owners.

    Where each Unique is there once a season it is sold by sealed baskets, which the AI does not compose: its owners
    leave the Uniques to people.
    """
    # What fits a class is the same in every format.
    terms = replace(terms, format=STANDARD)
    return _market(season, season.release.content_hash, season.rules.dials, trading.is_one_market(season), terms)


@lru_cache(maxsize=32)
def _market(season: Season, content_hash: str, dials: str, is_one_market: bool, terms: MatchTerms) -> Market:
    """The market of a season; what else decides about it stands beside it, so that a kept one is never stale."""
    catalogue = catalogue_of(season)
    shelf = BuyerState(0, 0, (), is_one_market=is_one_market)

    def offered(kind: str) -> list[Mapping[str, Any]]:
        entries = sorted(catalogue.of_kind(KINDS[kind]).items())
        return [entry for _, entry in entries if not barriers(kind, entry, shelf, dials)]

    return Market.of(offered("unit"), offered("pilot"), offered("gear"), offered("rally_card"), terms)


def _query(stable: Stable, occasion: str, decision: str, facts: tuple[Any, ...], **how: Any) -> OwnerQuery:
    """A question to the owner of a stable; where nothing else is said, the default is to do nothing."""
    how.setdefault("default", list)
    return OwnerQuery(decision, stable.name, f"owner:{stable.character}", f"{stable.season}, {occasion}", facts, **how)


@answered
@transaction.atomic
def shop(*, stable_id: int, cycle_id: int) -> list[str]:
    """Buy and equip what the AI owner wants for a cycle; returns the names bought.

    A stable of the AI first sells what no match to come can use and, when it lacks a crew and the Stones for one, what
    it needs least; what is still damaged is repaired if that gives it a crew. Nothing once the
    market of the cycle is closed (R-AST-03), so that a job may run again at any time. Raises as market.acquire.
    """
    stable = lock_stable(stable_id)
    cycle = Cycle.objects.get(pk=cycle_id)
    cycle.season = stable.season
    terms = terms_for(cycle)
    window = window_of(stable)
    if not window.is_market or window.cycle != cycle.number:
        return []
    wares = market_of(stable.season, terms)
    stock = stock_of(stable, window)
    if stable.is_ai:
        stock = _raise_money(stable, window, terms, wares, stock)
    stock = _repair_in_need(stable, window, stock, wares)
    if not stable.owed:
        basket = _basket_of(stable, cycle, terms, wares, stock)
        with carrying_out(basket):
            bought = _buy(stable, ask(basket))
    else:
        bought = []
    if bought:
        stock = stock_of(lock_stable(stable.pk), window)
    gear = _gear_of(stable, window, terms, stock)
    priority = _priority_of(stable, cycle, stock) if stable.is_ai else None
    ask_together(gear, priority)
    _equip(stable, stock, gear)
    if priority is not None:
        Stable.objects.filter(pk=stable.pk).update(repair_priority=ask(priority))
    return bought


def shopping_of(stable: Stable, cycle: Cycle, window: Window, stock: Stock) -> Iterator[list[OwnerQuery | None]]:
    """What `shop` asks the owner of a stable of the AI, step by step as long as its stock stays as it is; no query."""
    terms = terms_for(cycle)
    wares = market_of(stable.season, terms)
    yield [_useless_of(stable, window, terms, stock)]
    yield [_sales_of(stable, window, terms, wares, stock)]
    yield [repairs_of(stable, window, stock, wares)]
    yield [None if stable.owed else _basket_of(stable, cycle, terms, wares, stock)]
    yield [_gear_of(stable, window, terms, stock), _priority_of(stable, cycle, stock)]


def _basket_of(stable: Stable, cycle: Cycle, terms: MatchTerms, wares: Market, stock: Stock) -> OwnerQuery:
    season, means, traits = stable.season, stock.means, traits_of(stable)
    dice = season_dice(season, "basket", cycle.number, stable.number)
    entries = {kind: catalogue_of(season).of_kind(name) for kind, name in KINDS.items()}
    listed = {(kind, key): entry for kind, found in entries.items() for key, entry in found.items()}
    return _query(
        stable,
        f"cycle {cycle.number}",
        "basket",
        (means, terms, traits),
        ask=lambda: choose_basket(wares, means, terms, traits, dice),
        read=lambda answer: read_basket(answer, listed, means, season.rules.dials),
    )


def _priority_of(stable: Stable, cycle: Cycle, stock: Stock) -> OwnerQuery:
    units = tuple(stock.means.units)
    keys = [unit.key for unit in units]
    return _query(
        stable,
        f"cycle {cycle.number}",
        "repair_priority",
        (units, cycle.match_class),
        ask=lambda: repair_priority(units, cycle.match_class),
        read=lambda answer: read_keys(answer, keys),
        default=lambda: keys,
    )


def _gear_of(stable: Stable, window: Window, terms: MatchTerms, stock: Stock) -> OwnerQuery | None:
    """Where to put gear that lies about; None where none does."""
    means = stock.means
    if not {card.key for card in means.gear} - {card.key for unit in means.units for card in unit.gear}:
        return None
    return _query(
        stable,
        f"cycle {window.cycle}",
        "gear",
        (means, terms),
        ask=lambda: choose_gear(means, terms),
        read=lambda answer: read_mountings(answer, means),
    )


def _equip(stable: Stable, stock: Stock, question: OwnerQuery | None) -> None:
    """Put gear that lies about where the owner wants it."""
    if question is None:
        return
    with carrying_out(question):
        for mounting in ask(question):
            gear, unit = stock.by_code[mounting.gear], stock.by_code[mounting.unit]
            equipping.assign(stable_id=stable.pk, asset_id=gear.pk, unit_id=unit.pk, side=mounting.side)


def _buy(stable: Stable, basket: list[Purchase]) -> list[str]:
    """Buy what was chosen for a locked stable; what is in the way of a purchase was asked before it was chosen."""
    season = stable.season
    wares = [(line.kind, definition(season, line.kind, line.key)) for line in basket]
    return [trade.name for trade in trading.acquire_all(stable, wares)] if wares else []


def _raise_money(stable: Stable, window: Window, terms: MatchTerms, wares: Market, stock: Stock) -> Stock:
    if _sell(stable, stock, _useless_of(stable, window, terms, stock)):
        stock = stock_of(lock_stable(stable.pk), window)
    if _sell(stable, stock, _sales_of(stable, window, terms, wares, stock)):
        stock = stock_of(lock_stable(stable.pk), window)
    return stock


def _useless_of(stable: Stable, window: Window, terms: MatchTerms, stock: Stock) -> OwnerQuery | None:
    """Which units to sell because no match to come can use them; None without units."""
    means, classes = stock.means, classes_to_come(stable.season, window.cycle, terms)
    if not means.units:
        return None
    return _sale_of(stable, window, stock, "useless_units", classes, lambda: useless_units(means, classes))


def _sales_of(stable: Stable, window: Window, terms: MatchTerms, wares: Market, stock: Stock) -> OwnerQuery:
    """What to sell for want of a crew and of the Stones for one."""
    return _sale_of(stable, window, stock, "sales", terms, lambda: choose_sales(stock.means, wares, terms))


def _sale_of(
    stable: Stable, window: Window, stock: Stock, name: str, terms: Any, choose: Callable[[], list[str]]
) -> OwnerQuery:
    return _query(
        stable,
        f"cycle {window.cycle}",
        name,
        (stock.means, terms),
        ask=choose,
        read=lambda answer: read_keys(answer, stock.by_code),
    )


def _sell(stable: Stable, stock: Stock, question: OwnerQuery | None) -> bool:
    """Sell what the owner wants to; whether that was anything."""
    if question is None:
        return False
    with carrying_out(question):
        sold = ask(question)
        for code in sold:
            trading.sell(stable_id=stable.pk, asset_id=stock.by_code[code].pk, confirmed=True)
    return bool(sold)


def classes_to_come(season: Season, cycle: int, terms: MatchTerms) -> set[str]:
    """Return the classes of this cycle and those after it; all of them where points alone count (R-BLD-16)."""
    if terms.house_rules.points_only:
        return set(WEIGHT_CLASSES)
    return {season.rules.class_of(number) for number in range(cycle, len(season.rules.cycles) + 1)}


def _repair_in_need(stable: Stable, window: Window, stock: Stock, wares: Market) -> Stock:
    """Repair before the season goes on what gives the stable a fit crew that it lacks, if that leaves the Stones for
    the crews that it buys next; the money now reaches, or a sale."""
    bill = _mend(stable, window, stock, repairs_of(stable, window, stock, wares))
    return stock_of(lock_stable(stable.pk), window) if bill is not None else stock


def repairs_of(stable: Stable, window: Window, stock: Stock, wares: Market | None = None) -> OwnerQuery | None:
    """What to repair before the next match; None where nothing is hurt or may be repaired. No query.

    `wares` is the market in which the stable shops next.
    """
    means, traits, left = stock.means, traits_of(stable), window.matches_left
    hurt = {unit.key for unit in means.units if unit.state != UNDAMAGED}
    if not hurt or not window.is_between_matches or repairs_are_over(stable, window):
        return None
    terms = trading.terms_in(stable.season, window)
    shelf = None if stable.owed else wares
    return _query(
        stable,
        f"cycle {window.cycle}, before round {window.next_round}",
        "repairs",
        (means, terms, traits, left, shelf is not None),
        ask=lambda: choose_repairs(means, terms, traits, left, shelf),
        read=lambda answer: read_keys(answer, hurt),
    )


def _mend(stable: Stable, window: Window, stock: Stock, question: OwnerQuery | None) -> RepairBill | None:
    """Repair what the owner wants; None when nothing is."""
    if question is None:
        return None
    with carrying_out(question):
        units = [stock.by_code[code] for code in ask(question)]
        return mend(stable, units, window, gear=stock.by_code.values()) if units else None


@answered
def prepare(*, stable_id: int, fixture_id: int) -> SealedSide:
    """Repair, hire in need, and nominate for one fixture, in one transaction; a side that is ready is left alone."""
    with transaction.atomic():
        fixture = lock_fixture(fixture_id)
        sides = sides_of(fixture)
        side = side_in(sides, stable_id)
        if is_ready(side):
            return SealedSide(side.pk, side.forfeits, False)
        require_called(fixture)
        stable = lock_stable(stable_id)
        window = window_of(stable)
        stock = stock_of(stable, window)
        if _mend(stable, window, stock, repairs_of(stable, window, stock)) is not None:
            stable = lock_stable(stable_id)
        if hire_in_need(stable, window) is not None:
            stock = stock_of(stable, window)
        called = called_of(fixture, side, stable, sides, stock.by_code.values())
        question = line_up_of(called)
        with carrying_out(question):
            choice = ask(question)
            if choice is None:
                return give_up(called)
            crewed = zip(choice.crews, choice.hands, strict=True)
            chosen = [by_keys(crew, hand, called.holding) for crew, hand in crewed]
            write_line_up(called, chosen, choice.tokens, LineUp.Source.OWNER)
            return SealedSide(side.pk, "", seal_when_ready(fixture))


def line_up_of(called: Called) -> OwnerQuery:
    """Whom to field in a match; no query."""
    holding, terms, cycle, fixture = called.holding, called.terms, called.cycle, called.fixture
    units, pilots = tuple(holding.units.values()), tuple(holding.pilots.values())
    cards, tokens, triples = tuple(holding.cards.values()), called.tokens, called.triples()
    traits = traits_of(called.stable)
    dice = season_dice(cycle.season, "line-up", cycle.number, fixture.round.number, called.stable.number)
    return _query(
        called.stable,
        str(fixture),
        "line_up",
        (units, pilots, cards, triples, terms, traits),
        ask=lambda: choose_line_up(units, pilots, cards, tokens, triples, terms, traits, dice),
        read=lambda answer: read_line_up(answer, units, pilots, cards, triples, terms),
        default=lambda: first_line_up(units, pilots, triples, terms),
    )


def hire_in_need(stable: Stable, window: Window) -> str | None:
    """Hire the cheapest common pilot where the season allows it and the stable could not fight without; his name."""
    if stable.owed or not hires_in_emergency(stable.season.rules):
        return None
    affordable = [pilot for pilot in trading.hireable_pilots(stable, window) if int(pilot["points"]) <= stable.capital]
    if not affordable:
        return None
    cheapest = min(affordable, key=lambda pilot: (int(pilot["points"]), str(pilot["id"])))
    return trading.buy(stable_id=stable.pk, kind="pilot", key=str(cheapest["id"])).name


def ai_stables(season_id: int) -> list[Stable]:
    """Return the stables that the AI runs, by number."""
    return list(Stable.objects.filter(season_id=season_id, is_ai=True).order_by("number"))
