"""Measure how much faster two Celery workers finish a study of play-outs than one: `make bench-workers`.

    python -m tests.tools.bench_workers [--matches 120] [--rounds 3] [--json]

Needs the Redis of SERVICES_BROKER_URL. Each worker is a process that plays one play-out at a time. It starts and loads
the rules before the clock runs. The study is the balance of the light units, asked for by
`tests.tools.balance --workers`. Its report must have the same bytes each time, and the bytes of a run without workers.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
import uuid
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import redis

from tests.conftest import SERVICES_BROKER_URL
from tests.services.processes import environment, named_node, process, run
from tests.waiting import wait_until

CLASS = "light"
WARM_UP = 4
"""Matches of each unit that are played before the clock runs."""
CELERY = ("-W", "ignore", "-m", "celery", "-q", "-A", "tests.services.study_app", "worker")
WORKER = (*CELERY, "--queues", "studies", "--pool", "threads", "--concurrency", "1", "--prefetch-multiplier", "1")
LONGEST_SECONDS = 1800


class Bench:
    """Studies on a Redis of their own prefix."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.report = folder / "report.json"
        self.variables = environment(
            VAR_DIR=str(folder),
            DEBUG="1",
            DJANGO_SETTINGS_MODULE="solaris_site.settings",
            CELERY_BROKER_URL=SERVICES_BROKER_URL,
            CELERY_RESULT_BACKEND=SERVICES_BROKER_URL,
            CELERY_QUEUE_PREFIX=f"bench-{uuid.uuid4().hex}:",
        )

    def study(self, matches: int, *options: str) -> float:
        """The seconds that a study takes, from its command's start to its end; the report lies in the folder."""
        self.report.unlink(missing_ok=True)
        asked = ("-m", "tests.tools.balance", "--class", CLASS, "--matches", str(matches), "--json", str(self.report))
        began = time.perf_counter()
        # The status tells of units outside, which a short study always has.
        run("-c", RUN, *asked, *options, variables=self.variables, seconds=LONGEST_SECONDS)
        return time.perf_counter() - began

    def with_workers(self, count: int, matches: int) -> float:
        """The seconds of a study that so many workers play, which are started for it and stopped after it."""
        with ExitStack() as stack:
            for _ in range(count):
                ready = self.folder / uuid.uuid4().hex
                variables = self.variables | {"STUDY_READY": str(ready)}
                stack.enter_context(process(*WORKER, *named_node(), variables=variables, log=self.folder / "log"))
                wait_until(ready.exists, "a ready worker")
            self.study(WARM_UP, "--workers")
            return self.study(matches, "--workers")

    def remove(self) -> None:
        """Delete what is left in Redis."""
        with redis.Redis.from_url(SERVICES_BROKER_URL) as server:
            for key in server.scan_iter(f"{self.variables['CELERY_QUEUE_PREFIX']}*"):
                server.delete(key)


# Exit status 1 says no more than that units are outside.
RUN = """
import subprocess, sys
done = subprocess.run([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
sys.exit(done.stderr if "Error" in done.stderr else 0)
"""


def measure(matches: int, rounds: int) -> dict[str, Any]:
    """One and two workers in turn, so that a machine that changes its pace changes it for both."""
    with tempfile.TemporaryDirectory(prefix="solaris-bench-") as folder:
        bench = Bench(Path(folder))
        try:
            alone = bench.study(matches)
            report = bench.report.read_bytes()
            seconds: dict[int, list[float]] = {1: [], 2: []}
            for _ in range(rounds):
                for count in seconds:
                    seconds[count].append(bench.with_workers(count, matches))
                    if bench.report.read_bytes() != report:
                        raise SystemExit(f"The report of {count} workers differs from the report without workers.")
        finally:
            bench.remove()
    ratios = [one / two for one, two in zip(seconds[1], seconds[2], strict=True)]
    return {
        "matches": json.loads(report)["matches"] * len(json.loads(report)["classes"][CLASS]["units"]) // 2,
        "in_process_seconds": round(alone, 1),
        "one_worker_seconds": [round(each, 1) for each in seconds[1]],
        "two_workers_seconds": [round(each, 1) for each in seconds[2]],
        "ratio": round(statistics.median(ratios), 2),
        "ratios": [round(each, 2) for each in ratios],
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench_workers")
    parser.add_argument("--matches", type=int, default=120, help="matches of each unit (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print only JSON")
    options = parser.parse_args()
    found = measure(options.matches, options.rounds)
    if options.json:
        print(json.dumps(found, indent=1))
        return 0
    print(f"{found['matches']} matches, with the same report each time. Seconds of the whole command:")
    print(f"  in the command's own process {found['in_process_seconds']}")
    print(f"  one worker                   {', '.join(map(str, found['one_worker_seconds']))}")
    print(f"  two workers                  {', '.join(map(str, found['two_workers_seconds']))}")
    print(f"Two workers are {found['ratio']} times as fast as one (median of {found['ratios']})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
