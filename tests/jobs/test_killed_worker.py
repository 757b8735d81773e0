"""A worker is killed (SIGKILL) before and after every commit; its job resumes at the next step."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection

from jobs import services
from jobs.models import Job

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def database_url() -> str:
    """The test database, as a child process is told of it."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    user = quote(str(database["USER"] or "postgres"))
    password = f":{quote(str(database['PASSWORD']))}" if database["PASSWORD"] else ""
    place = f"{database['HOST'] or 'localhost'}:{database['PORT'] or 5432}"
    return f"postgres://{user}{password}@{place}/{database['NAME']}"


def start_worker(job_id: int, attempt: int, mark: Path, moment: str) -> subprocess.Popen[str]:
    environment = os.environ | {"DATABASE_URL": database_url(), "DEBUG": "1", "JOB_LEASE_SECONDS": "1"}
    command = [sys.executable, "-m", "tests.jobs.killed_worker", str(job_id), str(attempt), str(mark), moment]
    return subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True)


def wait_until(condition: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


@pytest.mark.parametrize("step", ["1", "2", "3"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_killed_worker_loses_and_doubles_nothing(tmp_path: Path, when: str, step: str) -> None:
    job = services.enqueue("test.three_steps", {})
    mark = tmp_path / "reached"
    worker = start_worker(job.pk, 1, mark, f"{when}:{step}")
    try:
        wait_until(mark.exists)
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.communicate(timeout=10)
    done_before = int(step) if when == "after" else int(step) - 1
    assert Job.objects.filter(name="test.effect").count() == done_before

    wait_until(lambda: services.reclaim_expired() == 1, seconds=5)
    duplicate = start_worker(job.pk, 1, mark, "never")
    resumed = start_worker(job.pk, 2, mark, "never")
    assert duplicate.communicate(timeout=30)[0].strip() == "False"
    assert resumed.communicate(timeout=30)[0].strip() == "True"

    job.refresh_from_db()
    assert (job.state, job.attempt) == ("done", 2)
    steps = list(job.steps.values_list("name", "attempt"))
    assert steps == [(name, 1 if int(name) <= done_before else 2) for name in ("1", "2", "3")]
    effects = Job.objects.filter(name="test.effect").order_by("id").values_list("payload", flat=True)
    assert [effect["step"] for effect in effects] == ["1", "2", "3"]
