"""Loans, lending among stablemates, chips, and the log of a team (MC-LOAN, MC-STSP-04 to 07, MC-BET-02, MC-TEAM)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.asking import cannot_pay, pilot_of
from rules.challenge.cycle import CHIPS
from rules.challenge.entries import NAME, POSITIVE, Entry, Kind
from rules.challenge.memberships import team_of
from rules.challenge.state import Event, Loan, Pilot, Team
from rules.challenge.worth import Worth, rounded_down
from rules.core.refusals import Refusal
from rules.core.shapes import listed, text, whole

TEAM_SALE_PERCENT = 75


def loan_ceiling(event: Event, pilot: Pilot) -> int:
    """Return the most C-bills that a pilot may borrow, by their Fame (MC-LOAN-02, 03, 12)."""
    brackets = event.printed.brackets
    place = max((number for number, each in enumerate(brackets) if pilot.fame >= each.fame), default=0)
    place += sum(effects.loan_brackets for effects in pilot.effects)
    return min(brackets[min(place, len(brackets) - 1)].most, event.printed.loan_ceiling)


def _check_loan(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot, amount = pilot_of(event, entry), entry.facts["amount"]
    if pilot.loan is not None:
        lender = pilot.loan.lender
        blocks = lender is None or event.switches.stablemate_loan_blocks_all
        yield Refusal("loan_open" if blocks or lender is None else "stablemate_loan_open", {"pilot": pilot.id})
    ceiling = loan_ceiling(event, pilot)
    if amount > ceiling:
        yield Refusal("loan_too_high", {"pilot": pilot.id, "most": ceiling})
    yield from cannot_pay(event, pilot, Worth(cp=event.printed.loan_cp))


def _loan(event: Event, entry: Entry) -> None:
    """Open a loan: an overdraft, or paid out where the event says so (R-LOAN-01)."""
    pilot, amount = pilot_of(event, entry), entry.facts["amount"]
    paid_out = event.switches.loan_model == "separate"
    event.post(pilot, "loan", Worth(0, -event.printed.loan_cp, amount if paid_out else 0), amount=amount)
    pilot.loan = Loan(owed=amount) if paid_out else Loan(limit=amount, drawn=pilot.c_bills < 0)


def _check_repay(event: Event, entry: Entry) -> Iterator[Refusal]:
    pilot = pilot_of(event, entry)
    if pilot.loan is None or not pilot.loan.owed:
        yield Refusal("nothing_owed", {"pilot": pilot.id})
    else:
        yield from cannot_pay(event, pilot, Worth(0, 0, _to_repay(pilot, entry)))


def _to_repay(pilot: Pilot, entry: Entry) -> int:
    owed = pilot.loan.owed if pilot.loan else 0
    return min(int(entry.facts.get("c_bills", owed)), owed)


def _repay(event: Event, entry: Entry) -> None:
    """Pay back; a stablemate gets the principal, the stable its fifth (MC-STSP-05, R-LOAN-06)."""
    pilot = pilot_of(event, entry)
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
    if lender.stable is None or borrower.stable is not lender.stable or borrower is lender:
        yield Refusal("no_stablemates", {"pilot": borrower.id})
    if borrower.loan is not None:
        # In place of an underworld loan, not beside it (R-LOAN-05).
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
    """Write the award of each chip into the log (MC-BET-02), and Murdock's share with them (R-BET-06)."""
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
    """Give Warner's CP once a cycle, after an arena cycle that earned enough (MC-SPON-05)."""
    for member in pilot.memberships:
        effects = member.effects
        if effects.cycle_bonus_cp and not pilot.bonus_taken and pilot.earned >= effects.cycle_bonus_from:
            pilot.bonus_taken = True
            event.post(pilot, "cycle_bonus", Worth(cp=effects.cycle_bonus_cp), membership=member.id)


def _check_team(event: Event, entry: Entry) -> Iterator[Refusal]:
    if not event.plays("teams"):
        yield Refusal("option_not_in_play", {"option": "teams"})
    elif team_of(event, pilot_of(event, entry)) is None:
        yield Refusal("no_team", {"pilot": entry.pilot})


def _check_deposit(event: Event, entry: Entry) -> Iterator[Refusal]:
    yield from _check_team(event, entry)
    pilot, facts = pilot_of(event, entry), entry.facts
    yield from cannot_pay(event, pilot, Worth(0, facts.get("cp", 0), facts.get("c_bills", 0)))


def _deposit(event: Event, entry: Entry) -> None:
    """Give to the team's log; it leaves the member's own (MC-TEAM-02, R-TEAM-01)."""
    pilot = pilot_of(event, entry)
    team = team_of(event, pilot)
    worth = Worth(entry.facts.get("fame", 0), entry.facts.get("cp", 0), entry.facts.get("c_bills", 0))
    if team is not None:
        if event.switches.team_deposits_leave:
            event.post(pilot, "deposit", worth.times(-1), team=team.id)
        team.fame, team.cp, team.c_bills = team.fame + worth.fame, team.cp + worth.cp, team.c_bills + worth.c_bills


def _check_team_sponsor(event: Event, entry: Entry) -> Iterator[Refusal]:
    """One sponsor for the team, of nobody in it; each member holds its house (MC-TEAM-04, R-TEAM-03)."""
    yield from _check_team(event, entry)
    team, sponsor = team_of(event, pilot_of(event, entry)), event.printed.memberships.get(entry.facts["sponsor"])
    if sponsor is None or sponsor.is_stable:
        yield Refusal("membership_unknown", {"membership": entry.facts["sponsor"]})
        return
    if team is None:
        return
    members = [event.pilots[name] for name in team.members]
    if team.sponsor is not None:
        yield Refusal("team_has_sponsor", {"membership": team.sponsor.id})
    if any(sponsor in member.sponsors for member in members):
        yield Refusal("sponsor_of_member", {"membership": sponsor.id})
    if sponsor.house is not None and any(member.house != sponsor.house for member in members):
        yield Refusal("wrong_house", {"membership": sponsor.id, "house": sponsor.house})
    if team.fame < sponsor.fame:
        yield Refusal("too_little_fame", {"pilot": team.id, "needed": sponsor.fame, "there": team.fame})
    if team.cp < sponsor.cp:
        yield Refusal("too_few_cp", {"pilot": team.id, "needed": sponsor.cp, "there": team.cp})


def _team_sponsor(event: Event, entry: Entry) -> None:
    team = team_of(event, pilot_of(event, entry))
    sponsor = event.printed.memberships[entry.facts["sponsor"]]
    if team is not None:
        team.sponsor = sponsor
        team.cp -= sponsor.cp
        team.c_bills += sponsor.c_bills


def _split(event: Event, entry: Entry) -> None:
    """Break a team up: its 'Mechs are sold, what there is goes in equal parts, remainders are dropped (MC-TEAM-07)."""
    team = team_of(event, pilot_of(event, entry))
    if team is None:
        return
    team.c_bills += sum(rounded_down(mech.book * TEAM_SALE_PERCENT // 100) for mech in team.mechs)
    count = len(team.members)
    for name in team.members:
        member = event.pilots[name]
        event.post(member, "team_split", Worth(*(_part(each, count) for each in (team.fame, team.cp, team.c_bills))),
                   team=team.id)  # fmt: skip
        member.team = None
    del event.teams[team.id]


def _part(amount: int, count: int) -> int:
    """Return an equal part, towards 0."""
    return amount // count if amount >= 0 else -(-amount // count)


def _check_team_up(event: Event, entry: Entry) -> Iterator[Refusal]:
    if not event.plays("teams"):
        yield Refusal("option_not_in_play", {"option": "teams"})
    pilot = pilot_of(event, entry)
    if pilot.team is not None:
        yield Refusal("has_team", {"pilot": pilot.id})
    team = event.teams.get(entry.facts["team"])
    for name in team.members if team else ():
        other = event.pilots[name]
        if other.stable is not None and pilot.stable is not None and other.stable is not pilot.stable:
            yield Refusal("team_in_other_stable", {"stable": other.stable.id})


def _team_up(event: Event, entry: Entry) -> None:
    """Join a team; its first member founds it (MC-TEAM-01)."""
    pilot, name = pilot_of(event, entry), entry.facts["team"]
    event.teams.setdefault(name, Team(name, [])).members.append(pilot.id)
    pilot.team = name


_WORTH = {"fame": whole(0, 999), "cp": whole(0, 9999), "c_bills": whole(0, 10**10)}
KINDS = (
    Kind("loan", _loan, _check_loan, {"amount": POSITIVE}, ("amount",), True),
    Kind("repay", _repay, _check_repay, {"c_bills": POSITIVE}, (), True),
    Kind("lend", _lend, _check_lend, {"to": NAME, "c_bills": POSITIVE}, ("to", "c_bills"), True),
    Kind("cash_chips", _cash_chips, _check_chips, {"chips": listed(text(20), 0, 200)}, (), True, CHIPS),
    Kind("deposit", _deposit, _check_deposit, _WORTH, (), True),
    Kind("team_up", _team_up, _check_team_up, {"team": NAME}, ("team",), True),
    Kind("join_team_sponsor", _team_sponsor, _check_team_sponsor, {"sponsor": NAME}, ("sponsor",), True),
    Kind("split", _split, _check_team, {}, (), True),
)
