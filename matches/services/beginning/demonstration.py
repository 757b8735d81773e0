"""A duel from the built-in catalogue, for pictures and for people who try things out. No database."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

from rules import bots
from rules.bots.guard import Guard
from rules.catalogue import Catalogue, load_builtin
from rules.competition.match import Match
from rules.competition.setups import read_setup
from rules.core.codec import SCHEMA_VERSION
from rules.core.dice import SeededDice

POOL_RP = 30


def demonstration_setup(unit_class: str = "heavy", arena: str | None = None) -> dict[str, Any]:
    """Return a setup of the first two units of a class, without pilots, in the arena with this key or the first one.

    Raises KeyError for an unknown arena, and ValueError for a class with fewer than two units.
    """
    catalogue = load_builtin()
    duellists = [unit for unit in catalogue.units.values() if unit["class"] == unit_class][:2]
    tokens = token_set(catalogue)
    return {
        "schema": SCHEMA_VERSION,
        "format": "standard",
        "arena": catalogue.arenas[arena] if arena else next(iter(catalogue.arenas.values())),
        "house_rules": {},
        "sides": [
            {
                "id": side,
                "units": [{"id": f"{side}-1", "unit": unit, "pilot": None, "gear": [], "clicks": 0}],
                "tokens": tokens,
            }
            for side, unit in zip(("red", "blue"), duellists, strict=True)
        ],
    }


def token_set(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Return the first three target tokens of a catalogue that are worth POOL_RP together."""
    return next(
        list(chosen)
        for chosen in combinations(catalogue.target_tokens.values(), 3)
        if sum(token["rp"] for token in chosen) == POOL_RP
    )


def played_to(setup: dict[str, Any], seed: int, round_number: int) -> Match:
    """Return the match between two greedy bots, in the first combat phase from `round_number` on or at its end."""
    match = Match.start(read_setup(setup), SeededDice(seed))
    guard, bot, rng = Guard(match), bots.get("greedy"), random.Random(seed)
    while match.decision is not None:
        snapshot = match.snapshot()
        if snapshot["round"] >= round_number and snapshot["phase"] == "combat":
            break
        guard.play(guard.ask(bot, rng))
    return match
