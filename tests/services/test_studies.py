"""Studies on real workers, by Redis and by RabbitMQ: the same bytes whoever plays, and whoever dies over it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from amqp.exceptions import NotFound
from kombu.connection import Connection

from catalogue.services.releases import load_release
from stables.models import FixtureForecast
from tests.conftest import SERVICES_BROKER_URL, answers
from tests.nursery import Child, Nursery
from tests.services.processes import ROOT, database_url, environment, named_node
from tests.stables.duels import open_club
from tests.waiting import DEADLINE_SECONDS, wait_until

RABBITMQ_URL = os.environ.get("SERVICES_RABBITMQ_URL") or "amqp://guest:guest@127.0.0.1:5672//"
CELERY = ("-m", "celery", "-q", "-A", "tests.services.study_app")
WORKER = (*CELERY, "worker", "--pool", "threads", "--concurrency", "1", "--without-gossip", "--without-mingle")
STUDY = ("-m", "tests.tools.balance", "--class", "light", "--matches", "5")
FORECASTS = """
import sys
from django.core.management import execute_from_command_line
from stables.services.line_ups import forecasts
forecasts.BEFORE = 20
execute_from_command_line(["manage.py", "count_forecasts", *sys.argv[1:]])
"""
"""The command of a season's forecasts, with fewer play-outs than a site wants."""

pytestmark = pytest.mark.services


def remove_queues(name: str) -> None:
    """Delete a site's queues and exchanges from RabbitMQ."""
    with Connection(RABBITMQ_URL) as connection, connection.channel() as channel:
        for kind in ("celery", "studies"):
            channel.queue_delete(f"{name}{kind}")
            channel.exchange_delete(f"{name}{kind}")
        for exchange in ("celeryev", "celery.pidbox"):
            channel.exchange_delete(f"{name}{exchange}")


class Site:
    """Workers and commands of a test, all with the same environment."""

    def __init__(self, nursery: Nursery, folder: Path) -> None:
        self.nursery, self.folder = nursery, folder
        self.broker = nursery.variables["CELERY_BROKER_URL"]
        self.prefix = nursery.variables["CELERY_QUEUE_PREFIX"]
        self.parts = folder / "parts"

    def start_worker(self, trial: str = "") -> Child:
        ready = self.folder / uuid.uuid4().hex
        variables = {"STUDY_TRIAL": trial, "STUDY_READY": str(ready)}
        started = self.nursery.start(*WORKER, *named_node(), variables=variables)
        wait_until(lambda: ready.exists() or started.poll() is not None, "a ready worker")
        assert ready.exists(), started.errors.read_text()
        return started

    def begin(self, *command: str, **settings: Any) -> Child:
        return self.nursery.start(*command, **settings)

    def study(self, work: str, count: int, size: int, **settings: Any) -> Child:
        named = (work, str(count), str(size), str(self.parts))
        return self.begin("-m", "tests.services.study_app", *named, **settings)

    def hold(self, part: int) -> Path:
        """Let workers stop at the part that is begun as this one, and as each after it, until the file is gone."""
        held = self.parts.with_suffix(".held")
        held.write_text(str(part))
        return held

    def parts_begun(self) -> list[int]:
        """The first numbers of the parts of squares, each as often as a worker began it."""
        return sorted(map(int, self.parts.read_text().split())) if self.parts.exists() else []

    def waiting(self) -> int:
        """How many messages of parts lie in the queue."""
        if self.broker == RABBITMQ_URL:
            with Connection(RABBITMQ_URL) as connection, connection.channel() as channel:
                try:
                    found: int = channel.queue_declare(f"{self.prefix}studies", passive=True).message_count
                except NotFound:
                    return 0
                return found
        with redis.Redis.from_url(SERVICES_BROKER_URL) as server:
            return int(server.llen(f"{self.prefix}studies"))

    def tidy_up(self) -> None:
        """End its workers and remove what they and others left in the queues and among the results."""
        self.nursery.kill_all()
        if self.broker == RABBITMQ_URL:
            remove_queues(self.prefix)
        with redis.Redis.from_url(SERVICES_BROKER_URL) as server:
            for key in server.scan_iter(f"{self.prefix}*"):
                server.delete(key)


@pytest.fixture(scope="module", params=["redis", "rabbitmq"])
def nursery(
    request: pytest.FixtureRequest, django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Nursery]:
    """What starts the processes of a site with servers. Its database is that of the tests; most studies ask none."""
    broker = SERVICES_BROKER_URL
    if request.param == "rabbitmq":
        broker = RABBITMQ_URL
        if not answers(broker, 5672):
            pytest.skip("needs RabbitMQ")
    folder = tmp_path_factory.mktemp("studies")
    variables = environment(
        VAR_DIR=str(folder / "var"),
        DEBUG="1",
        DATABASE_URL=database_url(),
        CELERY_BROKER_URL=broker,
        CELERY_RESULT_BACKEND=SERVICES_BROKER_URL,
        CELERY_QUEUE_PREFIX=f"test-{uuid.uuid4().hex}:",
        # A busy machine takes its time to play a part, and to start a worker.
        STUDY_PATIENCE_SECONDS=str(DEADLINE_SECONDS),
        STUDY_ABSENCE_SECONDS=str(DEADLINE_SECONDS),
    )
    with Nursery(variables, folder) as started:
        yield started


@pytest.fixture
def site(nursery: Nursery, tmp_path: Path) -> Iterator[Site]:
    site = Site(nursery, tmp_path)
    yield site
    site.tidy_up()


def end(child: Child) -> tuple[int, str, str]:
    """Exit status, output and errors of a command that ends by itself."""
    return child.wait(), child.output.read_text(), child.errors.read_text()


def squares(count: int, size: int) -> list[list[int]]:
    return [[number**2 for number in range(first, min(first + size, count))] for first in range(0, count, size)]


def test_a_balance_study_has_the_same_bytes_with_none_one_and_two_workers(site: Site) -> None:
    files = [site.folder / "told.json", site.folder / "told.md"]
    written = ("--json", str(files[0]), "--report", str(files[1]))
    found = []
    for workers in range(3):
        if workers:
            site.start_worker()
        status, out, err = end(site.begin(*STUDY, *written, *(["--workers"] if workers else [])))
        # With so few matches no unit's interval lies inside, whoever plays.
        assert status == 1, err
        assert "42 of 42 matches" in err
        found.append([out, *(file.read_bytes() for file in files)])
        for file in files:
            file.unlink()
    assert json.loads(found[0][1])["classes"]["light"]["pairings"]
    assert found[0] == found[1]
    assert found[0] == found[2]


@pytest.mark.django_db(transaction=True)
def test_the_forecasts_of_a_season_are_the_same_with_none_one_and_two_workers(site: Site) -> None:
    club = open_club(load_release())
    for names in (("anna", "ben"), ("carla", "machines")):
        club.hand_in(club.fixture(*names), *names)
    counts = {"fixtures": 2, "forecasts": 2, "play_outs": 40, "overtaken": 0}
    found: list[Any] = []
    for workers in range(3):
        if workers:
            site.start_worker()
        with_workers = ["--workers"] if workers else []
        status, out, err = end(site.begin("-c", FORECASTS, club.season.slug, "--json", *with_workers))
        assert status == 0, err
        assert json.loads(out) == counts
        rows = FixtureForecast.objects.order_by("fixture")
        found.append(list(rows.values_list("fixture", "fingerprint", "counted", "wanted", "tally")))
        rows.delete()
    assert [row[2] for row in found[0]] == [20, 20]
    assert found[0] == found[1]
    assert found[0] == found[2]


def test_parts_are_played_once_and_put_in_order(site: Site) -> None:
    site.start_worker()
    site.start_worker()
    status, out, err = end(site.study("squares", 11, 2))
    assert (status, err) == (0, "")
    assert json.loads(out) == [[squares(11, 2), squares(11, 2)], True]
    assert site.parts_begun() == sorted(2 * [0, 2, 4, 6, 8, 10])


def test_what_a_killed_worker_had_in_its_hands_is_played_by_another(site: Site) -> None:
    first, held = site.start_worker(), site.hold(4)
    asked = site.study("squares", 12, 1, STUDY_PATIENCE_SECONDS=2)
    wait_until(lambda: len(site.parts_begun()) == 4, "the middle of the study")
    first.kill()
    held.unlink()
    site.start_worker()
    status, out, err = end(asked)
    assert status == 0, out + err
    assert json.loads(out) == [[squares(12, 1), squares(12, 1)], True]
    assert set(site.parts_begun()) == set(range(12))
    # The part during which it died was begun again.
    assert len(site.parts_begun()) > 24
    if site.broker == SERVICES_BROKER_URL:
        assert "sent again" in err


def test_a_study_that_its_last_worker_left_ends_when_no_other_comes(site: Site) -> None:
    only = site.start_worker()
    site.hold(2)
    asked = site.study("squares", 12, 1, STUDY_PATIENCE_SECONDS=2, STUDY_ABSENCE_SECONDS=0)
    wait_until(lambda: len(site.parts_begun()) == 2, "the middle of the study")
    only.kill()
    status, out, _ = end(asked)
    assert (status, json.loads(out)[0]) == (1, "study_no_workers")


def test_a_worker_that_dies_over_putting_the_answers_together_is_not_waited_for(site: Site) -> None:
    worker = site.start_worker("dies over the merging")
    status, out, err = end(site.study("squares", 3, 2, STUDY_PATIENCE_SECONDS=2))
    assert worker.wait() == -signal.SIGKILL
    assert status == 0, err
    assert json.loads(out) == [[squares(3, 2), squares(3, 2)], True]


def test_a_part_that_fails_ends_the_study_with_its_error(site: Site) -> None:
    site.start_worker()
    status, out, _ = end(site.study("fails", 4, 2))
    code, parameters = json.loads(out)
    assert (status, code, parameters["work"]) == (1, "study_part_failed", "fails")
    assert parameters["error"] == f"ValueError: nothing can be done with {parameters['first']}"


def test_answers_that_cannot_be_put_together_end_the_study(site: Site) -> None:
    """Also when all of them are there: that one part came to two results must not be passed over."""
    site.start_worker("two results")
    status, out, _ = end(site.study("squares", 3, 2))
    code, parameters = json.loads(out)
    assert (status, code) == (1, "study_not_merged")
    assert parameters["error"] == "NotTheSame: study 0, part from 2"


def test_a_worker_with_other_rules_plays_nothing(site: Site) -> None:
    site.start_worker("other code")
    status, out, _ = end(site.study("squares", 4, 2))
    assert (status, json.loads(out)[0]) == (1, "study_other_code")
    assert site.parts_begun() == []


def test_without_a_worker_the_command_says_so_and_leaves_nothing_in_the_queue(site: Site) -> None:
    status, _, err = end(site.begin(*STUDY, "--workers"))
    assert (status, "Traceback" in err) == (1, False)
    assert "[study_no_workers]" in err
    assert site.waiting() == 0


def test_a_study_that_takes_too_long_is_called_back(site: Site) -> None:
    site.start_worker()
    status, _, err = end(site.begin(*STUDY, "--workers", "--time-limit", "0.1"))
    assert (status, "Traceback" in err) == (1, False)
    assert "[study_too_slow]" in err
    # Parts that nobody waits for are thrown away, not played.
    wait_until(lambda: site.waiting() == 0, "an empty queue")


@pytest.mark.parametrize("gone", ["CELERY_BROKER_URL", "CELERY_RESULT_BACKEND"])
def test_a_server_that_does_not_answer_is_named(site: Site, gone: str) -> None:
    """In a process of its own: the site reads these addresses when it starts."""
    variables = site.nursery.variables | {gone: "redis://127.0.0.1:1/0"}
    command = [sys.executable, *STUDY, "--workers"]
    ended = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert (ended.returncode, "Traceback" in ended.stderr) == (1, False)
    assert "[study_servers_gone]" in ended.stderr
