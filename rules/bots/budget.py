"""How much a bot, an adviser or an owner may look at before it answers: a count, the same on every machine."""

from __future__ import annotations


class Overran(Exception):
    """A search wanted to look at more than its budget allows."""


class Budget:
    """What one decision may look at in all: `most` positions, crews or pairs, as `counted` says."""

    def __init__(self, most: int, counted: str) -> None:
        self.most = most
        self.counted = counted
        self.spent = 0

    def spend(self, count: int = 1) -> None:
        """Count what is looked at next. Raises Overran beyond the budget."""
        self.spent += count
        if self.spent > self.most:
            raise Overran(f"more than {self.most} {self.counted}")
