"""Measure random play-outs of this engine and of python-chess in turn, in one run, and print the ratio.

    make bench-peers        (makes a virtual environment of its own for the peer)

The two take turns, so that a machine that gets slower on the way slows both. Each round gives a ratio; the median of
the ratios is the figure to quote. A decision is a complete action, taken where at least two were possible. In chess
that is a move, chosen from the list of legal moves; this engine samples an action without listing all of them. Each
scene is played by bare line-ups, as in `rules.tools.bench`, and by line-ups with gear and rally cards.

Chess is played in two ways. The usual way asks before each move whether the game is over, as the peer's documentation
does. That looks for legal moves, which are then listed once more. The lean way takes an empty list as the end and only
asks for dead positions, because this engine too knows without asking that a match is over.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rules.competition.setups import roster_of
from rules.competition.state.roster import Roster
from rules.competition.state.setup import MatchSetup
from rules.tools.bench import SCENES, listing_rates, play_outs, setups
from tests.tools.line_ups import equipped

POSITIONS = 64
"""Chess positions some way into a game, at which the listing of legal moves is timed."""


Game = Callable[[Any, random.Random], int]
"""Plays on a board to the end and counts the decisions."""


def usual_game(board: Any, rng: random.Random) -> int:
    """A game ends by its own rules and, as random ones seldom do, by fifty moves."""
    decisions = 0
    while not board.is_game_over(claim_draw=False) and board.halfmove_clock < 100:
        moves = list(board.legal_moves)
        board.push(rng.choice(moves))
        decisions += len(moves) > 1
    return decisions


def lean_game(board: Any, rng: random.Random) -> int:
    """The same game, whose moves are looked for once."""
    decisions = 0
    while board.halfmove_clock < 100 and (moves := list(board.legal_moves)) and not board.is_insufficient_material():
        board.push(rng.choice(moves))
        decisions += len(moves) > 1
    return decisions


LOOPS: Mapping[str, Game] = {"usual": usual_game, "lean": lean_game}


def chess_figures(seconds: float) -> dict[str, float]:
    """Decisions a second in random games of chess, and legal moves listed a second; needs the peer's environment."""
    chess = importlib.import_module("chess")
    figures = {name: _chess_play_outs(chess, game, seconds) for name, game in LOOPS.items()}
    return figures | {"listed": _chess_listing(chess, seconds / 4)}


def _chess_play_outs(chess: Any, game: Game, seconds: float) -> float:
    decisions = games = 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        decisions += game(chess.Board(), random.Random(games))
        games += 1
    return decisions / elapsed


def _chess_listing(chess: Any, seconds: float) -> float:
    boards = []
    for number in range(POSITIONS):
        rng = random.Random(f"position/{number}")
        board = chess.Board()
        for _ in range(30):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        boards.append(board)
    listed = 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        for board in boards:
            listed += len(list(board.legal_moves))
    return listed / elapsed


def peer(python: Path, seconds: float) -> dict[str, float]:
    """One round of the peer, in a process of its own with its own packages."""
    command = [str(python), "-m", "tests.tools.bench_peers", "--as-peer", "--seconds", str(seconds)]
    document: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return document


def ours(rosters: list[Roster], seconds: float) -> dict[str, float]:
    """One round of this engine."""
    decisions, _ = play_outs(rosters, seconds)
    choices, actions = listing_rates(rosters, seconds / 4)
    return {"decisions": decisions, "choices": choices, "actions": actions}


RATIOS = {
    "decisions": ("decisions", "usual", "decisions/s"),
    "decisions_lean": ("decisions", "lean", "decisions/s, lean loop"),
    "listed": ("choices", "listed", "legal choices listed/s"),
    "listed_as_json": ("actions", "listed", "legal actions as JSON/s"),
}
"""What is compared: our figure, the peer's, and the words for it."""


def compare(python: Path, name: str, matches: list[MatchSetup], seconds: float, rounds: int) -> dict[str, Any]:
    """Rounds of both in turn: all figures, and the median, least and greatest ratio of ours to the peer's."""
    rosters = [roster_of(setup) for setup in matches]
    play_outs(rosters, seconds / 4)
    own, others = [], []
    for number in range(rounds):
        # Which one begins alternates too.
        if number % 2:
            others.append(peer(python, seconds))
            own.append(ours(rosters, seconds))
        else:
            own.append(ours(rosters, seconds))
            others.append(peer(python, seconds))
    report: dict[str, Any] = {"scene": name, "rounds": rounds, "ours": own, "peer": others}
    for name, (figure, theirs, _) in RATIOS.items():
        ratios = sorted(mine[figure] / other[theirs] for mine, other in zip(own, others, strict=True))
        report[f"{name}_ratio"] = {
            "median": round(statistics.median(ratios), 2),
            "least": round(ratios[0], 2),
            "greatest": round(ratios[-1], 2),
        }
    return report


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench_peers", description="Compare with python-chess.")
    parser.add_argument(
        "--python", type=Path, default=Path(".venv-peers/bin/python"), help="the Python that has python-chess"
    )
    parser.add_argument(
        "--seconds", type=float, default=3.0, help="seconds of play-outs for each engine in each round (default 3)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds (default 5)")
    parser.add_argument(
        "--scenes", default="duel,team,grand_melee", help="scenes, comma-separated (default %(default)s)"
    )
    parser.add_argument(
        "--json", nargs="?", const="-", metavar="FILE", help="write JSON to FILE; without FILE, print only JSON"
    )
    parser.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.as_peer:
        print(json.dumps(chess_figures(options.seconds)))
        return 0
    scenes = options.scenes.split(",")
    line_ups = {scene: setups(*SCENES[scene]) for scene in scenes}
    line_ups |= {f"{scene} with gear and rally cards": equipped(*SCENES[scene]) for scene in scenes}
    report = [
        compare(options.python, name, matches, options.seconds, options.rounds) for name, matches in line_ups.items()
    ]
    if options.json == "-":
        print(json.dumps(report, indent=2))
        return 0
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    for scene in report:
        own = statistics.median(one["decisions"] for one in scene["ours"])
        usual, lean = (statistics.median(one[loop] for one in scene["peer"]) for loop in LOOPS)
        print(f"{scene['scene']}: {own:,.0f} decisions/s; python-chess {usual:,.0f}, in a lean loop {lean:,.0f}")
        for name, (_, _, words) in RATIOS.items():
            ratio = scene[f"{name}_ratio"]
            print(f"  {words:24} {ratio['median']:.2f} times python-chess ({ratio['least']} to {ratio['greatest']})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
