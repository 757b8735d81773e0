"""The line-up of a stable that hands in none: its saved one if that is legal, else the nearest legal one.

Q-153, Q-157; design.md section 6. Nearest is what changes least: first units are kept, then pilots, then who drives
what, then gear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.campaign.line_ups import Crew, MatchTerms, OwnedCard, owed_units, teams
from rules.core.cards import HAND_SIZE


@dataclass(frozen=True)
class WishedCrew:
    """A unit with its pilot and its hand, by keys on the stable's list.

    `gear` null: as much of what the garage put on it as the rules allow.
    """

    unit: str
    pilot: str | None
    gear: tuple[str, ...] | None = None
    hand: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wish:
    """What a stable would field: crews in order, and the ids of its target tokens."""

    crews: tuple[WishedCrew, ...] = ()
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True)
class StandIn:
    """A legal line-up: crews in order, the hand that each brings, and tokens; whether it is just what was wished."""

    crews: tuple[Crew, ...]
    hands: tuple[tuple[str, ...], ...]
    tokens: tuple[str, ...]
    is_as_wished: bool


def nearest(
    wish: Wish,
    choices: Sequence[Crew],
    terms: MatchTerms,
    cards: Sequence[OwnedCard],
    triples: Sequence[tuple[str, str, str]],
) -> StandIn | None:
    """Return the legal line-up that changes least of a wish; None when there is no legal one.

    `choices` are all crews that may be fielded (rules.campaign.line_ups.crews), best first, which decides between
    equals; `cards` the rally cards that the stable has; `triples` the legal choices of tokens.
    """
    full = [crew for crew in choices if not _has_more(crew, choices)]
    owed = owed_units(choices, terms.size, terms)
    best: tuple[tuple[int, ...], tuple[Crew, ...]] | None = None
    for size in range(terms.size, owed - 1, -1):
        for team in teams(choices, size, terms):
            changes = _changes(wish, team, full)
            if best is None or changes < best[0]:
                best = (changes, team)
    if best is None:
        return None
    changes, team = best
    ordered = _in_order(wish, team)
    hands, hand_is_kept = _hands(wish, ordered, cards, terms)
    tokens, tokens_are_kept = _tokens(wish, triples, terms)
    return StandIn(ordered, hands, tokens, not any(changes) and hand_is_kept and tokens_are_kept)


def _has_more(crew: Crew, choices: Sequence[Crew]) -> bool:
    """Whether the same unit and pilot may go with more gear."""
    return any(
        (other.unit, other.pilot) == (crew.unit, crew.pilot) and len(other.gear) > len(crew.gear) for other in choices
    )


def _changes(wish: Wish, team: Sequence[Crew], full: Sequence[Crew]) -> tuple[int, ...]:
    """How much of a wish a team changes: places filled or left, units, pilots, who drives what, gear."""
    by_unit = {crew.unit: crew for crew in team}
    pilots = {crew.pilot for crew in team}
    kept = [(wished, by_unit[wished.unit]) for wished in wish.crews if wished.unit in by_unit]
    as_is = {(crew.unit, crew.pilot, crew.gear) for crew in full}
    return (
        abs(len(wish.crews) - len(team)) if wish.crews else -len(team),
        len(wish.crews) - len(kept),
        sum(wished.pilot not in pilots for wished in wish.crews),
        sum(wished.pilot != crew.pilot for wished, crew in kept),
        sum(
            (crew.unit, crew.pilot, crew.gear) not in as_is if wished.gear is None else set(wished.gear) != {*crew.gear}
            for wished, crew in kept
        )
        + sum((crew.unit, crew.pilot, crew.gear) not in as_is for crew in team if not _is_wished(wish, crew)),
    )


def _is_wished(wish: Wish, crew: Crew) -> bool:
    return any(wished.unit == crew.unit for wished in wish.crews)


def _in_order(wish: Wish, team: Sequence[Crew]) -> tuple[Crew, ...]:
    """The crews in the wished order: the first one is asked first to start and to be active."""
    places = {wished.unit: place for place, wished in enumerate(wish.crews)}
    return tuple(sorted(team, key=lambda crew: places.get(crew.unit, len(places))))


def _hands(
    wish: Wish, team: Sequence[Crew], cards: Sequence[OwnedCard], terms: MatchTerms
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """The wished cards that the stable still has, each with its unit or with another; without a wish all it can hold.

    No two copies of a card, five a unit (R-RAL-01, R-RAL-02).
    """
    if not terms.takes_hands:
        return tuple(() for _ in team), True
    by_key = {card.key: str(card.definition["id"]) for card in cards}
    hands: list[list[str]] = [[] for _ in team]
    seen: set[str] = set()
    is_kept = True
    wanted: list[tuple[str | None, str]] = [(crew.unit, key) for crew in wish.crews for key in crew.hand]
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


def _tokens(wish: Wish, triples: Sequence[tuple[str, str, str]], terms: MatchTerms) -> tuple[tuple[str, ...], bool]:
    """The legal tokens that have most in common with the wished ones, the first among equals."""
    if not terms.takes_tokens or not triples:
        return (), True
    wished = set(wish.tokens)
    best = max(triples, key=lambda triple: len(wished & set(triple)))
    if set(best) == wished:
        return tuple(wish.tokens), True
    return best, False
