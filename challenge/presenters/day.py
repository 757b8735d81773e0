"""What a GM looks at before a day is closed, the final is called and the event ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from challenge.selectors.books import Book
from challenge.text.amounts import figures
from rules.challenge.deeds.doors import back_in
from rules.challenge.entries import read_entry
from rules.challenge.folding import why_not
from rules.challenge.kinds import KINDS
from rules.challenge.ranking import (
    SEATS,
    day_ranking,
    final_points,
    final_ranking,
    level_at_the_cut,
    qualifier_ranking,
    seats,
)
from rules.challenge.state import Event, Pilot
from rules.challenge.worth import NOTHING
from rules.wording import sentence
from rules.wording.challenge_words import pilot_called, worth_words
from web.languages.reader import translate


@dataclass(frozen=True)
class Check:
    """One thing to look at before a day is closed: what it is, whom it is about, what follows. `is_clear`: nobody."""

    title: str
    items: tuple[str, ...]
    follows: str

    @property
    def is_clear(self) -> bool:
        """Whether there is nothing of this kind."""
        return not self.items


def refusals_of_the_day(book: Book) -> list[str]:
    """Return why the rules refuse to close the day now, as sentences; none when they allow it."""
    entry = read_entry({"what": "end_day"}, KINDS)
    return [sentence(found.code, found.parameters, translate) for found in why_not(book.state, entry)]


def day_checks(book: Book) -> list[Check]:
    """Return all that is looked at before a day is closed, in the order of its weight."""
    state = book.state
    living = [pilot for pilot in state.pilots.values() if pilot.alive and not pilot.forfeited]
    outside = [pilot for pilot in living if pilot.approved and not pilot.is_in_arena]
    edge = _("Each has one card tomorrow.") if state.switches.reset_period == "day" else _("They keep them.")
    return [
        Check(
            _("Turns still open"),
            tuple(f"{table.id}: {table.turn}" for table in state.tables.values() if table.facts),
            _("Close them at their tables."),
        ),
        Check(_("Chips not cashed"), _named(state, living, _chips), _("They are cashed before the day ends.")),
        Check(_("Open bets"), tuple(f"{bet.id}: {bet.on}" for bet in state.bets.values()), _("Settle them.")),
        Check(
            _("Pilots still inside"),
            _named(state, [pilot for pilot in living if pilot.is_in_arena], _name_alone),
            _("They stay where they are, and go on tomorrow."),
        ),
        Check(
            _("As many hits as kill"),
            _named(state, [pilot for pilot in living if pilot.is_fatally_hit], _name_alone),
            _("Say at the table whether they died."),
        ),
        Check(
            _("Sheets not in"),
            _named(state, [pilot for pilot in outside if not pilot.sheets_in], _name_alone),
            _("A judge keeps them until the pilot comes back (MC-GEN-05)."),
        ),
        Check(_("Debts"), _named(state, living, _debts), _("They stay open.")),
        Check(
            _("Level at the eighth seat"),
            tuple(pilot_called(state, name) for name in level_at_the_cut(state)),
            _("If it stays so, you draw before the final."),
        ),
        Check(_("More Edge than one card"), _named(state, living, _edge), edge),
    ]


def _named(state: Event, pilots: Sequence[Pilot], what: Callable[[Pilot], str | None]) -> tuple[str, ...]:
    """Return each pilot of whom there is something to say, with it; "" says their name alone, None nothing."""
    found = ((pilot, what(pilot)) for pilot in pilots)
    return tuple(
        f"{pilot_called(state, pilot.id)}{': ' if said else ''}{said}" for pilot, said in found if said is not None
    )


def _name_alone(pilot: Pilot) -> str:
    return ""


def _chips(pilot: Pilot) -> str | None:
    return str(len(pilot.chips)) if pilot.chips else None


def _edge(pilot: Pilot) -> str | None:
    return str(pilot.edge) if pilot.edge > 1 else None


def _debts(pilot: Pilot) -> str | None:
    parts = []
    if pilot.c_bills < 0:
        parts.append(_("{amount} C-bills").format(amount=figures(pilot.c_bills)))
    if pilot.loan is not None and pilot.loan.owed:
        parts.append(_("{amount} C-bills to repay").format(amount=figures(pilot.loan.owed)))
    elif pilot.loan is not None:
        parts.append(_("a loan of up to {amount} C-bills").format(amount=figures(pilot.loan.limit)))
    if pilot.debt != NOTHING:
        parts.append(_("{worth} for a dismissal").format(worth=worth_words(pilot.debt, translate)))
    return ", ".join(parts) or None


def winner_of_the_day(book: Book) -> str | None:
    """Return who wins the day as things stand (MC-RANK-01), None without pilots."""
    names = day_ranking(book.state)
    return next((name for name in names if not book.state.pilots[name].forfeited), None)


@dataclass(frozen=True)
class Seat:
    """A pilot with a right to a seat, in order. `has_seat` says whether they are among the first eight."""

    number: int
    pilot: Pilot
    has_seat: bool
    is_level: bool


def seats_of(book: Book) -> list[Seat]:
    """Return who may sit down to the final, first seat first; an empty seat passes down (MC-RANK-02)."""
    state = book.state
    level = set(level_at_the_cut(state))
    return [
        Seat(number, state.pilots[name], number <= SEATS, name in level)
        for number, name in enumerate(seats(state), start=1)
    ]


def called(book: Book, present: Sequence[str], drawn: Sequence[str]) -> list[str]:
    """Return who sits down: the first eight who are present, of those level at the cut the drawn ones first."""
    names = seats(book.state)
    level = [name for name in level_at_the_cut(book.state) if name in present]
    order = [*(name for name in level if name in drawn), *(name for name in level if name not in drawn)]
    following: Iterator[str] = iter(order)
    placed = [next(following) if name in level else name for name in names if name in present]
    return placed[:SEATS]


def to_draw(book: Book, present: Sequence[str]) -> int:
    """Return how many of those level at the cut a GM must draw for the last seats, 0 where nothing is open."""
    level = [name for name in level_at_the_cut(book.state) if name in present]
    there = [name for name in seats(book.state) if name in present]
    seated = [name for name in there[:SEATS] if name in level]
    return len(seated) if len(seated) < len(level) else 0


@dataclass(frozen=True)
class Place:
    """A pilot's place at the end; `points` are those of the final, None before it."""

    number: int
    pilot: Pilot
    points: float | None


def places(book: Book) -> list[Place]:
    """Return the places as they stand: of the final once it has begun (MC-RANK-03 to 05), else of the qualifier."""
    state = book.state
    is_final = state.stage == "final"
    names = final_ranking(state) if is_final else qualifier_ranking(state)
    return [
        Place(number, state.pilots[name], final_points(state.pilots[name]) / 2 if is_final else None)
        for number, name in enumerate(names, start=1)
    ]


@dataclass(frozen=True)
class Finalist:
    """A finalist before their first turn of the final: what is still to be done in their one off-board cycle."""

    pilot: Pilot
    back_in: int | None
    is_ready: bool


def finalists_of(book: Book) -> list[Finalist]:
    """Return the finalists in the order of their seats."""
    state = book.state
    found = []
    for name in state.finalists or ():
        pilot = state.pilots[name]
        mech = pilot.mech
        is_ready = mech is not None and mech.can_fight
        found.append(Finalist(pilot, back_in(state, pilot, pilot.table), is_ready))
    return found
