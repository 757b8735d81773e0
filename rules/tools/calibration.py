"""Whether forecasts come true: the report docs/calibration.md.

    python -m rules.tools.calibration --fixtures 500 --play-outs 50 --seed 1 --jobs 2 [--write]

Each fixture (`rules.tools.season_setups`, every format in turn) is forecast from play-outs, as the site does it: what a
spectator cannot see is dealt again for each of them. Then it is played once, with its true hands and tokens and with
other dice, by the same bot, which sees what its side may see. So the report can show an error in the counting, and one
in the guesses about hidden hands and tokens. The Brier score is the mean of the squared differences between the chance
of the first side and its result, 1 or 0; a perfect forecast has 0. The reliability table compares the chances with how
often the first side won. The same arguments give the same bytes, for any `--jobs`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from rules import RULES_VERSION, bots
from rules.campaign.classes import FORMATS
from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.competition.state.setup import MatchSetup
from rules.core.dice import SeededDice
from rules.measuring.forecasts import BOT, play_outs
from rules.measuring.self_play import play_guarded, wilson_interval
from rules.tools.season_setups import season_setup

BINS = 10
REPORT = Path(__file__).resolve().parents[2] / "docs" / "calibration.md"

INTRODUCTION = """# Do forecasts come true?

House figures, made by
`python -m rules.tools.calibration --fixtures {fixtures} --play-outs {play_outs} --seed {seed} --write`
(rules {version}).

The fixtures are drawn as in a season, with every format in turn: units of one class within its build total, most with
pilots, many with gear and rally cards, some damaged. Each fixture is forecast from {play_outs} play-outs by the {bot}
bot. For each play-out, rally hands and face-down tokens are dealt again. Then the fixture is played once, with its true
hands and tokens and with other dice. The same bot decides for every side, and sees what that side may see. So this
report shows whether the counting and the guesses about hidden things are sound. It does not show how people play. All
chances are those of the first side. In a grand melee it is one of four to eight.

* Brier score: **{brier:.4f}** (a forecast that always calls all sides equal would score {equal:.4f}).
* If the chances were exact, the expected score would be {ideal:.4f}. Each chance is the mean of only {play_outs}
  play-outs, so a sound count is expected to score {factor:.2f} times that, {sound:.4f}.
* The score is worse than that by {worse} (95%: {worse_low} to {worse_high}). Below 0 it would be better. An interval
  that begins above 0 would show that the forecasts are not sound.
* The first side was given {mean_chance:.1%} on average and won {won:.1%}. The difference is {lean} (95%: {lean_low} to
  {lean_high}). An interval without 0 would show that the forecasts favour one side.

| Chance shown | Fixtures | Mean chance shown | Won by the first side | 95% interval |
|---|---:|---:|---:|---:|
"""


class Fixture(NamedTuple):
    """A fixture: the chance of its first side, 0 to 1, whether that side won, and the number of sides."""

    chance: float
    won: bool
    sides: int = 2


def fixture(number: int, seed: int, count: int) -> Fixture:
    """Forecast the fixture of this number from `count` play-outs, and play it."""
    setup = season_setup(load_builtin(), random.Random(f"{seed}/calibration/{number}"), FORMATS[number % len(FORMATS)])
    tally = play_outs(setup, f"{seed}/forecast/{number}", 0, count)
    chance = next(iter(tally.wins.values())) / count
    return Fixture(chance, winner(setup, f"{seed}/match/{number}") == 0, len(setup.sides))


def winner(setup: MatchSetup, seed: str) -> int:
    """Return the number of the side that wins the real match, with the hands and tokens of the setup."""
    match = Match.start(setup, SeededDice(f"{seed}/dice"), recording=False)
    return play_guarded(match, [bots.get(BOT) for _ in setup.sides], random.Random(f"{seed}/bots"))[0]


def brier(fixtures: Sequence[Fixture]) -> float:
    """Return the Brier score: the mean of the squared differences between the chances and the results, 1 or 0."""
    return sum((one.chance - one.won) ** 2 for one in fixtures) / len(fixtures)


def ideal(fixtures: Sequence[Fixture]) -> float:
    """Return the Brier score that is expected if every chance is exact."""
    return sum(one.chance * (1 - one.chance) for one in fixtures) / len(fixtures)


def factor(count: int) -> float:
    """Return the expected Brier score of a sound count, as a multiple of `ideal`; `count` play-outs, at least 2.

    Counted chances miss the true ones by luck. That raises the score, and lowers `ideal`, which is computed from them.
    """
    return (count + 1) / (count - 1)


class Estimate(NamedTuple):
    """A mean with its 95% interval."""

    mean: float
    low: float
    high: float

    def figures(self) -> tuple[str, str, str]:
        """Return the mean and the ends of the interval as text, with their signs."""
        mean, low, high = (f"{value:+.4f}" for value in self)
        return mean, low, high


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values with its interval. That of a single value reaches 1 to both sides."""
    mean = fmean(values)
    reach = 1.959964 * stdev(values) / sqrt(len(values)) if len(values) > 1 else 1.0
    return Estimate(mean, mean - reach, mean + reach)


def worse(fixtures: Sequence[Fixture], count: int) -> Estimate:
    """Return how much worse the forecasts score than a sound count of `count` play-outs (Spiegelhalter's test)."""
    often = factor(count)
    return estimate([(one.chance - one.won) ** 2 - often * one.chance * (1 - one.chance) for one in fixtures])


def lean(fixtures: Sequence[Fixture]) -> Estimate:
    """Return the mean chance of the first side less the share of fixtures that it won."""
    return estimate([one.chance - one.won for one in fixtures])


def rows(fixtures: Sequence[Fixture]) -> list[str]:
    """Return the lines of the reliability table; a bin without a fixture has none."""
    lines = []
    for number in range(BINS):
        inside = [one for one in fixtures if min(BINS - 1, int(one.chance * BINS)) == number]
        if inside:
            wins = sum(one.won for one in inside)
            low, high = wilson_interval(wins, len(inside))
            mean_chance = sum(one.chance for one in inside) / len(inside)
            lines.append(
                f"| {number / BINS:.0%} to {(number + 1) / BINS:.0%} | {len(inside)} | {mean_chance:.1%} "
                f"| {wins / len(inside):.1%} | {low:.1%} to {high:.1%} |\n"
            )
    return lines


def report(fixtures: Sequence[Fixture], count: int, seed: int) -> str:
    """Return the whole report in Markdown; there is at least one fixture."""
    missed, leaning = worse(fixtures, count).figures(), lean(fixtures).figures()
    introduction = INTRODUCTION.format(
        fixtures=len(fixtures),
        play_outs=count,
        seed=seed,
        version=RULES_VERSION,
        bot=BOT,
        brier=brier(fixtures),
        equal=brier([one._replace(chance=1 / one.sides) for one in fixtures]),
        ideal=ideal(fixtures),
        factor=factor(count),
        sound=factor(count) * ideal(fixtures),
        mean_chance=fmean(one.chance for one in fixtures),
        won=fmean(one.won for one in fixtures),
        **dict(zip(("worse", "worse_low", "worse_high"), missed, strict=True)),
        **dict(zip(("lean", "lean_low", "lean_high"), leaning, strict=True)),
    )
    return introduction + "".join(rows(fixtures))


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rules.tools.calibration", description="Do forecasts come true?")
    parser.add_argument("--fixtures", type=int, default=500)
    parser.add_argument("--play-outs", type=int, default=50, help="a fixture (default 50)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--write", action="store_true", help="write docs/calibration.md")
    options = parser.parse_args(arguments)
    if min(options.fixtures, options.play_outs - 1, options.jobs) < 1:
        parser.error("--fixtures and --jobs are at least 1, --play-outs at least 2")
    task = partial(fixture, seed=options.seed, count=options.play_outs)
    with ProcessPoolExecutor(options.jobs) as pool:
        fixtures = list(pool.map(task, range(options.fixtures)))
    text = report(fixtures, options.play_outs, options.seed)
    print(text, end="")
    if options.write:
        REPORT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
