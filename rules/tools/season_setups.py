"""Matches like those of seasons, drawn from a catalogue: units of one class within its build total, with pilots and
gear, rally hands, and damage from the match before. The same state of `rng` gives the same match.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from rules.campaign.classes import WEIGHT_CLASSES, units_a_side
from rules.catalogue import Catalogue
from rules.competition.formats import format_of
from rules.competition.setups import read_setup
from rules.competition.state.setup import MatchSetup
from rules.measuring.self_play import SIDES, TokenTrios, random_ground
from rules.solaris.building import Combatant, build_problems, class_of, unique_problems
from rules.solaris.house_rules import HouseRules

SIDES_OF_A_MELEE = (4, 8)
"""The least and most sides of a grand melee. All stables of a season meet in it; the book speaks of four to eight."""

HAS_PILOT = 0.8
"""How often a unit is given a pilot, if one fits."""

HAS_GEAR = 0.5
"""How often a unit is given gear, if some fits; each unit has two such chances."""

IS_DAMAGED = 0.3
"""How often a unit has unrepaired damage (R-BLD-19), at most a third of its dial."""

MOST_CARDS_BROUGHT = 3
"""The most rally cards that a unit brings. Five would be allowed (R-RAL-01), but a stable has to buy them."""


def season_setup(catalogue: Catalogue, rng: random.Random, format_key: str) -> MatchSetup:
    """Return a match of a season in a format, with legal line-ups; class, arena, sides and tokens are random."""
    weight_class = rng.choice(WEIGHT_CLASSES)
    count = rng.randint(*SIDES_OF_A_MELEE) if format_key == "grand_melee" else len(SIDES)
    names = SIDES if count == len(SIDES) else tuple(f"side{number + 1}" for number in range(count))
    trios = TokenTrios(catalogue) if format_of(format_key).has_tokens else [[]]
    sides = [
        {
            "id": name,
            "units": _units(catalogue, rng, weight_class, name, units_a_side(format_key)),
            "tokens": rng.choice(trios),
        }
        for name in names
    ]
    ground = random_ground(catalogue, rng, count)
    return read_setup({"format": format_key, "arena": ground, "sides": sides})


def _units(catalogue: Catalogue, rng: random.Random, weight_class: str, side: str, count: int) -> list[dict[str, Any]]:
    """Return the units that a stable fields, no Unique twice; their hands together have no card twice (R-RAL-02)."""
    team: list[Combatant] = []
    while len(team) < count:
        combatant = _combatant(catalogue, rng, weight_class)
        if not unique_problems([*team, combatant]):
            team.append(combatant)
    cards = list(catalogue.rally_cards.values())
    rng.shuffle(cards)
    units = []
    for number, (unit, pilot, gear) in enumerate(team, 1):
        brought = rng.randint(0, MOST_CARDS_BROUGHT)
        hand, cards = cards[:brought], cards[brought:]
        clicks = rng.randint(1, max(1, len(unit["dial"]) // 3)) if rng.random() < IS_DAMAGED else 0
        key = side if count == 1 else f"{side}-{number}"
        units.append({"id": key, "unit": unit, "pilot": pilot, "gear": list(gear), "hand": hand, "clicks": clicks})
    return units


def _combatant(catalogue: Catalogue, rng: random.Random, weight_class: str) -> Combatant:
    """Return a random unit of the class with random cards that it may have."""
    units = [unit for unit in catalogue.units.values() if class_of(unit) == weight_class]
    found = Combatant(rng.choice(units))
    if rng.random() < HAS_PILOT:
        pilots = [found._replace(pilot=pilot) for pilot in catalogue.pilots.values()]
        found = _any_legal(pilots, rng, weight_class) or found
    for _ in range(2):
        if rng.random() < HAS_GEAR:
            more = [found._replace(gear=[*found.gear, card]) for card in _gear(catalogue)]
            found = _any_legal(more, rng, weight_class) or found
    return found


def _any_legal(combatants: Sequence[Combatant], rng: random.Random, weight_class: str) -> Combatant | None:
    """Return a random one of these that may be fielded (slots, requirements, build total); None if none may."""
    for one in rng.sample(combatants, len(combatants)):
        if not build_problems(one.unit, one.pilot, weight_class, HouseRules(), one.gear):
            return one
    return None


def _gear(catalogue: Catalogue) -> Iterator[dict[str, Any]]:
    """Yield all gear cards, two-sided ones once for each side that may be declared (R-GER-05)."""
    for card in catalogue.gear.values():
        if card["slot"] == "either":
            yield from ({**card, "side": side} for side in ("primary", "secondary"))
        else:
            yield dict(card)
