"""Check the point values: units of a class play each other, and what they win is compared with their points.

    python -m rules.tools.balance [--class light|medium|heavy|assault] [--matches 400] [--seed 1] [--jobs N]
                            [--suggest] [--json [FILE]] [--report FILE] [--prices [FILE]] [--keep FILE]
        only the matches of that unit:
    python -m rules.tools.balance --unit ID [--matches 400] [--seed 1] [--jobs N] [--suggest]
        what one change is worth:
    python -m rules.tools.balance --twins [--class ...] [--matches 8] [--seed 1] [--jobs N]

The same arguments give the same report, for any `--jobs`. Exit status 1 when the interval of a unit is not inside 30 to
70%, or when the study cannot be played.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rules.catalogue import load_builtin
from rules.catalogue.pricing import PRICES_FILE, features
from rules.catalogue.vocabulary import CLASSES
from rules.core.refusals import Refused
from rules.measuring import studies
from rules.measuring.balance.playing import Memory, Played, pairings, play, twin_pairings
from rules.measuring.balance.twins import Unit
from rules.tools.balance.fitting import Z, fit, fit_one
from rules.tools.balance.keeping import KeptScores, ground_hash
from rules.tools.balance.pricing import Evidence, Prices, evidence_of_twins, fit_prices, prices_document
from rules.tools.balance.report import ClassRun, document, screen, suggestions, to_json, twin_lines
from rules.wording import sentence

MATCHES = 400
"""How many matches each unit plays by default."""

TWIN_MATCHES = 8
"""How many matches each unit plays against each of its twins by default."""


def run_class(
    weight_class: str,
    matches: int,
    seed: int,
    way: studies.Executor = studies.in_this_process,
    only: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    memory: Memory | None = None,
) -> ClassRun:
    """Play and fit one class of the shipped catalogue; with `only`, a unit's id, just the matches of that unit.

    `progress` and `memory` are those of `play`. Raises ValueError when the class has fewer than two units, and all that
    `play` and `fit` raise.
    """
    catalogue = load_builtin()
    units = {key: unit for key, unit in catalogue.units.items() if unit["class"] == weight_class}
    points = {key: int(unit["points"]) for key, unit in units.items()}
    schedule = [pairing for pairing in pairings(sorted(units), matches) if only is None or only in pairing[:2]]
    results = play(schedule, seed, way, progress, memory)
    fitted = fit(points, results) if only is None else fit_one(only, points, results)
    return ClassRun(weight_class, units, results, fitted, ground_hash(catalogue))


def progress_of(name: str) -> Callable[[int, int], None]:
    """Return a function that writes a line of progress with the speed to standard error."""
    started = time.perf_counter()

    def tell(played: int, planned: int) -> None:
        rate = played / (time.perf_counter() - started)
        end = "\n" if played == planned else "\r"
        sys.stderr.write(f"{name}: {played} of {planned} matches, {rate:.1f} a second{end}")
        sys.stderr.flush()

    return tell


def run_twins(
    units: Mapping[str, Unit], matches: int, seed: int, way: studies.Executor, name: str, memory: Memory | None = None
) -> list[Played]:
    """Play each of these units against its twins, and write the progress under `name` to standard error."""
    return play(twin_pairings(units, matches), seed, way, progress_of(name), memory)


def fitted_prices(runs: Sequence[ClassRun], seed: int, way: studies.Executor, memory: Memory | None = None) -> Prices:
    """Return prices of features, from the fitted points of all units of these runs and matches against their twins.

    The matches against twins are played here. Raises ValueError with fewer than three units.
    """
    evidence = []
    for run in runs:
        units = {unit.unit: run.units[unit.unit] for unit in run.fit.units}
        for unit in run.fit.units:
            error = (unit.fitted_high - unit.fitted_low) / (2 * Z)
            evidence.append(Evidence(features(units[unit.unit]), unit.fitted, error, True))
        twins = run_twins(units, TWIN_MATCHES, seed, way, f"{run.weight_class} twins", memory)
        evidence += evidence_of_twins(units, twins, run.fit.slope.worth)
    return fit_prices(evidence)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command; a command that plays the same study elsewhere adds them too."""
    parser.add_argument("--class", dest="weight_class", choices=CLASSES, help="play only this class (default: all)")
    parser.add_argument("--unit", choices=load_builtin().units, metavar="ID", help="play only the matches of this unit")
    parser.add_argument(
        "--matches",
        type=int,
        help=f"matches of each unit (default {MATCHES}); with --twins, of each twin (default {TWIN_MATCHES})",
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the matches (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (default 1)")
    parser.add_argument("--suggest", action="store_true", help="print fitted points beside the current ones")
    parser.add_argument("--twins", action="store_true", help="only measure what each change to a sheet is worth")
    parser.add_argument(
        "--json", nargs="?", const="-", metavar="FILE", help="write JSON to FILE; without FILE, print only JSON"
    )
    parser.add_argument("--report", metavar="FILE", help="write the report as Markdown")
    parser.add_argument("--keep", metavar="FILE", help="keep scores in this file, and skip matches that it holds")
    parser.add_argument(
        "--prices",
        nargs="?",
        const=str(PRICES_FILE),
        metavar="FILE",
        help="fit the prices of features and write them to FILE",
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m rules.tools.balance", description="Compare what units win with their points."
    )
    add_arguments(parser)
    try:
        return run(parser, parser.parse_args(arguments))
    except Refused as problem:
        sys.stderr.write(f"{sentence(problem.code, problem.parameters)} [{problem.code}]\n")
        return 1


def run(parser: argparse.ArgumentParser, options: argparse.Namespace, way: studies.Executor | None = None) -> int:
    """Do what the options say and return the exit status. Without a `way` matches are played in `--jobs` processes.

    End with the parser's error if options do not go together. Raises Refused when the study cannot be played.
    """
    if options.jobs < 1 or (options.matches is not None and options.matches < 1):
        parser.error("--matches and --jobs must be at least 1")
    if options.unit and (options.weight_class or options.report or options.prices):
        parser.error("--unit cannot be combined with --class, --report or --prices")
    try:
        memory = KeptScores(Path(options.keep), load_builtin()) if options.keep else None
    except (ValueError, OSError) as problem:
        parser.error(f"--keep {options.keep}: {problem}")
    way = way or studies.in_processes(options.jobs)
    classes = [options.weight_class] if options.weight_class else list(CLASSES)
    if options.twins:
        units = {key: unit for key, unit in load_builtin().units.items() if unit["class"] in classes}
        twins = run_twins(units, options.matches or TWIN_MATCHES, options.seed, way, "twins", memory)
        sys.stdout.write("\n".join(twin_lines(units, twins)) + "\n")
        return 0
    if options.unit:
        classes = [str(load_builtin().units[options.unit]["class"])]
    matches = options.matches or MATCHES
    runs = []
    for name in classes:
        progress = progress_of(name)
        run = run_class(name, matches, options.seed, way, options.unit, progress, memory)
        runs.append(run)
        if options.json != "-":
            text = [screen(run), *([suggestions(run)] if options.suggest else [])]
            sys.stdout.write("\n\n".join(text) + "\n\n")
            sys.stdout.flush()
    named = f" --class {options.weight_class}" if options.weight_class else ""
    command = f"python -m rules.tools.balance{named} --matches {matches} --seed {options.seed}"
    report = json.dumps(to_json(runs, options.seed, matches), indent=2) + "\n"
    if options.json == "-":
        sys.stdout.write(report)
    elif options.json:
        Path(options.json).write_text(report, encoding="utf-8")
    if options.report:
        text_report = document(runs, f"{command} --report {options.report}", options.seed)
        Path(options.report).write_text(text_report, encoding="utf-8")
    if options.prices:
        prices = fitted_prices(runs, options.seed, way, memory)
        text_prices = prices_document(prices, f"{command} --prices", sum(len(run.fit.units) for run in runs))
        Path(options.prices).write_text(text_prices, encoding="utf-8")
    return 0 if all(unit.is_inside for run in runs for unit in run.fit.units) else 1


if __name__ == "__main__":
    sys.exit(main())
