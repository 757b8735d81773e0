"""When workers hear of a job, and when they hear again."""

from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from jobs import services
from jobs.models import Job
from jobs.registry import Registry, job
from jobs.tasks import run_job, tick

pytestmark = [pytest.mark.django_db, pytest.mark.database]

HOUR = 3600


@pytest.fixture
def sent(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The messages that were sent."""
    messages: list[tuple[int, int]] = []
    settings.JOB_WAKE_UPS = True
    monkeypatch.setattr(current_app, "send_task", lambda name, arguments, **options: messages.append(arguments))
    return messages


def age(job: Job, seconds: float) -> None:
    Job.objects.filter(pk=job.pk).update(woken_at=timezone.now() - timedelta(seconds=seconds))


def test_the_message_is_sent_when_the_transaction_commits(
    sent: list[tuple[int, int]], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        job = services.enqueue("test.any", {})
        assert sent == []
    assert sent == [(job.pk, 1)]
    job.refresh_from_db()
    assert job.woken_at is not None


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_fails_leaves_neither_job_nor_message(sent: list[tuple[int, int]]) -> None:
    with transaction.atomic():
        services.enqueue("test.any", {})
        transaction.set_rollback(True)
    assert sent == []
    assert not Job.objects.exists()


def test_no_message_for_a_known_key_or_a_later_time_or_work_done_here(
    sent: list[tuple[int, int]], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        first = services.enqueue("test.any", {}, unique_key="key")
    with django_capture_on_commit_callbacks(execute=True):
        services.enqueue("test.any", {}, unique_key="key")
        services.enqueue("test.any", {}, not_before=timezone.now() + timedelta(hours=1))
        with services.in_this_process():
            services.enqueue("test.any", {})
    assert sent == [(first.pk, 1)]


def test_a_queue_that_does_not_answer_is_no_error(
    settings: Any, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    """A request with several jobs waits for it once."""
    tried: list[Any] = []
    now = [100.0]

    def refuse(name: str, arguments: Any, **options: Any) -> None:
        tried.append(arguments[0])
        raise OperationalError("no broker")

    settings.JOB_WAKE_UPS = True
    monkeypatch.setattr(current_app, "send_task", refuse)
    monkeypatch.setattr(services, "_quiet_until", 0.0)
    monkeypatch.setattr(services.time, "monotonic", lambda: now[0])
    with django_capture_on_commit_callbacks(execute=True):
        job, second = services.enqueue("test.any", {}), services.enqueue("test.any", {})
    job.refresh_from_db()
    assert (job.state, job.woken_at, tried) == ("queued", None, [job.pk])
    now[0] += services.QUIET_SECONDS
    services.notify_workers(second.pk, 1)
    assert tried == [job.pk, second.pk]


def test_one_try_at_a_queue_that_is_away_is_enough_and_no_answer_is_kept(settings: Any) -> None:
    """kombu would try again after two seconds and after four, while a person waits for their page."""
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["max_retries"] == 0
    own = [task for name, task in current_app.tasks.items() if not name.startswith("celery.")]
    kept = {task.name for task in own if not task.ignore_result}
    assert {name for name in kept if not name.startswith("studies.")} == set()
    assert {run_job.name, tick.name} <= current_app.tasks.keys() - kept


def test_a_queued_job_is_sent_again_once_it_is_stale(sent: list[tuple[int, int]], settings: Any) -> None:
    settings.JOB_STALE_SECONDS = 24 * HOUR
    job = services.enqueue("test.any", {})
    assert services.resend_stale() == 1, "its first message was lost before the row knew of it"
    assert services.resend_stale() == 0
    age(job, settings.JOB_STALE_SECONDS - HOUR)
    assert services.resend_stale() == 0
    age(job, settings.JOB_STALE_SECONDS + HOUR)
    services.tick()
    assert [each for each in sent if each[0] == job.pk] == [(job.pk, 1)] * 2


def test_a_waiting_job_is_sent_when_its_time_comes(sent: list[tuple[int, int]]) -> None:
    job = services.enqueue("test.any", {}, not_before=timezone.now() + timedelta(hours=1))
    assert services.resend_stale() == 0
    Job.objects.filter(pk=job.pk).update(not_before=timezone.now() - timedelta(seconds=1))
    assert services.resend_stale() == 1
    assert sent == [(job.pk, 1)]


def test_a_reclaimed_job_is_sent_in_the_same_tick(sent: list[tuple[int, int]]) -> None:
    job = services.enqueue("test.any", {})
    past = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(state="running", lease_until=past, woken_at=timezone.now())
    services.tick()
    assert [each for each in sent if each[0] == job.pk] == [(job.pk, 2)]


def test_a_tick_sends_no_more_than_the_queue_can_bear(sent: list[tuple[int, int]]) -> None:
    for _ in range(services.MESSAGES_A_TICK + 5):
        services.enqueue("test.any", {})
    assert services.resend_stale() == services.MESSAGES_A_TICK
    assert services.resend_stale() == 5


def test_jobs_of_the_lowest_priority_are_sent_last(sent: list[tuple[int, int]], handlers: Registry) -> None:
    job("test.backlog", priority="lowest")(lambda run: None)
    job("test.patient", priority="low")(lambda run: None)
    backlog, patient, urgent = (services.enqueue(f"test.{name}", {}) for name in ("backlog", "patient", "any"))
    assert services.resend_stale() == 3
    assert [job_id for job_id, _ in sent] == [urgent.pk, patient.pk, backlog.pk]


def test_jobs_of_low_priority_are_sent_after_all_others(sent: list[tuple[int, int]], handlers: Registry) -> None:
    """However many wait and however old they are, what others wait for is told of first."""
    job("test.patient", priority="low")(lambda run: None)
    patient = [services.enqueue("test.patient", {}) for _ in range(services.MESSAGES_A_TICK + 5)]
    urgent = services.enqueue("test.any", {})
    assert services.resend_stale() == services.MESSAGES_A_TICK
    assert sent[0] == (urgent.pk, 1)
    assert sent[1:] == [(each.pk, 1) for each in patient[: services.MESSAGES_A_TICK - 1]]
