"""Bots against each other, engine only.

    python -m rules.selfplay --bots greedy,random --matches 200 --seed 1 --format standard [--json [FILE]]

Each pairing of units is played twice with swapped sides. Same arguments, same matches.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

from rules import bots
from rules.catalogue import Catalogue, load_builtin
from rules.competition.formats import format_of
from rules.competition.formats.grand_melee import SIDES_ON_ONE_MAP, assemble
from rules.competition.match import Match
from rules.competition.setup import FORMATS_BUILT, MatchSetup
from rules.core.dice import SeededDice
from rules.core.refusals import Malformed

SIDES: tuple[str, ...] = ("red", "blue")
"""With more sides, in formats of single units, the two bots sit alternately."""


def wilson_interval(wins: int, matches: int) -> tuple[float, float]:
    """The 95% interval of a win rate, 0 to 1 (Wilson's score interval)."""
    if matches == 0:
        return 0.0, 1.0
    z = 1.959964
    rate = wins / matches
    middle = rate + z * z / (2 * matches)
    spread = z * sqrt(rate * (1 - rate) / matches + z * z / (4 * matches * matches))
    scale = 1 + z * z / matches
    return (middle - spread) / scale, (middle + spread) / scale


def token_trios(catalogue: Catalogue, pool_rp: int = 30) -> list[list[dict[str, Any]]]:
    """Every three tokens that are worth `pool_rp` together (R-TGT-02), in catalogue order."""
    tokens = [dict(token) for token in catalogue.target_tokens.values()]
    return [list(trio) for trio in combinations(tokens, 3) if sum(token["rp"] for token in trio) == pool_rp]


def random_ground(catalogue: Catalogue, rng: random.Random, sides: int) -> dict[str, Any]:
    """Any arena; any four assembled for more sides than one holds in a grand melee (R-FMT-21)."""
    arenas = list(catalogue.arenas.values())
    if sides <= SIDES_ON_ONE_MAP:
        return dict(rng.choice(arenas))
    return assemble([rng.choice(arenas) for _ in range(4)])


def random_setup(
    catalogue: Catalogue, rng: random.Random, format_key: str = "standard", sides: int | None = None
) -> MatchSetup:
    """A match of units of one class with pilots that fit, on any ground, with legal tokens.

    As many units a side as the format takes at most, one in the formats for single units. `sides`: two, or in a
    grand melee 4, 6 or 8 by chance.
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
    trios = token_trios(catalogue)
    return MatchSetup.from_json(
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


def run(names: tuple[str, str], matches: int, seed: int, format_key: str) -> dict[str, Any]:
    """Play and count; the JSON of the command. Raises Malformed for an unknown bot."""
    players = [bots.get(name) for name in names]
    catalogue = load_builtin()
    wins = [0, 0]
    decisions = 0
    started = time.perf_counter()
    for number in range(matches):
        setup = random_setup(catalogue, random.Random(f"{seed}/setup/{number // 2}"), format_key)
        match = Match.start(setup, SeededDice(f"{seed}/dice/{number}"), recording=False)
        swapped = number % 2
        rng = random.Random(f"{seed}/bots/{number}")
        by_side = (players[swapped], players[1 - swapped])
        table = match.table
        while table.open is not None:
            table.answer(by_side[table.roster.side_of[table.open[1]] % 2].decide(table, rng))
            decisions += 1
        result = match.result
        assert result is not None
        wins[table.roster.side_of_name[result.winner] % 2 ^ swapped] += 1
    seconds = time.perf_counter() - started
    rates: dict[str, dict[str, float]] = {}
    labels = names if names[0] != names[1] else (names[0], f"{names[1]} (second)")
    for name, count in zip(labels, wins, strict=True):
        low, high = wilson_interval(count, matches)
        rates[name] = {"rate": count / matches if matches else 0.0, "low": low, "high": high}
    return {
        "matches": matches,
        "seconds": seconds,
        "matches_per_second": matches / seconds if seconds else 0.0,
        "decisions_per_second": decisions / seconds if seconds else 0.0,
        "win_rates": rates,
    }


def main(arguments: list[str] | None = None) -> int:
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rules.selfplay", description="Let bots play each other.")
    parser.add_argument("--bots", default="greedy,random", help="two names, comma-separated")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", default="standard", choices=FORMATS_BUILT)
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE")
    options = parser.parse_args(arguments)
    names = tuple(options.bots.split(","))
    if len(names) != 2 or options.matches < 1:
        parser.error("--bots takes two names and --matches at least 1")
    try:
        report = run((names[0], names[1]), options.matches, options.seed, options.format)
    except Malformed as problem:
        parser.error(f"{problem.code}: {problem.parameters}")
    if options.json == "-":
        print(json.dumps(report, indent=2))
        return 0
    for name, rate in report["win_rates"].items():
        print(f"{name:>10}  {rate['rate']:6.1%}  (95%: {rate['low']:.1%} to {rate['high']:.1%})")
    print(
        f"{report['matches']} matches in {report['seconds']:.1f} s: {report['matches_per_second']:.1f} matches/s, "
        f"{report['decisions_per_second']:,.0f} decisions/s"
    )
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
