"""Real workers and a real beat: embedded (SQLite and the file queue), and on PostgreSQL with Redis."""

import json
import os
import shutil
import signal
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import redis

from tests.conftest import SERVICES_BROKER_URL, SERVICES_DATABASE_URL
from tests.services.processes import command_line, descendants, environment, process, run, wait_until

CELERY = ("-m", "celery", "-q", "-A", "tests.services.worker_app")
WORKER = (*CELERY, "worker", "--pool", "threads", "--concurrency", "2", "--without-gossip", "--without-mingle")
BEAT = (*CELERY, "beat", "--pidfile=")
QUICK = {"JOB_LEASE_SECONDS": "1", "JOB_SWEEP_SECONDS": "1", "JOB_STALE_SECONDS": "2"}

ASK = """
import json, sys, django
django.setup()
from jobs import services
print(services.enqueue(sys.argv[1], json.loads(sys.argv[2])).pk)
"""
LOOK = """
import json, sys, django
django.setup()
from jobs.models import Job
jobs = Job.objects.filter(name=sys.argv[1]).order_by("id")
print(json.dumps([[job.state, job.attempt, list(job.steps.values_list("name", "output", "attempt"))] for job in jobs]))
"""


@pytest.fixture
def postgresql() -> Iterator[str]:
    """The URL of an empty database, dropped afterwards."""
    name = f"solaris_round_trip_{uuid.uuid4().hex[:12]}"
    parts = urlsplit(SERVICES_DATABASE_URL)
    with psycopg.connect(urlunsplit(parts._replace(path="/postgres")), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        yield urlunsplit(parts._replace(path=f"/{name}"))
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def queue_prefix() -> Iterator[str]:
    """What keeps the queues of one test apart in Redis; its keys are deleted afterwards."""
    prefix = f"test-{uuid.uuid4().hex}:"
    yield prefix
    with redis.Redis.from_url(SERVICES_BROKER_URL) as server:
        for key in server.scan_iter(f"{prefix}*"):
            server.delete(key)


@pytest.fixture(params=["embedded", pytest.param("servers", marks=pytest.mark.services)])
def variables(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """The environment of a fresh, migrated site."""
    folder = tmp_path / "var"
    values = environment(VAR_DIR=str(folder), DEBUG="1", DJANGO_SETTINGS_MODULE="solaris_site.settings", **QUICK)
    if request.param == "servers":
        values["DATABASE_URL"] = request.getfixturevalue("postgresql")
        values["CELERY_BROKER_URL"] = SERVICES_BROKER_URL
        values["CELERY_QUEUE_PREFIX"] = request.getfixturevalue("queue_prefix")
        run("manage.py", "migrate", "--verbosity", "0", variables=values)
    else:
        shutil.copytree(request.getfixturevalue("migrated_site"), folder)
    return values


def look(name: str, variables: dict[str, str]) -> list[Any]:
    found: list[Any] = json.loads(run("-c", LOOK, name, variables=variables))
    return found


def ask(name: str, payload: dict[str, Any], variables: dict[str, str]) -> None:
    run("-c", ASK, name, json.dumps(payload), variables=variables)


def test_jobs_go_through_the_queue_and_ask_for_others(variables: dict[str, str], tmp_path: Path) -> None:
    with process(*WORKER, variables=variables, log=tmp_path / "log"):
        ask("test.chain", {"left": 4}, variables)
        wait_until(
            lambda: [state for state, *_ in look("test.chain", variables)] == ["done"] * 5, 60, "the end of the chain"
        )


def test_a_worker_killed_in_a_job_is_replaced_and_the_job_resumes(variables: dict[str, str], tmp_path: Path) -> None:
    mark, log = tmp_path / "reached", tmp_path / "log"
    with ExitStack() as stack:
        stack.enter_context(process(*BEAT, variables=variables, log=log))
        first = stack.enter_context(process(*WORKER, variables=variables, log=log))
        ask("test.hangs_once", {"mark": str(mark)}, variables)
        wait_until(mark.exists, 60, "the first step")
        assert "celery" in command_line(first.pid)
        for pid in [first.pid, *descendants(first.pid)]:
            os.kill(pid, signal.SIGKILL)
        first.wait(timeout=10)
        second = stack.enter_context(process(*WORKER, variables=variables, log=log))
        wait_until(lambda: look("test.hangs_once", variables)[0][0] == "done", 60, "the second attempt")
    (_, attempt, steps) = look("test.hangs_once", variables)[0]
    assert attempt == 2
    assert [(name, at) for name, _, at in steps] == [("first", 1), ("second", 2)]
    assert (steps[0][1], steps[1][1]) == (first.pid, second.pid)
