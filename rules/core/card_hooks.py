"""Named timings at which the text of a pilot or of a rally card changes something.

As in `rules.core.equipment_hooks`, a timing is a point of the rules that asks "does any text at work here change
this?". A text at work is a pair: the key of the card, and the key of what it does. Pilots' abilities are in
`rules.core.pilot_hooks`, rally cards' effects in `rules.solaris.rally_hooks`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rules.core.equipment_hooks import Modifier

Text = tuple[str, str]
"""A card's key, and the key of its ability or effect."""


class CardFacts(NamedTuple):
    """What the text of a card may ask of one attack on one target.

    `range_type` is None for close combat with a value that is not melee. `is_unit`: the target is not a token.
    `is_rear`: the attack comes through the target's rear arc. `has_moved`: the unit with the card had a move order this
    round. `is_outweighed`: the target is a unit whose total is higher than the attacker's; False for a token.
    `is_hindered`: hindering terrain on the way takes 1 off. `is_assault`: the attack is part of an assault. At the
    timing "defense" `is_rear` and `is_hindered` are always False.
    """

    is_ranged: bool
    range_type: str | None
    is_unit: bool
    is_rear: bool
    has_moved: bool
    is_outweighed: bool
    is_hindered: bool
    is_assault: bool


_HOOKS: dict[str, dict[str, Callable[..., int]]] = {}


def at_timing(timing: str, key: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Register what one ability or effect does at one timing; an amount of 0 changes nothing."""

    def register(function: Callable[..., int]) -> Callable[..., int]:
        _HOOKS.setdefault(timing, {})[key] = function
        return function

    return register


def timings_of(key: str) -> list[str]:
    """Return the timings at which this ability or effect has a function."""
    return [timing for timing, hooks in _HOOKS.items() if key in hooks]


def disable(key: str) -> Callable[[], None]:
    """Take a key's functions away and return the function that puts them back: for the mutation run."""
    taken = [(hooks, hooks.pop(key)) for hooks in _HOOKS.values() if key in hooks]

    def restore() -> None:
        for hooks, function in taken:
            hooks[key] = function

    return restore


def amounts(timing: str, texts: tuple[Text, ...], *arguments: Any) -> list[Modifier]:
    """Return what each text gives at a timing, under its card's key, leaving out those that give 0."""
    hooks = _HOOKS.get(timing, {})
    found = []
    for card, key in texts:
        function = hooks.get(key)
        if function is not None:
            amount = function(*arguments)
            if amount:
                found.append((card, amount))
    return found


def total(timing: str, texts: tuple[Text, ...], *arguments: Any) -> int:
    """Return the sum of what all texts give at a timing."""
    return sum(amount for _, amount in amounts(timing, texts, *arguments)) if texts else 0


def giver(timing: str, texts: tuple[Text, ...], *arguments: Any) -> Text | None:
    """Return the first text that gives anything at a timing, None when no text does."""
    hooks = _HOOKS.get(timing, {})
    for text in texts:
        function = hooks.get(text[1])
        if function is not None and function(*arguments):
            return text
    return None


def merged(found: list[Modifier]) -> list[Modifier]:
    """Return the amounts with those of one key added up, in order of first mention, without zeros.

    A card may give two amounts of one kind.
    """
    sums: dict[str, int] = {}
    for key, amount in found:
        sums[key] = sums.get(key, 0) + amount
    return [(key, amount) for key, amount in sums.items() if amount]
