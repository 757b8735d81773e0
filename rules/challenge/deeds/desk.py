"""What the judges' desk enters: approval and initiative cards, sheets, forfeits, the initiative order, rebar."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.deeds.doors import leave, on_board
from rules.challenge.entries import MOST_PILOTS, TRUTH, Entry, Kind
from rules.challenge.shared_checks import needs_one, not_alive, not_in_arena, not_off_board, subject_of, unknown
from rules.challenge.state import Event, Pilot
from rules.challenge.worth import Worth
from rules.core.refusals import Refusal
from rules.core.shapes import listed, text, whole

MOST_CARDS = 99


def next_card(event: Event) -> int:
    """Return the lowest number of an initiative card that no living pilot has."""
    taken = {pilot.card for pilot in event.pilots.values() if pilot.alive}
    return next(number for number in range(1, len(taken) + 2) if number not in taken)


def admit(event: Event, pilot: Pilot, card: int | None = None) -> None:
    """Let a pilot play: they get one Edge card and an initiative card with a number (MC-GEN-03)."""
    pilot.approved = True
    pilot.edge = 1
    pilot.card = next_card(event) if card is None else card


def _check_one(event: Event, entry: Entry) -> Iterator[Refusal]:
    yield from needs_one(event, entry)
    yield from unknown(event, entry)


def _check_approve(event: Event, entry: Entry) -> Iterator[Refusal]:
    refusals = list(_check_one(event, entry))
    yield from refusals
    if refusals:
        return
    pilot, card = subject_of(event, entry), entry.facts.get("card")
    yield from not_alive(pilot)
    if pilot.approved:
        yield Refusal("pilot_approved", {"pilot": pilot.id})
    if card is not None and any(other.card == card and other.alive for other in event.pilots.values()):
        yield Refusal("card_taken", {"card": card})


def _approve(event: Event, entry: Entry) -> None:
    admit(event, subject_of(event, entry), entry.facts.get("card"))


def _check_sheets(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse a pilot who still plays, and sheets that a judge has (MC-GEN-05)."""
    refusals = list(_check_one(event, entry))
    yield from refusals
    if refusals:
        return
    pilot = subject_of(event, entry)
    if pilot.alive:
        yield from not_off_board(pilot)
    if pilot.sheets_in:
        yield Refusal("sheets_are_in", {"pilot": pilot.id})


def _sheets_in(event: Event, entry: Entry) -> None:
    subject_of(event, entry).sheets_in = True


def _check_forfeit(event: Event, entry: Entry) -> Iterator[Refusal]:
    refusals = list(_check_one(event, entry))
    yield from refusals
    if not refusals and subject_of(event, entry).forfeited:
        yield Refusal("pilot_forfeited", {"pilot": entry.subject})


def _forfeit(event: Event, entry: Entry) -> None:
    """Put a pilot out of the tournament, with the GM's reason; what they have stays in the book (MC-GEN-05)."""
    pilot = subject_of(event, entry)
    leave(event, pilot)
    pilot.forfeited = True
    event.post(pilot, "forfeited", Worth(), reason=entry.facts.get("reason", ""))


def _check_initiative(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse an order that does not name each pilot on the board once, by name or by card."""
    has_strangers = yield from unknown(event, entry)
    here = {pilot.id for pilot in on_board(event, entry.table)}
    cards = {event.pilots[name].card for name in here}
    for card in entry.facts.get("cards", ()):
        if card not in cards:
            yield Refusal("card_unknown", {"card": card})
            has_strangers = True
    if has_strangers:
        return
    order = _order(event, entry)
    for name in order:
        if name not in here:
            yield from not_in_arena(event.pilots[name])
            if event.pilots[name].is_in_arena:
                yield Refusal("pilot_at_other_table", {"pilot": name, "table": event.pilots[name].table})
    missing = here - set(order)
    if missing:
        yield Refusal("order_incomplete", {"pilot": min(missing)})


def _order(event: Event, entry: Entry) -> list[str]:
    """Return the pilots of an order that names them, or their cards."""
    if "cards" not in entry.facts:
        return list(entry.by)
    names = {pilot.card: pilot.id for pilot in on_board(event, entry.table)}
    return [names[card] for card in entry.facts["cards"] if card in names]


def _initiative(event: Event, entry: Entry) -> None:
    """Note the initiative order of the turn, drawn or typed from real cards."""
    event.table(entry.table).order = _order(event, entry)


def _check_rebar(event: Event, entry: Entry) -> Iterator[Refusal]:
    refusals = list(_check_one(event, entry))
    yield from refusals
    if not refusals:
        yield from not_in_arena(subject_of(event, entry))


def _rebar(event: Event, entry: Entry) -> None:
    subject_of(event, entry).rebar = entry.facts.get("held", True)


_CARDS = {**listed(whole(1, MOST_CARDS), 0, MOST_PILOTS), "uniqueItems": True}
KINDS = (
    Kind("approve", _approve, _check_approve, {"card": whole(1, MOST_CARDS)}),
    Kind("sheets_in", _sheets_in, _check_sheets),
    Kind("forfeit", _forfeit, _check_forfeit, {"reason": text(200)}),
    Kind("initiative", _initiative, _check_initiative, {"cards": _CARDS}),
    Kind("rebar", _rebar, _check_rebar, {"held": TRUTH}),
)
