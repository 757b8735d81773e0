"""Positions in which one answer is plainly right, what bots answer there, and whole matches between bots that think."""

import random
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

from rules import bots
from rules.bots.base import Bot
from rules.bots.tactical import TacticalBot
from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.competition.state.setup import MatchSetup
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup
from tests.rules.board import Dropped, Json, duel

THINKERS = ("tactical", "quick", "strong")
THOROUGH = ("tactical", "strong")
"""Those that look far enough to find what succeeds once in ten times."""

FINAL = 3
"""The only round of a `showdown`."""


def showdown(phase: str, **keys: Any) -> Json:
    """A scenario in its last round: what does not decide the match now is worth nothing. Units a and b, a first.

    Where nothing happens the side of less points wins (R-END-09).
    """
    start = {"round": FINAL, "phase": phase, "order": ["a", "b"]}
    return duel(start=start, house_rules={"time_limit_rounds": FINAL}, **keys)


def asked(document: Json, unit: str, kind: str, *before: Json) -> Match:
    """A scenario played with these actions, then by default until the unit is asked for a decision of this kind."""
    match = Dropped(document, 1).match
    for action in before:
        match.play(action)
    while match.decision is not None and (match.decision.kind, match.decision.unit) != (kind, unit):
        match.play(match.default_action())
    assert match.decision is not None, f"{unit} is never asked for {kind}"
    return match


def answer_of(name: str, match: Match, seed: int = 1) -> Json:
    """What a bot does at the open decision of its side."""
    return bots.get(name).choose(match, random.Random(seed))


def played_on(name: str, match: Match) -> list[Json]:
    """Let a bot decide for the unit that is asked until another one is; what it did."""
    assert match.decision is not None
    unit, done = match.decision.unit, []
    while match.decision is not None and match.decision.unit == unit:
        done.append(answer_of(name, match))
        match.play(done[-1])
    return done


def hurried() -> TacticalBot:
    """The tactical bot with a budget for whole matches."""
    return TacticalBot(choices=3, play_outs=3)


def whole_match(setup: MatchSetup, seed: int, players: Sequence[Bot]) -> Match:
    """A match to its end; the sides are played by the players in turn."""
    match = Match.start(setup, SeededDice(seed))
    player_of = dict(zip(match.table.roster.sides, cycle(players), strict=False))
    rng = random.Random(seed)
    while match.decision is not None:
        match.play(player_of[match.decision.side].choose(match, rng))
    assert match.result is not None
    return match


def matches(format_key: str, seeds: Sequence[int]) -> Iterator[Match]:
    """Whole matches between hurried tactical bots, by chance but the same every time."""
    for seed in seeds:
        setup = random_setup(load_builtin(), random.Random(seed), format_key)
        yield whole_match(setup, seed, [hurried()])
