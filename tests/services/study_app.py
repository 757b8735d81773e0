"""The site's workers, with works of tests: `celery -A tests.services.study_app worker`.

STUDY_READY names a file that appears when the worker is ready, STUDY_TRIAL says what goes wrong with it. Squares are
counted up to the part at which the file LOG.held says so, and on from there when it is gone.

`python -m tests.services.study_app WORK COUNT SIZE` asks for a study of its works and prints the result as JSON.
"""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import django
from celery.signals import worker_ready

from solaris_site.celery import app

django.setup()

from rules.measuring import studies  # noqa: E402
from studies import tasks  # noqa: E402 - after the set-up
from studies.fan_out import StudyRefused, on_workers  # noqa: E402
from tests.waiting import wait_until  # noqa: E402

__all__ = ["app"]

TRIAL = os.environ.get("STUDY_TRIAL", "")


def squares(given: dict[str, Any], first: int, count: int) -> list[int]:
    """Squares; writes down in a file each time that it is asked for a part."""
    with Path(given["log"]).open("a") as log:
        log.write(f"{first}\n")
    wait_until(lambda: not is_held(Path(given["log"])), "leave to go on")
    return [number**2 for number in range(first, first + count)]


def is_held(log: Path) -> bool:
    try:
        return len(log.read_text().split()) >= int(log.with_suffix(".held").read_text())
    except FileNotFoundError:
        return False


def fails(given: dict[str, Any], first: int, count: int) -> None:
    raise ValueError(f"nothing can be done with {first}")


def die_over_the_merging(*arguments: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def find_two_results(*arguments: Any) -> None:
    raise studies.NotTheSame("study 0, part from 2")


@worker_ready.connect
def tell(**facts: Any) -> None:
    if "STUDY_READY" in os.environ:
        Path(os.environ["STUDY_READY"]).touch()


WORKS = {name: f"tests.services.study_app:{name}" for name in ("squares", "fails")}
patch.dict(cast(dict[str, str], studies.WORKS), WORKS).start()
if TRIAL == "other code":
    patch.object(studies, "code_hash", lambda: "of other code").start()
if TRIAL == "dies over the merging":
    patch.object(tasks.merge_answers, "run", die_over_the_merging).start()
if TRIAL == "two results":
    patch.object(tasks.merge_answers, "run", find_two_results).start()


def main(work: str, count: str, size: str, log: str) -> int:
    counts: list[int] = []
    study = studies.Study(work, {"log": log}, int(count), int(size))
    try:
        result = studies.run([study, study], on_workers(200), counts.append)
    except StudyRefused as refused:
        sys.stdout.write(json.dumps([refused.code, refused.parameters]))
        return 1
    sys.stdout.write(json.dumps([result, counts == sorted(counts) and counts[-1] == 2 * int(count)]))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
