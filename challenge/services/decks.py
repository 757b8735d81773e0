"""The drawing of initiative at a table, card by card, so that a power cut loses nothing.

    begin_deck(event_id, who, "Factory", client_id)       # shuffle the cards of the pilots on the board
    next_card(event_id, who, "Factory", client_id, 2)     # the open card goes two places later, the next is turned
    redraw(event_id, who, "Factory", client_id)           # an Edge card: the open card goes back, another is turned

With the last card in its place the order is written as a deed, and the deck is gone. A press with the client id of
the last one changes nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction

from challenge.models import Deck, Entry, Event
from challenge.selectors.access import Access
from challenge.selectors.books import book_of
from challenge.services.books import Wish, lock_event, write
from rules.challenge.book.rows import DEED
from rules.challenge.deeds.doors import on_board
from rules.challenge.folding import ChallengeRefused
from rules.challenge.initiative import (
    Deck as Cards,
)
from rules.challenge.initiative import (
    Waiting,
    all_at_once,
    most_places,
    order,
    placed,
    redrawn,
    shuffled,
    turned,
)
from rules.challenge.state import Event as EventState
from rules.challenge.state import Pilot


def read_cards(state: dict[str, Any]) -> Cards:
    """Return the cards of a stored deck."""
    return Cards(
        tuple(state["down"]),
        state["open"],
        tuple(state["in_place"]),
        tuple(Waiting(*each) for each in state["waiting"]),
    )


def _stored(cards: Cards) -> dict[str, Any]:
    return {
        "down": list(cards.down),
        "open": cards.open,
        "in_place": list(cards.in_place),
        "waiting": [list(each) for each in cards.waiting],
    }


def cards_of(state: EventState, table: str) -> dict[int, Pilot]:
    """Return the pilots on the board of a table by the numbers of their cards."""
    return {pilot.card: pilot for pilot in on_board(state, table) if pilot.card is not None}


def is_set_up(state: EventState, table: str) -> bool:
    """Return whether nobody was on the board before the open turn: no ability moves a card then (MC-SETUP-04)."""
    turn = state.table(table).turn
    return all(pilot.in_arena_since == turn for pilot in on_board(state, table))


def places_of(state: EventState, table: str, card: int | None) -> int:
    """Return how many places later a card may go; 0 for most, and for a pilot who has left."""
    pilot = cards_of(state, table).get(card or 0)
    return most_places(pilot, is_set_up(state, table)) if pilot is not None else 0


@transaction.atomic
def begin_deck(event_id: int, who: Access, table: str, client_id: str) -> None:
    """Shuffle the cards of all pilots on the board and turn the first; a deck that is there is thrown away.

    Raises PermissionDenied, and ChallengeRefused (pilot_missing_in_entry) where nobody is on the board.
    """
    event, state = _locked(event_id, who, table)
    if Deck.objects.filter(event=event, table=table, client_id=client_id).exists():
        return
    cards = turned(shuffled(_somebody(state, table), secrets.randbelow))
    Deck.objects.update_or_create(
        event=event,
        table=table,
        defaults={"turn": state.table(table).turn, "state": _stored(cards), "client_id": client_id},
    )


@transaction.atomic
def draw_all(event_id: int, who: Access, table: str, client_id: str) -> None:
    """Draw and write the whole order where nobody moves a card. Raises PermissionDenied and ChallengeRefused."""
    event, state = _locked(event_id, who, table)
    _write_order(event, who, table, client_id, all_at_once(_somebody(state, table), secrets.randbelow))


@transaction.atomic
def next_card(event_id: int, who: Access, table: str, client_id: str, later: int = 0) -> None:
    """Give the open card its place, `later` places on, and turn the next one; write the order after the last.

    Raises PermissionDenied, and ChallengeRefused for a place that the pilot may not take or a deck that is gone.
    """
    event, state = _locked(event_id, who, table)
    deck = _deck(event, table, state, client_id)
    if deck is None:
        return
    cards = read_cards(deck.state)
    most = places_of(state, table, cards.open)
    if not 0 <= later <= most:
        raise ChallengeRefused("too_many_places", most=most)
    cards = placed(cards, later, most)
    if cards.is_done:
        _write_order(event, who, table, client_id, order(cards))
    else:
        _keep(deck, turned(cards), client_id)


@transaction.atomic
def redraw(event_id: int, who: Access, table: str, client_id: str) -> None:
    """Spend an Edge card of the pilot whose card lies open: it goes back, and another is turned (MC-EDGE-02).

    Raises PermissionDenied, and ChallengeRefused (no_edge) or for a deck that is gone.
    """
    event, state = _locked(event_id, who, table)
    deck = _deck(event, table, state, client_id)
    if deck is None:
        return
    cards = read_cards(deck.state)
    pilot = cards_of(state, table).get(cards.open or 0)
    if pilot is None:
        raise ChallengeRefused("card_unknown", card=cards.open)
    document = {"what": "edge", "by": pilot.id, "on": "initiative", "phase": "initiative", "table": table,
                "turn": deck.turn}  # fmt: skip
    write(event_id, who, [Wish(client_id, DEED, document)])
    _keep(deck, redrawn(cards, secrets.randbelow), client_id)


@transaction.atomic
def note_order(event_id: int, who: Access, table: str, wishes: Sequence[Wish]) -> None:
    """Write an order that was drawn with real cards; they win over a deck that is being drawn. Raises as `write`."""
    write(event_id, who, wishes)
    Deck.objects.filter(event=event_id, table=table).delete()


def _locked(event_id: int, who: Access, table: str) -> tuple[Event, EventState]:
    event = lock_event(event_id)
    if not who.runs(table):
        raise PermissionDenied
    return event, book_of(event).state


def _somebody(state: EventState, table: str) -> list[int]:
    cards = list(cards_of(state, table))
    if not cards:
        raise ChallengeRefused("pilot_missing_in_entry", what="initiative")
    return cards


def _deck(event: Event, table: str, state: EventState, client_id: str) -> Deck | None:
    """Return the deck of the open turn, None after a press that was done before. Raises ChallengeRefused (no_deck)."""
    deck = Deck.objects.filter(event=event, table=table, turn=state.table(table).turn).first()
    if deck is not None:
        return None if deck.client_id == client_id else deck
    if Entry.objects.filter(event=event, client_id=client_id).exists():
        return None
    raise ChallengeRefused("no_deck")


def _keep(deck: Deck, cards: Cards, client_id: str) -> None:
    deck.state, deck.client_id = _stored(cards), client_id
    deck.save(update_fields=["state", "client_id"])


def _write_order(event: Event, who: Access, table: str, client_id: str, cards: tuple[int, ...]) -> None:
    document = {"what": "initiative", "cards": list(cards), "phase": "initiative", "table": table,
                "turn": book_of(event).state.table(table).turn}  # fmt: skip
    write(event.pk, who, [Wish(client_id, DEED, document)])
    Deck.objects.filter(event=event, table=table).delete()
