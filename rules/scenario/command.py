"""The command: plays scenarios of every game of the family, each by its own room.

    python -m rules.scenario FILE...            one line each, exit status 1 if any differs
    python -m rules.scenario --print FILE.json  the outcome as JSON

For a folder every *.json below it is played. `game` names the game of a scenario: `arena`, which is meant where it is
missing, or `challenge`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rules.challenge.scenario import playing as challenge
from rules.scenario import playing as arena
from rules.scenario.comparing import compared
from rules.scenario.shape import ScenarioError

Played = tuple[Mapping[str, Any] | None, str | None]
"""The outcome, None where the position is refused, and the first difference, None where all is as expected."""


def play(document: Mapping[str, Any]) -> Played:
    """Play a scenario of any game."""
    if document.get("game") == "challenge":
        return play_challenge(document)
    scenario, difference = arena.play(document)
    if scenario is None:
        return None, difference
    decision = scenario.match.decision
    return {**scenario.outcome(), "decision": decision.to_json() if decision else None}, difference


def play_challenge(document: Mapping[str, Any]) -> Played:
    """Play a scenario of the Melee Challenge."""
    outcome, problem = challenge.played(document)
    if outcome is None:
        return None, problem
    return outcome, next(_differences(document.get("expect") or {}, outcome), None)


def _differences(expect: Mapping[str, Any], outcome: Mapping[str, Any]) -> Iterator[str]:
    """Yield the differences of an outcome. `true` as the expected error stands for any refusal; lists compare whole.

    The entries of a list of awards are objects, of which only the expected keys count.
    """
    for key, expected in expect.items():
        found = outcome.get(key)
        if key == "error" and expected is True:
            if found is None:
                yield "error: expected a refusal, there is none"
        elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
            for number, (wanted, there) in enumerate(zip(expected, found, strict=True), start=1):
                yield from compared(wanted, there, f"{key}[{number}]")
        else:
            yield from compared(expected, found, key)


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the named files, and for a folder every *.json below it, sorted, or the folder itself if it has none."""
    for path in paths:
        yield from (sorted(path.rglob("*.json")) if path.is_dir() else []) or [path]


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rules.scenario", description="Play conformance scenarios.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a file, or a folder of files")
    parser.add_argument("--print", action="store_true", dest="prints", help="print the outcome as JSON")
    options = parser.parse_args(arguments)
    differ = 0
    for path in files(options.files):
        document: dict[str, Any] = {}
        outcome: Mapping[str, Any] | None = None
        try:
            document = arena.load(path)
            outcome, difference = play(document)
        except ScenarioError as problem:
            difference = str(problem)
        except (LookupError, TypeError, ValueError, AttributeError) as bug:  # the other files are still played
            difference = f"cannot be played: {bug!r}"
        if options.prints and outcome is not None:
            print(json.dumps(outcome, indent=2, ensure_ascii=False))
            continue
        if options.prints and difference is None:
            print(json.dumps({"error": document["expect"]["error"]}, indent=2))
            continue
        differ += difference is not None
        print(f"{path}: {'ok' if difference is None else difference}")
    return 1 if differ else 0
