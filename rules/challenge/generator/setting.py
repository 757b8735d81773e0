"""The setup of an evening at random, in the form of docs/scenarios.md."""

from __future__ import annotations

from random import Random
from typing import Any

from rules.challenge.mech_list import house_list
from rules.challenge.scenario.form import read_event
from rules.challenge.state import Event
from rules.challenge.switches import OPTIONS, TRUTHS, WORDS

LONG_EVENING = 40
"""Turns from which an evening has the printed least of turns before an exit; a shorter one has fewer."""
TURNS_TO_AN_EXIT = 6
TURNED = 0.15
"""The chance that a switch differs from its ruling, in the events that turn any."""
LIMITS = (4_000_000, 6_000_000, 12_000_000)
"""The greatest book costs of which an event may have one, C-bills."""


def setup(seed: int, turns: int) -> dict[str, Any]:
    """Return the `event` of a setup for an evening of so many turns.

    An even seed plays every optional rule by the default rulings. An odd one chooses rules and switches.
    """
    chance = Random(f"setup {seed}")
    document: dict[str, Any] = {
        "options": list(OPTIONS),
        "minimum_turns": TURNS_TO_AN_EXIT if turns >= LONG_EVENING else max(1, turns // 8),
        "early_leaving": {"fame": 1, "cp": 2, "c_bills": 100_000},
    }
    if seed % 2:
        document["options"] = [option for option in OPTIONS if chance.random() < 0.6]
        document["switches"] = _switches(chance)
        if chance.random() < 0.5:
            del document["early_leaving"]
    if chance.random() < 0.5:
        document["most_value"] = chance.choice(LIMITS)
    return document


def _switches(chance: Random) -> dict[str, Any]:
    """Return some switches as a GM may turn them."""
    turned: dict[str, Any] = {name: chance.random() < 0.5 for name in TRUTHS if chance.random() < TURNED}
    turned |= {name: chance.choice(words) for name, words in WORDS.items() if chance.random() < TURNED}
    return turned | {"assist_weight": chance.choice((0, 0.5, 1)), "max_abilities": chance.choice((5, 6, 7))}


def event_of(document: dict[str, Any]) -> Event:
    """Return the event of a setup, with the house list and before any entry."""
    event = read_event({"game": "challenge", "event": document})
    event.models = dict(house_list())
    return event
