"""Duels that begin at once: a fight against the AI, a fight against a friend who opens a link, and the tutorial.

The two ’Mechs are light, of about the same points, without pilots and cards. They begin close to each other in one
arena, so that the first order is a shot. The dice are secret as in every match; only which of them begin the match is
chosen, before anybody has seen them.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from matches.models import Match
from matches.services.answering import Desk, Seat, answer_alone
from matches.services.beginning.demonstration import token_set
from matches.services.beginning.friendly import FRIENDLY_MATCHES, NEAR, SIDES
from matches.services.matches import create_match
from people.models import User
from people.services.accounts import count_attempt
from rules.bots.preset_answers import ROUTINE
from rules.catalogue import load_builtin
from rules.competition.match import Match as EngineMatch
from rules.competition.setups import read_setup
from rules.core.codec import SCHEMA_VERSION
from rules.core.dice import SEED, SeededDice

ARENA = "plaza"
STARTS = {"A": ["0506", "0711"], "B": ["0504", "0712"]}
"""Where the ’Mechs begin: five hexes apart in the middle of the arena, whose own marks are at its edges."""

UNIT_CLASS = "light"
RIVAL = "greedy"
"""The AI of a quick duel: the usual one, which answers at once. Nobody without an account meets a stronger one."""

PLACING = frozenset({"start", "token", "initiative", "special"})
"""What the AI decides for the person before their first move: places, and who begins."""
OPENING = PLACING | {"move", "free_spin"}
"""What it decides before their first order, with that move."""

MOST_DRAWS = 60
"""How many beginnings are tried for one as it should be; about every third of all is."""


def fight(user: User) -> Match:
    """Begin a duel of `user` against the AI and return it: their first decision is an order, a shot at it among them.

    The AI has placed both ’Mechs and made the first move of each, and nobody has attacked. Raises TooOften (too_often).
    """
    count_attempt(FRIENDLY_MATCHES, str(user.pk))
    return _begin(user, OPENING, may_shoot, duel_setup)


def teach(user: User) -> Match:
    """Begin the tutorial match of `user` and return it: the ’Mechs are placed, and their first decision is a move.

    They play the ’Mech of most points, the AI that of fewest. Raises TooOften (too_often).
    """
    count_attempt(FRIENDLY_MATCHES, str(user.pk))
    match = _begin(user, PLACING, may_move, lesson_setup)
    Match.objects.filter(pk=match.pk).update(is_tutorial=True)
    return match


def stop_teaching(match: Match) -> None:
    """Let the page of a match point out nothing more. The match goes on. Safe to repeat."""
    Match.objects.filter(pk=match.pk).update(is_tutorial=False)


def fight_a_friend(user: User) -> Match:
    """Begin a duel of `user` against the person who takes the free seat, and return it. Both place and move themselves.

    Raises TooOften (too_often).
    """
    count_attempt(FRIENDLY_MATCHES, str(user.pk))
    setup = duel_setup(random.SystemRandom())
    return create_match(setup, secrets.token_bytes(SEED), None, [Seat(SIDES[0], user.pk), Seat(SIDES[1])])


def duel_setup(rng: random.Random) -> dict[str, Any]:
    """Return the setup of a quick duel: two ’Mechs of about the same points, in an arena whose starts are close."""
    pool = _light_units()
    own = rng.choice(pool)
    others = sorted((unit for unit in pool if unit is not own), key=lambda unit: abs(unit["points"] - own["points"]))
    return _setup_of(own, rng.choice(others[:NEAR]))


def lesson_setup(rng: random.Random) -> dict[str, Any]:
    """Return the setup of the tutorial: the light ’Mech of most points against that of fewest; nothing is by chance."""
    pool = sorted(_light_units(), key=lambda unit: int(unit["points"]))
    return _setup_of(pool[-1], pool[0])


def _light_units() -> list[Any]:
    return [unit for unit in load_builtin().units.values() if unit["class"] == UNIT_CLASS]


def _setup_of(*units: Any) -> dict[str, Any]:
    catalogue = load_builtin()
    tokens = token_set(catalogue)
    return {
        "schema": SCHEMA_VERSION,
        "format": "standard",
        "arena": {**catalogue.arenas[ARENA], "starts": STARTS},
        "house_rules": {},
        "sides": [
            {
                "id": side,
                "units": [{"id": f"{side}-1", "unit": unit, "pilot": None, "gear": [], "clicks": 0}],
                "tokens": tokens,
            }
            for side, unit in zip(SIDES[:2], units, strict=True)
        ],
    }


def may_shoot(engine: EngineMatch) -> bool:
    """Return whether the first side gives its first order now, may fire at the other ’Mech, and nobody has attacked."""
    decision = engine.decision
    if decision is None or decision.kind != "combat" or decision.side != SIDES[0] or engine.table.position.round != 1:
        return False
    has_fought = any(event["event"] == "attack_resolved" for batch in engine.events for event in batch)
    units = engine.table.roster.unit_of
    shots = (action for action in engine.legal_actions() if action["order"] == "ranged")
    return not has_fought and any(target in units for shot in shots for target in shot["targets"])


def may_move(engine: EngineMatch) -> bool:
    """Return whether the first side decides its first move now, before the other side moves."""
    decision = engine.decision
    return decision is not None and decision.kind == "move" and decision.side == SIDES[0]


def _begin(
    user: User,
    answered: frozenset[str],
    is_good: Callable[[EngineMatch], bool],
    setup_of: Callable[[random.Random], dict[str, Any]],
) -> Match:
    """Begin a duel in which the AI decides for the person what is `answered`, until something else is asked.

    ’Mechs and seeds are drawn until the beginning `is_good`, MOST_DRAWS at most.
    """
    seats = [Seat(SIDES[0], user.pk, standing=ROUTINE), Seat(SIDES[1], bot=RIVAL)]

    def is_opening(engine: EngineMatch) -> bool:
        decision = engine.decision
        return decision is not None and decision.kind in answered and engine.table.position.round <= 1

    key = uuid4()
    desk = Desk(str(key), {seat.side: seat for seat in seats}, {f"{SIDES[0]}-1": ROUTINE}, is_opening=is_opening)
    for _ in range(MOST_DRAWS):
        setup, seed = setup_of(random.SystemRandom()), secrets.token_bytes(SEED)
        engine = EngineMatch.start(read_setup(setup), SeededDice(seed))
        answer_alone(engine, seed, desk)
        if is_good(engine):
            break
    return create_match(setup, seed, None, seats, public_id=key, is_opening=is_opening)
