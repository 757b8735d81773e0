"""Bots that fail in ways of their own."""

from __future__ import annotations

import itertools
import random
from io import StringIO
from typing import Any

from django.core.management import call_command

from matches.models import Match
from matches.presenters.replaying.verifying import finding_on
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.matches import create_match, play_action, resolve_with_bots
from people.models import User
from rules.bots.base import TableBot
from rules.bots.budget import Budget
from rules.competition.state.match_state import Choice, MatchState
from rules.core.dice import SeededDice

SEED = b"a seed of 32 bytes, for tests..."


def sampled(table: MatchState, rng: random.Random) -> Choice:
    assert table.open is not None
    kind, unit, data = table.open
    return kind.sample(table, unit, data, rng)


class Broken(TableBot):
    """Answers by chance, but for each `every`-th decision of all, at which it fails in its own way."""

    name = "broken"
    asked = itertools.count(1)
    every = 1

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        if next(self.asked) % self.every == 0:
            return self.fail(table, rng)
        return sampled(table, rng)

    def fail(self, table: MatchState, rng: random.Random) -> Choice:
        raise ValueError("no idea what to do")


class Nonsensical(Broken):
    def fail(self, table: MatchState, rng: random.Random) -> Any:
        return rng.choice([None, (), "pass", (1, 2, 3), {"order": "surrender"}, object()])


class Cheating(Broken):
    """Goes where it likes, or answers as if it were asked something else."""

    def fail(self, table: MatchState, rng: random.Random) -> Choice:
        return (1, 0, rng.randrange(300), 13, None, 0)


class Wrecking(Broken):
    """Plays on at its table until nothing is left of it, and then answers as if nothing had happened."""

    def fail(self, table: MatchState, rng: random.Random) -> Choice:
        choice = sampled(table, rng)
        table.dice = SeededDice("its own")
        for _ in range(5):
            if table.open is not None:
                table.answer(sampled(table, rng))
        table.position.clicks[:] = [0] * len(table.position.clicks)
        table.position.outcome = (0, "points", None)
        table.agenda.clear()
        table.open = None
        return choice


class Endless(Broken):
    """Looks at one position after the other, as far as its budget goes."""

    def fail(self, table: MatchState, rng: random.Random) -> Choice:
        budget = Budget(100, "positions")
        while True:
            budget.spend()


class Unmade(Broken):
    def __init__(self) -> None:
        raise OSError("its weights are gone")


def resolved(setup: dict[str, Any], red: str, blue: str = "random", key: str = "fixture:1") -> Match:
    match = create_match(setup, SEED, key, [Seat("red", bot=red), Seat("blue", bot=blue)])
    return resolve_with_bots(match.pk, {"red": red, "blue": blue})


def causes(match: Match, side: str) -> list[str]:
    return list(match.actions.filter(side=side, sequence__gt=0).order_by("sequence").values_list("cause", flat=True))


def is_sound(match: Match) -> bool:
    """Whether the match is over and plays again to the last event, on the site, by the command and as a file."""
    out = StringIO()
    call_command("verify_match", str(match.public_id), stdout=out)
    engine = rebuild(match)
    is_whole = match.is_finished and engine.result is not None and engine.result.to_json() == match.result
    return is_whole and finding_on(match).outcome == "ok" and ": ok" in out.getvalue()


def against(player: User, name: str, setup: dict[str, Any]) -> Match:
    return create_match(setup, SEED, None, [Seat("red", player.pk), Seat("blue", bot=name)])


def play_on(match: Match, count: int) -> None:
    """The person, red, gives so many answers by chance."""
    rng = random.Random(4)
    for _ in range(count):
        match.refresh_from_db()
        if match.is_finished:
            return
        engine = rebuild(match)
        assert engine.decision is not None
        assert engine.decision.side == "red"
        play_action(match.pk, "red", match.last_sequence, engine.sample_action(rng))
    match.refresh_from_db()
