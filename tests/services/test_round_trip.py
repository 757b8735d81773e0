"""Real workers and a real beat: embedded (SQLite and the file queue), and on PostgreSQL with Redis."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.conftest import SERVICES_BROKER_URL
from tests.faults.sites import queue
from tests.nursery import Nursery
from tests.once_a_run import Workshop
from tests.services.processes import environment
from tests.services.served import migrated_database
from tests.waiting import DEADLINE_SECONDS, wait_until

CELERY = ("-m", "celery", "-q", "-A", "tests.services.worker_app")
WORKER = (*CELERY, "worker", "--pool", "threads", "--concurrency", "2", "--without-gossip", "--without-mingle")
BEAT = (*CELERY, "beat", "--pidfile=")

ASK = """
import json, sys
from jobs import services
services.enqueue(sys.argv[1], json.loads(sys.argv[2]))
"""


class Site:
    """A migrated site of its own: what starts its processes, and how its database is read."""

    def __init__(self, nursery: Nursery) -> None:
        self.nursery = nursery

    def sql(self, statement: str) -> list[Any]:
        """Carry out a statement; return its rows, if it has any."""
        url = self.nursery.variables.get("DATABASE_URL")
        if url:
            with psycopg.connect(url) as served:
                cursor = served.execute(statement)
                return cursor.fetchall() if cursor.description else []
        file = Path(self.nursery.variables["VAR_DIR"], "solaris.sqlite3")
        with closing(sqlite3.connect(file, timeout=DEADLINE_SECONDS)) as embedded, embedded:
            return embedded.execute(statement).fetchall()

    def ask(self, name: str, payload: dict[str, Any]) -> None:
        self.nursery.run("-c", ASK, name, json.dumps(payload))


@pytest.fixture(scope="module", params=["embedded", pytest.param("servers", marks=pytest.mark.services)])
def shared_site(
    request: pytest.FixtureRequest, workshop: Workshop, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    values = environment(VAR_DIR=str(folder / "var"), DEBUG="1", JOB_SWEEP_SECONDS="1", JOB_STALE_SECONDS="2")
    with ExitStack() as stack:
        if request.param == "servers":
            values["DATABASE_URL"] = stack.enter_context(migrated_database(workshop))
            values["CELERY_BROKER_URL"] = SERVICES_BROKER_URL
            values["CELERY_QUEUE_PREFIX"] = stack.enter_context(queue())
        else:
            shutil.copytree(request.getfixturevalue("migrated_site"), folder / "var")
        yield Site(stack.enter_context(Nursery(values, folder)))


ATTEMPT = "SELECT state, attempt FROM jobs_job WHERE name = 'test.hangs_once'"
"""Beat asks for jobs of the site as well."""


@pytest.fixture
def site(shared_site: Site) -> Iterator[Site]:
    """The site without jobs, and without workers afterwards."""
    yield shared_site
    shared_site.nursery.kill_all()
    shared_site.sql("DELETE FROM jobs_jobstep")
    shared_site.sql("DELETE FROM jobs_job")


def test_jobs_go_through_the_queue_and_ask_for_others(site: Site) -> None:
    site.nursery.start(*WORKER)
    site.ask("test.chain", {"left": 4})
    wait_until(lambda: site.sql("SELECT state FROM jobs_job") == [("done",)] * 5, "the end of the chain")


def test_a_worker_killed_in_a_job_is_replaced_and_the_job_resumes(site: Site, tmp_path: Path) -> None:
    mark = tmp_path / "reached"
    site.nursery.start(*BEAT)
    first = site.nursery.start(*WORKER)
    site.ask("test.hangs_once", {"mark": str(mark)})
    wait_until(mark.exists, "the first step")
    first.kill()
    # Its lease would end by itself, after a minute.
    site.sql("UPDATE jobs_job SET lease_until = started_at")
    second = site.nursery.start(*WORKER)
    wait_until(lambda: site.sql(ATTEMPT) == [("done", 2)], "the second attempt")
    steps = site.sql("SELECT name, output, attempt FROM jobs_jobstep ORDER BY id")
    assert [(name, int(pid), attempt) for name, pid, attempt in steps] == [
        ("first", first.pid, 1),
        ("second", second.pid, 2),
    ]
