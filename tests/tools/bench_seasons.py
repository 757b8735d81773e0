"""Measure how many seasons, all due at the same moment, two workers close in a second: part of `make bench`.

    python -m tests.tools.bench_seasons [--seasons 200] [--site embedded|served] [--json]

The services take one season to the end of a cycle with invented results, and the season is copied row by row. Then
every copy asks for its close, and two real workers do the jobs through the queue. The time runs from the start of the
first job to the end of the last. Afterwards the ledgers must add up, and every stable must have its purse once.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.faults.sites import EMBEDDED, SERVED, site
from tests.services.processes import ROOT, named_node, process

STABLES = 8
WORKERS = 2
LONGEST_WAIT_SECONDS = 600
SITES = {"embedded": EMBEDDED, "served": SERVED}


def build(seasons: int) -> None:
    """Build the site: so many seasons, each with one cycle whose matches are all settled."""
    import io

    import django
    from django.core.management import call_command

    django.setup()
    from django.db import transaction

    from stables.models import Season

    call_command("migrate", verbosity=0)
    call_command("load_catalogue", stdout=io.StringIO())
    with transaction.atomic():
        season = played_season()
        for number in range(2, seasons + 1):
            copy_season(season, number)
    assert Season.objects.count() == seasons


def played_season() -> Any:
    """A season of people whose first cycle is played and not closed, so that nothing follows its close."""
    from django.contrib.auth import get_user_model

    from catalogue.selectors.releases import latest_release
    from stables.models import Season
    from stables.services.ai import owners
    from stables.services.results import settlement
    from tests.stables.conftest import open_with, pair, type_in

    season = open_with(latest_release(), [f"Stable {number}" for number in range(STABLES)], cycles=["standard", "team"])
    cycle = season.cycles.get()
    for stable in season.stables.order_by("number"):
        owners.shop(stable_id=stable.pk, cycle_id=cycle.pk)
    number = 0
    while number == 0 or number < (cycle.rounds_planned or 0):
        number += 1
        for fixture in pair(season, number):
            if fixture.sides.filter(forfeits="").count() == 2:
                type_in(fixture, units={"red": {"clicks": 2, "kills": 1}, "blue": {"clicks": 3}})
            settlement.settle_fixture(fixture_id=fixture.pk)
        cycle.refresh_from_db()
    for stable in season.stables.all():
        name = f"owner-{stable.number}"
        stable.owner = get_user_model().objects.create_user(name, f"{name}@example.org")
        stable.is_ai = False
        stable.save()
    return Season.objects.get(pk=season.pk)


def tables() -> Iterator[tuple[Any, str]]:
    """The tables of a season, each after those that it points to, with how a query names the season."""
    from django.apps import apps
    from django.db import models

    from stables.models import Season
    from tests.faults.books import path_to_season

    waiting = {model: path_to_season(model) for model in apps.get_app_config("stables").get_models()}
    waiting = {model: way for model, way in waiting.items() if way is not None and model is not Season}
    while waiting:
        for model, way in list(waiting.items()):
            needs = {
                field.related_model for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey)
            }
            if not needs & (set(waiting) - {model}):
                del waiting[model]
                yield model, str(way)
                break


def copy_season(season: Any, number: int) -> None:
    """Copy every row of a season to a season of its own. Matches stay with the original."""
    from django.db import models

    from stables.models import Season

    original = season.pk
    copied = Season.objects.get(pk=original)
    copied.pk, copied.slug, copied.name = None, f"{season.slug}-{number}", f"{season.name} {number}"
    copied.save()
    made: dict[tuple[Any, int], Any] = {(Season, original): copied}
    for model, way in tables():
        rows = list(model._default_manager.filter(**{way: original}).order_by("pk"))
        keys = [row.pk for row in rows]
        for row in rows:
            for field in model._meta.concrete_fields:
                if isinstance(field, models.OneToOneField) and field.related_model._meta.app_label == "matches":
                    setattr(row, field.attname, None)
                elif isinstance(field, models.ForeignKey):
                    other = made.get((field.related_model, getattr(row, field.attname)))
                    if other is not None:
                        setattr(row, field.name, other)
                elif field.name == "idempotency_key":
                    row.idempotency_key = f"{row.idempotency_key}:copy:{number}"
            row.pk = None
            row._state.adding = True
        model._default_manager.bulk_create(rows)
        made |= {(model, key): row for key, row in zip(keys, rows, strict=True)}


def ask() -> None:
    """Ask for the close of every cycle, as the last settlement of each would, all in one transaction."""
    import django

    django.setup()
    from django.db import transaction

    from jobs.models import Job
    from stables.models import Cycle
    from stables.services.base.job_requests import ask_for

    with transaction.atomic():
        Job.objects.all().delete()
        for cycle in Cycle.objects.select_related("season").order_by("id"):
            ask_for(cycle.season, "stables.close_cycle", f"cycle:{cycle.pk}:close", cycle=cycle.pk)


def look() -> None:
    """Print how many are done and, when all are, how long it took and whether the books are right."""
    import django

    django.setup()
    from django.db.models import Count, Max, Min

    from jobs.models import Job
    from stables.models import Cycle, LedgerEntry
    from stables.services.base.ledger import refold

    end = time.monotonic() + LONGEST_WAIT_SECONDS
    jobs = Job.objects.filter(name="stables.close_cycle")
    while jobs.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).exists() and time.monotonic() < end:
        time.sleep(0.5)
    times = jobs.aggregate(first=Min("started_at"), last=Max("finished_at"), count=Count("id"))
    seconds = (times["last"] - times["first"]).total_seconds()
    sound = (
        refold() == []
        and not Cycle.objects.exclude(state=Cycle.State.CLOSED).filter(number=1).exists()
        and LedgerEntry.objects.filter(cause="purse").count() == times["count"] * STABLES
        and not jobs.exclude(state=Job.State.DONE).exists()
    )
    figures = {
        "seasons": times["count"],
        "stables": STABLES,
        "workers": WORKERS,
        "seconds": round(seconds, 2),
        "seasons_per_second": round(times["count"] / seconds, 2),
        "sound": sound,
    }
    print(json.dumps(figures))


def run(kind: str, seasons: int) -> dict[str, Any]:
    """Build a site of a kind, let two workers close its seasons, and return the figures."""
    celery = ("-W", "ignore", "-m", "celery", "-q", "-A", "solaris_site")
    options = ("--pool", "threads", "--concurrency", "1", "--without-gossip", "--without-mingle", "--loglevel", "ERROR")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="solaris-bench-")))
        # The leases of a site that is not under faults, so that a heartbeat costs what it costs.
        variables = stack.enter_context(site(kind, folder, lease_seconds=60)) | {"JOB_STALE_SECONDS": "60"}
        stage("build", seasons, variables)
        stage("ask", seasons, variables)
        for _ in range(WORKERS):
            command = (*celery, "worker", *options, *named_node())
            stack.enter_context(process(*command, variables=variables, log=folder / "log"))
        found: dict[str, Any] = json.loads(stage("look", seasons, variables))
    return found


def stage(name: str, seasons: int, variables: dict[str, str]) -> str:
    """Run one stage in a process with the site's environment and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.tools.bench_seasons", "--stage", name, "--seasons", str(seasons)],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_WAIT_SECONDS + 60,
    )
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr}")
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench_seasons")
    parser.add_argument("--seasons", type=int, default=200, help="number of seasons (default %(default)s)")
    parser.add_argument("--site", choices=tuple(SITES), action="append", help="kind of site (default: embedded)")
    parser.add_argument("--json", action="store_true", help="print only JSON")
    parser.add_argument("--stage", choices=("build", "ask", "look"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stage:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "solaris_site.settings")
        {"build": lambda: build(options.seasons), "ask": ask, "look": look}[options.stage]()
        return 0
    found = {name: run(SITES[name], options.seasons) for name in options.site or ["embedded"]}
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        for name, figures in found.items():
            print(
                f"{SITES[name]}: {figures['workers']} workers closed {figures['seasons']} seasons of "
                f"{figures['stables']} stables, all due at once, in {figures['seconds']} s: "
                f"{figures['seasons_per_second']} seasons a second"
            )
    return 0 if all(figures["sound"] for figures in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
