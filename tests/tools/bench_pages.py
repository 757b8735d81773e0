"""Measure how long the server works on the main pages: part of `make bench`.

    python -m tests.tools.bench_pages [--requests 50] [--json]

The season command plays a season of eight stables in a database of its own, as in production (DEBUG off). A visitor and
a player then ask for each page in turn. The command prints the median and the 90th percentile in milliseconds, and the
size of the page in bytes. The goal is a median of 60 ms. The same is measured for the commits of matches against the
AI, one of each format, whose answers are compressed; there the goals are 80 ms and 15,000 bytes. In a grand melee the
time of a commit also has that of the other sides' answers.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import statistics
import sys
import tempfile
import time
from typing import Any

GOAL_MS = 60
CYCLES = 3
COMMIT_GOAL_MS = 80
MOST_BYTES_OF_A_COMMIT = 15_000
FORMATS = (
    ("standard", 2), ("team", 2), ("tag_team", 2), ("capture_the_flag", 2), ("grand_melee", 6), ("grand_melee", 8),
)  # fmt: skip
"""The formats of matches, and with how many sides, whose commits are measured beside those of a duel."""


def set_up(folder: str) -> None:
    """Make the environment of a site in production whose data lie in `folder`, with a season to look at."""
    os.environ |= {
        "VAR_DIR": folder,
        "DEBUG": "0",
        "SECRET_KEY": "only for this measurement, with nothing to hide",
        "ALLOWED_HOSTS": "testserver",
        "SECURE_SSL_REDIRECT": "0",
        "STATIC_ROOT": f"{folder}/static",
        "DJANGO_SETTINGS_MODULE": "solaris_site.settings",
        "LOG_LEVEL": "ERROR",
    }
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("CELERY_BROKER_URL", None)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("migrate", verbosity=0)
    call_command("load_catalogue", stdout=io.StringIO())
    call_command(
        "season", stables=8, weight_class="light", seed=7, cycles=CYCLES, json="-", stdout=io.StringIO(),
        stderr=io.StringIO(),
    )  # fmt: skip


def pages() -> dict[str, tuple[Any, str]]:
    """The pages by name, each with who asks for it and its address."""
    from django.test import Client

    from matches.models import Match
    from matches.services.answering import Seat
    from matches.services.beginning.demonstration import demonstration_setup
    from matches.services.matches import create_match
    from people.models import User
    from stables.models import Season, Stable

    season = Season.objects.get()
    player = User.objects.create_user("player", "player@example.org", "secret words")
    stable = Stable.objects.filter(season=season).order_by("number")[0]
    visitor, logged_in = Client(), Client()
    logged_in.force_login(player)
    played = Match.objects.filter(state=Match.State.FINISHED).order_by("pk")[0]
    running = create_match(demonstration_setup(), b"pages", None, [Seat("red", player.pk), Seat("blue", bot="greedy")])
    own = season.get_absolute_url()
    return {
        "season": (visitor, own),
        "season, logged in": (logged_in, own),
        "standings": (visitor, f"{own}standings/"),
        "stable": (visitor, stable.get_absolute_url()),
        "match, finished": (visitor, played.get_absolute_url()),
        "match, in the middle": (visitor, f"{played.get_absolute_url()}?step=9"),
        "match, running": (visitor, running.get_absolute_url()),
        "play": (logged_in, f"{running.get_absolute_url()}play/"),
        "what is new": (logged_in, f"{running.get_absolute_url()}play/changes/?version=none"),
    }


def measure(requests: int) -> dict[str, dict[str, float]]:
    """Ask for each page so often, in turn, after one request that warms it; times in milliseconds."""
    found = pages()
    times: dict[str, list[float]] = {name: [] for name in found}
    sizes: dict[str, int] = {}
    for number in range(requests + 1):
        for name, (client, address) in found.items():
            started = time.perf_counter()
            answer = client.get(address)
            spent = time.perf_counter() - started
            assert answer.status_code == 200, (name, address, answer.status_code)
            sizes[name] = len(answer.content)
            if number:
                times[name].append(spent * 1000)
    return {
        name: {
            "median_ms": round(statistics.median(spent), 1),
            "p90_ms": round(sorted(spent)[int(len(spent) * 0.9)], 1),
            "bytes": sizes[name],
        }
        for name, spent in times.items()
    }


def measure_commits(most: int) -> dict[str, dict[str, float]]:
    """Play each sort of match against the AI on its page with random answers, until `most` are committed; times in
    milliseconds."""
    from matches.services.beginning.demonstration import demonstration_setup
    from rules.catalogue import load_builtin
    from rules.measuring.self_play import random_setup

    setups = {"a duel": demonstration_setup()}
    for format_key, sides in FORMATS:
        setups[f"{format_key}, {sides}"] = random_setup(
            load_builtin(), random.Random(5), format_key, sides=sides
        ).to_json()
    return {f"commit: {name}": _commits(setup, most) for name, setup in setups.items()}


def _commits(setup: dict[str, Any], most: int) -> dict[str, float]:
    from django.test import Client

    from matches.models import Match
    from matches.services.answering import Seat
    from matches.services.matches import create_match
    from people.models import User
    from tests.matches.playing import filled_form

    client, player = Client(), User.objects.get(username="player")
    client.force_login(player)
    rng = random.Random(7)
    first, *others = (side["id"] for side in setup["sides"])
    times: list[float] = []
    sizes: list[int] = []
    while len(times) < most:
        seats = [Seat(first, player.pk), *(Seat(side, bot="greedy") for side in others)]
        match = create_match(setup, f"commits {len(times)}".encode(), None, seats)
        while (match := Match.objects.get(pk=match.pk)).state != Match.State.FINISHED and len(times) < most:
            fields = filled_form(client, match, rng)
            headers = {"X-Part": "1", "Accept-Encoding": "gzip"}
            started = time.perf_counter()
            answer = client.post(f"{match.get_absolute_url()}play/", fields, headers=headers)
            times.append((time.perf_counter() - started) * 1000)
            assert answer.status_code == 200, (fields, answer.status_code)
            sizes.append(len(answer.content))
    return {
        "median_ms": round(statistics.median(times), 1),
        "p90_ms": round(sorted(times)[int(len(times) * 0.9)], 1),
        "bytes": max(sizes),
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench_pages", description="Time the main pages.")
    parser.add_argument("--requests", type=int, default=50, help="requests for each page (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="print only JSON")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        report = measure(options.requests) | measure_commits(options.requests)
    if options.json:
        print(json.dumps(report, indent=2))
        return 0
    print(f"{'page':<28} {'median ms':>10} {'90% ms':>8} {'bytes':>9}   (goal: a median of {GOAL_MS} ms;")
    print(f"{'':<57}   a commit: {COMMIT_GOAL_MS} ms and {MOST_BYTES_OF_A_COMMIT} bytes, compressed)")
    for name, row in report.items():
        print(f"{name:<28} {row['median_ms']:>10} {row['p90_ms']:>8} {row['bytes']:>9}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
