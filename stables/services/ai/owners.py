"""The work of AI owners: rules.bots.owners decides, and the services that people use carry it out.

Owners decide outside transactions, on facts that must still hold when the answer is carried out
(`stables.services.ai.deciding`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from rules.bots.owners.answers import (
    first_line_up,
    read_basket,
    read_keys,
    read_line_up,
    read_mountings,
)
from rules.bots.owners.garage import (
    Mounting,
    choose_gear,
    choose_repairs,
    choose_sales,
    repair_priority,
    useless_units,
)
from rules.bots.owners.line_ups import LineUpChoice, choose_line_up
from rules.bots.owners.shopping import Purchase, choose_basket
from rules.bots.owners.wares import Market
from rules.campaign.garage.repair import UNDAMAGED
from rules.campaign.line_ups.checks import MatchTerms
from stables.models import Cycle, Fixture, FixtureSide, LineUp, Stable
from stables.selectors.definitions import KINDS, catalogue_of, definition
from stables.selectors.fixtures import lock_fixture, look_at_fixture
from stables.selectors.seeds import season_dice
from stables.selectors.windows import Window, repairs_are_over, window_of
from stables.services.ai.deciding import Decision, OwnerQuery, settle
from stables.services.ai.stock import Stock, classes_to_come, market_of, stock_of, traits_of
from stables.services.base.ledger import lock_stable, look_at_stable
from stables.services.base.steps import RunStep, in_a_transaction
from stables.services.garage import equipping
from stables.services.garage.repairs import mend
from stables.services.line_ups.line_ups import give_up, seal_when_ready
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
from stables.services.market.hiring import hire_in_need, pilot_in_need

Check = Callable[[Stable], None]
"""A function that raises if the AI may not act for the locked stable now."""


def _query(stable: Stable, occasion: str, decision: str, facts: tuple[Any, ...], **how: Any) -> OwnerQuery:
    """Return a question to the owner of a stable; unless `how` says otherwise, the default is to do nothing."""
    how.setdefault("default", list)
    return OwnerQuery(decision, stable.name, f"owner:{stable.character}", f"{stable.season}, {occasion}", facts, **how)


@dataclass(frozen=True)
class Visit:
    """The facts that an owner finds when it visits the market for its stable."""

    stable: Stable
    cycle: Cycle
    window: Window
    terms: MatchTerms
    stock: Stock

    @property
    def occasion(self) -> str:
        """The cycle, as the log names it."""
        return f"cycle {self.cycle.number}"

    @property
    def wares(self) -> Market:
        """The goods of the season's market."""
        return market_of(self.stable.season, self.terms)

    @property
    def shops(self) -> bool:
        """Whether the market of the cycle is open (R-AST-03)."""
        return self.window.is_market and self.window.cycle == self.cycle.number


def _look_at_market(stable_id: int, cycle_id: int, check: Check) -> Callable[[bool], Visit]:
    """Return a function that reads a visit to a cycle's market; with the stable's row locked it also calls `check`."""

    def look(is_locked: bool) -> Visit:
        stable = lock_stable(stable_id) if is_locked else look_at_stable(stable_id)
        if is_locked:
            check(stable)
        cycle = Cycle.objects.get(pk=cycle_id)
        cycle.season = stable.season
        window = window_of(stable)
        return Visit(stable, cycle, window, terms_for(cycle), stock_of(stable, window))

    return look


def shop(
    *,
    stable_id: int,
    cycle_id: int,
    step: str = "shop",
    run_step: RunStep = in_a_transaction,
    check: Check = lambda stable: None,
) -> list[str]:
    """Buy and equip what the AI owner wants for a cycle, and return the names bought.

    A stable of the AI first sells what no later match can use. If it lacks a crew and the Stones for one, it also sells
    what it needs least. Damaged units are repaired if that gives it a crew. Nothing happens once the market is closed
    (R-AST-03). The purchase is the step `step`; all else follows from the stable's present state, so a job may run
    again. Call it outside transactions. Raises what `check` raises, and SeasonRefused (spending_limit_reached).
    """
    look = _look_at_market(stable_id, cycle_id, check)
    visit = look(False)
    for decision in BEFORE_BUYING:
        if settle(decision, visit, look):
            visit = look(False)
    bought: list[str] | None = settle(BUYING, visit, look, step, run_step)
    if bought:
        visit = look(False)
    for decision in AFTER_BUYING:
        if settle(decision, visit, look):
            visit = look(False)
    return bought or []


def _basket_of(visit: Visit) -> OwnerQuery | None:
    """Return the question of what to buy; None if the market is closed or the stable is in debt."""
    if not visit.shops or visit.stable.owed:
        return None
    stable, cycle, terms, wares, means = visit.stable, visit.cycle, visit.terms, visit.wares, visit.stock.means
    season, traits = stable.season, traits_of(stable)
    dice = season_dice(season, "basket", cycle.number, stable.number)
    entries = {kind: catalogue_of(season).of_kind(name) for kind, name in KINDS.items()}
    listed = {(kind, key): entry for kind, found in entries.items() for key, entry in found.items()}
    return _query(
        stable,
        visit.occasion,
        "basket",
        (means, terms, traits),
        ask=lambda: choose_basket(wares, means, terms, traits, dice),
        read=lambda answer: read_basket(answer, listed, means, season.rules.dials),
    )


def _buy(visit: Visit, basket: list[Purchase]) -> list[str]:
    """Buy checked goods for a locked stable; return their names. Raises SeasonRefused (spending_limit_reached)."""
    wares = [(line.kind, definition(visit.stable.season, line.kind, line.key)) for line in basket]
    return [trade.name for trade in trading.acquire_all(visit.stable, wares)] if wares else []


def _gear_of(visit: Visit) -> OwnerQuery | None:
    """Return the question of where to put unmounted gear; None if there is none or the market is closed."""
    means, terms = visit.stock.means, visit.terms
    mounted = {card.key for unit in means.units for card in unit.gear}
    if not visit.shops or not {card.key for card in means.gear} - mounted:
        return None
    return _query(
        visit.stable,
        visit.occasion,
        "gear",
        (means, terms),
        ask=lambda: choose_gear(means, terms),
        read=lambda answer: read_mountings(answer, means),
    )


def _mount(visit: Visit, mountings: list[Mounting]) -> bool:
    """Put gear on the units that the owner chose, and return whether any was put on."""
    for mounting in mountings:
        gear, unit = visit.stock.by_code[mounting.gear], visit.stock.by_code[mounting.unit]
        equipping.assign(stable_id=visit.stable.pk, asset_id=gear.pk, unit_id=unit.pk, side=mounting.side)
    return bool(mountings)


def _priority_of(visit: Visit) -> OwnerQuery | None:
    """Return the question of the order of compulsory repairs; None outside the market or for a person's stable."""
    if not visit.shops or not visit.stable.is_ai:
        return None
    units, match_class = tuple(visit.stock.means.units), visit.cycle.match_class
    keys = [unit.key for unit in units]
    return _query(
        visit.stable,
        visit.occasion,
        "repair_priority",
        (units, match_class),
        ask=lambda: repair_priority(units, match_class),
        read=lambda answer: read_keys(answer, keys),
        default=lambda: keys,
    )


def _set_priority(visit: Visit, keys: list[str]) -> bool:
    Stable.objects.filter(pk=visit.stable.pk).update(repair_priority=keys)
    return True


def _useless_of(visit: Visit) -> OwnerQuery | None:
    """Return the question of which units no later match can use; None without units, a market, or an AI owner."""
    means = visit.stock.means
    if not means.units:
        return None
    classes = classes_to_come(visit.stable.season, visit.cycle.number, visit.terms)
    return _sale_of(visit, "useless_units", classes, lambda: useless_units(means, classes))


def _sales_of(visit: Visit) -> OwnerQuery | None:
    """Return the question of what to sell to afford a crew that is lacking; None without a market or an AI owner."""
    means, terms = visit.stock.means, visit.terms
    return _sale_of(visit, "sales", terms, lambda: choose_sales(means, visit.wares, terms))


def _sale_of(visit: Visit, name: str, terms: Any, choose: Callable[[], list[str]]) -> OwnerQuery | None:
    if not visit.shops or not visit.stable.is_ai:
        return None
    stock = visit.stock
    return _query(
        visit.stable,
        visit.occasion,
        name,
        (stock.means, terms),
        ask=choose,
        read=lambda answer: read_keys(answer, stock.by_code),
    )


def _sell(visit: Visit, keys: list[str]) -> bool:
    for key in keys:
        trading.sell(stable_id=visit.stable.pk, asset_id=visit.stock.by_code[key].pk, confirmed=True)
    return bool(keys)


def _repairs_in_market(visit: Visit) -> OwnerQuery | None:
    """Return the question of what to repair before shopping; None if nothing is damaged or may be repaired.

    A repair must give the stable a fit crew that it lacks, and leave the Stones for the crews that it buys next.
    """
    return _repairs_of(visit.stable, visit.window, visit.stock, visit.wares) if visit.shops else None


def _repairs_of(stable: Stable, window: Window, stock: Stock, wares: Market | None) -> OwnerQuery | None:
    """Return the question of what to repair before the next match; None if nothing is damaged or may be repaired.

    `wares` is the market in which the stable shops first (None: it does not shop). No query.
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


def _mend(visit: Visit | Preparation, keys: list[str]) -> bool:
    stock = visit.stock
    if keys:
        mend(visit.stable, [stock.by_code[key] for key in keys], visit.window, gear=stock.by_code.values())
    return bool(keys)


BEFORE_BUYING = (Decision(_useless_of, _sell), Decision(_sales_of, _sell), Decision(_repairs_in_market, _mend))
BUYING = Decision(_basket_of, _buy)
AFTER_BUYING = (Decision(_gear_of, _mount), Decision(_priority_of, _set_priority))


@dataclass(frozen=True)
class Preparation:
    """The facts that an owner finds before a match; `sides` are those of the fixture."""

    fixture: Fixture
    stable: Stable
    sides: Sequence[FixtureSide]
    window: Window
    stock: Stock

    @property
    def side(self) -> FixtureSide:
        """The stable's own side. Raises Malformed (unknown_asset) if the stable is not in the fixture."""
        return side_in(self.sides, self.stable.pk)

    @property
    def called(self) -> Called:
        """The side, with the assets that it may use and the terms of the match; no query."""
        return called_of(self.fixture, self.side, self.stable, self.sides, self.stock.by_code.values())


def preparation_of(stable_id: int, fixture_id: int, check: Check) -> Callable[[bool], Preparation]:
    """Return a function that reads a stable's preparation for a fixture, with both rows locked or not."""

    def look(is_locked: bool) -> Preparation:
        fixture = lock_fixture(fixture_id) if is_locked else look_at_fixture(fixture_id)
        stable = lock_stable(stable_id) if is_locked else look_at_stable(stable_id)
        if is_locked:
            check(stable)
        window = window_of(stable)
        return Preparation(fixture, stable, sides_of(fixture), window, stock_of(stable, window))

    return look


def prepare(
    *,
    stable_id: int,
    fixture_id: int,
    step: str = "prepare",
    run_step: RunStep = in_a_transaction,
    check: Check = lambda stable: None,
    source: str = LineUp.Source.OWNER,
) -> str:
    """Repair, hire in need, and hand in a line-up for one fixture.

    Return why the side forfeits (FixtureSide.Forfeit), "" if it does not. A side that is ready is left alone. The
    line-up is the step `step`. Call it outside transactions. Raises what `check` raises, SeasonRefused
    (line_up_too_early, spending_limit_reached, too_many_assets) or Malformed (unknown_asset).
    """
    look = preparation_of(stable_id, fixture_id, check)
    found = look(False)
    if not is_ready(found.side):
        require_called(found.fixture)
        if settle(REPAIRING, found, look):
            found = look(False)
        if pilot_in_need(found.stable, found.window) is not None:
            with transaction.atomic():
                locked = look(True)
                if not is_ready(locked.side):
                    hire_in_need(locked.stable, locked.window)
            found = look(False)

    def field(now: Preparation, choice: LineUpChoice | None) -> str:
        called = now.called
        if choice is None:
            return str(give_up(called).forfeits)
        crewed = zip(choice.crews, choice.hands, strict=True)
        write_line_up(called, [by_keys(crew, hand, called.holding) for crew, hand in crewed], choice.tokens, source)
        seal_when_ready(now.fixture)
        return ""

    forfeits: str | None = settle(Decision(_line_up_of, field), found, look, step, run_step)
    return found.side.forfeits if forfeits is None else forfeits


def _line_up_of(found: Preparation) -> OwnerQuery | None:
    """Return the question of the line-up; None if the side is ready. Raises SeasonRefused (line_up_too_early)."""
    if is_ready(found.side):
        return None
    require_called(found.fixture)
    return line_up_of(found.called)


def _repairs_before_match(found: Preparation) -> OwnerQuery | None:
    return None if is_ready(found.side) else _repairs_of(found.stable, found.window, found.stock, None)


REPAIRING = Decision(_repairs_before_match, _mend)


def line_up_of(called: Called) -> OwnerQuery:
    """Return the question of which crews to field in a match; no query."""
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


def ai_stables(season_id: int) -> list[Stable]:
    """Return the stables of a season that the AI runs, by number; one query."""
    return list(Stable.objects.filter(season_id=season_id, is_ai=True).order_by("number"))
