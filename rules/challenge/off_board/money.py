"""Loans, lending among stablemates, debts, and chips (MC-LOAN, MC-STSP-04 to 07, MCQ-MEM-03, MC-BET-02)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.cycle import CHIPS
from rules.challenge.entries import NAME, POSITIVE, Entry, Kind
from rules.challenge.shared_checks import cannot_pay, not_alive, owes, pilot_of
from rules.challenge.state import Event, Loan, Pilot
from rules.challenge.worth import NOTHING, Worth
from rules.core.refusals import Refusal
from rules.core.shapes import listed, text, word


def loan_ceiling(event: Event, pilot: Pilot) -> int:
    """Return the most C-bills that a pilot may borrow, by their Fame (MC-LOAN-02, 03, 12)."""
    brackets = event.printed.brackets
    place = max((number for number, each in enumerate(brackets) if pilot.fame >= each.fame), default=0)
    place += sum(effects.loan_brackets for effects in pilot.effects)
    return min(brackets[min(place, len(brackets) - 1)].most, event.printed.loan_ceiling)


def _check_loan(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot, amount = pilot_of(event, entry), entry.facts["amount"]
    if pilot.loan is not None:
        # One at a time (MC-LOAN-05), a stablemate's in its place (MCQ-LOAN-05).
        yield from owes(pilot)
    ceiling = loan_ceiling(event, pilot)
    if amount > ceiling:
        yield Refusal("loan_too_high", {"pilot": pilot.id, "most": ceiling})
    yield from cannot_pay(event, pilot, Worth(cp=event.printed.loan_cp))


def _loan(event: Event, entry: Entry) -> None:
    """Open a loan: an overdraft, or paid out where the event says so (MCQ-LOAN-01)."""
    pilot, amount = pilot_of(event, entry), entry.facts["amount"]
    paid_out = event.switches.loan_model == "separate"
    event.post(pilot, "loan", Worth(0, -event.printed.loan_cp, amount if paid_out else 0), amount=amount)
    pilot.loan = Loan(owed=amount) if paid_out else Loan(limit=amount, drawn=pilot.c_bills < 0)


def _check_repay(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot = pilot_of(event, entry)
    if _for_leaving(entry):
        if pilot.debt == NOTHING:
            yield Refusal("no_loan_to_repay", {"pilot": pilot.id})
        yield from cannot_pay(event, pilot, pilot.debt.times(-1))
    elif pilot.loan is None or not pilot.loan.owed:
        yield Refusal("no_loan_to_repay", {"pilot": pilot.id})
    else:
        yield from cannot_pay(event, pilot, Worth(0, 0, _to_repay(pilot, entry)))


def _for_leaving(entry: Entry) -> bool:
    """Return whether an entry pays what a dismissal left open (MCQ-MEM-03)."""
    return bool(entry.facts.get("for", "loan") == "leaving")


def _to_repay(pilot: Pilot, entry: Entry) -> int:
    owed = pilot.loan.owed if pilot.loan else 0
    return min(int(entry.facts.get("c_bills", owed)), owed)


def _repay(event: Event, entry: Entry) -> None:
    """Pay back; a stablemate gets the principal, the stable its fifth (MC-STSP-05, MCQ-LOAN-06)."""
    pilot = pilot_of(event, entry)
    if _for_leaving(entry):
        event.post(pilot, "repaid_leaving", pilot.debt)
        pilot.debt = NOTHING
        return
    loan, amount = pilot.loan, _to_repay(pilot, entry)
    if loan is None:
        return
    event.post(pilot, "repaid", Worth(c_bills=-amount), lender=loan.lender or "")
    if loan.lender is not None and loan.lender in event.pilots:
        fee = event.printed.stablemate_fee_percent
        share = amount * 100 // (100 + fee)
        event.post(event.pilots[loan.lender], "repaid_by", Worth(c_bills=share), pilot=pilot.id)
    loan.owed -= amount
    if not loan.owed:
        pilot.loan = None


def _check_lend(event: Event, entry: Entry) -> Iterator[Refusal]:
    lender, borrower = pilot_of(event, entry), event.pilots.get(entry.facts["to"])
    if borrower is None:
        yield Refusal("pilot_unknown", {"pilot": entry.facts["to"]})
        return
    yield from not_alive(borrower)
    if lender.stable is None or borrower.stable is not lender.stable or borrower is lender:
        yield Refusal("no_stablemates", {"pilot": borrower.id})
    if borrower.loan is not None:
        # In place of an underworld loan, not beside it (MCQ-LOAN-05).
        yield Refusal("loan_open", {"pilot": borrower.id})
    if entry.facts["c_bills"] > lender.c_bills:
        yield Refusal("too_few_c_bills", {"pilot": lender.id, "needed": entry.facts["c_bills"],
                                          "there": lender.c_bills})  # fmt: skip


def _lend(event: Event, entry: Entry) -> None:
    lender, borrower = pilot_of(event, entry), event.pilots[entry.facts["to"]]
    amount = entry.facts["c_bills"]
    event.post(lender, "lent", Worth(c_bills=-amount), to=borrower.id)
    event.post(borrower, "borrowed", Worth(c_bills=amount), by=lender.id)
    owed = amount + amount * event.printed.stablemate_fee_percent // 100
    borrower.loan = Loan(owed=owed, lender=lender.id, stable=lender.stable.id if lender.stable else None)


def _check_chips(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot = pilot_of(event, entry)
    rows = [chip.row for chip in pilot.chips]
    if not rows:
        yield Refusal("no_chips", {"pilot": pilot.id})
    for row in entry.facts.get("chips", ()):
        if row not in rows:
            yield Refusal("no_such_chip", {"pilot": pilot.id, "row": row})
        else:
            rows.remove(row)


def _cash_chips(event: Event, entry: Entry) -> None:
    """Write the award of each chip into the log (MC-BET-02), and Murdock's share with them (MCQ-BET-06)."""
    pilot = pilot_of(event, entry)
    for row in entry.facts.get("chips") or [chip.row for chip in pilot.chips]:
        chip = next((chip for chip in pilot.chips if chip.row == row), None)
        if chip is not None:
            pilot.chips.remove(chip)
            event.post(pilot, "chip", chip.worth, row=row)
            pilot.earned += chip.worth.c_bills
    if pilot.prize_cp:
        event.post(pilot, "murdock", Worth(cp=pilot.prize_cp))
        pilot.prize_cp = 0
    give_cycle_bonus(event, pilot)


def give_cycle_bonus(event: Event, pilot: Pilot) -> None:
    """Give Warner's CP once a cycle, after an arena cycle that earned enough (MC-SPON-05).

    A pilot who signs in the same cycle comes too late for it (MC-OBC-06).
    """
    for member in pilot.memberships:
        effects = member.effects
        late = pilot.did(f"joined {member.id}")
        if effects.cycle_bonus_cp and not late and not pilot.bonus_taken and pilot.earned >= effects.cycle_bonus_from:
            pilot.bonus_taken = True
            event.post(pilot, "cycle_bonus", Worth(cp=effects.cycle_bonus_cp), membership=member.id)


KINDS = (
    Kind("loan", _loan, _check_loan, {"amount": POSITIVE}, ("amount",), True),
    Kind("repay", _repay, _check_repay, {"c_bills": POSITIVE, "for": word("loan", "leaving")}, (), True),
    Kind("lend", _lend, _check_lend, {"to": NAME, "c_bills": POSITIVE}, ("to", "c_bills"), True),
    Kind("cash_chips", _cash_chips, _check_chips, {"chips": listed(text(20), 0, 200)}, (), True, CHIPS),
)
