"""Prove that nothing is lost or doubled when workers are killed: `make faults`.

    python -m tests.faults [--kills 200] [--site embedded|served] [--json FILE]

On each of two sites (queue of files with SQLite; Redis with PostgreSQL) a season is played by a worker that dies by
SIGKILL at every boundary of every step of every job, before and after its commit; and seasons are played by a worker
that is killed at random moments. Leases last one second. Afterwards each season must equal, row by row, the one that
was played undisturbed from the same seed, and the ledgers must fold. Exit status 1 if anything differs, or if fewer
than half of the random kills hit a worker at a job.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.faults.sites import EMBEDDED, SERVED, site
from tests.faults.trial import BOUNDARIES, RANDOM, Outcome, Plan
from tests.faults.worker import is_in_a_job, job_name
from tests.services.processes import ROOT

SITES = {"embedded": EMBEDDED, "served": SERVED}


def trial(kind: str, plan: Plan, migrated: Path | None = None) -> Outcome:
    """Carry out a plan on a site of its own, an embedded one which may begin as a copy of a folder."""
    with tempfile.TemporaryDirectory(prefix="solaris-faults-") as folder, site(kind, Path(folder)) as variables:
        if migrated is not None:
            shutil.copytree(migrated, folder, dirs_exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-m", "tests.faults.trial", json.dumps(asdict(plan))],
            cwd=ROOT,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
            timeout=plan.seconds + 120,
        )
    if done.returncode:
        return Outcome(problems=[f"the trial broke off: {done.stderr.strip()[-2000:]}"])
    return Outcome(**json.loads(done.stdout.splitlines()[-1]))


def step_of(point: str) -> str:
    """Where a kill hit, without numbers of jobs: job, step, moment."""
    if not is_in_a_job(point):
        return f"between jobs ({point})"
    _, step, moment = point.split("|", 2)
    return f"{job_name(point)} / {step} / {moment}"


def problems_of(kind: str, plan: Plan, outcome: Outcome) -> list[str]:
    """What makes a trial fail, with what its kills themselves leave to be desired."""
    problems = list(outcome.problems)
    hits = sum(map(is_in_a_job, outcome.kills))
    if plan.mode == RANDOM and (len(outcome.kills) < plan.kills or 2 * hits < len(outcome.kills)):
        problems.append(
            f"{hits} of {len(outcome.kills)} random kills hit a worker at a job; {plan.kills} kills were asked for"
        )
    return [f"{kind}, {plan.mode}: {problem}" for problem in problems]


def tell(kind: str, plan: Plan, outcome: Outcome) -> None:
    hits = sum(map(is_in_a_job, outcome.kills))
    seasons = f"{outcome.seasons} season{'' if outcome.seasons == 1 else 's'}"
    print(f"\n== {kind}, {plan.mode}: {len(outcome.kills)} kills, {hits} inside a job, {seasons}, {outcome.seconds} s")
    for step, count in sorted(Counter(map(step_of, outcome.kills)).items()):
        print(f"{count:5d}  {step}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200, help="number of random kills in all (default %(default)s)")
    parser.add_argument("--cycles", type=int, default=2, help="cycles of the season with a kill at every boundary")
    parser.add_argument("--site", choices=tuple(SITES), action="append", help="only this kind of site (default: both)")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--json", help="write all kills and figures to this file")
    options = parser.parse_args()
    kinds = [SITES[name] for name in options.site or SITES]
    plans: list[tuple[str, Plan]] = []
    for number, kind in enumerate(kinds):
        kills = options.kills // len(kinds) + (number < options.kills % len(kinds))
        plans.append((kind, Plan(BOUNDARIES, [options.seed], cycles=options.cycles, seconds=1200)))
        seeds = [options.seed + offset for offset in range(1, 5)]
        plans.append((kind, Plan(RANDOM, seeds, kills=kills, chance=options.seed + number, seconds=1200)))
    # Most of a trial is waiting for leases of the dead.
    with ThreadPoolExecutor(len(plans)) as pool:
        outcomes = list(pool.map(lambda one: trial(*one), plans))
    problems: list[str] = []
    for (kind, plan), outcome in zip(plans, outcomes, strict=True):
        tell(kind, plan, outcome)
        problems += problems_of(kind, plan, outcome)
    if options.json:
        document: list[dict[str, Any]] = [
            {"site": kind, **asdict(plan), **asdict(outcome)}
            for (kind, plan), outcome in zip(plans, outcomes, strict=True)
        ]
        Path(options.json).write_text(json.dumps({"trials": document, "problems": problems}, indent=1))
    kills = sum(len(outcome.kills) for outcome in outcomes)
    print(f"\n{kills} workers killed in {sum(outcome.seasons for outcome in outcomes)} seasons.")
    if problems:
        print(*problems, sep="\n")
        print(f"{len(problems)} problems.")
        return 1
    print("Every purse, repair, reputation point and fixture is there exactly once, as in the undisturbed seasons.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
