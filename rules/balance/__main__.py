"""Do points mean something? Units of a class play each other; what they win is set against their points.

    python -m rules.balance [--class light|medium|heavy|assault] [--matches 400] [--seed 1] [--jobs N]
                            [--suggest] [--json [FILE]] [--report FILE]

Same arguments, same report, whatever `--jobs` is. Exit status 1 when the interval of a unit is not inside 30 to 70%.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from rules.balance.fitting import fit
from rules.balance.playing import pairings, play
from rules.balance.report import ClassRun, catalogue_hash, document, screen, to_json
from rules.catalogue import load_builtin
from rules.catalogue.vocabulary import CLASSES

STEP = 50
"""Matches between two lines of progress."""


def run_class(weight_class: str, matches: int, seed: int, jobs: int, *, is_quiet: bool = True) -> ClassRun:
    """Play and fit one class of the shipped catalogue; raises ValueError when it has fewer than two units."""
    catalogue = load_builtin()
    units = {key: unit for key, unit in catalogue.units.items() if unit["class"] == weight_class}
    started = time.perf_counter()

    def progress(played: int, planned: int) -> None:
        if not is_quiet and (played % STEP == 0 or played == planned):
            rate = played / (time.perf_counter() - started)
            end = "\n" if played == planned else "\r"
            sys.stderr.write(f"{weight_class}: {played} of {planned} matches, {rate:.1f} a second{end}")

    results = play(pairings(sorted(units), matches), seed, jobs, progress)
    return ClassRun(
        weight_class,
        {key: unit["name"] for key, unit in units.items()},
        results,
        fit({key: int(unit["points"]) for key, unit in units.items()}, results),
        catalogue_hash(catalogue, weight_class),
    )


def main(arguments: list[str] | None = None) -> int:
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rules.balance", description="Set what units win against points.")
    parser.add_argument("--class", dest="weight_class", choices=CLASSES, help="one class; all of them without it")
    parser.add_argument("--matches", type=int, default=400, help="matches of each unit (default 400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE")
    parser.add_argument("--report", metavar="FILE", help="write the report as Markdown")
    options = parser.parse_args(arguments)
    if options.matches < 1 or options.jobs < 1:
        parser.error("--matches and --jobs are at least 1")
    classes = [options.weight_class] if options.weight_class else list(CLASSES)
    runs = []
    for weight_class in classes:
        run = run_class(weight_class, options.matches, options.seed, options.jobs, is_quiet=False)
        runs.append(run)
        if options.json != "-":
            sys.stdout.write(screen(run) + "\n\n")
            sys.stdout.flush()
    report = json.dumps(to_json(runs, options.seed, options.matches), indent=2) + "\n"
    if options.json == "-":
        sys.stdout.write(report)
    elif options.json:
        Path(options.json).write_text(report, encoding="utf-8")
    if options.report:
        named = f" --class {options.weight_class}" if options.weight_class else ""
        command = f"python -m rules.balance{named} --matches {options.matches} --seed {options.seed}"
        Path(options.report).write_text(document(runs, f"{command} --report {options.report}", options.seed), "utf-8")
    return 0 if all(unit.is_inside for run in runs for unit in run.fit.units) else 1


if __name__ == "__main__":
    sys.exit(main())
