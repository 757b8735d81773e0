"""The first two members of a list that can form a pair, found without trying all pairs.

Two members exclude each other when both need something that exists only once, or when they weigh too much together.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from heapq import merge
from math import inf
from typing import Protocol

Once = frozenset[tuple[str, Hashable]]


class Member(Protocol):
    """A member of a list, which can form a pair with another one."""

    @property
    def once(self) -> Once:
        """What the member needs that exists only once, as (kind, key)."""

    @property
    def weight(self) -> int:
        """What the member adds to a total that two members share."""


class Mates:
    """Some members of a list, by their ascending places from 0, as possible mates of a member."""

    def __init__(self, members: Sequence[Member], places: Sequence[int]) -> None:
        self.members = members
        self.places = places
        self._lightest: dict[Once, Member | None] = {}

    def has_mate(self, member: Member, most: float) -> bool:
        """Return whether one of these mates needs nothing that `member` needs, and weighs at most `most` with it.

        The search tries the lightest mate first. If both need something, it goes on to the lightest mate that needs
        none of that. Few members exclude others, so all calls share a handful of searches.
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
        """Return the place of the first mate behind a member's place. Raises StopIteration when there is none."""
        member = self.members[place]
        return next(
            other
            for other in self.places
            if other > place
            and member.weight + self.members[other].weight <= most
            and member.once.isdisjoint(self.members[other].once)
        )


def first_pair(one: Mates, other: Mates, most: float = inf) -> tuple[int, int] | None:
    """Return the first two places, ascending, one of each list, whose members can form a pair; None when no two can.

    The smaller place decides which pair is first, then the larger one. `one` and `other` share no place or are the same
    object. The time grows with the number of members, not with the number of pairs.
    """
    own = set(one.places)
    for place in one.places if one is other else merge(one.places, other.places):
        mates = other if place in own else one
        # Nobody before this place had a mate, so the mate of this one comes behind it.
        if mates.has_mate(one.members[place], most):
            return place, mates.first_mate(place, most)
    return None
