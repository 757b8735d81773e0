"""Limits to how much a bot, an adviser or an owner looks at before it answers, as counts that no machine changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

Thing = TypeVar("Thing")

MOST_CREWS = 500_000
"""The most crews that an owner looks at in one search; a crew that is looked at again counts again."""


class Overran(Exception):
    """A search wanted to look at more than its budget allows."""


class Budget:
    """The limit of a search, a decision or a match: `most` of the things that `counted` names, such as positions."""

    def __init__(self, most: int, counted: str) -> None:
        self.most = most
        self.counted = counted
        self.spent = 0

    @classmethod
    def of_an_owner(cls) -> Budget:
        """Return the budget of one search of an owner."""
        return cls(MOST_CREWS, "crews")

    def each(self, things: Iterable[Thing]) -> Iterator[Thing]:
        """Yield these things, and count each before the next is made. Raises Overran beyond the budget."""
        for thing in things:
            self.spend()
            yield thing

    def spend(self, count: int = 1) -> None:
        """Count `count` more things that are looked at. Raises Overran beyond the budget."""
        self.spent += count
        if self.spent > self.most:
            raise Overran(f"more than {self.most} {self.counted}")
