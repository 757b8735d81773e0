"""Cards of initiative one at a time, and who chooses a portal in the initial set-up."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rules.challenge.initiative import (
    Deck,
    all_at_once,
    chooses_portal,
    most_places,
    order,
    placed,
    redrawn,
    shuffled,
    turned,
)
from rules.challenge.state import OwnedAbility, Pilot
from rules.challenge.tables import Tables


def drawing(*numbers: int) -> Callable[[int], int]:
    """Draw these numbers, one after another, then the first of what is left."""
    found: Iterator[int] = iter(numbers)

    def draw(below: int) -> int:
        number = next(found, 0)
        assert 0 <= number < below
        return number

    return draw


def played(deck: Deck, later: dict[int, int] | None = None) -> tuple[int, ...]:
    """Turn all cards; those named move so many places later."""
    while not deck.is_done:
        deck = turned(deck)
        deck = placed(deck, (later or {}).get(deck.open or 0, 0), 3)
    return order(deck)


def fault(step: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(ValueError, match=r"\w") as raised:
        step(*arguments)
    return str(raised.value)


def pilot(stable: str | None = None, ability: str | None = None) -> Pilot:
    printed = Tables.of()
    found = Pilot("ross", "ross", stable=printed.memberships[stable] if stable else None)
    if ability:
        found.abilities.append(OwnedAbility(printed.abilities[ability]))
    return found


def test_what_is_drawn_decides_the_order() -> None:
    assert all_at_once([1, 2, 3, 4], drawing(2, 0, 1)) == (3, 1, 4, 2)
    assert played(shuffled([1, 2, 3, 4], drawing(2, 0, 1))) == (3, 1, 4, 2)


def test_a_card_is_placed_before_the_next_is_turned() -> None:
    """Nobody sees what follows before they choose."""
    deck = turned(Deck((1, 2, 3)))
    assert deck.open == 1
    assert order(deck) == ()
    assert fault(turned, deck) == "card 1 lies open"
    assert order(placed(deck)) == (1,)
    assert fault(placed, placed(deck)) == "no card lies open"
    assert fault(turned, Deck(())) == "no card is left"


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        ({}, (1, 2, 3, 4, 5)),
        ({1: 1}, (2, 1, 3, 4, 5)),
        ({1: 3}, (2, 3, 4, 1, 5)),
        ({4: 3}, (1, 2, 3, 5, 4)),
        ({5: 2}, (1, 2, 3, 4, 5)),
        ({1: 2, 2: 1}, (3, 2, 1, 4, 5)),
        ({1: 1, 2: 2}, (3, 1, 2, 4, 5)),
    ],
)
def test_cards_move_later(later: dict[int, int], expected: tuple[int, ...]) -> None:
    """So many others come before; at the end of the deck there is nothing more to wait for."""
    assert played(Deck((1, 2, 3, 4, 5)), later) == expected


def test_stables_move_their_cards() -> None:
    """Black Lions up to 3 places, Wraiths up to 2; in the initial set-up nobody (MC-SETUP-04)."""
    assert [most_places(pilot(name)) for name in ("black_lions", "wraiths", "banshee", None)] == [3, 2, 0, 0]
    assert most_places(pilot("black_lions"), set_up=True) == 0
    deck = turned(Deck((1, 2)))
    assert fault(placed, deck, 3, 2) == "3 places later: 0 to 2 are allowed"
    assert fault(placed, deck, -1, 2) == "-1 places later: 0 to 2 are allowed"
    assert fault(placed, deck, 1, most_places(pilot("wraiths"), set_up=True)) == "1 places later: 0 to 0 are allowed"


def test_edge_draws_again() -> None:
    """The open card goes back among those face down; what comes then stands (MC-EDGE-02, MC-EDGE-03)."""
    deck = redrawn(turned(Deck((1, 2, 3))), drawing(1, 1))
    assert deck.open == 3
    assert deck.down == (1, 2)
    assert played(placed(deck)) == (3, 1, 2)


def test_edge_draws_a_card_again_that_has_its_place() -> None:
    deck = placed(turned(placed(turned(Deck((1, 2, 3))))))
    again = redrawn(deck, drawing(0, 0), card=1)
    assert again.in_place == (2,)
    assert again.open == 3
    assert played(placed(again)) == (2, 3, 1)


def test_edge_draws_no_card_that_nobody_has_turned() -> None:
    assert fault(redrawn, Deck((1, 2)), drawing(), 1).startswith("card 1 has not been turned")
    assert fault(redrawn, Deck((1, 2)), drawing()).startswith("card None has not been turned")
    assert fault(redrawn, turned(placed(turned(Deck((1, 2))))), drawing(), 1).endswith("another lies open")


def test_tactical_genius_chooses_a_portal() -> None:
    assert chooses_portal(pilot(ability="tactical_genius"))
    assert not chooses_portal(pilot(ability="marksman"))
