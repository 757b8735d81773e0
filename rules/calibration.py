"""Whether forecasts come true: the report docs/calibration.md.

    python -m rules.calibration --fixtures 500 --play-outs 40 --seed 1 --jobs 2 [--write]

Each fixture (units, pilots, arena and tokens drawn from the catalogue, every format in turn that has two sides) is
forecast from play-outs, and then played once more with other dice by the same bot. The Brier score is the mean square
of what the chance of the first side missed: 0 for a seer, 0.25 for whoever always says half. The reliability table sets
the chances that were told beside how often the first side won. Same arguments, same figures.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rules.catalogue import load_builtin
from rules.competition.setup import FORMATS_BUILT
from rules.forecasts import play_outs
from rules.selfplay import SIDES, random_setup, wilson_interval

FORMATS = tuple(key for key in FORMATS_BUILT if key != "grand_melee")
"""A grand melee has more than two sides, whose chances one number does not tell."""

BINS = 10
REPORT = Path(__file__).resolve().parents[1] / "docs" / "calibration.md"

INTRODUCTION = """# Do forecasts come true?

House figures, made by
`python -m rules.calibration --fixtures {fixtures} --play-outs {play_outs} --seed {seed} --write`.
Every fixture is forecast from {play_outs} play-outs by the greedy bot and then played once more with other dice by the
same bot; so this tells whether the counting is sound, not how people play.

* Brier score: **{brier:.4f}** (always saying half would score 0.2500).
* Expected from the chances themselves, if they were exact: {ideal:.4f}; as each is the mean of only {play_outs}
  play-outs, a sound count scores {factor:.2f} times that.

| Chance told | Fixtures | Mean chance told | Won by the first side | 95% interval |
|---|---:|---:|---:|---:|
"""


class Fixture(NamedTuple):
    """The chance told for the first side, 0 to 1, and whether it won."""

    chance: float
    won: bool


def fixture(number: int, seed: int, count: int) -> Fixture:
    """Forecast and play the fixture of that number."""
    setup = random_setup(load_builtin(), random.Random(f"{seed}/calibration/{number}"), FORMATS[number % len(FORMATS)])
    told = play_outs(setup, f"{seed}/forecast/{number}", 0, count)
    real = play_outs(setup, f"{seed}/match/{number}", 0, 1)
    return Fixture(told.wins[SIDES[0]] / count, real.wins[SIDES[0]] == 1)


def brier(fixtures: Sequence[Fixture]) -> float:
    """The mean square of what the chances missed."""
    return sum((one.chance - one.won) ** 2 for one in fixtures) / len(fixtures)


def ideal(fixtures: Sequence[Fixture]) -> float:
    """The Brier score that is expected if every chance is exact."""
    return sum(one.chance * (1 - one.chance) for one in fixtures) / len(fixtures)


def factor(count: int) -> float:
    """How many times `ideal` a sound count of so many play-outs, at least 2, scores: its chances miss the true one by
    luck, which adds to what they miss and takes from what they seem to leave open."""
    return (count + 1) / (count - 1)


def rows(fixtures: Sequence[Fixture]) -> list[str]:
    """The lines of the reliability table; a bin without a fixture has none."""
    lines = []
    for number in range(BINS):
        inside = [one for one in fixtures if min(BINS - 1, int(one.chance * BINS)) == number]
        if inside:
            wins = sum(one.won for one in inside)
            low, high = wilson_interval(wins, len(inside))
            told = sum(one.chance for one in inside) / len(inside)
            lines.append(
                f"| {number / BINS:.0%} to {(number + 1) / BINS:.0%} | {len(inside)} | {told:.1%} "
                f"| {wins / len(inside):.1%} | {low:.1%} to {high:.1%} |\n"
            )
    return lines


def main(arguments: list[str] | None = None) -> int:
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rules.calibration", description="Do forecasts come true?")
    parser.add_argument("--fixtures", type=int, default=500)
    parser.add_argument("--play-outs", type=int, default=40, help="a fixture (default 40)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--write", action="store_true", help="write docs/calibration.md")
    options = parser.parse_args(arguments)
    if min(options.fixtures, options.play_outs - 1, options.jobs) < 1:
        parser.error("--fixtures and --jobs are at least 1, --play-outs at least 2")
    task = partial(fixture, seed=options.seed, count=options.play_outs)
    with ProcessPoolExecutor(options.jobs) as pool:
        fixtures = list(pool.map(task, range(options.fixtures), chunksize=5))
    figures = {"brier": brier(fixtures), "ideal": ideal(fixtures), "factor": factor(options.play_outs)}
    text = INTRODUCTION.format(**vars(options), **figures) + "".join(rows(fixtures))
    print(text, end="")
    if options.write:
        REPORT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
