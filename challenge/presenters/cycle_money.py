"""What no step of the off-board cycle binds: loans, debts, the team's log, the roll of Solaris Prison."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from challenge.presenters.cycle_workshop import dice_fields
from challenge.presenters.offers import Field, Offer, offer, pressed
from challenge.text.amounts import figures
from rules.challenge.memberships import team_of
from rules.challenge.off_board.money import loan_ceiling
from rules.challenge.state import Event, Pilot
from rules.challenge.worth import NOTHING, Worth
from rules.wording import challenge_words as words
from web.languages.reader import translate


def loan_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield a loan, its repayment, what a dismissal still costs, and loans to stablemates."""
    if pilot.loan is None:
        ceiling = loan_ceiling(state, pilot)
        amount = Field("amount", _("C-bills"), "number", str(ceiling), least=1, most=ceiling)
        title = _("Loan of up to %(most)s C-bills") % {"most": figures(ceiling)}
        press = pressed(_("Open the loan"), Worth(cp=state.printed.loan_cp))
        yield offer(state, pilot, title, press, {"do": "loan", "amount": ceiling}, [amount])
    elif pilot.loan.owed:
        owed = pilot.loan.owed
        field = Field("c_bills", _("C-bills"), "number", str(owed), least=1, most=owed)
        title = _("Repay %(owed)s C-bills") % {"owed": figures(owed)}
        yield offer(state, pilot, title, _("Repay"), {"do": "repay", "c_bills": owed}, [field])
    if pilot.debt != NOTHING:
        press = pressed(_("Pay"), pilot.debt.times(-1))
        yield offer(state, pilot, _("Pay what a dismissal still costs"), press, {"do": "repay", "for": "leaving"})
    mates = [
        other.id
        for other in state.pilots.values()
        if pilot.stable is not None and other.stable is pilot.stable and other is not pilot and other.alive
    ]
    for mate in mates:
        field = Field("c_bills", _("C-bills"), "number", "100000", least=1)
        title = _("Lend to %(mate)s") % {"mate": words.pilot_called(state, mate)}
        yield offer(state, pilot, title, _("Lend"), {"do": "lend", "to": mate, "c_bills": 100_000}, [field])


def team_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield what a member does with the team's log, where teams are in play (MC-TEAM)."""
    if not state.plays("teams"):
        return
    team = team_of(state, pilot)
    if team is None:
        field = Field("team", _("Name of the team"), "text", next(iter(state.teams), _("Team")))
        document = {"do": "team_up", "team": field.value}
        yield offer(state, pilot, _("Join a team or found one"), _("Join: free"), document, [field])
        return
    note = _("Log of the team %(team)s: %(worth)s.") % {
        "team": team.id,
        "worth": words.worth_words(Worth(team.fame, team.cp, team.c_bills), translate),
    }
    fields = [
        Field("fame", _("Fame"), "number", "", least=0),
        Field("cp", _("CP"), "number", "", least=0),
        Field("c_bills", _("C-bills"), "number", "", least=0),
    ]
    yield offer(state, pilot, _("Give to the team"), _("Give"), {"do": "deposit"}, fields, [note])
    if team.sponsor is None:
        sponsors = [each for each in state.printed.memberships.values() if not each.is_stable]
        choices = tuple((each.id, each.name) for each in sponsors)
        field = Field("sponsor", _("Sponsor of the team"), "choice", sponsors[0].id, choices)
        document = {"do": "join_team_sponsor", "sponsor": sponsors[0].id}
        yield offer(state, pilot, _("Sponsor for the team"), _("Sign"), document, [field])
    yield offer(state, pilot, _("Break the team up"), _("Split in equal parts"), {"do": "split"})


def prison_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield the roll that may save a killed member of Solaris Prison (MC-DEATH-03)."""
    least = max((effects.death_save for effects in pilot.effects), default=0)
    if not pilot.alive and least:
        note = _("%(least)s or more of two dice saves the pilot.") % {"least": least}
        document = {"do": "prison_roll", "dice": [1, 1]}
        yield offer(state, pilot, _("Solaris Prison"), _("Enter the roll: free"), document, dice_fields(), [note])
