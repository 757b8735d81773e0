"""How strong the bots are: the report docs/strengths.md.

    python -m rules.strengths --jobs 2 [--matches 400] [--seed 1] [--write]

The bots of LADDER play duels over the catalogue, each pairing twice with swapped sides: `--matches` for a pair. Further
pairs play a quarter of that. The same arguments give the same rates, for any `--jobs`; the times depend on the machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rules.measuring.self_play import run

DUEL = "standard"
LADDER = (("tactical", "greedy"), ("strong", "tactical"))
"""The pairs for which a goal is set: the stronger bot and the weaker one."""

OTHERS = (("greedy", "random"), ("quick", "greedy"))
"""Further pairs, for which no goal is set."""

GOAL, GOAL_LOW = 0.65, 0.60
"""The goal of each pair in LADDER: the least win rate, and what the 95% interval of the rate must lie above."""

LESS_OFTEN = 4
"""How many times fewer matches the further pairs play."""

REPORT = Path(__file__).resolve().parents[2] / "docs" / "strengths.md"

INTRODUCTION = """# How strong the bots are

House figures, made by `python -m rules.strengths --jobs {jobs} --matches {matches} --seed {seed} --write`. Units,
pilots, arenas and tokens are drawn from the catalogue. Each pairing is played twice with swapped sides, and every bot
sees only what its side may see. The same arguments give the same rates on every machine, because a bot's thinking is
limited by effort (decisions thought through and remembered) and never by time. The times are processor time of the
machine that wrote this. An average decision should take the tactical bot at most 60 ms and the strong one at most
250 ms.

Each step from one strength to the next has a goal: {goal:.0%} of the duels, with the whole 95% interval (Wilson) above
{goal_low:.0%}.
"""

HEADER = """
| Bots | Matches | Won by the first | 95% interval | Goal | ms a decision (first): mean, 99th percentile | ms a match |
|---|---|---|---|---|---|---|
"""


def pairs(matches: int) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield the two bots and the number of matches of every row of the table."""
    for names in LADDER:
        yield names, matches
    for names in OTHERS:
        yield names, max(2, matches // LESS_OFTEN)


def row(names: tuple[str, str], report: dict[str, Any]) -> str:
    """Return the line of the table for two bots; `report` is the JSON of `rules.measuring.self_play.run`."""
    won = report["win_rates"][names[0]]
    times = report["milliseconds_a_decision"][names[0]]
    goal = "-"
    if names in LADDER:
        goal = "reached" if won["rate"] >= GOAL and won["low"] > GOAL_LOW else "not reached"
    cells = (
        f"{names[0]} against {names[1]}", str(report["matches"]), f"{won['rate']:.1%}",
        f"{won['low']:.1%} to {won['high']:.1%}", goal, f"{times['mean']:.1f}, {times['p99']:.0f}",
        f"{times['match']:,.0f}",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rules.strengths", description="Measure how strong the bots are.")
    parser.add_argument("--matches", type=int, default=400, help="duels of each pair (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the duels (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (default 1)")
    parser.add_argument("--write", action="store_true", help="write docs/strengths.md")
    options = parser.parse_args(arguments)
    if options.matches < 1 or options.jobs < 1:
        parser.error("--matches and --jobs must be at least 1")
    text = INTRODUCTION.format(**vars(options), goal=GOAL, goal_low=GOAL_LOW) + HEADER
    for names, matches in pairs(options.matches):
        line = row(names, run(names, matches, options.seed, DUEL, options.jobs))
        print(line, end="", flush=True)
        text += line
    if options.write:
        REPORT.write_text(text, encoding="utf-8")
    return 0
