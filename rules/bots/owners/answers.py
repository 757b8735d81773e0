"""Checks of the answers of owners made of code, and the line-up for an owner that gives none.

Each `read_` function reads one kind of answer and raises ValueError for a wrong one (`read_line_up` also KeyError),
before anything is done with it. The market or the garage may still refuse an answer that passed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from rules.bots.owners.garage import Mounting
from rules.bots.owners.line_ups import LineUpChoice
from rules.bots.owners.shopping import Purchase
from rules.bots.owners.wares import Definition, Means
from rules.campaign.line_ups.checks import (
    MatchTerms,
    OwnedCard,
    OwnedPilot,
    OwnedUnit,
    best_team,
    check_hand,
    check_size,
    check_team,
    crews,
)
from rules.campaign.line_ups.tokens import TokenChoices
from rules.campaign.market.prices import BuyerState, barriers, price_of

LONGEST = 1000
"""The most items of an answer that callers read, because an answer may be endless."""


def read_keys(answer: Iterable[Any], known: Collection[str]) -> list[str]:
    """Return the keys of an answer. Raises ValueError for a key that is not in `known` or that comes twice."""
    keys = list(answer)
    if not all(isinstance(key, str) and key in known for key in keys) or len(set(keys)) < len(keys):
        raise ValueError(f"not the stable's own: {keys!r:.200}")
    return keys


def read_mountings(answer: Iterable[Any], means: Means) -> list[Mounting]:
    """Return the mountings of an answer. Raises ValueError unless each puts own gear on an own unit."""
    found = list(answer)
    gear, units = {card.key for card in means.gear}, {unit.key for unit in means.units}
    for mounting in found:
        if not isinstance(mounting, Mounting) or mounting.gear not in gear or mounting.unit not in units:
            raise ValueError(f"no gear on a unit: {mounting!r:.200}")
    return found


def read_basket(
    answer: Iterable[Any], listed: Mapping[tuple[str, str], Definition], means: Means, dials: str
) -> list[Purchase]:
    """Return the purchases of an answer, which may be bought in this order and can be paid.

    `listed` are the market's definitions by kind and key, `dials` is the season's setting. Raises ValueError.
    """
    found, left, owned = list(answer), means.capital, means.owned_ids
    for line in found:
        if not isinstance(line, Purchase) or (line.kind, line.key) not in listed:
            raise ValueError(f"no purchase: {line!r:.200}")
        entry = listed[line.kind, line.key]
        for problem in barriers(line.kind, entry, BuyerState(left, 0, owned, means.barred), dials):
            raise ValueError(f"{problem.code}: {line!r:.200}")
        left -= price_of(line.kind, entry)
        owned.add(line.key)
    if left < 0:
        raise ValueError(f"{-left} Stones more than there are")
    return found


def read_line_up(
    answer: object,
    units: Sequence[OwnedUnit],
    pilots: Sequence[OwnedPilot],
    cards: Sequence[OwnedCard],
    triples: TokenChoices,
    terms: MatchTerms,
) -> LineUpChoice | None:
    """Return the line-up of an answer, which the match takes; None only if no crew can be fielded.

    Raises ValueError, also for None when a crew could be fielded, and KeyError for crews and cards that do not exist.
    """
    choices = crews(units, pilots, terms)
    if answer is None:
        if best_team(choices, terms.size, terms):
            raise ValueError("nobody is fielded, though somebody could be")
        return None
    if not isinstance(answer, LineUpChoice):
        raise ValueError(f"no line-up: {answer!r:.200}")
    legal = {(crew.unit, crew.pilot, crew.gear): crew for crew in choices}
    team = tuple(legal[crew.unit, crew.pilot, crew.gear] for crew in answer.crews)
    owned = {card.key: card for card in cards}
    hands = [[owned[key] for key in hand] for hand in answer.hands]
    problems = [
        *check_team(team, terms),
        *check_size(len(team), choices, terms.size, terms),
        *check_hand(hands, "the stable"),
    ]
    if problems:
        raise ValueError(problems[0].code)
    for ids in ([crew.unit for crew in team], [crew.pilot for crew in team if crew.pilot is not None]):
        if len(set(ids)) < len(ids):
            raise ValueError("one and the same twice")
    if len(hands) != len(team) or (any(hands) and not terms.takes_hands):
        raise ValueError("hands that nobody brings")
    brought = tuple(answer.tokens)
    if brought not in triples if triples else brought:
        raise ValueError(f"no choice of tokens: {brought!r:.200}")
    return LineUpChoice(team, tuple(tuple(hand) for hand in answer.hands), brought)


def first_line_up(
    units: Iterable[OwnedUnit],
    pilots: Iterable[OwnedPilot],
    triples: TokenChoices,
    terms: MatchTerms,
) -> LineUpChoice | None:
    """Return the first legal line-up, without rally cards, with the first choice of tokens; None if there is none."""
    team = best_team(crews(units, pilots, terms), terms.size, terms)
    if not team:
        return None
    return LineUpChoice(team, tuple(() for _ in team), triples[0] if triples else ())
