"""How often a person is asked in a duel against the AI, and how many of the questions are orders.

    python -m rules.tools.questions [--matches 100] [--seed 1] [--without-standing]

Duels as in a season, with pilots, gear and cards. A bot answers in the person's place whatever a page would ask. What
needs no answer, and what the standing answers of solo play decide, is not asked; `--without-standing` leaves those
answers out. The same arguments give the same figures.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rules import bots
from rules.bots.guard import Guard
from rules.bots.preset_answers import ROUTINE, unasked_answer
from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.core.dice import SeededDice
from rules.tools.season_setups import season_setup

PERSON, RIVAL = "tactical", "greedy"
"""The bot in the person's place, and the AI of a solo evening that is "fair"."""

ORDERS = frozenset({"start", "special", "move", "combat"})
"""Kinds of decision by which a person leads a unit: where it starts, and its orders in the three phases."""

GOAL = 1 / 3
"""The most that the median share of questions that are no orders may be."""

SET_UP = 0
"""The round that stands for the time before the first one."""

Asked = Counter[tuple[int, str]]
"""How often a person was asked in one duel, by (round, kind of decision)."""


def duel(number: int, seed: int, standing: Mapping[str, Any]) -> Asked:
    """Play the duel of this number, with these standing answers for the person's unit, and count what is asked."""
    setup = season_setup(load_builtin(), random.Random(f"{seed}/setup/{number}"), "standard")
    match = Match.start(setup, SeededDice(f"{seed}/dice/{number}"))
    table, guard, rng = match.table, Guard(match), random.Random(f"{seed}/bots/{number}")
    players = (bots.get(PERSON), bots.get(RIVAL))
    asked: Asked = Counter()
    while table.open is not None:
        kind, unit, _ = table.open
        side = table.roster.side_of[unit]
        if side == 0:
            if unasked := unasked_answer(match, standing):
                match.play(unasked.action)
                continue
            asked[table.position.round, kind.name] += 1
        guard.play(guard.ask(players[side], rng))
    return asked


def share(asked: Iterable[tuple[str, int]]) -> float:
    """Return the share, 0 to 1, of questions that are no orders; `asked` holds kinds and how often each was asked."""
    counts = Counter[bool]()
    for kind, count in asked:
        counts[kind in ORDERS] += count
    return counts[False] / max(1, counts.total())


def report(duels: Sequence[Asked]) -> Iterator[str]:
    """Yield the lines of the report on at least one duel: by kind, by round, and the medians."""
    kinds, rounds = Counter[str](), Counter[int]()
    for asked in duels:
        for (_, kind), count in asked.items():
            kinds[kind] += count
        rounds.update({number for number, _ in asked})
    yield f"{len(duels)} duels, {PERSON} in the person's place against {RIVAL}; questions of a duel, by kind (mean):"
    for kind, count in sorted(kinds.items(), key=lambda entry: (entry[0] not in ORDERS, -entry[1])):
        yield f"  {kind:<12}{count / len(duels):6.2f}  {'order' if kind in ORDERS else ''}".rstrip()
    yield "by round: duels that ask in it, questions (median), share that are no orders (median)"
    for number, played in sorted(rounds.items()):
        here = [[(kind, n) for (when, kind), n in asked.items() if when == number] for asked in duels]
        here = [asked for asked in here if asked]
        questions = statistics.median(sum(count for _, count in asked) for asked in here)
        name = "set-up" if number == SET_UP else f"round {number}"
        yield f"  {name:<12}{played:4} {questions:6.1f} {statistics.median(map(share, here)):6.0%}"
    questions = statistics.median(asked.total() for asked in duels)
    middle = statistics.median(share((kind, count) for (_, kind), count in asked.items()) for asked in duels)
    yield f"a duel asks {questions:g} questions (median); {middle:.1%} of them are no orders (median)"
    yield f"goal: at most {GOAL:.1%}: {'reached' if middle <= GOAL else 'not reached'}"


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m rules.tools.questions", description="Count what a person is asked in duels against the AI."
    )
    parser.add_argument("--matches", type=int, default=100, help="duels (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the duels (default 1)")
    parser.add_argument("--without-standing", action="store_true", help="without the standing answers of solo play")
    options = parser.parse_args(arguments)
    if options.matches < 1:
        parser.error("--matches must be at least 1")
    standing = {} if options.without_standing else ROUTINE
    for line in report([duel(number, options.seed, standing) for number in range(options.matches)]):
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
