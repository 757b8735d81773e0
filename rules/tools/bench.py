"""How fast the engine is: random play-outs and the cost of its parts, on one core.

    python -m rules.bench [--seconds S] [--scenes A,B] [--json [FILE]]

A decision is a complete action. The engine samples it without listing all that are legal. Play-outs run in slices.
"quantiles" holds the 10th, 50th and 90th percentile of the slices' rates, and of the time to list the legal choices at
one position.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.competition.setups import roster_of
from rules.competition.state.roster import Roster
from rules.competition.state.setup import MatchSetup
from rules.core.codec import canonical_json
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup

SETUPS = 16
"""How many different matches a scene plays, so that no single arena or pair of units decides the figure."""

SCENES = {
    "duel": ("standard", 2),
    "team": ("team", 2),
    "grand_melee": ("grand_melee", 8),
    "weapons_dead": ("weapons_dead", 2),
    "tag_team": ("tag_team", 2),
    "capture_the_flag": ("capture_the_flag", 2),
}
"""Scene -> its format and number of sides."""

MEASURED = ("duel", "team", "grand_melee")
"""The scenes measured unless others are asked for."""


def setups(format_key: str, sides: int, seed: int = 7) -> list[MatchSetup]:
    """Return the matches that a scene plays, always the same ones."""
    catalogue = load_builtin()
    return [random_setup(catalogue, random.Random(f"{seed}/{number}"), format_key, sides) for number in range(SETUPS)]


def play_outs(rosters: list[Roster], seconds: float, first: int = 0) -> tuple[float, float]:
    """Play at random for about `seconds`; return decisions and matches a second. `first` numbers the first match."""
    decisions = 0
    started = time.perf_counter()
    for number in count(first):
        if (elapsed := time.perf_counter() - started) >= seconds:
            return decisions / elapsed, (number - first) / elapsed
        rng = random.Random(number)
        table = Match.at(rosters[number % len(rosters)], SeededDice(number), recording=False).table
        while table.open is not None:
            kind, unit, data = table.open
            table.answer(kind.sample(table, unit, data, rng))
            decisions += 1
    raise AssertionError("unreachable")


def midgame(rosters: list[Roster], decisions: int = 12) -> list[Match]:
    """Return a match of each roster, after `decisions` random decisions or more, at a decision of kind move or combat.

    Matches that end before are left out.
    """
    found = []
    for number, roster in enumerate(rosters):
        rng = random.Random(f"midgame/{number}")
        match = Match.at(roster, SeededDice(f"midgame/{number}"), recording=False)
        played = 0
        while match.table.open is not None and (
            played < decisions or match.table.open[0].name not in ("move", "combat")
        ):
            kind, unit, data = match.table.open
            match.play_choice(kind.sample(match.table, unit, data, rng))
            played += 1
        if match.table.open is not None:
            found.append(match)
    return found


def microseconds(function: Callable[[Match], Any], matches: list[Match], seconds: float) -> float:
    """Return the mean time of one call over these matches, in microseconds; measure for at least `seconds`."""
    calls = 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        for match in matches:
            function(match)
        calls += len(matches)
    return elapsed / calls * 1e6


def _choices(match: Match) -> int:
    """Return the number of legal choices, which the engine lists as for bots."""
    assert match.table.open is not None
    kind, unit, data = match.table.open
    return len(kind.options(match.table, unit, data))


def _actions(match: Match) -> int:
    """Return the number of legal actions, which the engine lists as JSON documents, each with its path."""
    return len(match.legal_actions())


SLICES = 10
"""The number of slices in which the play-outs of a scene run; their rates give the quantiles."""


def quantiles(values: list[float]) -> dict[str, float]:
    """Return the 10th, 50th and 90th percentile of at least two values, as `p10`, `p50` and `p90`."""
    deciles = statistics.quantiles(values, n=10, method="inclusive")
    return {"p10": round(deciles[0], 2), "p50": round(deciles[4], 2), "p90": round(deciles[8], 2)}


def listing_rates(rosters: list[Roster], seconds: float) -> tuple[float, float]:
    """Return how many legal choices, and how many legal actions as JSON, are listed a second in the middle of a match.

    Each is measured for `seconds`.
    """
    middle = midgame(rosters)
    choices, actions = (
        sum(map(count_of, middle)) / len(middle) / microseconds(count_of, middle, seconds) * 1e6
        for count_of in (_choices, _actions)
    )
    return choices, actions


def measure(scene: str, seconds: float) -> dict[str, Any]:
    """Return all figures of one scene of SCENES. Its play-outs take `seconds`, all figures about 2.6 times that."""
    rosters = [roster_of(setup) for setup in setups(*SCENES[scene])]
    play_outs(rosters, seconds / 4)  # lines of fire are remembered from here on
    slices = [play_outs(rosters, seconds / SLICES, first) for first in range(0, SLICES * len(rosters), len(rosters))]
    decisions = statistics.mean(rate for rate, _ in slices)
    matches = statistics.mean(rate for _, rate in slices)
    middle = midgame(rosters)
    dice = SeededDice(0)
    listed = sum(_choices(match) for match in middle) / len(middle)
    choices = microseconds(_choices, middle, seconds / 4)
    return {
        "decisions_per_second": round(decisions, 1),
        "matches_per_second": round(matches, 1),
        "legal_actions_us": round(microseconds(_actions, middle, seconds / 4), 2),
        "legal_choices_us": round(choices, 2),
        "legal_choices_listed": round(listed, 1),
        "legal_choices_per_second": round(listed / choices * 1e6, 0),
        "clone_us": round(microseconds(lambda match: match.copy(dice), middle, seconds / 4), 3),
        "clone_position_us": round(microseconds(lambda match: match.table.position.copy(), middle, seconds / 4), 3),
        "serialise_us": round(
            microseconds(lambda match: json.dumps(match.table.position.to_json()), middle, seconds / 4), 2
        ),
        "state_bytes": max(len(canonical_json(match.table.position.to_json())) for match in middle),
        "quantiles": {
            "decisions_per_second": quantiles([rate for rate, _ in slices]),
            "legal_choices_us": quantiles([microseconds(_choices, [match], seconds / 200) for match in middle]),
        },
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rules.bench", description="Measure how fast the engine is.")
    parser.add_argument("--seconds", type=float, default=4.0, help="seconds of play-outs in each scene (default 4)")
    parser.add_argument(
        "--scenes", default=",".join(MEASURED), help=f"scenes to measure, comma-separated: some of {', '.join(SCENES)}"
    )
    parser.add_argument(
        "--json", nargs="?", const="-", metavar="FILE", help="write JSON to FILE; without FILE, print only JSON"
    )
    options = parser.parse_args(arguments)
    scenes = options.scenes.split(",")
    if not set(scenes) <= set(SCENES):
        parser.error(f"--scenes takes some of {', '.join(SCENES)}")
    report = {scene: measure(scene, options.seconds) for scene in scenes}
    text = json.dumps(report, indent=2)
    if options.json == "-":
        print(text)
        return 0
    if options.json:
        Path(options.json).write_text(text + "\n", encoding="utf-8")
    for scene, figures in report.items():
        print(scene)
        for name, value in figures.items():
            if name != "quantiles":
                print(f"  {name:<26}{value:>14,.1f}")
        for name, parts in figures["quantiles"].items():
            phrase = ", ".join(f"{part} {value:,.1f}" for part, value in parts.items())
            print(f"  {name}: {phrase}")
    return 0
