"""The page beside a table: bets, turrets, tanks, mines, rebar, notes, and who has forfeited."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from challenge.forms.arena.beside import OF_A_CHIP
from challenge.presenters.arena.reminders import OF_SURPRISES, reminders
from challenge.presenters.table import at_table
from rules.challenge import turrets
from rules.challenge.deeds.bets import colour
from rules.challenge.deeds.doors import on_board
from rules.challenge.entries import Entry
from rules.challenge.state import Bet, Chip, Event, Pilot
from rules.wording import challenge_surprises
from rules.wording import challenge_words as words
from web.languages.reader import translate

Choices = list[tuple[str, str]]


@dataclass(frozen=True)
class OpenBet:
    """A bet that nobody has settled: who bet what against whom, on which roll."""

    id: str
    on: str
    by: str
    against: str
    stakes: tuple[str, ...]


@dataclass(frozen=True)
class Armament:
    """A row of the table of turrets: its die, and what each class is armed with."""

    die: int
    weapons: tuple[str, ...]


@dataclass(frozen=True)
class BesideView:
    """What the page shows. `chips` are those of all living pilots, `rows` what the house may stake."""

    plays_bets: bool
    bets: list[OpenBet]
    chips: Choices
    rows: Choices
    with_edge: list[Pilot]
    pilots: list[Pilot]
    carriers: list[Pilot]
    others: list[Pilot]
    remaining: list[Pilot]
    turrets: Choices
    contents: Choices
    armament: list[Armament]
    reminders: list[tuple[str, str]]


def beside_view(state: Event, table: str) -> BesideView:
    """Return the page; no query."""
    living = [pilot for pilot in state.pilots.values() if pilot.alive]
    here = sorted(on_board(state, table), key=lambda pilot: (pilot.card or 99, pilot.id))
    return BesideView(
        plays_bets=state.plays("betting"),
        bets=[_bet(state, bet) for bet in state.bets.values()],
        chips=[_chip_choice(state, pilot, chip) for pilot in living for chip in dict.fromkeys(pilot.chips)],
        rows=[(row, _chip(state, row)) for row in state.printed.rows],
        with_edge=[pilot for pilot in living if pilot.edge],
        pilots=at_table(state, table),
        carriers=[pilot for pilot in here if pilot.rebar],
        others=[pilot for pilot in here if not pilot.rebar],
        remaining=[pilot for pilot in living if not pilot.forfeited],
        turrets=[(kind, f"{_(name)} ({turrets.factor(kind)})") for kind, name in challenge_surprises.TURRETS.items()],
        contents=[(contents, _(name)) for contents, name in challenge_surprises.CONTENTS.items()],
        armament=[
            Armament(die, tuple(" / ".join(turrets.weapons(kind, die)) for kind in turrets.CLASSES))
            for die in range(1, 7)
        ],
        reminders=reminders(*OF_SURPRISES),
    )


def words_of(entry: Entry) -> str:
    """Return what an entry notes, in the reader's language; "" for one that is no note and no surprise."""
    if entry.what in challenge_surprises.SURPRISES:
        return challenge_surprises.surprise_words(entry, translate)
    return str(entry.facts.get("text", "")) if entry.what == "noted" else ""


def _bet(state: Event, bet: Bet) -> OpenBet:
    return OpenBet(
        bet.id,
        bet.on,
        words.pilot_called(state, bet.by),
        words.pilot_called(state, bet.against) if bet.against is not None else _("the house"),
        tuple(_chip(state, chip.row) for chip in bet.stakes if chip is not None),
    )


def _chip(state: Event, row: str) -> str:
    """Return a chip in words: its row and its colour."""
    return f"{words.row_name(row, translate)} ({translate(colour(state, row))})"


def _chip_choice(state: Event, pilot: Pilot, chip: Chip) -> tuple[str, str]:
    called = f"{pilot.card} {pilot.id}" if pilot.card else pilot.id
    return f"{chip.row}{OF_A_CHIP}{pilot.id}", f"{called}: {_chip(state, chip.row)}"
