"""How much a bot, an adviser or an owner may look at before it answers: a count, the same on every machine."""

from __future__ import annotations

MOST_CREWS = 2_000_000
"""So many crews, made of pairs of a unit and a pilot, an owner looks at for one decision at most."""


class Overran(Exception):
    """A search wanted to look at more than its budget allows."""


class Budget:
    """What one decision may look at in all: `most` positions, crews or pairs, as `counted` says."""

    def __init__(self, most: int, counted: str) -> None:
        self.most = most
        self.counted = counted
        self.spent = 0

    @classmethod
    def of_an_owner(cls) -> Budget:
        """Return the budget of one decision of an owner."""
        return cls(MOST_CREWS, "crews")

    def spend(self, count: int = 1) -> None:
        """Count what is looked at next. Raises Overran beyond the budget."""
        self.spent += count
        if self.spent > self.most:
            raise Overran(f"more than {self.most} {self.counted}")
