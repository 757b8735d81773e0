"""Initiative by cards, and who chooses a portal in the initial set-up (MC-SETUP-03, MC-SETUP-04).

    deck = shuffled(cards, draw)            # draw(n) gives a number below n, from dice or a seed
    deck = turned(deck)                     # the next card lies open
    deck = placed(deck, later=2)            # its pilot takes their place, without having seen what follows
    deck = redrawn(deck, draw)              # or spends Edge: the open card goes back, another is turned
    order(deck)                             # the cards so far, in their places

Cards are the numbers of the pilots. Everything is a value: each step returns a new deck, and raises ValueError where
the cards do not allow it. An order drawn with real cards is entered as it is (`initiative`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from rules.challenge.state import Pilot

Draw = Callable[[int], int]
"""Gives a number from 0 to below the one asked for."""


class Waiting(NamedTuple):
    """A card that takes its place after so many others."""

    card: int
    places: int


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck in the middle of its drawing: cards face down with the next one first, the open one, those in place."""

    down: tuple[int, ...]
    open: int | None = None
    in_place: tuple[int, ...] = ()
    waiting: tuple[Waiting, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether every card has been turned and placed."""
        return not self.down and self.open is None


def drawn_from(things: Iterable[int], draw: Draw) -> tuple[int, ...]:
    """Return things in a drawn order."""
    left, found = list(things), []
    while left:
        found.append(left.pop(draw(len(left))))
    return tuple(found)


def shuffled(cards: Iterable[int], draw: Draw) -> Deck:
    """Return a deck of cards in a drawn order, none of them turned."""
    return Deck(drawn_from(cards, draw))


def most_places(pilot: Pilot, set_up: bool = False) -> int:
    """Return how many places later a pilot's card may move: 3 in Black Lions, 2 in Wraiths, none in set-up."""
    return 0 if set_up else max([0, *(effects.initiative_places for effects in pilot.effects)])


def turned(deck: Deck) -> Deck:
    """Turn the next card. Raises ValueError while another lies open, and for an empty deck."""
    if deck.open is not None:
        raise ValueError(f"card {deck.open} lies open")
    if not deck.down:
        raise ValueError("no card is left")
    return replace(deck, open=deck.down[0], down=deck.down[1:])


def placed(deck: Deck, later: int = 0, most: int = 0) -> Deck:
    """Give the open card its place, `later` places on of at most `most`. Raises ValueError."""
    if deck.open is None:
        raise ValueError("no card lies open")
    if not 0 <= later <= most:
        raise ValueError(f"{later} places later: 0 to {most} are allowed")
    waiting = (*deck.waiting, Waiting(deck.open, later)) if later else deck.waiting
    moved = replace(deck, open=None, waiting=waiting)
    return moved if later else _put(moved, deck.open)


def _put(deck: Deck, card: int) -> Deck:
    """Put a card in the next place, and after it whom it was the last to wait for."""
    waiting = tuple(Waiting(each.card, each.places - 1) for each in deck.waiting)
    ready = next((each for each in waiting if each.places <= 0), None)
    rest = tuple(each for each in waiting if each is not ready)
    moved = replace(deck, in_place=(*deck.in_place, card), waiting=rest)
    return _put(moved, ready.card) if ready else moved


def redrawn(deck: Deck, draw: Draw, card: int | None = None) -> Deck:
    """Put a card that has been turned back among those face down, and turn one: an Edge card of its pilot.

    Without `card` it is the open one. What is turned then stands, unless another Edge card is spent.
    Raises ValueError for a card that nobody has turned, or another than the open one while one lies open.
    """
    back = deck.open if card is None else card
    known = {*deck.in_place, *(each.card for each in deck.waiting)}
    if back is None or (back != deck.open and (deck.open is not None or back not in known)):
        raise ValueError(f"card {back} has not been turned, or another lies open")
    return turned(
        Deck(
            drawn_from((*deck.down, back), draw),
            None,
            tuple(each for each in deck.in_place if each != back),
            tuple(each for each in deck.waiting if each.card != back),
        )
    )


def order(deck: Deck) -> tuple[int, ...]:
    """Return the cards that have their places; at the end of the deck also those that waited for more."""
    if not deck.is_done:
        return deck.in_place
    return (*deck.in_place, *(each.card for each in deck.waiting))


def all_at_once(cards: Iterable[int], draw: Draw) -> tuple[int, ...]:
    """Return the cards in a drawn order where nobody moves a card."""
    return drawn_from(cards, draw)


# --- portals ---------------------------------------------------------------------------------------------------------


def chooses_portal(pilot: Pilot) -> bool:
    """Return whether a pilot chooses their portal; choosing is no change of initiative, so set-up allows it."""
    return pilot.has("tactical_genius")
