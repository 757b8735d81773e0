"""The ladder of the bots: docs/ladder.md.

    python -m rules.measuring.ladder --jobs 2 [--matches 200] [--seed 1] [--write]

Every bot meets every other in duels over the catalogue, each pairing twice with swapped sides. The matches are then
folded into ratings as the site folds its own (`rules.measuring.ratings`). The same arguments give the same report, for
any `--jobs`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from rules import RULES_VERSION, bots
from rules.core.refusals import Refused
from rules.measuring import studies
from rules.measuring.ratings import BEGINNER, Rating, rate
from rules.measuring.self_play import play, wilson_interval
from rules.wording import sentence

FORMAT = "standard"
LESS_OFTEN: Mapping[str, int] = {"tactical": 4, "quick": 5, "strong": 10}
"""How many times fewer matches a slow bot plays."""
PART_SIZE = 20
"""Matches in one part of a study; fewer with a slow bot."""

HEADING = "| Place | Bot | Rating | At least | Matches |"
REPORT = Path(__file__).resolve().parents[2] / "docs" / "ladder.md"

INTRODUCTION = """# The ladder of the bots

Written by `python -m rules.measuring.ladder --jobs {jobs} --matches {matches} --seed {seed} --write` (rules {version}).

Every bot of the house meets every other in duels. Units, pilots, arenas and tokens are drawn from the catalogue. Each
pairing is played twice with swapped sides. Bots that think long play fewer matches. The ratings are worked out like
those of the site's own ladder: by Weng and Lin's method for the model of Plackett and Luce, one match after the other,
in an order drawn once. Every bot begins at {mean:.0f} with a doubt of {doubt:.0f}. If the ratings of two bots are well
known, 400 points between them mean ten wins to one. The number after ± is twice the deviation: the strength lies within
it with a chance of about 95%.
"""


class Duel(NamedTuple):
    """One match: two bots, and which of them won (0 or 1)."""

    names: tuple[str, str]
    winner: int


def times_less(names: Sequence[str]) -> int:
    """Return how many times fewer matches these bots play than those that answer at once."""
    return max(LESS_OFTEN.get(name, 1) for name in names)


def study_of(names: tuple[str, str], matches: int, seed: int) -> studies.Study:
    """Return the duels of two bots as a study, an even number of them, two or more."""
    less = times_less(names)
    count = max(2, 2 * round(matches / less / 2))
    return studies.Study("ladder.duels", {"bots": list(names), "seed": seed}, count, max(2, PART_SIZE // less))


def play_numbers(given: dict[str, Any], first: int, count: int) -> list[int]:
    """Play the matches number `first` to `first + count - 1`, and return which of the two bots, 0 or 1, won each.

    `given` has the names of the bots in `bots`, and `seed`.
    """
    one, other = given["bots"]
    return [play((one, other), number, given["seed"], FORMAT).winner for number in range(first, first + count)]


def play_all(
    names: Sequence[str], matches: int, seed: int, way: studies.Executor, tell: studies.Progress = lambda done: None
) -> list[Duel]:
    """Play all duels, and return them in an order drawn from the seed for the ratings, so that no pair comes last.

    Raises all that `rules.measuring.studies.run` raises.
    """
    pairs = list(combinations(names, 2))
    asked = [study_of(pair, matches, seed) for pair in pairs]
    found = studies.run(asked, way, tell)
    duels = [Duel(pair, winner) for pair, parts in zip(pairs, found, strict=True) for part in parts for winner in part]
    random.Random(f"{seed}/order").shuffle(duels)
    return duels


def ratings_of(duels: Sequence[Duel]) -> dict[str, Rating]:
    """Return the ratings after these duels by bot, in the order of `Rating.low`, the best first."""
    ratings: dict[str, Rating] = {}
    for (one, other), winner in duels:
        places = (1, 2) if winner == 0 else (2, 1)
        before = [ratings.get(one, BEGINNER), ratings.get(other, BEGINNER)]
        ratings[one], ratings[other] = rate(before, places)
    return dict(sorted(ratings.items(), key=lambda item: -item[1].low))


class Standing(NamedTuple):
    """A line of the report's first table, as text."""

    place: str
    bot: str
    rating: str
    low: str
    matches: str


def standings_in(report: str) -> list[Standing]:
    """Return the standings in a report, the best first; empty for a text that is no report."""
    _, _, table = report.partition(f"{HEADING}\n")
    rows = table.partition("\n\n")[0].splitlines()[1:]
    return [Standing(*(cell.strip() for cell in row.strip("| ").split("|"))) for row in rows]


def report(duels: Sequence[Duel]) -> str:
    """Return two tables in Markdown: the ratings, and how often each bot beat each other bot."""
    ratings = ratings_of(duels)
    lines = [HEADING, "|---:|---|---:|---:|---:|"]
    for place, (name, rating) in enumerate(ratings.items(), 1):
        count = sum(name in duel.names for duel in duels)
        lines.append(
            f"| {place} | {name} | {rating.mean:.0f} ± {2 * rating.deviation:.0f} | {rating.low:.0f} | {count} |"
        )
    lines += ["", "How often the bot of each row beat the bot of each column, with the 95% interval (Wilson):", ""]
    names = list(ratings)
    lines += [f"| | {' | '.join(names)} |", f"|---|{'---:|' * len(names)}"]
    for name in names:
        cells = [_won(duels, name, other) for other in names]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _won(duels: Sequence[Duel], name: str, other: str) -> str:
    met = [duel for duel in duels if {name, other} == set(duel.names)]
    if name == other or not met:
        return ""
    wins = sum(duel.names[duel.winner] == name for duel in met)
    low, high = wilson_interval(wins, len(met))
    return f"{wins} of {len(met)} ({low:.0%} to {high:.0%})"


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m rules.measuring.ladder", description="Rate the bots among themselves."
    )
    parser.add_argument("--matches", type=int, default=200, help="matches of each pair of quick bots (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the matches (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (default 1)")
    parser.add_argument("--write", action="store_true", help="write docs/ladder.md")
    options = parser.parse_args(arguments)
    if options.matches < 1 or options.jobs < 1:
        parser.error("--matches and --jobs must be at least 1")
    total = sum(study_of(pair, options.matches, options.seed).count for pair in combinations(bots.BOT_NAMES, 2))

    def tell(done: int) -> None:
        sys.stderr.write(f"{done} of {total} matches" + ("\n" if done == total else "\r"))
        sys.stderr.flush()

    try:
        duels = play_all(bots.BOT_NAMES, options.matches, options.seed, studies.in_processes(options.jobs), tell)
    except Refused as problem:
        sys.stderr.write(f"{sentence(problem.code, problem.parameters)} [{problem.code}]\n")
        return 1
    facts = {"mean": BEGINNER.mean, "doubt": 2 * BEGINNER.deviation, "version": RULES_VERSION}
    tables = report(duels)
    sys.stdout.write(tables)
    if options.write:
        REPORT.write_text(f"{INTRODUCTION.format(**vars(options), **facts)}\n{tables}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
