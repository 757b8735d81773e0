"""Who stands beside whom: the first two of a list that exclude each other by nothing, found without all pairs.

Two members exclude each other by what there is but once, or by what they weigh together.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from heapq import merge
from math import inf
from typing import Protocol

Once = frozenset[tuple[str, Hashable]]


class Member(Protocol):
    """What can stand beside another."""

    @property
    def once(self) -> Once:
        """What there is but once of it."""

    @property
    def weight(self) -> int:
        """What it adds to a total that two share."""


class Mates:
    """Some members of a list, by their places, ascending; knows for whom there is a mate among them."""

    def __init__(self, members: Sequence[Member], places: Sequence[int]) -> None:
        self.members = members
        self.places = places
        self._lightest: dict[Once, Member | None] = {}

    def has_mate(self, member: Member, most: float) -> bool:
        """Return whether one of these weighs `most` at most together with a member and shares nothing with it.

        Only the lightest need be looked at: the lightest of all, then of those without what was in the way. Few are in
        the way of anybody, so all who ask share a handful of searches.
        """
        without: Once = frozenset()
        while (mate := self._lightest_without(without)) is not None and member.weight + mate.weight <= most:
            in_the_way = member.once & mate.once
            if not in_the_way:
                return True
            without |= in_the_way
        return False

    def _lightest_without(self, without: Once) -> Member | None:
        if without not in self._lightest:
            free = (self.members[place] for place in self.places)
            free = (member for member in free if without.isdisjoint(member.once))
            self._lightest[without] = min(free, key=lambda member: member.weight, default=None)
        return self._lightest[without]

    def first_mate(self, place: int, most: float) -> int:
        """Return the place of the first mate behind a place; there must be one."""
        member = self.members[place]
        return next(
            other
            for other in self.places
            if other > place
            and member.weight + self.members[other].weight <= most
            and member.once.isdisjoint(self.members[other].once)
        )


def first_pair(one: Mates, other: Mates, most: float = inf) -> tuple[int, int] | None:
    """Return the first two places, one of each, whose members can stand side by side; None where no two can.

    First is who has the smallest first place, then the smallest second. `one` and `other` share no place or are the
    same. The time that this takes grows with the number of members, and not with that of their pairs.
    """
    own = set(one.places)
    for place in one.places if one is other else merge(one.places, other.places):
        mates = other if place in own else one
        # Nobody before this place had a mate, so its own comes behind it.
        if mates.has_mate(one.members[place], most):
            return place, mates.first_mate(place, most)
    return None
