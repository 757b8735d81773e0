"""Initiative at a table: who may enter, the deck in the middle of its drawing, the order of the turn."""

from __future__ import annotations

from dataclasses import dataclass

from challenge.models import Deck, Event
from challenge.selectors.books import Book
from challenge.services.decks import cards_of, is_set_up, places_of, read_cards
from rules.challenge.deeds.doors import on_board
from rules.challenge.entries import Entry
from rules.challenge.folding import why_not
from rules.challenge.initiative import chooses_portal
from rules.challenge.state import Event as EventState
from rules.challenge.state import Pilot
from rules.core.refusals import Refusal
from rules.wording import sentence
from web.languages.reader import translate


@dataclass(frozen=True)
class Newcomer:
    """A pilot off the board: whether they choose their portal, and why they may not enter now; "" when they may."""

    pilot: Pilot
    chooses: bool
    why_not: str


@dataclass(frozen=True)
class DeckView:
    """A deck in the middle of its drawing. `places` are how many places later the open card may go."""

    open_pilot: Pilot | None
    open_card: int | None
    places: range
    in_place: list[tuple[int, str]]
    waiting: list[tuple[int, str, int]]
    left: int


@dataclass(frozen=True)
class InitiativeView:
    """What the page of initiative shows."""

    newcomers: list[Newcomer]
    waiting: list[Newcomer]
    portals: tuple[str, ...]
    on_board: list[Pilot]
    order: list[Pilot]
    deck: DeckView | None
    is_set_up: bool


def portals_of_table(book: Book, table: str) -> tuple[str, ...]:
    """Return the portals of a table in the GM's order."""
    return next(each.portals for each in book.tables if each.id == table)


def newcomers(state: EventState, table: str) -> list[Newcomer]:
    """Return the living pilots off the board, by their cards; those who have forfeited stay away."""
    turn = state.table(table).turn
    found = []
    for pilot in sorted(state.pilots.values(), key=lambda each: (each.card or 99, each.id)):
        if pilot.alive and not pilot.is_in_arena and not pilot.forfeited:
            entry = Entry("enter", (pilot.id,), table=table, turn=turn, phase="movement")
            refusal: Refusal | None = next(why_not(state, entry), None)
            why = "" if refusal is None else sentence(refusal.code, refusal.parameters, translate)
            found.append(Newcomer(pilot, chooses_portal(pilot), why))
    return found


def initiative_view(event: Event, book: Book, table: str) -> InitiativeView:
    """Return the page of initiative; one query."""
    state = book.state
    found = newcomers(state, table)
    here = sorted(on_board(state, table), key=lambda pilot: (pilot.card or 99, pilot.id))
    return InitiativeView(
        [each for each in found if not each.why_not],
        [each for each in found if each.why_not],
        portals_of_table(book, table),
        here,
        [state.pilots[name] for name in state.table(table).order if name in state.pilots],
        deck_view(event, state, table),
        is_set_up(state, table),
    )


def deck_view(event: Event, state: EventState, table: str) -> DeckView | None:
    """Return the deck of the open turn without the cards face down, None where nobody draws; one query."""
    deck = Deck.objects.filter(event=event, table=table, turn=state.table(table).turn).first()
    if deck is None:
        return None
    cards, pilots = read_cards(deck.state), cards_of(state, table)
    names = {card: pilot.id for card, pilot in pilots.items()}
    return DeckView(
        pilots.get(cards.open or 0),
        cards.open,
        range(places_of(state, table, cards.open) + 1),
        [(card, names.get(card, "")) for card in cards.in_place],
        [(each.card, names.get(each.card, ""), each.places) for each in cards.waiting],
        len(cards.down),
    )
