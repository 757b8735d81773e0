"""Matches in which advice is asked for, and the reasons that it has for an action."""

from __future__ import annotations

import random
from typing import Any

from rules.bots.advice.explaining import explain
from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup
from tests.rules.board import Dropped, duel, placed, unit
from tests.rules.dealing import dealt

FORMATS = ("standard", "team", "weapons_dead", "tag_team", "capture_the_flag", "grand_melee")
SHOWS = {"primary": 0, "secondary": 0, "speed": 0}
SHOT = {"order": "ranged", "value": "primary", "targets": ["b"]}
BOTH = {"order": "ranged", "value": "primary", "targets": ["b", "c"]}
ARTEMIS = unit("a", clicks=8, click={"primary": 2, "equipment": {"primary": "artemis_v_fire_control_system"}})


def at_combat(**changes: Any) -> Match:
    """Two plain units that look at each other over four hexes, red's `a` to give its combat order."""
    return Dropped(duel(**changes), 1).match


def reasons(match: Match, action: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The reasons of an action by their codes."""
    choice = match.read({"unit": "a", **action})[0]
    return {reason.code: dict(reason.parameters) for reason in explain(match, choice)}


def at_move(**changes: Any) -> Match:
    """The same two, `a` to give its move order."""
    return at_combat(start={"round": 1, "phase": "move", "order": ["a", "b"]}, **changes)


def attacked(**changes: Any) -> Match:
    """Red has fired at blue's `b`, which is asked for its reaction."""
    match = at_combat(**changes)
    match.play({"unit": "a", **SHOT})
    assert match.decision is not None
    assert match.decision.kind == "react"
    return match


def answers(match: Match, word: str) -> dict[str, dict[str, Any]]:
    """The reasons of a reaction by their codes."""
    choice = match.read({"unit": "b", "react": word})[0]
    return {reason.code: dict(reason.parameters) for reason in explain(match, choice)}


def played(format_key: str, seed: int) -> Match:
    """A match of the format from the catalogue at its beginning, "cards" with gear and hands."""
    if format_key == "cards":
        return Match.start(dealt(seed), SeededDice(seed))
    count = 4 if format_key == "grand_melee" else 2
    return Match.start(random_setup(load_builtin(), random.Random(seed), format_key, count), SeededDice(seed))


def wounded(left: int, **keys: Any) -> dict[str, Any]:
    """Blue's unit of eight clicks, of which so many are left."""
    return {"unit": unit("b", clicks=8), "clicks": 8 - left, **keys}


def divided(*left: int) -> Match:
    """Red fires 3 damage at two units at once, which have so many clicks left."""
    two = {"type": "ballistic", "targets": 2, "range": [0, 8]}
    document = duel(red={"unit": unit("a", primary=two)}, format="team")
    document["units"][1].update(wounded(left[0]))
    document["units"].append(placed("c", "blue", "0706", 6, unit("c", clicks=8), clicks=8 - left[1]))
    document["start"]["order"] = ["a", "b", "c"]
    return Dropped(document, 1).match


def hot(effects: dict[str, str], **step: int) -> dict[str, Any]:
    """A unit whose second heat step shows something."""
    plain = {**SHOWS, "effects": {}}
    return unit("a", heat=[plain, {**SHOWS, **step, "effects": effects}, plain])
