"""Bets on a named event, chip against chip (MC-BET-03 to 07)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.entries import TRUTH, Entry, Kind
from rules.challenge.shared_checks import not_alive, unknown
from rules.challenge.state import Bet, Chip, Event, Pilot
from rules.challenge.worth import NOTHING, Worth
from rules.core.refusals import Refusal
from rules.core.shapes import code, or_null, text

HOUSE = "house"
LONGEST_BET = 120
_ROW = code(r"^(kills|crippling|special|flashy)\.[A-P]$")


def held(pilot: Pilot, row: str) -> Chip | None:
    """Return a chip of the pilot with this row."""
    return next((chip for chip in pilot.chips if chip.row == row), None)


def colour(event: Event, row: str) -> str:
    """Return the colour of a chip, by the table of its row (MC-BET-01)."""
    table = row.partition(".")[0]
    return event.chip_colours.get(table, event.printed.chip_colours[table])


def _worth(event: Event, row: str) -> Worth:
    """Return what a chip of a row pays; a row that is not printed, which a GM may let pass, pays nothing."""
    return event.printed.rows[row].worth if row in event.printed.rows else NOTHING


def _check_bet(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Two parties, one named event, chips of one colour that both hold."""
    if not event.plays("betting"):
        yield Refusal("option_not_in_play", {"option": "betting"})
    has_strangers = yield from unknown(event, entry)
    against, row = entry.facts["with"], entry.facts["chip"]
    answer = entry.facts.get("against_chip") or row
    if has_strangers or len(entry.by) != 1:
        if not has_strangers:
            yield Refusal("pilot_missing_in_entry", {"what": entry.what})
        return
    if against != HOUSE and against not in event.pilots:
        yield Refusal("pilot_unknown", {"pilot": against})
        return
    for name in (entry.by[0], *([against] if against != HOUSE else [])):
        yield from not_alive(event.pilots[name])
    if entry.facts.get("bet") in event.bets:
        yield Refusal("bet_name_taken", {"bet": entry.facts["bet"]})
    if against == entry.by[0]:
        yield Refusal("own_target", {"pilot": against})
    if held(event.pilots[entry.by[0]], row) is None:
        yield Refusal("no_such_chip", {"pilot": entry.by[0], "row": row})
    yield from _check_answer(event, against, answer)
    if colour(event, row) != colour(event, answer):
        yield Refusal("chips_of_two_colours", {})
    if event.switches.bet_event == "must_differ" and against != HOUSE and row == answer:
        yield Refusal("chips_of_one_event", {})


def _check_answer(event: Event, against: str, row: str) -> Iterator[Refusal]:
    """Ask for the chip of the other party; the house has one of each row that is printed (MCQ-BET-05)."""
    if against == HOUSE:
        if row not in event.printed.rows:
            yield Refusal("bad_entry", {"field": "against_chip", "problem": "unknown_key", "key": row})
    elif held(event.pilots[against], row) is None:
        yield Refusal("no_such_chip", {"pilot": against, "row": row})


def _bet(event: Event, entry: Entry) -> None:
    by, against = event.pilots[entry.by[0]], entry.facts["with"]
    row = entry.facts["chip"]
    own = held(by, row)
    if own is None:
        own = Chip(row, _worth(event, row), by.id)
    else:
        by.chips.remove(own)
    answer: Chip | None = None
    if against != HOUSE:
        other = event.pilots[against]
        answer = held(other, entry.facts.get("against_chip") or row)
        if answer is not None:
            other.chips.remove(answer)
    elif entry.facts.get("against_chip"):
        house_row = entry.facts["against_chip"]
        answer = Chip(house_row, _worth(event, house_row), None)
    name = entry.facts.get("bet") or str(event.applied)
    event.bets[name] = Bet(name, by.id, None if against == HOUSE else against, entry.facts["on"], (own, answer))


def _check_settle(event: Event, entry: Entry) -> Iterator[Refusal]:
    if _bet_of(event, entry) is None:
        yield Refusal("no_such_bet", {})


def _bet_of(event: Event, entry: Entry) -> Bet | None:
    """Return the bet that an entry names, or the last one of the pilot, or the last of all."""
    name = entry.facts.get("bet")
    if name is not None:
        return event.bets.get(name)
    return next((bet for bet in reversed(event.bets.values()) if not entry.by or bet.by == entry.by[0]), None)


def _settle(event: Event, entry: Entry) -> None:
    """Give both chips to the winner, each with its whole worth (MC-BET-07); kills stay where they are (MCQ-BET-02)."""
    bet = _bet_of(event, entry)
    if bet is None:
        return
    del event.bets[bet.id]
    own, answer = bet.stakes
    if entry.facts["won"]:
        won = answer if answer is not None else own._replace(earned_by=None)
        event.pilots[bet.by].chips += [own, won]
    elif bet.against is not None:
        event.pilots[bet.against].chips += [chip for chip in (answer, own) if chip is not None]


def call_off(event: Event, bet: Bet) -> None:
    """Give both stakes back: nobody loses (MC-BET-06)."""
    del event.bets[bet.id]
    for name, chip in zip((bet.by, bet.against), bet.stakes, strict=True):
        if name is not None and chip is not None:
            event.pilots[name].chips.append(chip)


KINDS = (
    Kind(
        "bet", _bet, _check_bet,
        {"with": text(60), "chip": _ROW, "against_chip": or_null(_ROW), "on": text(LONGEST_BET), "bet": text(60)},
        ("with", "chip", "on"),
    ),
    Kind("settle_bet", _settle, _check_settle, {"won": TRUTH, "bet": text(60)}, ("won",)),
)  # fmt: skip
