"""Run the tests in random order on busy processors, as often as asked, and count failures: `make calm RUNS=5`.

    python -m tests.tools.calm [--runs 5] [--busy 2] [--tally var/calm.json] [--forget] [PYTEST OPTION...]

Each run prints its seed; `--seed 7` repeats the order of a run. The tally outlives the command, so runs add up over
days. It names every test that ever failed, with the seeds. Exit status 1 when a test failed in this call.
"""

from __future__ import annotations

import argparse
import json
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
BUSY = "while True: pass"
LARGEST_SEED = 2**31


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep so many processors from being free."""
    running = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def run(seed: int, options: list[str], processes: int) -> tuple[int, list[str]]:
    """Run all tests in the order of a seed; return the exit status of pytest and the names of those that failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-n", str(processes), "--dist", "worksteal", "-q"]
        command += ["--random-order", "--random-order-bucket=module", f"--random-order-seed={seed}"]
        command += [f"--junit-xml={report}", *options]
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        return status, failed(report) if report.exists() else ["the run ended without a report"]


def failed(report: Path) -> list[str]:
    """Return the tests of a JUnit report that failed, or whose set-up or end did."""
    names = []
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            names.append(f"{case.get('classname', '')}::{case.get('name', '')}")
    return names


def counted(tally: Path) -> dict[str, Any]:
    """Return the tally so far: `runs`, a list of seed, commit and failed tests."""
    if tally.exists():
        found: dict[str, Any] = json.loads(tally.read_text(encoding="utf-8"))
        return found
    return {"runs": []}


def commit() -> str:
    """Return the short name of the commit that is tested, with a plus where files differ from it."""
    command = ["git", "describe", "--always", "--dirty=+"]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True).stdout.strip()


def summary(found: dict[str, Any]) -> str:
    """Return the tally in words: how many runs there were, and each test that ever failed with its seeds."""
    seeds: dict[str, list[str]] = {}
    for each in found["runs"]:
        for name in each["failed"]:
            seeds.setdefault(name, []).append(f"{each['seed']} at {each['commit']}")
    lines = [f"{len(found['runs'])} runs; tests that ever failed: {len(seeds) or 'none'}."]
    return "\n".join([*lines, *(f"  {name}: seed {', '.join(own)}" for name, own in sorted(seeds.items()))])


def main() -> int:
    """Run as often as asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=1, help="number of runs (default %(default)s)")
    parser.add_argument("--busy", type=int, default=2, help="processes that keep processors busy (default %(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="processes that run tests (default %(default)s)")
    parser.add_argument("--seed", type=int, help="repeat the order of the run with this seed, once")
    parser.add_argument(
        "--tally", type=Path, default=ROOT / "var" / "calm.json", help="file of the tally (default: var/calm.json)"
    )
    parser.add_argument("--forget", action="store_true", help="start a new tally")
    own, options = parser.parse_known_args()
    if own.forget:
        own.tally.unlink(missing_ok=True)
    own.tally.parent.mkdir(parents=True, exist_ok=True)
    is_bad = False
    for number in range(own.runs if own.seed is None else 1):
        seed = secrets.randbelow(LARGEST_SEED) if own.seed is None else own.seed
        print(f"\n== run {number + 1} of {own.runs}, seed {seed}", flush=True)
        with busy(own.busy):
            status, names = run(seed, options, own.processes)
        is_bad = is_bad or status != 0
        found = counted(own.tally)
        found["runs"].append({"seed": seed, "commit": commit(), "status": status, "failed": names})
        own.tally.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(summary(found), flush=True)
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main())
