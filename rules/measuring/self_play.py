"""Matches between bots, with the engine alone.

    python -m rules.selfplay --bots greedy,random --matches 200 --seed 1 --format standard [--jobs 2] [--json [FILE]]

Each pairing of units is played twice with swapped sides. The same arguments give the same matches, for any number of
jobs. Bots play under guard (`rules.bots.guard`): they see what their side sees, and their faults are counted.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from rules import bots
from rules.bots.base import Bot, TableBot
from rules.bots.guard import Guard
from rules.campaign.line_ups.tokens import TokenChoices
from rules.catalogue import Catalogue, load_builtin
from rules.competition.formats import FORMATS, format_of
from rules.competition.formats.grand_melee import SIDES_ON_ONE_MAP, assemble
from rules.competition.match import Match
from rules.competition.setups import read_setup
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.setup import MatchSetup
from rules.core.dice import SeededDice
from rules.core.refusals import Malformed

SIDES: tuple[str, ...] = ("red", "blue")
"""The names of two sides. With more sides, the two bots sit alternately."""


def wilson_interval(wins: int, matches: int) -> tuple[float, float]:
    """Return the 95% interval of a win rate, 0 to 1 (Wilson's score interval); (0, 1) without matches.

    >>> low, high = wilson_interval(60, 100)
    >>> round(low, 3), round(high, 3)
    (0.502, 0.691)
    """
    if matches == 0:
        return 0.0, 1.0
    z = 1.959964
    rate = wins / matches
    middle = rate + z * z / (2 * matches)
    spread = z * sqrt(rate * (1 - rate) / matches + z * z / (4 * matches * matches))
    scale = 1 + z * z / matches
    return (middle - spread) / scale, (middle + spread) / scale


class TokenTrios(Sequence[list[dict[str, Any]]]):
    """All sets of three different tokens that are worth `pool_rp` together (R-TGT-02), in catalogue order.

    They are counted, and each is found by its place, as in `TokenChoices`.
    """

    def __init__(self, catalogue: Catalogue, pool_rp: int = 30) -> None:
        tokens = catalogue.target_tokens.values()
        # Places with leading zeros stand for the ids, because choices are in the order of these.
        self._tokens = {f"{place:06}": token for place, token in enumerate(tokens)}
        self._choices = TokenChoices(tuple((place, token["rp"]) for place, token in self._tokens.items()), pool_rp)

    def __len__(self) -> int:
        return len(self._choices)

    def __getitem__(self, index: Any) -> Any:
        return [dict(self._tokens[place]) for place in self._choices[index]]


def random_ground(catalogue: Catalogue, rng: random.Random, sides: int) -> dict[str, Any]:
    """Return a random arena, or four assembled ones for more sides than one arena holds (R-FMT-21)."""
    arenas = list(catalogue.arenas.values())
    if sides <= SIDES_ON_ONE_MAP:
        return dict(rng.choice(arenas))
    return assemble([rng.choice(arenas) for _ in range(4)])


def random_setup(
    catalogue: Catalogue, rng: random.Random, format_key: str = "standard", sides: int | None = None
) -> MatchSetup:
    """Return a random match: units of one class with pilots that fit, a random arena, legal tokens.

    A side has as many units as the format allows if that is at most two, else one. Without `sides` there are two, or
    in a grand melee 4, 6 or 8 by chance. Raises Malformed (unknown_format).
    """
    match_format = format_of(format_key)
    units_each = match_format.units[1] if match_format.units[1] <= 2 else 1
    if sides is None:
        sides = rng.choice((4, 6, 8)) if match_format.units == (1, 1) else 2
    names = SIDES if sides == 2 else tuple(f"side{number + 1}" for number in range(sides))
    weight_class = rng.choice(["light", "medium", "heavy", "assault"])
    units = [unit for unit in catalogue.units.values() if unit["class"] == weight_class]
    pilots = [
        pilot
        for pilot in catalogue.pilots.values()
        if weight_class in ((pilot.get("requires") or {}).get("class") or [weight_class])
    ]
    trios = TokenTrios(catalogue)
    return read_setup(
        {
            "format": format_key,
            "arena": random_ground(catalogue, rng, sides),
            "sides": [
                {
                    "id": side,
                    "units": [
                        {"id": unit, "unit": rng.choice(units), "pilot": rng.choice(pilots)}
                        for unit in ([side] if units_each == 1 else [f"{side}-{n + 1}" for n in range(units_each)])
                    ],
                    "tokens": rng.choice(trios) if match_format.has_tokens else [],
                }
                for side in names
            ],
        }
    )


class Outcome(NamedTuple):
    """The outcome of a match: which of the two bots won (0 or 1), the processor times in seconds of each bot's
    decisions, and how many decisions of each bot were answered by the default because it failed."""

    winner: int
    seconds: tuple[list[float], list[float]]
    faults: tuple[int, int] = (0, 0)


class _Timed(TableBot):
    """A bot with the seconds of processor time that each of its decisions took, without the engine's own time."""

    def __init__(self, bot: Bot) -> None:
        self.name = bot.name
        self.seconds: list[float] = []
        self._bot = bot

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return the bot's choice, and keep the time that it took."""
        started = time.thread_time()
        try:
            return self._bot.decide(table, rng)
        finally:
            self.seconds.append(time.thread_time() - started)


def play(names: tuple[str, str], number: int, seed: int, format_key: str) -> Outcome:
    """Play the match of this number; an odd one is the match before it with swapped sides and other dice.

    Raises Malformed (unknown_bot, unknown_format).
    """
    players = [_Timed(bots.get(name)) for name in names]
    setup = random_setup(load_builtin(), random.Random(f"{seed}/setup/{number // 2}"), format_key)
    match = Match.start(setup, SeededDice(f"{seed}/dice/{number}"), recording=False)
    swapped = number % 2
    sitting = [side % 2 ^ swapped for side in range(len(setup.sides))]
    winner, failed = play_guarded(match, [players[bot] for bot in sitting], random.Random(f"{seed}/bots/{number}"))
    faults = [sum(failed[side] for side, bot in enumerate(sitting) if bot == each) for each in (0, 1)]
    return Outcome(sitting[winner], (players[0].seconds, players[1].seconds), (faults[0], faults[1]))


def play_guarded(match: Match, players: Sequence[Bot], rng: random.Random) -> tuple[int, list[int]]:
    """Play a match to its end, with a bot for each side, in order; each bot sees what its side may see.

    Return the number of the winning side, and for each side the number of decisions at which its bot failed.
    """
    table, guard = match.table, Guard(match)
    faults = [0] * len(players)
    while table.open is not None:
        side = table.roster.side_of[table.open[1]]
        answer = guard.ask(players[side], rng)
        faults[side] += answer.fault is not None
        guard.play(answer)
    result = match.result
    assert result is not None
    return table.roster.side_of_name[result.winner], faults


def run(names: tuple[str, str], matches: int, seed: int, format_key: str, jobs: int = 1) -> dict[str, Any]:
    """Play the matches in `jobs` processes, and return the JSON of the command.

    The winners do not depend on `jobs`; the times do. Raises Malformed (unknown_bot, unknown_format).
    """
    for name in names:
        bots.get(name)
    load_builtin()
    started = time.perf_counter()
    task = partial(play, names, seed=seed, format_key=format_key)
    if jobs == 1:
        outcomes = [task(number) for number in range(matches)]
    else:
        with ProcessPoolExecutor(jobs) as pool:
            outcomes = list(pool.map(task, range(matches)))
    seconds = time.perf_counter() - started
    decisions = sum(len(taken) for outcome in outcomes for taken in outcome.seconds)
    rates: dict[str, dict[str, float]] = {}
    times: dict[str, dict[str, float]] = {}
    faults: dict[str, int] = {}
    labels = names if names[0] != names[1] else (names[0], f"{names[1]} (second)")
    for bot, name in enumerate(labels):
        wins = sum(outcome.winner == bot for outcome in outcomes)
        low, high = wilson_interval(wins, matches)
        rates[name] = {"rate": wins / matches if matches else 0.0, "low": low, "high": high}
        faults[name] = sum(outcome.faults[bot] for outcome in outcomes)
        times[name] = _times([outcome.seconds[bot] for outcome in outcomes])
    return {
        "matches": matches,
        "seconds": seconds,
        "matches_per_second": matches / seconds if seconds else 0.0,
        "decisions_per_second": decisions / seconds if seconds else 0.0,
        "win_rates": rates,
        "milliseconds_a_decision": times,
        "faults": faults,
    }


def _times(matches: list[list[float]]) -> dict[str, float]:
    """Return a bot's processor times in milliseconds: the mean, 99th percentile and slowest decision, the mean match.

    `matches` has the seconds of the bot's decisions by match. Return {} for a bot that decided nothing.
    """
    taken = sorted(seconds for match in matches for seconds in match)
    if not taken:
        return {}
    mean, total = sum(taken) / len(taken), sum(taken) / len(matches)
    figures = {"mean": mean, "p99": taken[len(taken) * 99 // 100], "most": taken[-1], "match": total}
    return {name: round(1000 * value, 2) for name, value in figures.items()}


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rules.selfplay", description="Let bots play each other.")
    parser.add_argument("--bots", default="greedy,random", help="two names, comma-separated")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", default="standard", choices=FORMATS)
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE")
    options = parser.parse_args(arguments)
    names = tuple(options.bots.split(","))
    if len(names) != 2 or options.matches < 1 or options.jobs < 1:
        parser.error("--bots takes two names, --matches and --jobs at least 1")
    try:
        report = run((names[0], names[1]), options.matches, options.seed, options.format, options.jobs)
    except Malformed as problem:
        parser.error(f"{problem.code}: {problem.parameters}")
    if options.json == "-":
        print(json.dumps(report, indent=2))
        return 0
    for name, rate in report["win_rates"].items():
        print(f"{name:>10}  {rate['rate']:6.1%}  (95%: {rate['low']:.1%} to {rate['high']:.1%})")
    for name, times in report["milliseconds_a_decision"].items():
        text = ", ".join(f"{part} {value:,.1f}" for part, value in times.items())
        print(f"{name:>10}  ms a decision: {text}")
    for name, count in report["faults"].items():
        if count:
            print(f"{name:>10}  failed at {count} decisions, which were answered by the default")
    print(
        f"{report['matches']} matches in {report['seconds']:.1f} s: {report['matches_per_second']:.1f} matches/s, "
        f"{report['decisions_per_second']:,.0f} decisions/s"
    )
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0
