"""The choices of target tokens that a stable may bring, counted and found without a list of them (R-BLD-17, D-43)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from itertools import accumulate, combinations, combinations_with_replacement, product
from typing import Any

from rules.core.refusals import Refusal

TOKENS_PER_SIDE = 3
"""Target tokens that a player brings, for a team of any size (R-BLD-17, Q-172)."""

Triple = tuple[str, str, str]
"""The ids of three different tokens, ascending."""


def check_tokens(tokens: Iterable[Mapping[str, Any]], pool: int = 30) -> list[Refusal]:
    """Return why target tokens are refused; empty for three tokens worth `pool` RP together (R-BLD-17, D-43).

    The code is tokens_not_allowed.
    """
    worths = [int(token["rp"]) for token in tokens]
    if len(worths) != TOKENS_PER_SIDE or sum(worths) != pool:
        parameters = {"count": len(worths), "worth": sum(worths), "needed": TOKENS_PER_SIDE, "pool": pool}
        return [Refusal("tokens_not_allowed", parameters)]
    return []


@dataclass(frozen=True)
class TokenChoices:
    """Every choice of three different tokens that is worth exactly `pool` RP, in order of their ids.

    `tokens` are ids, all different and ascending, with the RP of each. A catalogue with hundreds of tokens has millions
    of choices, so they are counted, and each is found by its place. Two are equal when
    their tokens and pools are.
    """

    tokens: tuple[tuple[str, int], ...]
    pool: int

    @classmethod
    def of(cls, tokens: Iterable[Mapping[str, Any]], pool: int) -> TokenChoices:
        """Return the choices among tokens as the catalogue has them."""
        return cls(tuple(sorted((str(token["id"]), int(token["rp"])) for token in tokens)), pool)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, index: int) -> Triple:
        """Return the choice at a place, from 0. Raises IndexError when there is none."""
        if not 0 <= index < len(self):
            raise IndexError(f"no choice {index} of {len(self)}")
        first = bisect_right(self._ends, index)
        if first:
            index -= self._ends[first - 1]
        for second in range(first + 1, len(self.tokens)):
            places = self._places.get(self._worth_left(first, second), [])
            after = bisect_right(places, second)
            if index < len(places) - after:
                return self._triple(first, second, places[after + index])
            index -= len(places) - after
        raise AssertionError("more choices are counted than there are")

    def __contains__(self, triple: object) -> bool:
        """Return whether these are the ids of a choice, in any order."""
        if not isinstance(triple, Collection):
            return False
        ids = set(triple)
        worths = [worth for key, worth in self.tokens if key in ids]
        return len(triple) == len(ids) == len(worths) == TOKENS_PER_SIDE and sum(worths) == self.pool

    def nearest_to(self, wished: Collection[str]) -> Triple:
        """Return the choice that has most in common with up to three wished ids, the first among equals.

        Unknown ids are ignored, and so are known ones after the third. Raises IndexError when there is no choice at
        all.
        """
        ids = set(wished)
        known = [place for place, (key, _) in enumerate(self.tokens) if key in ids][:TOKENS_PER_SIDE]
        for count in range(len(known), 0, -1):
            found = [triple for kept in combinations(known, count) if (triple := self._first_with(kept)) is not None]
            if found:
                return min(found)
        return self[0]

    def best(self, worths: Mapping[str, int], count: int) -> list[Triple]:
        """Return up to `count` choices, those with the highest total worth first, equals in order of their ids.

        `worths` rates every token by its id, in any unit.
        """
        groups: dict[int, list[Pick]] = {}
        for key, points in self.tokens:
            groups.setdefault(points, []).append((-worths[key], (key,)))
        found: list[Pick] = []
        for three in combinations_with_replacement(sorted(groups), TOKENS_PER_SIDE):
            if sum(three) == self.pool:
                picks: list[Pick] = [(0, ())]
                for own, copies in Counter(three).items():
                    picks = _best_picks(product(picks, _among(groups[own], copies, count)), count)
                found = nsmallest(count, found + picks)
        return [(first, second, third) for _, (first, second, third) in found]

    @cached_property
    def _places(self) -> dict[int, list[int]]:
        """RP -> the places of the tokens with that worth, ascending."""
        found: dict[int, list[int]] = {}
        for place, (_, worth) in enumerate(self.tokens):
            found.setdefault(worth, []).append(place)
        return found

    @cached_property
    def _ends(self) -> list[int]:
        """For each place, how many choices begin with a token at or before it."""
        after: Counter[int] = Counter()
        pairs: Counter[int] = Counter()
        starts = []
        for _, worth in reversed(self.tokens):
            starts.append(pairs[self.pool - worth])
            for other, count in after.items():
                pairs[worth + other] += count
            after[worth] += 1
        return list(accumulate(reversed(starts)))

    def _worth_left(self, *places: int) -> int:
        return self.pool - sum(self.tokens[place][1] for place in places)

    def _triple(self, *places: int) -> Triple:
        first, second, third = sorted(self.tokens[place][0] for place in places)
        return first, second, third

    def _first_with(self, kept: tuple[int, ...]) -> Triple | None:
        """Return the first choice with the tokens at one to three places; None when there is no such choice."""
        if len(kept) == TOKENS_PER_SIDE:
            return None if self._worth_left(*kept) else self._triple(*kept)
        first, *others = kept
        # Where two tokens are sought, the earlier one decides first.
        for second in others or range(len(self.tokens)):
            places = self._places.get(self._worth_left(first, second), [])
            start = 0 if others else bisect_right(places, second)
            third = next((place for place in places[start : start + 3] if place not in (first, second)), None)
            if third is not None and second != first:
                return self._triple(first, second, third)
        return None


Pick = tuple[int, tuple[str, ...]]
"""The total worth of some tokens, negated, and their ascending ids: the smallest pick is the best."""


def _best_picks(pairs: Iterable[tuple[Pick, ...]], count: int) -> list[Pick]:
    """Join each group of picks into one pick, and return the `count` best of these.

    A better pick makes a better whole with the same rest, so callers need only the `count` best of each group.
    """
    joined = (
        (sum(worth for worth, _ in pick), tuple(sorted(key for _, keys in pick for key in keys))) for pick in pairs
    )
    return nsmallest(count, joined)


def _among(group: Iterable[Pick], copies: int, count: int) -> list[Pick]:
    """Return the `count` best picks of `copies` tokens from a group.

    Only the best `count` + `copies` - 1 tokens can be in them.
    """
    return _best_picks(combinations(nsmallest(count + copies - 1, group), copies), count)
