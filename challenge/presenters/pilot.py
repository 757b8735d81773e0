"""A pilot's page: what they have, when they may come and go, and their history with the why of each line."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from challenge.models import Claim
from challenge.presenters.table import late_refusal
from challenge.text.amounts import figures
from rules.challenge.deeds.doors import back_in, may_exit_in
from rules.challenge.entries import read_entry
from rules.challenge.kinds import KINDS
from rules.challenge.off_board.money import loan_ceiling
from rules.challenge.ranking import ranking
from rules.challenge.reminders import reminders_for
from rules.challenge.shared_checks import spendable
from rules.challenge.state import Event, Line, Pilot
from rules.challenge.tables import Membership
from rules.core.refusals import Malformed
from rules.wording import challenge_words as words
from rules.wording import sentence
from rules.wording.challenge_deeds import deed_words
from rules.wording.challenge_lines import line_sentence
from web.languages.reader import translate

TURNS_ON_A_PAGE = 6


@dataclass(frozen=True)
class PublicCard:
    """What everybody may see of a pilot."""

    name: str
    card: int | None
    mech: str
    fame: int
    kills: float
    solo: int
    place: int | None
    where: str


@dataclass(frozen=True)
class AbilityCard:
    """An ability: its name, what was chosen with it, its effect in a sentence, whether it works."""

    name: str
    choice: str
    text: str
    is_suspended: bool
    token_used: bool


@dataclass(frozen=True)
class MemberCard:
    """A stable or a sponsor: its name, and what it changes on the board."""

    name: str
    kind: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class PrivateCard:
    """What a pilot's player and those who run a table see."""

    player: str
    fame: str
    cp: str
    c_bills: str
    spendable: str
    earned: str
    edge: str
    wounds: int
    skills: str
    house: str
    members: tuple[MemberCard, ...]
    abilities: tuple[AbilityCard, ...]
    loan: str
    ceiling: str
    debt: str
    mech_state: str
    damage: tuple[tuple[str, int], ...]
    book: str
    coupon: bool
    chips: tuple[tuple[str, str, str], ...]
    """Row, worth, and the colour of each chip."""
    team: str
    reminders: tuple[str, ...]


@dataclass
class HistoryTurn:
    """The lines of one turn at one table, newest first, each with its sentence and what it moved."""

    table: str
    turn: int
    lines: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class ClaimLine:
    """A claim of a phone: its state, its deeds in a few words each, and that its turn is closed, "" while it is not."""

    claim: Claim
    deeds: tuple[str, ...]
    late: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether nobody has answered it."""
        return self.claim.state == Claim.State.WAITING


def where_words(state: Event, pilot: Pilot) -> str:
    """Return where a pilot is and when they may leave or come back, as a sentence."""
    if not pilot.alive:
        return _("Dead; the record is closed.")
    if pilot.forfeited:
        return _("Out of the tournament.")
    if not pilot.approved:
        return _("Waits for a judge’s approval.")
    if pilot.is_in_arena:
        turn = may_exit_in(state, pilot)
        return _("In the arena of %(table)s. May leave by a portal from turn %(turn)s on.") % {
            "table": pilot.table,
            "turn": turn,
        }
    first = back_in(state, pilot, pilot.table)
    if pilot.eliminated:
        return _("Out of the final.")
    if first is None or first <= state.table(pilot.table).turn:
        return _("Off the board. May enter at any time.")
    return _("Off the board. May come back in turn %(turn)s at %(table)s.") % {"turn": first, "table": pilot.table}


def public_card(state: Event, pilot: Pilot) -> PublicCard:
    """Return what everybody may see."""
    names = ranking(state)
    mech = pilot.mech
    return PublicCard(
        pilot.id,
        pilot.card,
        words.mech_name(state, mech.model.id) if mech else "",
        pilot.fame,
        pilot.kills.total(),
        pilot.kills.solo,
        names.index(pilot.id) + 1 if pilot.id in names else None,
        where_words(state, pilot),
    )


def private_card(state: Event, pilot: Pilot) -> PrivateCard:
    """Return what the player and those who run a table see."""
    mech, colours = pilot.mech, {**state.printed.chip_colours, **state.chip_colours}
    topics = ["edge"] if pilot.edge else []
    topics += ["ability"] if pilot.abilities else []
    topics += ["membership"] if pilot.memberships else []
    topics += ["exit"] if pilot.is_in_arena else []
    chips = tuple(
        (
            words.row_name(chip.row, translate),
            words.worth_words(chip.worth, translate),
            translate(colours[chip.row.partition(".")[0]]),
        )
        for chip in pilot.chips
    )
    return PrivateCard(
        pilot.player,
        figures(pilot.fame),
        figures(pilot.cp),
        figures(pilot.c_bills),
        figures(spendable(state, pilot)),
        figures(pilot.earned),
        f"{pilot.edge}/{pilot.most_edge}",
        pilot.wounds,
        f"{pilot.gunnery}/{pilot.piloting}",
        words.house_name(state, pilot.house, translate) if pilot.house else "",
        tuple(_member(each) for each in pilot.memberships),
        tuple(
            AbilityCard(
                _(owned.ability.name),
                owned.choice or "",
                _(owned.ability.text) if owned.ability.text else "",
                owned.suspended,
                owned.ability.once and owned.ability.id not in pilot.tokens,
            )
            for owned in pilot.abilities
        ),
        _loan_words(state, pilot),
        figures(loan_ceiling(state, pilot)),
        words.worth_words(pilot.debt.times(-1), translate) if any(pilot.debt) else "",
        translate(words.MECH_STATES[mech.state]) if mech else "",
        tuple((translate(words.REPAIR_PARTS[part]), count) for part, count in mech.damage.items() if count)
        if mech
        else (),
        figures(mech.book) if mech else "",
        pilot.coupon,
        chips,
        pilot.team or "",
        tuple(_(each) for topic in topics for each in reminders_for(topic).values()),
    )


def _member(membership: Membership) -> MemberCard:
    kind = _("Stable") if membership.is_stable else _("Sponsor")
    return MemberCard(membership.name, kind, tuple(_(each) for each in membership.text))


def _loan_words(state: Event, pilot: Pilot) -> str:
    loan = pilot.loan
    if loan is None:
        return ""
    if loan.limit:
        return _("Cash may fall to −%(limit)s C-bills.") % {"limit": figures(loan.limit)}
    if loan.lender:
        return _("%(owed)s C-bills are to be repaid to %(lender)s.") % {
            "owed": figures(loan.owed),
            "lender": words.pilot_called(state, loan.lender),
        }
    return _("%(owed)s C-bills are to be repaid.") % {"owed": figures(loan.owed)}


def history_of(state: Event, pilot: str) -> list[list[Line]]:
    """Return a pilot's lines by turn, the newest turn and line first."""
    turns: list[list[Line]] = []
    for line in state.lines:
        if line.pilot != pilot:
            continue
        if turns and (turns[-1][-1].table, turns[-1][-1].turn) == (line.table, line.turn):
            turns[-1].append(line)
        else:
            turns.append([line])
    return [turn[::-1] for turn in turns[::-1]]


def turn_in_words(state: Event, lines: list[Line]) -> HistoryTurn:
    """Return the lines of one turn as sentences."""
    return HistoryTurn(
        lines[0].table,
        lines[0].turn,
        [
            (
                line_sentence(state, line, translate),
                words.worth_words(line.worth, translate, with_sign=True) if any(line.worth) else "",
            )
            for line in lines
        ],
    )


def claim_line(state: Event, claim: Claim) -> ClaimLine:
    """Return a claim with its deeds in words; one that can no longer be read says so."""
    deeds, late = [], None
    for document in claim.documents:
        try:
            entry = read_entry(document, KINDS)
        except Malformed:
            deeds.append(_("This cannot be read."))
        else:
            deeds.append(deed_words(state, entry, translate))
            late = late or late_refusal(state, [entry])
    is_late = late is not None and claim.state == Claim.State.WAITING
    words_of_late = sentence(late.code, late.parameters, translate) if late is not None and is_late else ""
    return ClaimLine(claim, tuple(deeds), words_of_late)
