"""One trial: seasons whose worker is killed over and over, on the site that the environment names.

    python -m tests.faults.trial '{"mode": "boundaries", "seeds": [5], ...}'

It prints one JSON document. This process imports everything and touches no database: each worker is a fork of it, up in
a moment, with connections of its own, and its death by SIGKILL is a process's whole death.
"""

from __future__ import annotations

import io
import json
import os
import random
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import django

BOUNDARIES = "boundaries"
RANDOM = "random moments"
BEAT_SECONDS = 0.2
MOST_PLACES = 30
"""A random kill comes after the worker told of a random number of places, at most so many: lives are as long as that on
any machine, and every kind of job is met."""
LONGEST_PAUSE_SECONDS = 0.05
"""And then after a random pause, so that it may hit anything between two places."""


@dataclass
class Plan:
    """What to do: `seeds` give the seasons that run at once; `kills` ends random killing, then the seasons end.

    `only`: die at the boundaries of jobs of this name alone.
    """

    mode: str
    seeds: list[int]
    stables: int = 4
    cycles: int = 1
    bot: str = "random"
    kills: int = 0
    seconds: int = 600
    chance: int = 1
    only: str = ""


@dataclass
class Outcome:
    """What came of it: the point of each kill, and everything that is not as in the undisturbed seasons."""

    kills: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    seasons: int = 0
    seconds: float = 0.0


def forked(function: Callable[[], Any]) -> int:
    """The id of a new process that runs `function` and ends with 0, with what it returned, or with 70."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        code = int(function() or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def in_a_child(function: Callable[[], Any]) -> Any:
    """What `function` gives, JSON-able, computed in a process of its own: its threads and connections stay there."""
    path = Path(os.environ["VAR_DIR"], "answer.json")
    pid = forked(lambda: path.write_text(json.dumps(function())) and 0)
    _, status = os.waitpid(pid, 0)
    if status:
        raise RuntimeError(f"{function} failed")
    return json.loads(path.read_text())


def prepare(plan: Plan) -> dict[str, Any]:
    """Build the site and play each seed's season here, undisturbed; gives its books by seed."""
    from django.core.management import call_command

    from stables.models import Season
    from stables.services.ai.exhibitions import play
    from tests.faults.books import books_of

    call_command("migrate", verbosity=0)
    call_command("load_catalogue", stdout=io.StringIO())
    expected = {}
    for seed in plan.seeds:
        season = play(season_id=open_season(plan, seed, "Undisturbed"), on_progress=lambda progress: None)
        expected[str(seed)] = books_of(Season.objects.get(pk=season.pk))
    return expected


def open_season(plan: Plan, seed: int, name: str) -> int:
    from jobs.services import in_this_process
    from stables.services.ai.exhibitions import open_exhibition

    with in_this_process():
        season = open_exhibition(
            name=f"{name} {seed}",
            stables=plan.stables,
            weight_class="light",
            cycles=plan.cycles,
            seed=seed,
            bot=plan.bot,
        )
    return int(season.pk)


def beat(season_ids: list[int], end: float) -> int:
    """Ask for ticks as beat does, only oftener, until the seasons are finished.

    Gives 0 then, 3 when a job failed, 4 when the time is up.
    """
    from celery import current_app

    from jobs.models import Job
    from stables.models import Season

    while time.monotonic() < end:
        current_app.send_task("jobs.sweep", expires=1.0, ignore_result=True)
        if Job.objects.filter(state=Job.State.FAILED).exists():
            return 3
        unfinished = Season.objects.filter(pk__in=season_ids).exclude(state=Season.State.FINISHED)
        if not unfinished.exists() and not _open_jobs().exists():
            return 0
        time.sleep(BEAT_SECONDS)
    return 4


def _open_jobs() -> Any:
    """Jobs that are running or due; others wait for a time that this trial does not wait for."""
    from jobs.models import Job
    from jobs.runner import due

    return due() | Job.objects.filter(state=Job.State.RUNNING)


def verify(seasons: dict[str, int], expected: dict[str, Any]) -> list[str]:
    """Everything that is not exactly as in the undisturbed seasons."""
    from jobs.models import Job
    from stables.models import Season
    from stables.services.base.ledger import refold
    from tests.faults.books import books_of, differences

    problems = [f"ledger: {difference}" for difference in refold()]
    for seed, season_id in seasons.items():
        found = books_of(Season.objects.get(pk=season_id))
        found = json.loads(json.dumps(found))
        problems += [f"seed {seed}: {difference}" for difference in differences(found, expected[seed])]
    failed = Job.objects.filter(state=Job.State.FAILED) | _open_jobs()
    problems += [f"{job} is {job.state}: {job.error_text}" for job in failed]
    return problems


def not_hit(points: Path, season_ids: list[int], only: str) -> list[str]:
    """The boundaries of done steps, and the ends of jobs, at which no worker died."""
    from jobs.models import Job

    passed = set(points.read_text().splitlines())
    jobs = Job.objects.filter(payload__season__in=season_ids, state=Job.State.DONE)
    if only:
        jobs = jobs.filter(name=only)
    wanted = []
    for job in jobs.order_by("id").prefetch_related("steps"):
        wanted += [f"{job.name} #{job.pk}|-|{moment}" for moment in ("claimed", "over", "done")]
        for step in job.steps.all():
            for moment in ("before", "after"):
                wanted.append(f"{job.name} #{job.pk}|{step.name}|{moment} the commit of jobs.run.once")
    return [f"no worker died at {point}" for point in wanted if point not in passed]


def carry_out(plan: Plan) -> Outcome:
    """Play and kill until the plan is fulfilled."""
    outcome = Outcome()
    began = time.monotonic()
    end = began + plan.seconds
    expected = in_a_child(lambda: prepare(plan))
    chance = random.Random(plan.chance)
    points = Path(os.environ["VAR_DIR"], "points") if plan.mode == BOUNDARIES else None
    batch = 0
    while not outcome.problems:
        batch += 1
        name = f"Disturbed {batch}"
        seasons = in_a_child(lambda: {str(seed): open_season(plan, seed, name) for seed in plan.seeds})  # noqa: B023
        play_under_fire(plan, outcome, list(seasons.values()), end, points, chance)
        outcome.seasons += len(seasons)
        outcome.problems += in_a_child(lambda: verify(seasons, expected))  # noqa: B023
        if plan.mode == BOUNDARIES or len(outcome.kills) >= plan.kills:
            break
    if points is not None:
        outcome.kills = points.read_text().splitlines()
        outcome.problems += in_a_child(lambda: not_hit(points, list(seasons.values()), plan.only))
    outcome.seconds = round(time.monotonic() - began, 1)
    return outcome


def play_under_fire(
    plan: Plan, outcome: Outcome, season_ids: list[int], end: float, points: Path | None, chance: random.Random
) -> None:
    """Keep one worker alive, and killed, until the season's beat says that the seasons are over."""
    from tests.faults.worker import Status, work

    ticker = forked(lambda: beat(season_ids, end))
    ticking = True
    status = Status()
    worker = 0
    try:
        while ticking:
            status = Status()
            worker = forked(lambda: work(status, points, plan.only))  # noqa: B023
            is_fired_at = plan.mode == RANDOM and len(outcome.kills) < plan.kills
            fire_at = 0.0
            # Two are told before the first job: that it starts, that it is idle.
            places = 2 + chance.randint(1, MOST_PLACES)
            while True:
                pid, code = os.waitpid(-1, os.WNOHANG)
                if pid == ticker:
                    ticking = False
                    if code:
                        outcome.problems.append(f"the seasons did not end: {os.waitstatus_to_exitcode(code)}")
                    break
                if pid == worker:
                    if not os.WIFSIGNALED(code) or os.WTERMSIG(code) != signal.SIGKILL:
                        outcome.problems.append(f"a worker ended by itself: {os.waitstatus_to_exitcode(code)}")
                        ticking = False
                    worker = 0
                    break
                if is_fired_at and not fire_at and status.count >= places and "|" in status.read():
                    fire_at = time.monotonic() + chance.uniform(0, LONGEST_PAUSE_SECONDS)
                if fire_at and time.monotonic() >= fire_at:
                    outcome.kills.append(kill(worker, status))
                    worker = 0
                    break
                time.sleep(0.005)
    finally:
        for pid in (worker, ticker if ticking else 0):
            if pid:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def kill(worker: int, status: Any) -> str:
    """Kill a worker and say where it was. It is stopped first, so that what it told is what it was doing."""
    os.kill(worker, signal.SIGSTOP)
    os.waitpid(worker, os.WUNTRACED)
    where: str = status.read()
    os.kill(worker, signal.SIGKILL)
    os.waitpid(worker, 0)
    return where


def main() -> None:
    plan = Plan(**json.loads(sys.argv[1]))
    django.setup()
    from django.conf import settings

    # Every death uses up an attempt, and here a job may die at each of its points.
    settings.JOB_ATTEMPTS = 10_000
    warnings.filterwarnings("ignore", message="You.re running the worker with superuser")
    import celery.apps.worker
    import celery.bin.celery
    import celery.concurrency.thread
    import celery.worker.consumer  # noqa: F401

    import solaris_site.celery  # noqa: F401
    import tests.faults.books  # noqa: F401

    print(json.dumps(asdict(carry_out(plan))))


if __name__ == "__main__":
    main()
