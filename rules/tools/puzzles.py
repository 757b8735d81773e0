"""The puzzles of some days, for the file of those that come with the game.

    python -m rules.tools.puzzles 2026-11-26 2026-11-27 > matches/puzzles.json

The same days give the same file, as long as catalogue, rules and bots stay as they are.
"""

from __future__ import annotations

import argparse
import json

from rules.measuring.puzzles import find


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rules.tools.puzzles", description="Find puzzles of days.")
    parser.add_argument("days", nargs="+", metavar="DAY", help="the seed of a puzzle, such as 2026-11-26")
    found = {day: find(day) for day in parser.parse_args(arguments).days}
    lines = [f"{json.dumps(day)}: {json.dumps(puzzle.to_json())}" for day, puzzle in found.items() if puzzle]
    print("{\n" + ",\n".join(lines) + "\n}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
