"""A soak: random matches in every format over the whole catalogue, held against what must always be true.

    python -m tests.tools.soak [--matches N] [--seed S]
"""

import argparse
import random
import sys
import time

from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.competition.position import GONE
from rules.competition.replay import rebuild
from rules.competition.setup import FORMATS_BUILT, MatchSetup
from rules.core.dice import SeededDice
from rules.selfplay import random_setup

REPLAY_EVERY = 25
"""Every so many matches are recorded, replayed and rebuilt from their events."""


def broken(match: Match) -> list[str]:
    """What is wrong with the position of a match; empty when all holds."""
    position, roster = match.table.position, match.table.roster
    found = []
    places = [place for place in position.hex if place >= 0]
    if len(set(places)) != len(places):
        found.append("two units in one hex")
    for unit, fighter in enumerate(roster.fighters):
        if not 0 <= position.clicks[unit] <= fighter.clicks:
            found.append(f"{fighter.name} at click {position.clicks[unit]}")
        if not 0 <= position.heat[unit] <= fighter.steps or position.heat_die[unit] < 0:
            found.append(f"{fighter.name} at heat {position.heat[unit]}, die {position.heat_die[unit]}")
        if position.status[unit] & GONE and position.hex[unit] >= 0:
            found.append(f"{fighter.name} is gone and still in the arena")
    if any(place >= 0 and not roster.arena.passable >> place & 1 for place in position.hex):
        found.append("a unit on ground that it cannot enter")
    if min(position.reputation) < 0:
        found.append("negative reputation")
    return found


def play(format_key: str, seed: str) -> tuple[Match, MatchSetup]:
    """One random match to its end, checked at every decision; raises AssertionError with what is broken."""
    rng = random.Random(seed)
    setup = random_setup(load_builtin(), rng, format_key)
    match = Match.start(setup, SeededDice(seed))
    table = match.table
    while table.open is not None:
        kind, unit, data = table.open
        match.play_choice(kind.sample(table, unit, data, rng))
        problems = broken(match)
        assert not problems, f"{format_key} {seed}: {problems}"
    assert match.result is not None
    assert match.result.rounds <= table.roster.last_round
    return match, setup


def check_replay(match: Match, setup: MatchSetup, seed: str) -> None:
    """The same actions give the same events, and the events the same position."""
    again = Match.replay(setup, SeededDice(seed), match.actions)
    assert again.events == match.events, f"{seed}: the replay differs"
    events = [event for batch in match.events for event in batch]
    assert rebuild(match.table.roster, events) == match.table.position, f"{seed}: the events rebuild another position"


def soak(matches: int, seed: int) -> int:
    """Play `matches` in all, the formats in turn; returns the number of actions."""
    actions = 0
    for number in range(matches):
        format_key = FORMATS_BUILT[number % len(FORMATS_BUILT)]
        name = f"{seed}/{number}"
        match, setup = play(format_key, name)
        actions += len(match.actions)
        if number % REPLAY_EVERY == 0:
            check_replay(match, setup, name)
    return actions


def main(arguments: list[str] | None = None) -> int:
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    actions = soak(options.matches, options.seed)
    print(f"{options.matches} matches, {actions} actions, {time.perf_counter() - started:.0f} s: nothing broken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
