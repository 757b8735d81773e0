"""What is printed on A4: pilot sheets, ledgers, and the tables of the event's printing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from challenge.selectors.books import Book
from challenge.text.amounts import figures, percent_words
from rules.challenge.mechs import PARTS
from rules.challenge.quotes.trade import net_worth
from rules.challenge.state import FATAL_WOUNDS, Event, Line, OwnedAbility, Pilot
from rules.challenge.tables import AWARD_TABLES, AwardRow
from rules.challenge.worth import Worth
from rules.wording import challenge_words as words
from rules.wording.challenge_lines import line_sentence
from web.languages.reader import translate
from web.languages.words import sort_key

EMPTY_ROWS = 12
"""Rows of a sheet for what is written by hand when the power is out."""


@dataclass(frozen=True)
class Sheet:
    """A pilot's sheet: all that they have, as words."""

    pilot: Pilot
    house: str
    memberships: tuple[tuple[str, tuple[str, ...]], ...]
    abilities: tuple[str, ...]
    tokens: tuple[str, ...]
    chips: tuple[str, ...]
    mechs: tuple[tuple[str, str, str], ...]
    debts: tuple[str, ...]
    net_worth: int
    wound_boxes: tuple[bool, ...]
    empty_rows: range


def sheets(book: Book, names: list[str] | None = None) -> list[Sheet]:
    """Return the sheets of these pilots, by default of all who live, in the order of their cards."""
    state = book.state
    pilots = [state.pilots[name] for name in names] if names is not None else _by_card(state)
    return [_sheet(state, pilot) for pilot in pilots]


def _by_card(state: Event) -> list[Pilot]:
    living = [pilot for pilot in state.pilots.values() if pilot.alive]
    return sorted(living, key=lambda pilot: (pilot.card is None, pilot.card or 0))


def _sheet(state: Event, pilot: Pilot) -> Sheet:
    return Sheet(
        pilot=pilot,
        house=words.house_name(state, pilot.house, translate) if pilot.house else "–",
        memberships=tuple((_(each.name), tuple(_(text) for text in each.text)) for each in pilot.memberships),
        abilities=tuple(_ability(state, owned) for owned in pilot.abilities),
        tokens=tuple(sorted((words.ability_name(state, each, translate) for each in pilot.tokens), key=sort_key)),
        chips=tuple(words.row_name(chip.row, translate) for chip in pilot.chips),
        mechs=tuple(_mechs(pilot)),
        debts=tuple(_debts(pilot)),
        net_worth=net_worth(state, pilot),
        wound_boxes=tuple(number < pilot.wounds for number in range(max(FATAL_WOUNDS, pilot.wounds))),
        empty_rows=range(EMPTY_ROWS),
    )


def _ability(state: Event, owned: OwnedAbility) -> str:
    name = words.ability_name(state, owned.ability.id, translate)
    chosen = f"{name}: {owned.choice}" if owned.choice else name
    return _("{ability} (suspended)").format(ability=chosen) if owned.suspended else chosen


def _mechs(pilot: Pilot) -> Iterator[tuple[str, str, str]]:
    """Yield name, state with damage, and book cost of each 'Mech."""
    for mech in pilot.mechs:
        damage = [
            f"{translate(words.REPAIR_PARTS[part])}: {mech.damage[part]}" for part in PARTS if mech.damage.get(part)
        ]
        condition = ", ".join([translate(words.MECH_STATES[mech.state]), *damage])
        yield mech.model.name or mech.model.id, condition, figures(mech.book)


def _debts(pilot: Pilot) -> Iterator[str]:
    if pilot.loan is not None and pilot.loan.owed:
        yield _("{amount} C-bills to repay").format(amount=figures(pilot.loan.owed))
    elif pilot.loan is not None:
        yield _("a loan of up to {amount} C-bills").format(amount=figures(pilot.loan.limit))
    if pilot.debt != Worth():
        yield _("{worth} for a dismissal").format(worth=words.worth_words(pilot.debt, translate))


@dataclass(frozen=True)
class LedgerLine:
    """A line of the book: turn, why, what changed, and what the pilot has then."""

    turn: int
    table: str
    sentence: str
    worth: Worth
    after: Worth


@dataclass(frozen=True)
class Ledger:
    """All lines of a pilot, oldest first, from what they began with."""

    pilot: Pilot
    start: Worth
    lines: tuple[LedgerLine, ...]


def ledgers(book: Book, names: list[str] | None = None) -> list[Ledger]:
    """Return the ledgers of these pilots, by default of all, in the order of their cards."""
    state = book.state
    found: dict[str, list[Line]] = {}
    for line in state.lines:
        found.setdefault(line.pilot, []).append(line)
    pilots = list(state.pilots) if names is None else names
    order = sorted((state.pilots[name] for name in pilots), key=lambda each: (each.card is None, each.card or 0))
    return [_ledger(state, pilot, found.get(pilot.id, [])) for pilot in order]


def _ledger(state: Event, pilot: Pilot, lines: list[Line]) -> Ledger:
    """Count back from what the pilot has: what nobody posted was there at the start."""
    now = Worth(pilot.fame, pilot.cp, pilot.c_bills)
    start = now
    for line in lines:
        start = Worth(*(there - moved for there, moved in zip(start, line.worth, strict=True)))
    made, after = [], start
    for line in lines:
        after = Worth(*(there + moved for there, moved in zip(after, line.worth, strict=True)))
        made.append(LedgerLine(line.turn, line.table, line_sentence(state, line, translate), line.worth, after))
    return Ledger(pilot, start, tuple(made))


@dataclass(frozen=True)
class AwardLine:
    """A row of the event table as it is printed."""

    letter: str
    name: str
    worth: Worth


def award_tables(book: Book) -> list[tuple[str, str, list[AwardLine]]]:
    """Return name, chip colour and rows of each award table, in the event's printing."""
    printed = book.state.printed
    colours = {**printed.chip_colours, **book.state.chip_colours}
    return [
        (
            translate(words.AWARD_TABLES[table]),
            translate(words.COLOURS.get(colours.get(table, ""), colours.get(table, "–"))),
            [_award(row) for row in printed.rows.values() if row.table == table],
        )
        for table in AWARD_TABLES
    ]


def _award(row: AwardRow) -> AwardLine:
    name = words.row_name(row.row, translate)
    if row.class_difference is not None:
        name = f"{name}: {words.class_words(row.class_difference, translate)}"
    if row.solo is not None:
        how = _("alone") if row.solo else _("with others")
        name = f"{name}, {how}"
    return AwardLine(row.row.partition(".")[2], name, row.worth)


def repair_table(book: Book) -> list[tuple[str, str]]:
    """Return the lines of the repair table: what is mended, and what it costs, in the event's printing."""
    printed = book.state.printed
    share = _("{percent} % of the book cost")
    return [
        *((translate(words.REPAIR_PARTS[state]), share.format(percent=each))
          for state, each in printed.full_repair_percent.items()),
        (translate(words.REPAIR_PARTS["ejected"]), share.format(percent=printed.ejected_percent)),
        *((_("Spot repair: {part}").format(part=translate(words.REPAIR_PARTS[part])),
           share.format(percent=price.percent) if price.percent else _cash(price.c_bills))
          for part, price in printed.spot.items()),
        (_("A wound"), _cash(printed.healing)),
        (translate(words.COUPON), percent_words(printed.coupon_percent)),
    ]  # fmt: skip


def _cash(c_bills: int) -> str:
    return _("{amount} C-bills").format(amount=figures(c_bills))


def loan_table(book: Book) -> list[tuple[int, str]]:
    """Return from which Fame on how many C-bills may be borrowed."""
    return [(each.fame, figures(each.most)) for each in book.state.printed.brackets]
