"""Play random matches in every format with the whole catalogue, and check what must always be true.

python -m tests.tools.soak [--matches N] [--seed S]
"""

import argparse
import random
import sys
import time
from collections.abc import Mapping
from typing import NamedTuple

from rules.catalogue import Catalogue, load_builtin
from rules.competition.formats import FORMATS
from rules.competition.match import Match
from rules.competition.replay import rebuild
from rules.competition.state.position import GONE
from rules.competition.state.setup import MatchSetup
from rules.core.dice import SeededDice
from tests.tools.line_ups import Dealer, Item

REPLAY_EVERY = 25
"""Every so many matches are recorded, replayed and rebuilt from their events."""

PATIENCE = 20
"""Matches to spend on each entry of the catalogue before it counts as one that cannot take part."""


def broken(match: Match) -> list[str]:
    """Return what is wrong with the position of a match; empty when nothing is."""
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


def play(
    setup: MatchSetup, seed: str, *, recording: bool = True, every_decision: bool = True
) -> tuple[Match, set[str]]:
    """One random match to its end and the ids of the target tokens that lay in its arena.

    The position is checked at every decision, or once at the end; raises AssertionError with what is broken.
    """
    rng = random.Random(seed)
    match = Match.start(setup, SeededDice(seed), recording=recording)
    table = match.table
    placed: set[int] = set()
    while table.open is not None:
        kind, unit, data = table.open
        placed.update(token for token, _ in table.position.tokens)
        choice = kind.sample(table, unit, data, rng)
        if recording:
            match.play_choice(choice)
        else:
            table.answer(choice)
        if every_decision:
            problems = broken(match)
            assert not problems, f"{setup.format} {seed}: {problems}"
    problems = broken(match)
    assert not problems, f"{setup.format} {seed}: {problems}"
    assert match.result is not None
    assert match.result.rounds <= table.roster.last_round
    return match, {table.roster.tokens[token].key for token in placed}


def check_replay(match: Match, setup: MatchSetup, seed: str) -> None:
    """The same actions give the same events, and the events the same position."""
    again = Match.replay(setup, SeededDice(seed), match.actions)
    assert again.events == match.events, f"{seed}: the replay differs"
    events = [event for batch in match.events for event in batch]
    assert rebuild(match.table.roster, events) == match.table.position, f"{seed}: the events rebuild another position"


class Soaked(NamedTuple):
    """What was played: matches and actions, and how often each entry of the catalogue took part."""

    matches: int
    actions: int
    used: Mapping[Item, int]


def soak(matches: int, seed: int, catalogue: Catalogue | None = None) -> Soaked:
    """Play `matches` in all, the formats in turn, and on until everything in the catalogue has taken part.

    Raises AssertionError with what is broken, and for an entry that no line-up can bring into play.
    """
    dealer = Dealer(catalogue or load_builtin(), seed)
    most = matches + PATIENCE * len(dealer.missing())
    actions = number = 0
    while number < matches or dealer.missing():
        assert number < most, f"after {number} matches these have still not taken part: {dealer.missing()}"
        setup = dealer.deal(list(FORMATS)[number % len(FORMATS)])
        name = f"{seed}/{number}"
        match, placed = play(setup, name)
        dealer.count(setup, placed)
        actions += len(match.actions)
        if number % REPLAY_EVERY == 0:
            check_replay(match, setup, name)
        number += 1
    return Soaked(number, actions, dealer.used)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=50_000, help="number of matches (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the matches (default %(default)s)")
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    played = soak(options.matches, options.seed)
    print(f"{played.matches} matches, {played.actions} actions, {time.perf_counter() - started:.0f} s: no check failed")
    least = min(played.used.values())
    print(f"{len(played.used)} entries of the catalogue took part, each in at least {least} matches")
    return 0


if __name__ == "__main__":
    sys.exit(main())
