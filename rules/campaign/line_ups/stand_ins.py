"""The line-up of a stable that hands in none: its saved one if that is legal, else the nearest legal one.

The nearest line-up changes least: units are kept first, then pilots, then who drives what, then gear (Q-153,
Q-157).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, groupby
from typing import NamedTuple

from rules.campaign.line_ups.checks import Choices, Crew, MatchTerms, OwnedCard, owed_units
from rules.campaign.line_ups.tokens import TokenChoices
from rules.solaris.cards import HAND_SIZE


@dataclass(frozen=True)
class WishedCrew:
    """A unit with its pilot and its hand, by keys on the stable's list.

    `pilot` None asks for none, `gear` None for as much of the gear on the unit as the rules allow.
    """

    unit: str
    pilot: str | None
    gear: tuple[str, ...] | None = None
    hand: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wish:
    """What a stable would like to field: crews in order, and the ids of its target tokens."""

    crews: tuple[WishedCrew, ...] = ()
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True)
class StandIn:
    """A legal line-up: crews in order, the hand of each, tokens, and whether all of it is as wished.

    Crews without a hand have an empty one. `tokens` is empty when the match takes none or no choice is legal.
    """

    crews: tuple[Crew, ...]
    hands: tuple[tuple[str, ...], ...]
    tokens: tuple[str, ...]
    is_as_wished: bool


def nearest(
    wish: Wish,
    choices: Sequence[Crew],
    terms: MatchTerms,
    cards: Sequence[OwnedCard],
    triples: TokenChoices,
) -> StandIn | None:
    """Return the legal line-up that changes a wish least; None when there is no legal one.

    `choices` are all crews that may be fielded (rules.campaign.line_ups.checks.crews), best first. When several
    line-ups change the wish equally little, the first in that order counts. `cards` are the stable's rally cards,
    `triples` the legal choices of tokens.
    """
    listed = Choices(choices, terms)
    places: dict[_Part, list[int]] = {}
    for place, part in enumerate(_parts(wish, choices)):
        places.setdefault(part, []).append(place)
    groups = {part: listed.some(found) for part, found in places.items()}
    best: tuple[_Changes, tuple[int, ...]] | None = None
    for size in range(terms.size, owed_units(choices, terms.size, terms) - 1, -1):
        teams = [(_changes(wish, parts), parts) for parts in combinations_with_replacement(groups, size)]
        teams.sort(key=lambda team: team[0])
        for changes, alike in groupby(teams, key=lambda team: team[0]):
            if best is not None and changes >= best[0]:
                break
            found = [listed.first_team(*(groups[part] for part in parts)) for _, parts in alike]
            if legal := [team for team in found if team is not None]:
                best = changes, min(legal)
                break
    if best is None:
        return None
    changes, team = best[0], tuple(choices[place] for place in best[1])
    ordered = _in_order(wish, team)
    hands, hand_is_kept = _hands(wish, ordered, cards, terms)
    tokens, tokens_are_kept = _tokens(wish, triples, terms)
    return StandIn(ordered, hands, tokens, not any(changes) and hand_is_kept and tokens_are_kept)


class _Part(NamedTuple):
    """How a crew relates to a wish; crews with equal parts are interchangeable.

    `kept` counts the wished crews with its unit. `piloted` holds the places of the wished crews with its pilot. `moved`
    counts the kept ones that get another pilot, `geared` those that get other gear. An unwished unit that leaves gear
    behind counts in `geared` too.
    """

    kept: int
    piloted: frozenset[int]
    moved: int
    geared: int


def _parts(wish: Wish, choices: Sequence[Crew]) -> Iterator[_Part]:
    most: dict[tuple[str, str | None], int] = {}
    for crew in choices:
        most[crew.unit, crew.pilot] = max(len(crew.gear), most.get((crew.unit, crew.pilot), 0))
    for crew in choices:
        kept = [wished for wished in wish.crews if wished.unit == crew.unit]
        leaves_gear = len(crew.gear) < most[crew.unit, crew.pilot]
        yield _Part(
            len(kept),
            frozenset(place for place, wished in enumerate(wish.crews) if wished.pilot == crew.pilot),
            sum(wished.pilot != crew.pilot for wished in kept),
            sum(leaves_gear if wished.gear is None else {*wished.gear} != {*crew.gear} for wished in kept)
            + (leaves_gear and not kept),
        )


_Changes = tuple[int, int, int, int, int]


def _changes(wish: Wish, team: Sequence[_Part]) -> _Changes:
    """Return how much a team changes a wish, weightiest first: size, units, pilots, who drives what, gear."""
    wished = len(wish.crews)
    return (
        abs(wished - len(team)) if wished else -len(team),
        wished - sum(part.kept for part in team),
        wished - len(frozenset[int]().union(*(part.piloted for part in team))),
        sum(part.moved for part in team),
        sum(part.geared for part in team),
    )


def _in_order(wish: Wish, team: Sequence[Crew]) -> tuple[Crew, ...]:
    """Return the crews in the wished order, unwished ones last. The match asks the first one first to start."""
    places = {wished.unit: place for place, wished in enumerate(wish.crews)}
    return tuple(sorted(team, key=lambda crew: places.get(crew.unit, len(places))))


def _hands(
    wish: Wish, team: Sequence[Crew], cards: Sequence[OwnedCard], terms: MatchTerms
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Return the hand of each crew, and whether all wanted cards found a place.

    Wished cards that the stable still has stay with their unit, or go to another when it is missing or full. Without
    wished crews the hands take all cards they can. No card comes twice, and a unit holds five at most (R-RAL-01,
    R-RAL-02). When no cards are played, the hands are empty.
    """
    if not terms.takes_hands:
        return tuple(() for _ in team), True
    by_key = {card.key: str(card.definition["id"]) for card in cards}
    hands: list[list[str]] = [[] for _ in team]
    seen: set[str] = set()
    is_kept = True
    fielded = {crew.unit for crew in team}
    wanted: list[tuple[str | None, str]] = [(crew.unit, key) for crew in wish.crews for key in crew.hand]
    # Cards of missing units come last, so that they take no place from those that stay with their unit.
    wanted.sort(key=lambda each: each[0] not in fielded)
    if not wish.crews:
        wanted = [(None, card.key) for card in cards]
    for unit, key in wanted:
        if key not in by_key or by_key[key] in seen:
            is_kept = False
            continue
        places = [place for place, crew in enumerate(team) if crew.unit == unit] + list(range(len(team)))
        place = next((place for place in places if len(hands[place]) < HAND_SIZE), None)
        if place is None:
            is_kept = False
            continue
        hands[place].append(key)
        seen.add(by_key[key])
    return tuple(map(tuple, hands)), is_kept


def _tokens(wish: Wish, triples: TokenChoices, terms: MatchTerms) -> tuple[tuple[str, ...], bool]:
    """Return the legal tokens nearest to the wished ones, the first among equals, and whether they are as wished.

    There are none when the match takes no tokens or no choice is legal; that counts as wished.
    """
    if not terms.takes_tokens or not triples:
        return (), True
    best = triples.nearest_to(wish.tokens)
    if set(best) == set(wish.tokens):
        return tuple(wish.tokens), True
    return best, False
