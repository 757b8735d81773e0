"""What a 'Mech costs and what it brings (MC-MECH-02 to 07, MC-CLAN-01, MCQ-REP-08 to 10, MCQ-MEM-10, 11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rules.challenge.mechs import Mech, MechModel
from rules.challenge.memberships import mech_barred
from rules.challenge.quotes.repair import Modifier, RepairQuote, cheapest_repair
from rules.challenge.shared_checks import cannot_pay, owes
from rules.challenge.state import Event, Pilot
from rules.challenge.worth import Worth, rounded_down
from rules.core.refusals import Refusal

CLAN_PERCENT = 50
"""What a Clan 'Mech costs more where the optional rule is in play (MC-CLAN-01)."""


@dataclass(frozen=True, slots=True)
class PurchaseQuote:
    """A purchase: list price, modifiers, what is paid, and the book cost that the 'Mech will have; C-bills."""

    model: MechModel
    modifiers: tuple[Modifier, ...]
    c_bills: int
    book: int


@dataclass(frozen=True, slots=True)
class SaleQuote:
    """A sale: the repair that must come first, or None as it stands, the share of the book cost, what it brings."""

    repair: RepairQuote | None
    percent: int
    c_bills: int

    @property
    def net(self) -> int:
        """What is left after the repair, C-bills."""
        return self.c_bills - (self.repair.c_bills if self.repair else 0)


def base_price(event: Event, model: MechModel) -> Fraction:
    """Return the list price, of a Clan 'Mech the raised one where that is in play."""
    raised = model.is_clan and event.plays("clan_mechs")
    return Fraction(model.cost * (100 + CLAN_PERCENT * raised), 100)


def purchase_quote(event: Event, pilot: Pilot, model: MechModel, relief: Fraction = Fraction(0)) -> PurchaseQuote:
    """Return what a pilot pays for a 'Mech of the list (MC-MECH-07), rounded down to 10,000.

    `relief` are C-bills that a stable takes off for what it builds in.
    """
    base = base_price(event, model)
    modifiers = purchase_modifiers(event, pilot, model)
    exact = base * (100 + sum(modifier.percent for modifier in modifiers)) / 100
    book = int(base) if event.switches.clan_base == "raised" else model.cost
    if event.switches.larzellier_book and any(modifier.source == "larzellier" for modifier in modifiers):
        book = int(exact)
    return PurchaseQuote(model, tuple(modifiers), rounded_down(max(0, int(exact - relief))), book)


def purchase_modifiers(event: Event, pilot: Pilot, model: MechModel) -> list[Modifier]:
    """Return the modifiers of a purchase; a discount that excludes others counts alone where it is better."""
    weight_class = model.effective_class if event.switches.effective_class_limits else model.weight_class
    usual = []
    for member in pilot.memberships:
        by = member.effects.purchase_percent
        percent = by.get(weight_class, 0) + by.get("all", 0) + (by.get("clan", 0) if model.is_clan else 0)
        if percent:
            usual.append(Modifier(member.id, percent))
    best = usual
    for member in pilot.memberships:
        effects = member.effects
        if effects.equipped_percent and model.flags & {_FLAG_OF[each] for each in effects.equipped_with}:
            alone = [Modifier(member.id, effects.equipped_percent)]
            if effects.equipped_percent < sum(modifier.percent for modifier in best):
                best = alone
    return best


_FLAG_OF = {"targeting_computer": "targeting_computer", "any_ecm": "ecm", "c3": "c3"}


def sale_quote(event: Event, pilot: Pilot, mech: Mech, repaired: bool = True) -> SaleQuote:
    """Return what a sale brings (MC-MECH-03): repaired first (MC-MECH-02), or as it stands to Shatner (MC-MECH-06)."""
    if not repaired:
        percent = max([0, *(effects.unrepaired_sale_percent.get(mech.state, 0) for effects in pilot.effects)])
        return SaleQuote(None, percent, _proceeds(event, mech, percent))
    repair = cheapest_repair(event, pilot, mech)
    percent = max([75, *(effects.resale_percent for effects in pilot.effects)])
    return SaleQuote(repair, percent, _proceeds(event, mech, percent))


def _proceeds(event: Event, mech: Mech, percent: int) -> int:
    brings = rounded_down(mech.book * percent // 100)
    return min(brings, mech.paid) if event.switches.sale_capped_at_paid else brings


def why_not_sell(event: Event, pilot: Pilot, mech: Mech, repaired: bool) -> Iterator[Refusal]:
    """Yield why a 'Mech cannot be sold so."""
    if repaired and mech.is_damaged:
        yield Refusal("repair_before_sale", {"pilot": pilot.id})
    if not repaired and not sale_quote(event, pilot, mech, repaired=False).percent:
        yield Refusal("no_buyer_unrepaired", {"pilot": pilot.id})


def why_not_buy(event: Event, pilot: Pilot, model: MechModel, relief: Fraction = Fraction(0)) -> Iterator[Refusal]:
    """Yield why a pilot may not buy a 'Mech of the list."""
    if pilot.mechs and not event.plays("several_mechs"):
        yield Refusal("one_mech", {"pilot": pilot.id})
    if event.most_value is not None and model.cost > event.most_value:
        yield Refusal("mech_too_valuable", {"mech": model.id, "most": event.most_value})
    if model.is_clan and not any(member.clan and member.is_stable for member in pilot.memberships):
        yield Refusal("no_clan_mechs", {"mech": model.id})
    elif model.is_clan and not event.plays("clan_mechs"):
        yield Refusal("option_not_in_play", {"option": "clan_mechs"})
    if pilot.stable is not None:
        yield from mech_barred(event, model, pilot.stable)
    if event.stage == "final" or not is_first_mech(event, pilot):
        # The first 'Mech may be bought with a loan (MC-LOAN-07, MCQ-LOAN-08), that of the final may not (MC-LOAN-09).
        yield from owes(pilot)
    yield from cannot_pay(event, pilot, Worth(0, 0, purchase_quote(event, pilot, model, relief).c_bills))


def is_first_mech(event: Event, pilot: Pilot) -> bool:
    """Return whether a pilot has had no 'Mech yet."""
    sold = any(line.pilot == pilot.id and line.reason in ("sale", "forced_sale") for line in event.lines)
    return not (pilot.left_turns or pilot.mechs or sold)


def net_worth(event: Event, pilot: Pilot) -> int:
    """Return cash and the value of 'Mechs less loans, C-bills (MC-RANK-06).

    An overdraft is in the cash already (MCQ-LOAN-01); damage does not count (MCQ-RANK-06).
    """
    value = sum(
        mech.book if event.switches.net_worth_value == "book" else sale_quote(event, pilot, mech).c_bills
        for mech in pilot.mechs
        if mech.team is None
    )
    return pilot.c_bills + value - (pilot.loan.owed if pilot.loan else 0)
