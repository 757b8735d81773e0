"""The line-up of an owner made of code: crews, rally cards and target tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.bots.budget import Budget
from rules.bots.owners.characters import Traits
from rules.campaign.line_ups.checks import Crew, MatchTerms, OwnedCard, OwnedPilot, OwnedUnit, best_team, crews_of
from rules.campaign.line_ups.tokens import TokenChoices
from rules.core.dice import Dice
from rules.core.table_units import clicks_of
from rules.solaris.cards import HAND_SIZE

NEEDS_A_TEAM = "last_unit"
"""The state, required by a rally card, that does not come up when a side has only one unit."""


@dataclass(frozen=True)
class LineUpChoice:
    """A stable's line-up: its crews, the keys of the rally cards that each brings, and the ids of its tokens.

    There are three tokens, or none when the match takes none.
    """

    crews: tuple[Crew, ...]
    hands: tuple[tuple[str, ...], ...]
    tokens: tuple[str, ...]


def choose_line_up(
    units: Iterable[OwnedUnit],
    pilots: Iterable[OwnedPilot],
    cards: Iterable[OwnedCard],
    tokens: Mapping[str, Mapping[str, Any]],
    triples: TokenChoices,
    terms: MatchTerms,
    traits: Traits,
    dice: Dice,
) -> LineUpChoice | None:
    """Return the crews that are worth most, with hands and tokens; None when no crew can be fielded.

    There are as many crews as the match takes, if so many can stand together. A crew is worth its points, less for
    damage by `traits.fear`. A unit that shows Salvage is fielded only if there is no other, which is the owner's choice
    and not its duty (Q-155). `triples` is empty when the match has no tokens. Raises Overran.
    """
    team = strongest_team(units, pilots, terms, traits)
    if not team:
        return None
    return LineUpChoice(team, choose_hands(cards, len(team), terms), choose_tokens(team, tokens, triples, traits, dice))


def strongest_team(
    units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], terms: MatchTerms, traits: Traits
) -> tuple[Crew, ...]:
    """Return the crews that an owner of these traits would field, as many as possible, at most what the match takes.

    Raises Overran.
    """
    return Strengths(list(pilots), terms, traits).team(units)


_Rank = tuple[tuple[bool, float, str, str, int], Crew]
"""A sort key with its crew."""


class Strengths:
    """The strongest crews of different sets of units with the same pilots; the crews of each unit are listed once.

    A unit is known by its key, its state, its damage and the keys of its gear. The crews count against a budget; beyond
    it every method raises Overran.
    """

    def __init__(self, pilots: Sequence[OwnedPilot], terms: MatchTerms, traits: Traits) -> None:
        self._pilots = pilots
        self._terms = terms
        self._traits = traits
        self._budget = Budget.of_an_owner()
        self._known: dict[tuple[str, str, int, bool, tuple[str, ...]], list[_Rank]] = {}

    def team(self, units: Iterable[OwnedUnit]) -> tuple[Crew, ...]:
        """Return the strongest crews of these units."""
        ranked = sorted((rank for unit in units for rank in self._of(unit)), key=lambda rank: rank[0])
        return best_team([crew for _, crew in ranked], self._terms.size, self._terms)

    def worth(self, units: Iterable[OwnedUnit]) -> float:
        """Return what the strongest crews of these units are worth together, in points."""
        unit_list = list(units)
        by_key = {unit.key: unit for unit in unit_list}
        return sum(worth_of(crew, by_key[crew.unit], self._traits) for crew in self.team(unit_list))

    def _of(self, unit: OwnedUnit) -> list[_Rank]:
        key = (unit.key, unit.state, unit.clicks, unit.sits_out, tuple(card.key for card in unit.gear))
        if key not in self._known:
            found = [
                (
                    (
                        not crew.by_duty,
                        -worth_of(crew, unit, self._traits),
                        crew.unit,
                        crew.pilot or "",
                        -crew.points,
                    ),
                    crew,
                )
                for crew in self._budget.each(crews_of(unit, self._pilots, self._terms))
            ]
            # In order, because sorted lists are joined much faster.
            self._known[key] = sorted(found, key=lambda rank: rank[0])
        return self._known[key]


def worth_of(crew: Crew, unit: OwnedUnit, traits: Traits) -> float:
    """Return the worth of a crew: its points, less for the damage of its unit by `traits.fear`."""
    return crew.points * (1 - traits.fear * unit.clicks / clicks_of(unit.definition))


def choose_hands(cards: Iterable[OwnedCard], units: int, terms: MatchTerms) -> tuple[tuple[str, ...], ...]:
    """Return a hand for each unit, as keys: useful cards, each once, in the order given, at most five a unit.

    The hands are empty when the match takes none. The rules are R-RAL-01 and R-RAL-02.
    """
    if not terms.takes_hands:
        return tuple(() for _ in range(units))
    useful: dict[str, str] = {}
    for card in cards:
        requires = card.definition.get("requires") or {}
        if units > 1 or requires.get("state") != NEEDS_A_TEAM:
            useful.setdefault(str(card.definition["id"]), card.key)
    keys = list(useful.values())
    return tuple(tuple(keys[HAND_SIZE * place : HAND_SIZE * (place + 1)]) for place in range(units))


BEST_TRIPLES = 12
"""The number of best choices from which tokens are drawn, so that nobody can guess them."""


def choose_tokens(
    team: Sequence[Crew],
    tokens: Mapping[str, Mapping[str, Any]],
    triples: TokenChoices,
    traits: Traits,
    dice: Dice,
) -> tuple[str, ...]:
    """Draw one of the choices of tokens that suit the team's weapons best.

    Owners prefer easy tokens, or with `traits.eager_tokens` those that are worth most. Return () without `triples`.
    """
    if not triples:
        return ()
    types = {
        crew.combatant.unit[value]["type"]
        for crew in team
        if crew.combatant is not None
        for value in ("primary", "secondary")
        if crew.combatant.unit.get(value)
    }

    def worth(key: str) -> int:
        token = tokens[key]
        reputation = int(token["rp"]) if token["method"] in types else int(token["else_rp"])
        return 3 * reputation if traits.eager_tokens else 2 * reputation - 3 * int(token["defense"])

    best = triples.best({key: worth(key) for key in tokens}, BEST_TRIPLES)
    return best[dice.draw(len(best), "tokens")]
