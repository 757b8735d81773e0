"""Places of a cycle and champions of a season (R-PUR-01, R-CYC-08, R-CYC-09, Q-126, Q-158, Q-164)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

from rules.core.dice import Dice

RANK_BY = ("cycle_reputation", "wins", "total_reputation")
"""Values of the season setting purse_rank_by; the first is the ruling of Q-126."""


def reputation_a_match(reputation: int, matches: int) -> Decimal | None:
    """Return the reputation for each match played as tables show it, with two decimals; None without a match."""
    if not matches:
        return None
    return (Decimal(reputation) / matches).quantize(Decimal("0.01"), ROUND_HALF_EVEN)


def counts_a_match(matches: Iterable[int]) -> bool:
    """Return whether the places of a cycle go by reputation for each match played: the numbers are unequal (Q-158)."""
    return len(set(matches)) > 1


@dataclass(frozen=True)
class CycleScore:
    """What one stable did in a cycle: reputation banked, kills, wins, matches played (forfeits count, byes do not).

    `total_reputation` is that of the season so far; it counts only for `rank_by` "total_reputation".
    """

    stable: str
    reputation: int
    kills: int
    wins: int
    matches: int
    total_reputation: int = 0

    @property
    def reputation_per_match(self) -> Fraction:
        """Reputation for each match played, exact; 0 without a match (Q-158)."""
        return Fraction(self.reputation, self.matches) if self.matches else Fraction(0)


@dataclass(frozen=True)
class Place:
    """One place of a cycle, from 1. `decided_by` says what separates it from the next better one, None for the first.

    It is "reputation", "kills", "wins", "total_reputation" or "die", and after a grand melee "match" or "forfeit".
    """

    place: int
    stable: str
    decided_by: str | None


def cycle_places(scores: Iterable[CycleScore], dice: Dice, rank_by: str = "cycle_reputation") -> list[Place]:
    """Return the places of a cycle, best first, without a tie.

    Order: reputation banked in the cycle, then kills, then wins, then a die (Q-126). When the stables have played
    unequal numbers of matches, reputation is compared for each match played, as an exact fraction (Q-158).
    `rank_by` "wins" or "total_reputation" puts that first. Dice are rolled in the order of the stables' names.
    Raises ValueError for another `rank_by`.
    """
    listed = sorted(scores, key=lambda score: score.stable)
    per_match = counts_a_match(score.matches for score in listed)
    criteria: list[tuple[str, Callable[[CycleScore], Fraction | int]]] = [
        ("reputation", (lambda score: score.reputation_per_match) if per_match else (lambda score: score.reputation)),
        ("kills", lambda score: score.kills),
        ("wins", lambda score: score.wins),
    ]
    if rank_by == "wins":
        criteria.insert(0, criteria.pop())
    elif rank_by == "total_reputation":
        criteria.insert(0, ("total_reputation", lambda score: score.total_reputation))
    elif rank_by != "cycle_reputation":
        raise ValueError(f"unknown purse_rank_by {rank_by!r}")

    def key(score: CycleScore) -> tuple[Fraction | int, ...]:
        return tuple(value(score) for _, value in criteria)

    places: list[Place] = []
    previous: tuple[Fraction | int, ...] | None = None
    for current in sorted({key(score) for score in listed}, reverse=True):
        tied = [score.stable for score in listed if key(score) == current]
        for index, stable in enumerate(_by_die(tied, dice)):
            decided_by = None
            if index:
                decided_by = "die"
            elif previous is not None:
                decided_by = next(
                    name for (name, _), mine, theirs in zip(criteria, current, previous, strict=True) if mine != theirs
                )
            places.append(Place(len(places) + 1, stable, decided_by))
        previous = current
    return places


def melee_places(match_places: Sequence[str], forfeited: Iterable[str]) -> list[Place]:
    """Return the places of a grand melee cycle: as the match ended, then those who forfeited, by name (Q-167)."""
    order = [*match_places, *sorted(forfeited)]
    absent = len(match_places)
    return [
        Place(number, stable, None if number == 1 else "forfeit" if number > absent else "match")
        for number, stable in enumerate(order, 1)
    ]


def _by_die(tied: Sequence[str], dice: Dice) -> list[str]:
    """Order the tied by one die each, highest first; those that tie again roll again among themselves."""
    if len(tied) < 2:
        return list(tied)
    rolled = dict(zip(tied, dice.roll(len(tied), "place in the cycle"), strict=True))
    ordered: list[str] = []
    for face in sorted(set(rolled.values()), reverse=True):
        ordered.extend(_by_die([stable for stable in tied if rolled[stable] == face], dice))
    return ordered


@dataclass(frozen=True)
class Record:
    """The running totals of one stable, pilot or pilotless unit; sold and dead ones stay eligible (Q-164)."""

    name: str
    reputation: int
    kills: int


def leaders(records: Iterable[Record]) -> tuple[str, ...]:
    """Return the names with the most reputation and then the most kills: one, or several when they are tied.

    Empty without records (R-CYC-08, R-CYC-09).
    """
    listed = sorted(records, key=lambda record: record.name)
    best = max(((record.reputation, record.kills) for record in listed), default=None)
    return tuple(record.name for record in listed if (record.reputation, record.kills) == best)


def standings_order(records: Iterable[Record]) -> list[Record]:
    """Return the records as a table shows them: reputation, then kills, then name."""
    return sorted(records, key=lambda record: (-record.reputation, -record.kills, record.name))


@dataclass(frozen=True)
class Standing:
    """A line of the standings. Lines that are equal in reputation and kills share a rank, from 1.

    `decided_by` is "kills" when only kills separate its rank from the next better one, otherwise None.
    """

    name: str
    rank: int
    is_shared: bool
    decided_by: str | None


def ranked(records: Iterable[Record]) -> list[Standing]:
    """Return the standings in their order (R-CYC-08, R-CYC-09)."""
    order = standings_order(records)
    counts = Counter((record.reputation, record.kills) for record in order)
    standings: list[Standing] = []
    for position, record in enumerate(order, 1):
        above = order[position - 2] if position > 1 else None
        rank, decided_by = position, None
        if above is not None and above.reputation == record.reputation:
            if above.kills == record.kills:
                rank, decided_by = standings[-1].rank, standings[-1].decided_by
            else:
                decided_by = "kills"
        is_shared = counts[record.reputation, record.kills] > 1
        standings.append(Standing(record.name, rank, is_shared, decided_by))
    return standings


def rank_changes(before: Iterable[Record], now: Iterable[Record]) -> dict[str, int]:
    """Return by how many ranks each name has risen (negative: fallen). New names have no entry."""
    old = {standing.name: standing.rank for standing in ranked(before)}
    return {standing.name: old[standing.name] - standing.rank for standing in ranked(now) if standing.name in old}
