"""What a repair costs, in both modes, with every modifier (MC-REP-01 to 12, MCQ-REP-01 to 10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from rules.challenge.mechs import PARTS, Mech
from rules.challenge.state import Event, Pilot
from rules.challenge.tables import Membership
from rules.challenge.worth import rounded_down
from rules.core.refusals import Refusal

MODES = ("full", "spot")
WIZARD_PERCENT = -20


class RepairLine(NamedTuple):
    """A line of a repair: what is mended, how often, and the C-bills of all of it before modifiers."""

    what: str
    times: int
    c_bills: Fraction


class Modifier(NamedTuple):
    """A modifier of a repair: who gives it, and its percentage points."""

    source: str
    percent: int


@dataclass(frozen=True, slots=True)
class RepairQuote:
    """A repair in one mode: lines, modifiers, the C-bills to pay, and the CP paid at Devall's (MC-REP-11)."""

    mode: str
    lines: tuple[RepairLine, ...]
    modifiers: tuple[Modifier, ...]
    exact: Fraction
    c_bills: int
    cp: int = 0
    coupon: bool = False


def repair_quote(event: Event, pilot: Pilot, mech: Mech, mode: str, cp: int = 0, coupon: bool = False) -> RepairQuote:
    """Return the price of repairing `mech` in `mode`, full or spot, with `cp` spent at Devall's.

    With `coupon` the charge's 30 percent stand alone, and only surcharges add to them (MC-REP-10, MCQ-REP-05).
    """
    cp = 0 if coupon else cp
    lines = tuple(_full(event, mech) if mode == "full" else _spot(event, mech))
    ejected = _ejected_points(event, mech)
    bill = sum((line.c_bills for line in lines), Fraction(0))
    if ejected and event.switches.ejected_on == "book":
        line = RepairLine("ejected", 1, Fraction(mech.book * ejected, 100))
        lines, bill = (*lines, line), bill + line.c_bills
    elif ejected:
        line = RepairLine("ejected", 1, bill * ejected / 100)
        lines, bill = (*lines, line), bill + line.c_bills
    if event.switches.repair_round == "item":
        lines = tuple(
            line._replace(c_bills=Fraction(rounded_down(int(line.c_bills / line.times)) * line.times)) for line in lines
        )
        bill = sum((line.c_bills for line in lines), Fraction(0))
    modifiers = tuple(coupon_modifiers(event, pilot) if coupon else repair_modifiers(event, pilot, mode, cp))
    exact = _modified(event, bill, [modifier.percent for modifier in modifiers])
    c_bills = int(exact) if event.switches.repair_round == "none" else rounded_down(int(exact))
    return RepairQuote(mode, lines, modifiers, exact, c_bills, cp, coupon)


def _full(event: Event, mech: Mech) -> Iterator[RepairLine]:
    """Repair everything for a share of the book cost by the state of the 'Mech (MC-REP-02)."""
    if mech.is_damaged:
        percent = event.printed.full_repair_percent[mech.state]
        yield RepairLine(mech.state, 1, Fraction(mech.book * percent, 100))


def _spot(event: Event, mech: Mech) -> Iterator[RepairLine]:
    """Mend part by part; armor and standard ammunition are free (MC-REP-01, MC-REP-03)."""
    for part in PARTS:
        count = mech.damage.get(part, 0)
        if count:
            price = event.printed.spot[part]
            if part == "weapon" and event.switches.weapon_crit_unit == "weapon":
                count = mech.damage.get("weapons", count)
            yield RepairLine(part, count, count * (Fraction(mech.book * price.percent, 100) + price.c_bills))


def cheapest_repair(event: Event, pilot: Pilot, mech: Mech) -> RepairQuote | None:
    """Return the cheaper repair of the two modes, None for a 'Mech that needs none."""
    if not mech.is_damaged:
        return None
    modes = MODES[:1] if mech.state == "destroyed" or not any(mech.damage.values()) else MODES
    seen = with_cockpit(mech)
    return min((repair_quote(event, pilot, seen, mode) for mode in modes), key=lambda quote: quote.c_bills)


def _ejected_points(event: Event, mech: Mech) -> int:
    """Return the points for an ejection, not for a crippled or destroyed 'Mech (MC-REP-07)."""
    return event.printed.ejected_percent if mech.ejected and mech.state == "intact" else 0


def _modified(event: Event, bill: Fraction, percents: list[int]) -> Fraction:
    """Return the bill after its modifiers, summed, or one after the other where the event says so (MCQ-REP-01)."""
    if event.switches.stack == "add":
        return bill * (100 + sum(percents)) / 100
    for percent in percents:
        bill = bill * (100 + percent) / 100
    return bill


def repair_modifiers(event: Event, pilot: Pilot, mode: str, cp: int = 0) -> list[Modifier]:
    """Return the modifiers of a repair without the coupon.

    A sponsor whose discount excludes others (MC-SPON-06) counts alone where that is cheaper for the pilot, else not at
    all (MCQ-REP-11).
    """
    ability = [Modifier("repairs_wizard", WIZARD_PERCENT)] if pilot.has("repairs_wizard") else []
    usual = [*ability, *_of(pilot.memberships, mode, cp)]
    best = usual
    for member in pilot.memberships:
        alone = _exclusive(pilot, member, mode)
        if alone:
            rest = [other for other in pilot.memberships if other.kind not in member.excludes and other is not member]
            others = [*ability, Modifier(member.id, alone), *_of(rest, mode, cp)]
            if sum(each.percent for each in others) < sum(each.percent for each in best):
                best = others
    return best


def _of(memberships: list[Membership], mode: str, cp: int) -> list[Modifier]:
    found = []
    for member in memberships:
        effects = member.effects
        percent = effects.repair_percent + effects.repair_percent_per_cp * min(cp, effects.most_repair_cp)
        if percent:
            found.append(Modifier(member.id, percent))
    return found


def _exclusive(pilot: Pilot, member: Membership, mode: str) -> int:
    """Return the discount of a sponsor that excludes others: Shatner's on spot repairs, O'Neals' after failed rolls.

    MC-REP-12.
    """
    if mode == "spot" and member.effects.spot_repair_percent:
        return member.effects.spot_repair_percent
    if pilot.replacement_rolls and not any(pilot.replacement_rolls):
        return member.effects.repair_percent_after_failed_rolls
    return 0


def coupon_modifiers(event: Event, pilot: Pilot) -> list[Modifier]:
    """Return the coupon and the surcharges that still apply beside it (MCQ-REP-05)."""
    surcharges = [each for each in _of(pilot.memberships, "full", 0) if each.percent > 0]
    return [Modifier("coupon", event.printed.coupon_percent), *surcharges]


def most_repair_cp(pilot: Pilot) -> int:
    """Return the most CP that lower a repair (MC-REP-11)."""
    return max([0, *(effects.most_repair_cp for effects in pilot.effects)])


def why_not_repair(event: Event, pilot: Pilot, mech: Mech, mode: str, cp: int, coupon: bool) -> Iterator[Refusal]:
    """Yield why this repair cannot be had; whether it can be paid is asked elsewhere."""
    if not mech.is_damaged:
        yield Refusal("mech_undamaged", {"pilot": pilot.id})
    if mode == "spot" and mech.state == "destroyed":
        yield Refusal("no_spot_repair", {"pilot": pilot.id})
    if mode == "spot" and owes_a_cockpit(mech) and not mech.damage.get("other", 0):
        yield Refusal("cockpit_first", {"pilot": pilot.id})
    if coupon and not pilot.coupon:
        yield Refusal("no_coupon", {"pilot": pilot.id})
    if cp > most_repair_cp(pilot):
        yield Refusal("too_many_repair_cp", {"most": most_repair_cp(pilot)})


def owes_a_cockpit(mech: Mech) -> bool:
    """Return whether the cockpit is a critical of its own, for an ejection that no surcharge mends (MCQ-REP-12)."""
    return mech.ejected and mech.state == "crippled"


def with_cockpit(mech: Mech) -> Mech:
    """Return the 'Mech with the cockpit among its criticals where it owes one and nobody has counted it."""
    if owes_a_cockpit(mech) and not mech.damage.get("other", 0):
        return replace(mech, damage={**mech.damage, "other": 1})
    return mech


def healing_price(event: Event, pilot: Pilot, wounds: int) -> int:
    """Return the C-bills of healing `wounds`; no repair modifier touches it (MC-REP-08, MCQ-REP-04)."""
    return 0 if any(effects.free_healing for effects in pilot.effects) else wounds * event.printed.healing
