"""Who meets whom: the first round drawn, later ones by near reputation (R-CYC-07, Q-149, Q-154, Q-158, Q-168)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import networkx

from rules.core.dice import Dice

Pair = tuple[str, str]


@dataclass(frozen=True)
class Pairing:
    """The fixtures of a round: pairs in the order of play, and the stable that has a bye, None when there is none."""

    pairs: tuple[Pair, ...]
    bye: str | None = None


@dataclass(frozen=True)
class Field:
    """The facts that a pairing depends on. All mappings are by stable; a stable that they leave out counts 0.

    `reputation`: stable RP so far in the season. `met`: the pairs of earlier matches of the season, with repeats.
    `byes`: byes so far this season; `byes_this_cycle`: those of the cycle.
    """

    stables: Sequence[str]
    reputation: Mapping[str, int] = field(default_factory=dict)
    met: Sequence[Pair] = ()
    byes: Mapping[str, int] = field(default_factory=dict)
    byes_this_cycle: Mapping[str, int] = field(default_factory=dict)


def draw_round(entrants: Field, first: bool, dice: Dice) -> Pairing:
    """Return the pairing of a round.

    `first` says that it is the first round of a cycle, which is drawn. In later ones the smallest possible number of
    rematches comes first, then the smallest sum of squared differences in reputation, then the dice. In an odd field
    one stable has a bye: that with the fewest byes in this cycle, then with the fewest in the season, then by a die
    (Q-158). The order of `entrants.stables` does not matter.

    >>> from rules.core.dice import SeededDice
    >>> reputation = {"Ada": 95, "Bo": 20, "Cy": 90, "Di": 15}
    >>> draw_round(Field(list(reputation), reputation), False, SeededDice(1)).pairs
    (('Ada', 'Cy'), ('Bo', 'Di'))
    """
    stables = sorted(entrants.stables)
    bye = None
    if len(stables) % 2:
        bye = _bye(stables, entrants, dice)
        stables.remove(bye)
    if first:
        shuffled = drawn_order(stables, dice)
        return Pairing(tuple(zip(shuffled[::2], shuffled[1::2], strict=True)), bye)
    return Pairing(_nearest(stables, entrants, dice), bye)


def pair_some(entrants: Field, dice: Dice) -> Pairing:
    """Return the pairing of stables that need not wait for the rest of a round (Q-149).

    The fewest rematches come first, then the smallest sum of squared differences in reputation, then the dice. In an
    odd field one stable waits, without a bye: the one whose waiting serves these aims best.
    """
    return Pairing(_nearest(sorted(entrants.stables), entrants, dice))


Side = tuple[str, ...]
"""The stables of one side: one, or two that share it."""


@dataclass(frozen=True)
class TeamPairing:
    """The fixtures of a round by their sides, in the order of play, and the stable with a bye, or None."""

    meetings: tuple[tuple[Side, Side], ...]
    bye: str | None = None


def draw_sides(entrants: Field, singles: Collection[str], first: bool, dice: Dice) -> TeamPairing:
    """Return the pairing of a round of a format with two units a side, in which `singles` can field only one each.

    Singles that are near in reputation meet in fours, two against two (Q-154, Q-168). Two of the singles left over
    join only if that spares a stable its bye; in an even field it would cost a match. The joint side then meets one
    stable, and counts with its mean reputation, rounded down. `draw_round` pairs all others; a single among them plays
    one unit against two. Without singles the result is that of `draw_round`, with the same dice.
    """
    alone = sorted(singles)
    ranked = sorted(alone, key=lambda stable: (-entrants.reputation.get(stable, 0), stable))
    fours = [ranked[place : place + JOINED_FOUR] for place in range(0, len(ranked) - JOINED_FOUR + 1, JOINED_FOUR)]
    meetings = [_two_against_two(four, entrants, dice) for four in fours]
    left = ranked[len(fours) * JOINED_FOUR :]
    rest = [stable for stable in entrants.stables if not any(stable in four for four in fours)]
    joint: dict[str, Side] = {}
    if len(rest) % 2 and len(left) > 1:
        pair = min(
            combinations(left, 2),
            key=lambda two: (abs(entrants.reputation.get(two[0], 0) - entrants.reputation.get(two[1], 0)), two),
        )
        joint = {pair[0]: tuple(sorted(pair))}
        rest.remove(pair[1])
    drawn = draw_round(_with_joint(entrants, rest, joint), first, dice)
    meetings += [(joint.get(one, (one,)), joint.get(other, (other,))) for one, other in drawn.pairs]
    return TeamPairing(tuple(meetings), drawn.bye)


JOINED_FOUR = 4
"""How many stables two joint sides have together."""


def _two_against_two(four: Sequence[str], entrants: Field, dice: Dice) -> tuple[Side, Side]:
    """Split four stables into the two sides that are nearest in reputation; the dice decide between equal splits."""

    def apart(partner: str) -> int:
        one = reputation(four[0]) + reputation(partner)
        return abs(2 * one - sum(reputation(stable) for stable in four))

    def reputation(stable: str) -> int:
        return entrants.reputation.get(stable, 0)

    nearest = min(apart(partner) for partner in four[1:])
    partners = [partner for partner in four[1:] if apart(partner) == nearest]
    partner = partners[dice.draw(len(partners), "partner")] if len(partners) > 1 else partners[0]
    one = tuple(sorted((four[0], partner)))
    other = tuple(sorted(stable for stable in four if stable not in one))
    return one, other


def _with_joint(entrants: Field, rest: Sequence[str], joint: Mapping[str, Side]) -> Field:
    """Return the field of the stables in `rest`. A joint side takes the name of its first stable.

    It counts with the mean reputation of its stables, rounded down, and has met everybody whom either of them has met.
    """
    reputation = dict(entrants.reputation)
    stands_for: dict[str, str] = {}
    for name, side in joint.items():
        reputation[name] = sum(entrants.reputation.get(stable, 0) for stable in side) // len(side)
        stands_for |= dict.fromkeys(side, name)
    met = [(stands_for.get(one, one), stands_for.get(other, other)) for one, other in entrants.met]
    return Field(tuple(rest), reputation, met, entrants.byes, entrants.byes_this_cycle)


def _bye(stables: Sequence[str], entrants: Field, dice: Dice) -> str:
    def burden(stable: str) -> tuple[int, int]:
        return entrants.byes_this_cycle.get(stable, 0), entrants.byes.get(stable, 0)

    lightest = min(burden(stable) for stable in stables)
    eligible = [stable for stable in stables if burden(stable) == lightest]
    return eligible[dice.draw(len(eligible), "bye")]


def drawn_order(stables: Iterable[str], dice: Dice) -> list[str]:
    """Return the stables in an order that depends on the dice alone."""
    urn = sorted(stables)
    return [urn.pop(dice.draw(len(urn), "pairing")) for _ in range(len(urn))]


def _nearest(stables: Sequence[str], entrants: Field, dice: Dice) -> tuple[Pair, ...]:
    met = Counter(frozenset(pair) for pair in entrants.met)
    reputation = {stable: entrants.reputation.get(stable, 0) for stable in stables}
    # One rematch must outweigh any sum of differences, and any difference the dice that part equal pairings.
    noise_unit = 16 * len(stables)
    rematch_weight = 1 + len(stables) * (max(reputation.values(), default=0) - min(reputation.values(), default=0)) ** 2
    graph = networkx.Graph()
    graph.add_nodes_from(stables)
    for index, one in enumerate(stables):
        for other in stables[index + 1 :]:
            weight = met[frozenset((one, other))] * rematch_weight + (reputation[one] - reputation[other]) ** 2
            graph.add_edge(one, other, weight=weight * noise_unit + dice.draw(16, "pairing of equals"))
    pairs = [_seated(pair, reputation) for pair in networkx.min_weight_matching(graph)]
    return tuple(sorted(pairs, key=lambda pair: (-reputation[pair[0]], pair)))


def _seated(pair: Sequence[str], reputation: Mapping[str, int]) -> Pair:
    """Put the stable with more reputation first, by name among equals: a matching has no order of its own."""
    one, other = sorted(pair, key=lambda stable: (-reputation[stable], stable))
    return one, other
