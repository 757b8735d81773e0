"""Who met whom, and how strong a stable's opponents were: statistics of the house that decide no place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

from rules.campaign.results.corrections import Document, stables_of


@dataclass(frozen=True)
class HeadToHead:
    """What one stable did against another: matches, those won, those that the other won, and the reputation banked."""

    matches: int = 0
    wins: int = 0
    losses: int = 0
    reputation: int = 0

    def plus(self, other: HeadToHead) -> HeadToHead:
        """Return what both say together."""
        return HeadToHead(
            self.matches + other.matches,
            self.wins + other.wins,
            self.losses + other.losses,
            self.reputation + other.reputation,
        )


NEVER_MET = HeadToHead()


def meetings_in(document: Document) -> Iterator[tuple[int, int, HeadToHead]]:
    """Yield each pair of stables that met on different sides of a match, in both orders, and what the first one did.

    Stables have their numbers. A forfeit is a match; a voided result is none. Among three sides or more only the winner
    beats the others, and the reputation that a stable banks counts in full against each opponent.
    """
    # Old results lack "played": all of them were.
    shown = {number: facts for number, facts in stables_of(document).items() if facts.get("played", True)}
    for number, own in shown.items():
        for rival, other in shown.items():
            if own["side"] != other["side"]:
                yield number, rival, HeadToHead(1, int(bool(own["won"])), int(bool(other["won"])), int(own["banked"]))


def head_to_head(documents: Iterable[Document]) -> dict[tuple[int, int], HeadToHead]:
    """Return what each stable did against each that it met, by (its number, the other's), from valid results."""
    found: dict[tuple[int, int], HeadToHead] = {}
    for document in documents:
        for own, other, met in meetings_in(document):
            found[own, other] = found.get((own, other), NEVER_MET).plus(met)
    return found


def strengths_of_schedule(documents: Iterable[Document]) -> dict[int, Decimal]:
    """Return how often the opponents of each stable won otherwise, in percent with one decimal, by its number.

    For each match against an opponent it takes the share of wins in all other matches of that opponent: those against
    the stable itself do not count. Opponents without another match are left out, and so is a stable without any other.
    """
    listed = list(documents)
    played: dict[int, list[bool]] = {}
    for document in listed:
        for number, facts in stables_of(document).items():
            if facts.get("played", True):
                played.setdefault(number, []).append(bool(facts["won"]))
    shares: dict[int, list[Fraction]] = {}
    met = head_to_head(listed)
    for (own, other), meeting in met.items():
        wins = sum(played[other]) - meeting.losses
        matches = len(played[other]) - meeting.matches
        if matches:
            shares.setdefault(own, []).extend([Fraction(wins, matches)] * meeting.matches)
    return {number: _percent(sum(found, Fraction(0)) / len(found)) for number, found in sorted(shares.items())}


def _percent(share: Fraction) -> Decimal:
    percent = share * 100
    return (Decimal(percent.numerator) / percent.denominator).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
