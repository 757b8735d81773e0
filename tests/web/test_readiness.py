"""Watching the site run: whether it lives and is ready, what its log says of requests, what Prometheus may read."""

from __future__ import annotations

import shutil
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from django_celery_beat.models import IntervalSchedule, PeriodicTask

from jobs import services
from jobs.models import Job
from solaris_site import environment, readiness
from tests.services.processes import free_port
from tests.waiting import DEADLINE_SECONDS, wait_until
from tests.web.log_lines import lines_of
from tests.web.sites_apart import ask, production

pytestmark = pytest.mark.django_db


# Whether it is well ----------------------------------------------------------------------------------------------


def test_a_site_without_its_database_and_its_queue_lives_but_is_not_ready(tmp_path: Path) -> None:
    """Both are real addresses at which nobody listens; asked over http, outside DEBUG, without being sent to https."""
    url = f"postgres://somebody:hunter2@127.0.0.1:{free_port()}/solaris"
    broker = f"redis://:hunter2@127.0.0.1:{free_port()}/0"
    answers = ask("/healthz", "/readyz", **production(tmp_path, DATABASE_URL=url, CELERY_BROKER_URL=broker))
    assert answers["/healthz"] == (200, {"status": "ok"})
    status, document = answers["/readyz"]
    assert status == 503
    names = ("database", "migrations", "beat", "worker", "queue")
    # Without an embedded database nothing is written to the disk.
    assert document == {"status": "not ready", "checks": dict.fromkeys(names, "not ok") | {"disk": "ok"}}


def test_a_database_without_tables_is_not_ready(tmp_path: Path) -> None:
    answers = ask("/readyz", **production(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/empty.sqlite3"))
    status, document = answers["/readyz"]
    assert status == 503
    assert document["checks"] == {
        "database": "ok",
        "migrations": "not ok",
        "beat": "not ok",
        "worker": "not ok",
        "disk": "ok",
        "queue": "ok",
    }


def test_one_migration_that_is_missing_is_found() -> None:
    assert readiness.own_migrations() == set(MigrationLoader(None).disk_migrations)
    assert readiness.migrations_are_applied()
    MigrationRecorder.Migration.objects.filter(app="stables").order_by("-id")[0].delete()
    assert not readiness.migrations_are_applied()
    assert readiness.ask_database()["migrations"] is False


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_a_broker_at_which_nobody_listens_is_not_well(settings: Any, scheme: str) -> None:
    settings.CELERY_BROKER_URL = f"{scheme}://someone:hunter2@127.0.0.1:{free_port()}/"
    with lines_of("solaris_site.readiness") as lines:
        assert readiness.ask_queue() == {"queue": False}
    assert "hunter2" not in str(lines())


def test_the_embedded_queue_is_a_folder(settings: Any, tmp_path: Path) -> None:
    settings.CELERY_BROKER_URL = "filesystem://localhost/"
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_out": str(tmp_path / "queue")}
    assert readiness.ask_queue() == {"queue": False}
    (tmp_path / "queue").mkdir()
    assert readiness.ask_queue() == {"queue": True}
    assert list((tmp_path / "queue").iterdir()) == []


def test_a_disk_that_takes_nothing_or_is_nearly_full_is_not_well(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        settings.DATABASES, "default", environment.sqlite(tmp_path / "solaris.sqlite3") | {"ATOMIC_REQUESTS": False}
    )
    assert readiness.ask_disk() == {"disk": True}
    monkeypatch.setattr(readiness, "LEAST_FREE", shutil.disk_usage(tmp_path).total + 1)
    assert readiness.ask_disk() == {"disk": False}
    monkeypatch.setattr(readiness, "LEAST_FREE", 0)

    def refuse(*arguments: Any, **names: Any) -> Any:
        return open("/dev/full", "wb", buffering=0)

    monkeypatch.setattr(readiness.tempfile, "TemporaryFile", refuse)
    assert readiness.ask_disk() == {"disk": False}, "it has room, and takes nothing"


def beat_was_there(seconds_ago: float) -> None:
    every, _ = IntervalSchedule.objects.get_or_create(every=5, period="seconds")
    PeriodicTask.objects.update_or_create(
        name="jobs.sweep",
        defaults={
            "task": "jobs.sweep",
            "interval": every,
            "last_run_at": timezone.now() - timedelta(seconds=seconds_ago),
        },
    )


def test_beat_is_well_while_it_writes_down_that_it_ran() -> None:
    assert readiness.ask_database()["beat"] is False, "it was never there"
    beat_was_there(20)
    assert readiness.ask_database()["beat"] is True
    beat_was_there(600)
    assert readiness.ask_database()["beat"] is False


def test_workers_are_well_while_nothing_waits_too_long() -> None:
    assert readiness.ask_database()["worker"] is True
    made = services.enqueue("test.waits", {})
    assert readiness.ask_database()["worker"] is True
    Job.objects.filter(pk=made.pk).update(created_at=timezone.now() - timedelta(hours=1))
    assert readiness.ask_database()["worker"] is False


def test_what_does_not_answer_in_time_is_not_well_and_is_not_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "LONGEST_LOOK", 0.05)
    monkeypatch.setattr(readiness, "KEPT_SECONDS", 0.0)
    answers, asked = threading.Event(), []

    def hang() -> dict[str, bool]:
        asked.append(1)
        answers.wait(DEADLINE_SECONDS)
        return {"slow": True}

    probe = readiness.Probe(("slow",), hang)
    looks = readiness.Looks(probe, readiness.Probe(("quick",), lambda: {"quick": True}))
    # A look may be over before the quick one has begun.
    wait_until(lambda: looks.look() == {"slow": False, "quick": True}, "the quick answer")
    assert looks.look()["slow"] is False
    assert len(asked) == 1
    answers.set()
    assert probe.thread is not None
    probe.thread.join(DEADLINE_SECONDS)
    assert looks.look()["slow"] is True


def test_looks_are_shared_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    looks = readiness.Looks(readiness.Probe(("it",), lambda: asked.append(1) or {"it": True}))  # type: ignore[func-returns-value]
    monkeypatch.setattr(readiness, "KEPT_SECONDS", 60.0)
    for _ in range(5):
        assert looks.look() == {"it": True}
    assert len(asked) == 1


def test_ready_is_200_when_all_is_well_and_leaves_out_what_is_excluded(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"database": True, "queue": True, "beat": False}
    monkeypatch.setattr(readiness, "look", lambda: found)
    assert client.get("/readyz").status_code == 503
    answer = client.get("/readyz?exclude=beat&exclude=nothing")
    assert (answer.status_code, answer.json()) == (
        200,
        {"status": "ready", "checks": {"database": "ok", "queue": "ok"}},
    )
    found["beat"] = True
    assert client.get("/readyz").json()["status"] == "ready"
    assert "no-store" in answer.headers["Cache-Control"]
    assert client.post("/readyz").status_code == 405
