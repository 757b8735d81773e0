"""What an owner should sell, repair, equip, keep and buy, in order, with coded reasons and the Stones.

The advice is what the balanced owner made of code would do (`garage`, `shopping`, `line_ups`). Where that owner would
draw by dice, the advice takes the best. The coded reasons explain it to a person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from rules.bots.advice.reason import Reason
from rules.bots.owners.advice_reasons import (
    reasons_of_want,
    reasons_to_buy,
    reasons_to_mount,
    reasons_to_repair,
    reasons_to_wait,
)
from rules.bots.owners.characters import BALANCED, Traits
from rules.bots.owners.crew_options import CrewOptions, price_of_team
from rules.bots.owners.garage import (
    after_repair,
    choose_repairs,
    choose_sales,
    fit_crews,
    useless_units,
    with_repaired,
)
from rules.bots.owners.line_ups import Strengths
from rules.bots.owners.mountings import choose_mountings
from rules.bots.owners.plans import Plan, plan_of
from rules.bots.owners.shopping import reserve_of
from rules.bots.owners.wares import Definition, Market, Means, cost_of
from rules.campaign.classes import BUILD_TOTAL
from rules.campaign.garage.repair import ELIMINATED, SALVAGE, UNDAMAGED, repair_cost
from rules.campaign.line_ups.checks import MatchTerms, OwnedPilot, OwnedUnit, able_alone, team_size
from rules.campaign.market.prices import RALLY_CARD_PRICE, price_of
from rules.solaris.building import class_of

SELL, REPAIR, MOUNT, HIRE, BUY, WAIT, KEEP, SAVE = "sell", "repair", "mount", "hire", "buy", "wait", "keep", "save"
DEEDS = (SELL, REPAIR, MOUNT, HIRE, BUY, WAIT, KEEP, SAVE)
"""The deeds of advice: `wait` names a repair that can wait, `keep` an asset that must not be sold, `save` Stones."""

ADVISER = replace(BALANCED, best_share=0.0)
"""The balanced owner, except that it takes the best crew instead of drawing one of the best."""


@dataclass(frozen=True)
class Situation:
    """An owner's situation. `market` is None while it is closed.

    `matches_left` counts the matches left in the cycle, the next one included; 0 while the market of a cycle is open.
    `in_break`: no match of the cycle is left, or none has begun. `at_close`: none is left and the compulsory repairs
    come next (R-CRP-10), so `terms` are those of the next cycle. `hireable` are the pilots of an emergency.
    `classes_to_come` are the classes of this cycle and those after it. `owed` are Stones of a debt that blocks
    purchases. `bought` are the keys of the owner's assets, in the order in which they were bought. `turn` is the
    stable's own number: where several crews are equally good, stables with other numbers take other ones.
    """

    means: Means
    terms: MatchTerms
    market: Market | None = None
    matches_left: int = 0
    in_break: bool = False
    at_close: bool = False
    can_repair: bool = False
    can_sell: bool = False
    can_mount: bool = False
    hireable: Sequence[Definition] = ()
    classes_to_come: Collection[str] = ()
    owed: int = 0
    bought: Sequence[str] = ()
    turn: int = 0


@dataclass(frozen=True)
class PieceOfAdvice:
    """One piece of advice; `deed` is one of DEEDS.

    `key` names an asset of the owner's, for `buy` and `hire` an entry of the catalogue; for `save` it and `kind` are
    "". `unit` and `side` are where `mount` puts gear, "" for the other deeds. `stones` is the price, what a sale brings
    or what to save; 0 for `mount` and `keep`. `left` is the capital after this and everything before it.
    `is_needed`: without it the coming match lacks an able crew (R-FOR-04, Q-154). A unit that shows Salvage makes no
    able crew (Q-155), and gear is never needed (R-CEC-01).
    """

    deed: str
    kind: str
    key: str
    stones: int
    left: int
    reasons: tuple[Reason, ...]
    is_needed: bool = False
    unit: str = ""
    side: str = ""


def advise(situation: Situation, traits: Traits = ADVISER) -> list[PieceOfAdvice]:
    """Return what to do, in the order in which to do it; then what can wait, what to keep, and what to save.

    Raises Overran.
    """
    return list(_Adviser(situation, traits).all())


class _Adviser:
    """An adviser that works through the deeds; `means` are what the owner would have after the advice so far."""

    def __init__(self, situation: Situation, traits: Traits) -> None:
        self.situation = situation
        self.means = situation.means
        self.terms = situation.terms
        self.traits = traits
        self.plan = Plan(situation.means)
        self.bought: list[tuple[str, Definition]] = []

    @property
    def left(self) -> int:
        return self.means.capital

    def all(self) -> Iterator[PieceOfAdvice]:
        yield from self._sales()
        yield from self._needed_repairs()
        yield from self._hire()
        yield from self._purchases()
        yield from self._further_repairs()
        yield from self._mountings()
        yield from self._waiting()
        yield from self._to_keep()
        yield from self._to_save()

    # --- selling ----------------------------------------------------------------------------------------------------

    def _sales(self) -> Iterator[PieceOfAdvice]:
        if not self.situation.can_sell:
            return
        for key in useless_units(self.means, self.situation.classes_to_come):
            unit = next(unit for unit in self.means.units if unit.key == key)
            yield self._sale("unit", key, price_of("unit", unit.definition), _no_match_of(unit))
        seen: set[str] = set()
        for card in self.means.cards:
            number = str(card.definition["id"])
            if number in seen:
                yield self._sale("rally_card", card.key, RALLY_CARD_PRICE, Reason("second_copy", {"card": number}))
            seen.add(number)
        if self.situation.market is not None:
            yield from self._sales_in_need(self.situation.market)

    def _sales_in_need(self, market: Market) -> Iterator[PieceOfAdvice]:
        """Yield what a stable without a crew sells to pay for one."""
        for key in choose_sales(self.means, market, self.terms):
            kind, definition = _asset(self.means, key)
            yield self._sale(kind, key, price_of(kind, definition), Reason("pays_for_crew"), is_needed=True)

    def _sale(self, kind: str, key: str, brings: int, reason: Reason, is_needed: bool = False) -> PieceOfAdvice:
        means = self.means
        self.means = replace(
            means,
            capital=means.capital + brings,
            units=tuple(unit for unit in means.units if unit.key != key),
            pilots=tuple(pilot for pilot in means.pilots if pilot.key != key),
            gear=tuple(card for card in means.gear if card.key != key),
            cards=tuple(card for card in means.cards if card.key != key),
        )
        return PieceOfAdvice(SELL, kind, key, brings, self.left, (reason,), is_needed)

    # --- repairing --------------------------------------------------------------------------------------------------

    @property
    def _may_repair(self) -> bool:
        return self.situation.can_repair and not self.situation.at_close

    def _needed_repairs(self) -> Iterator[PieceOfAdvice]:
        """Yield the repairs of `choose_repairs`, then those for more crews (`_repairs_for_reach`)."""
        if self._may_repair:
            is_break, left = self.situation.in_break, self.situation.matches_left
            for key in choose_repairs(self.means, self.terms, self.traits, left, self._shelf, raises_lost=is_break):
                yield self._repair(key, by_duty=True)
            yield from self._repairs_for_reach()

    def _repairs_for_reach(self) -> Iterator[PieceOfAdvice]:
        """Yield the repairs in the break, if the Stones make more crews with them than by purchases alone."""
        lost = [unit.key for unit in self.means.units if unit.state == ELIMINATED]
        if self._shelf is None or not self.situation.in_break or not lost:
            return
        raised = self._ways(self.means).within(self.left, self.terms.size)
        bought = CrewOptions(self.means, self._shelf, self.terms).within(self.left, self.terms.size)
        if len(raised) > len(bought):
            for key in [key for key in lost for way in raised if key in way.own]:
                yield self._repair(key, by_duty=False)

    @property
    def _shelf(self) -> Market | None:
        """The market, None while nothing may be bought there."""
        return None if self.situation.owed else self.situation.market

    def _ways(self, means: Means) -> CrewOptions:
        """Return all ways to a crew of the coming match, with repairs that are made in time (R-CRP-09)."""
        return CrewOptions(means, self._shelf, self.terms, raises_lost=self.situation.in_break and self._may_repair)

    def _further_repairs(self) -> Iterator[PieceOfAdvice]:
        """Yield the repairs that raise the worth of the crews to be fielded, as long as the reserve is kept."""
        while self._may_repair and (key := self._best_repair()) is not None:
            yield self._repair(key, by_duty=False)

    def _best_repair(self) -> str | None:
        """Return the key of the unit whose repair adds most worth to the crews for its price; None if none adds any.

        The repair must leave the reserve untouched, unless it makes one able crew more.
        """
        strengths = Strengths(self.means.pilots, self.terms, self.traits)
        now, able = strengths.worth(self.means.units), self._able_crews(self.means)
        gains = []
        for unit in self.means.units:
            cost = cost_of(unit)
            if unit.state == UNDAMAGED or cost > self.left:
                continue
            units = [after_repair(one, self.situation.in_break) if one is unit else one for one in self.means.units]
            gain = strengths.worth(units) - now
            if gain <= 0:
                continue
            if cost <= self.left - self._reserve() or self._able_crews(replace(self.means, units=units)) > able:
                gains.append((-gain / cost, unit.key))
        return min(gains)[1] if gains else None

    def _reserve(self) -> int:
        """Return the Stones kept for the repair of a unit lost in the next match; 0 if no match follows that one."""
        is_followed = self.situation.market is not None or self.situation.matches_left >= 2
        return repair_cost(BUILD_TOTAL[self.terms.match_class], ELIMINATED) if is_followed else 0

    def _worth(self, units: Sequence[OwnedUnit]) -> float:
        return Strengths(self.means.pilots, self.terms, self.traits).worth(units)

    def _repair(self, key: str, by_duty: bool) -> PieceOfAdvice:
        unit = next(unit for unit in self.means.units if unit.key == key)
        cost, before, undamaged = cost_of(unit), self._worth(self.means.units), self._undamaged_crews()
        able, repaired = self._able_crews(self.means), after_repair(unit, self.situation.in_break)
        self.means = with_repaired(self.means, key, self.situation.in_break)
        is_needed = self._able_crews(self.means) > able
        reasons = reasons_to_repair(
            unit,
            self.terms,
            cost,
            able=able if is_needed else None,
            undamaged=undamaged if by_duty and self._undamaged_crews() > undamaged else None,
            gain=round(self._worth(self.means.units) - before),
            sits_out=repaired.sits_out,
        )
        return PieceOfAdvice(REPAIR, "unit", key, cost, self.left, reasons, is_needed)

    def _undamaged_crews(self) -> int:
        """Return how many crews with undamaged units could stand side by side, at most as many as the match takes."""
        return fit_crews(self.means.units, self.means.pilots, self.terms, ADVISER)

    def _able_crews(self, means: Means) -> int:
        """Return how many able crews the coming match could have, at most as many as it takes (Q-154, Q-155)."""
        return team_size([unit for unit in means.units if unit.state != SALVAGE], means.pilots, self.terms)

    def _waiting(self) -> Iterator[PieceOfAdvice]:
        """Yield why the repair of each unit that is still damaged can wait; nothing if the owner cannot repair."""
        if not self.situation.can_repair:
            return
        undamaged, at_close = self._undamaged_crews(), self.situation.at_close
        for unit in self.means.units:
            if unit.state != UNDAMAGED:
                cost = cost_of(unit)
                sits_out = after_repair(unit, self.situation.in_break).sits_out
                reasons = reasons_to_wait(unit, self.terms, cost, self.left, undamaged, at_close, sits_out)
                yield PieceOfAdvice(WAIT, "unit", unit.key, cost, self.left, reasons)

    # --- equipping and buying ---------------------------------------------------------------------------------------

    def _mountings(self) -> Iterator[PieceOfAdvice]:
        """Yield advice on gear. It comes after all repairs, because moving gear may end them (R-AST-11)."""
        if not self.situation.can_mount:
            return
        for mounting in choose_mountings(self.means, self.terms, self.plan):
            card = next(card for card in self.means.gear if card.key == mounting.gear)
            reasons = reasons_to_mount(card.definition, mounting.unit)
            yield PieceOfAdvice(MOUNT, "gear", card.key, 0, self.left, reasons, unit=mounting.unit, side=mounting.side)

    def _hire(self) -> Iterator[PieceOfAdvice]:
        """Yield the cheapest pilot who ends the emergency; nothing if the owner owes or can pay for none."""
        affordable = [pilot for pilot in self.situation.hireable if price_of("pilot", pilot) <= self.left]
        if not affordable or self.situation.owed:
            return
        pilot = min(affordable, key=lambda one: (price_of("pilot", one), str(one["id"])))
        price = price_of("pilot", pilot)
        self.means = replace(self.means, capital=self.left - price)
        yield PieceOfAdvice(
            HIRE, "pilot", str(pilot["id"]), price, self.left, (Reason("ends_emergency"),), is_needed=True
        )

    def _purchases(self) -> Iterator[PieceOfAdvice]:
        market = self._shelf
        if market is None:
            return
        self.plan = plan_of(self.means, market, self.terms, self.traits, self.situation.bought, self.situation.turn)
        definitions = market.shelves
        lines = [purchase for purchase, key in zip(self.plan.purchases, self.plan.owned, strict=True) if not key]
        self.bought = [(purchase.kind, definitions[purchase.kind][purchase.key]) for purchase in lines]
        want = self._want(self.left - sum(price_of(kind, definition) for kind, definition in self.bought))
        then, able = self.means, self._able_crews(self.means)
        for group in self.plan.groups:
            missing = [self.plan.purchases[place] for place in group if not self.plan.owned[place]]
            before, able_before = then, able
            for purchase in missing:
                then = _with(then, purchase.kind, purchase.key, definitions[purchase.kind][purchase.key])
            if then is not before and able < self.terms.size:
                able = self._able_crews(then)
            is_needed = able > able_before
            for purchase in missing:
                definition = definitions[purchase.kind][purchase.key]
                price = price_of(purchase.kind, definition)
                self.means = replace(self.means, capital=self.left - price)
                helps = is_needed and purchase.kind != "gear"
                tells = purchase is missing[0]
                reasons = reasons_to_buy(purchase, definition, self.plan.means, market, self.terms, helps, tells)
                reasons += want if helps and tells else ()
                yield PieceOfAdvice(BUY, purchase.kind, purchase.key, price, self.left, reasons, helps)

    def _want(self, left: int) -> tuple[Reason, ...]:
        """Return the reasons about missing crews, when `left` Stones make too few after all purchases; else nothing."""
        means = replace(self.means, capital=left)
        for kind, definition in self.bought:
            means = _with(means, kind, str(definition["id"]), definition)
        if self._able_crews(means) == self.terms.size:
            return ()
        ways = self._ways(means)
        reach = len(ways.within(left, self.terms.size))
        more = ways.cheapest(reach + 1) if reach < self.terms.size else None
        return () if more is None else reasons_of_want(reach, self.terms, price_of_team(more) - left)

    # --- leaving alone ----------------------------------------------------------------------------------------------

    def _to_keep(self) -> Iterator[PieceOfAdvice]:
        """Yield the assets that must not be sold, because no crew could be fielded without them (R-FOR-04)."""
        means = self.means
        if not self.situation.can_sell:
            return
        alone = [{crew.unit, crew.pilot} for crew in able_alone(means.units, means.pilots, self.terms)]
        needed = set.intersection(*alone) if alone else set[str | None]()
        for kind, key in self._for_sale(means):
            if key in needed:
                reason = Reason("duty_depends", {"class": self.terms.match_class, "rule": "R-FOR-04"})
                yield PieceOfAdvice(KEEP, kind, key, 0, self.left, (reason,), is_needed=True)

    def _for_sale(self, means: Means) -> Iterator[tuple[str, str]]:
        own = {unit.key for unit in self.situation.means.units if unit.state == UNDAMAGED}
        yield from (("unit", unit.key) for unit in means.units if unit.key in own)
        yield from (("pilot", pilot.key) for pilot in means.pilots)

    def _to_save(self) -> Iterator[PieceOfAdvice]:
        """Yield the Stones to save for the repairs of the cycle, while its market is open; all if a crew is missing."""
        if self.situation.market is None or not self.left:
            return
        reserve = reserve_of(self.traits, self.terms)
        each = repair_cost(BUILD_TOTAL[self.terms.match_class], ELIMINATED)
        want = () if self._shelf is None else self._want(self.left)
        kept = self.left if want else min(reserve, self.left)
        repairs = kept // each
        told = {"stones": each, "rule": "R-CRP-02"}
        reason = Reason("repairs_ahead", {**told, "repairs": repairs}) if repairs else Reason("repair_ahead", told)
        yield PieceOfAdvice(SAVE, "", "", kept, self.left, (*want, reason))


def _no_match_of(unit: OwnedUnit) -> Reason:
    return Reason("no_match_of_class", {"class": class_of(unit.definition), "rule": "R-AST-07"})


def _with(means: Means, kind: str, key: str, definition: Definition) -> Means:
    """Return an owner's units and pilots after a purchase; gear and cards change nothing here."""
    code = f"new:{len(means.units)}:{len(means.pilots)}:{key}"
    if kind == "unit":
        return replace(means, units=(*means.units, OwnedUnit(code, definition, UNDAMAGED)))
    if kind == "pilot":
        return replace(means, pilots=(*means.pilots, OwnedPilot(code, definition)))
    return means


def _asset(means: Means, key: str) -> tuple[str, Definition]:
    """Return an asset of the owner's by its key: its kind and definition."""
    kinds = (("unit", means.units), ("pilot", means.pilots), ("gear", means.gear), ("rally_card", means.cards))
    return next((kind, one.definition) for kind, listed in kinds for one in listed if one.key == key)
