"""One job in one process: steps, failures, fences."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from jobs import runner, services
from jobs.models import Job, JobStep
from jobs.registry import Registry, job, periodic
from jobs.run import Later
from rules.core.refusals import Refused

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def two_steps(handlers: Registry) -> list[str]:
    """A job of two steps; the list tells which step functions were called."""
    called: list[str] = []

    @job("test.two_steps")
    def two_steps(run: runner.Run) -> None:
        for step in ("first", "second"):
            run.once(step, lambda step=step: called.append(step) or {"step": step, "pair": (1, 2)})

    return called


def expire(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def make_due(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(not_before=None)


def test_runs_a_job_and_records_its_steps(two_steps: list[str]) -> None:
    asked = services.enqueue("test.two_steps", {"cycle": 3})
    assert services.run_job(asked.pk, 1) is True
    asked.refresh_from_db()
    assert (asked.state, asked.attempt, asked.lease_until) == ("done", 1, None)
    assert asked.started_at is not None
    assert asked.finished_at is not None
    assert list(asked.steps.values_list("name", "output", "attempt")) == [
        ("first", {"step": "first", "pair": [1, 2]}, 1),
        ("second", {"step": "second", "pair": [1, 2]}, 1),
    ]
    assert two_steps == ["first", "second"]


def test_a_second_message_does_nothing(two_steps: list[str]) -> None:
    asked = services.enqueue("test.two_steps", {})
    assert services.run_job(asked.pk, 1) is True
    assert services.run_job(asked.pk, 1) is False
    assert two_steps == ["first", "second"]


def test_a_job_that_is_put_off_for_no_time_is_due_in_the_same_millisecond(two_steps: list[str]) -> None:
    asked = services.enqueue("test.two_steps", {})
    for _ in range(100):
        assert runner.claim(asked.pk, 1) is not None
        assert runner.defer(asked.pk, 1, timedelta(0))
    assert services.run_job(asked.pk, 1) is True


def test_a_step_gives_the_same_output_the_first_and_any_later_time(handlers: Registry) -> None:
    outputs: list[Any] = []

    @job("test.output")
    def output(run: runner.Run) -> None:
        outputs.append(run.once("step", lambda: {1: ("a", None)}))
        outputs.append(run.once("step", lambda: pytest.fail("was called twice")))

    services.enqueue("test.output", {})
    services.run_pending()
    assert outputs == [{"1": ["a", None]}] * 2


def test_a_failure_inside_a_step_leaves_nothing_of_it_and_the_next_attempt_resumes_there(handlers: Registry) -> None:
    fails = [True]

    @job("test.fails")
    def fail_once(run: runner.Run) -> None:
        run.once("before", lambda: "kept")
        run.once("work", work)

    def work() -> str:
        services.enqueue("test.other", {}, unique_key="written in the step")
        if fails.pop():
            raise Refused("purse_is_empty", stable=4)
        return "never"

    asked = services.enqueue("test.fails", {})
    services.run_job(asked.pk, 1)
    asked.refresh_from_db()
    assert (asked.state, asked.attempt, asked.error_code) == ("queued", 2, "purse_is_empty")
    assert "Refused" in asked.error_text
    assert asked.not_before is not None
    assert not Job.objects.filter(unique_key="written in the step").exists()
    assert list(asked.steps.values_list("name", flat=True)) == ["before"]

    fails.append(False)
    assert services.run_job(asked.pk, 2) is False, "it is not due before its pause is over"
    make_due(asked)
    assert services.run_job(asked.pk, 2) is True
    asked.refresh_from_db()
    assert (asked.state, asked.error_code) == ("done", "")
    assert list(asked.steps.values_list("name", "attempt")) == [("before", 1), ("work", 2)]
    assert Job.objects.filter(unique_key="written in the step").count() == 1


def test_after_five_failed_attempts_a_job_is_failed_and_can_be_restarted(handlers: Registry) -> None:
    called: list[int] = []

    @job("test.always_fails")
    def always_fails(run: runner.Run) -> None:
        called.append(run.attempt)
        raise ValueError("broken")

    asked = services.enqueue("test.always_fails", {})
    for attempt in range(1, 6):
        make_due(asked)
        assert services.run_job(asked.pk, attempt) is True
    asked.refresh_from_db()
    assert (asked.state, asked.attempt, asked.error_code) == ("failed", 5, "ValueError")
    assert asked.finished_at is not None
    assert called == [1, 2, 3, 4, 5]
    assert services.run_job(asked.pk, 5) is False

    services.restart(asked)
    assert (asked.state, asked.attempt, asked.last_attempt) == ("queued", 6, 10)
    with pytest.raises(services.NotRestartable):
        services.restart(asked)
    with pytest.raises(ValueError, match="broken"):
        services.run_pending()
    assert called[-1] == 6


def test_a_job_nobody_can_do_is_recorded_as_such(handlers: Registry) -> None:
    asked = services.enqueue("test.unknown", {})
    services.run_job(asked.pk, 1)
    asked.refresh_from_db()
    assert (asked.state, asked.error_code) == ("queued", "LookupError")


def test_an_old_attempt_can_commit_nothing(handlers: Registry) -> None:
    @job("test.overtaken")
    def overtaken(run: runner.Run) -> None:
        run.once("first", lambda: None)
        Job.objects.filter(pk=run.job_id).update(attempt=2)
        run.once("second", lambda: pytest.fail("the fence did not hold"))

    asked = services.enqueue("test.overtaken", {})
    services.run_job(asked.pk, 1)
    asked.refresh_from_db()
    assert (asked.state, asked.attempt) == ("running", 2)
    assert list(asked.steps.values_list("name", flat=True)) == ["first"]


@pytest.mark.parametrize("raises", [False, True])
def test_an_old_attempt_cannot_end_the_job(handlers: Registry, raises: bool) -> None:
    @job("test.late")
    def late(run: runner.Run) -> None:
        Job.objects.filter(pk=run.job_id).update(attempt=2)
        if raises:
            raise ValueError("late")

    asked = services.enqueue("test.late", {})
    services.run_job(asked.pk, 1)
    asked.refresh_from_db()
    assert (asked.state, asked.attempt, asked.error_code) == ("running", 2, "")


def test_an_expired_lease_is_reclaimed_with_a_new_attempt() -> None:
    asked = services.enqueue("test.any", {})
    assert runner.claim(asked.pk, 1) is not None
    assert services.reclaim_expired() == 0
    expire(asked)
    assert services.reclaim_expired() == 1
    asked.refresh_from_db()
    assert (asked.state, asked.attempt, asked.error_code) == ("queued", 2, "lease_expired")
    assert runner.claim(asked.pk, 1) is None
    assert runner.claim(asked.pk, 2) is not None


def test_the_fifth_expired_lease_fails_the_job() -> None:
    asked = services.enqueue("test.any", {})
    for attempt in range(1, 6):
        assert runner.claim(asked.pk, attempt) is not None
        expire(asked)
        assert services.reclaim_expired() == 1
    asked.refresh_from_db()
    assert (asked.state, asked.attempt, asked.error_code) == ("failed", 5, "lease_expired")


def test_a_job_waits_for_its_time() -> None:
    later = services.enqueue("test.any", {}, not_before=timezone.now() + timedelta(hours=1))
    assert runner.claim(later.pk, 1) is None
    assert services.run_pending() == 0


def test_run_pending_runs_in_order_and_what_jobs_ask_for(handlers: Registry) -> None:
    done: list[str] = []

    @job("test.names")
    def names(run: runner.Run) -> None:
        done.append(run.payload["name"])
        if run.payload["name"] == "a":
            services.enqueue("test.names", {"name": "child of a"})

    for name in ("a", "b"):
        services.enqueue("test.names", {"name": name})
    assert services.run_pending(limit=1) == 1
    assert services.run_pending() == 2
    assert done == ["a", "b", "child of a"]


def test_run_pending_does_not_return_to_a_job_that_gives_way_to_another(handlers: Registry) -> None:
    done: list[str] = []

    @job("test.patient", priority="low")
    def patient(run: runner.Run) -> None:
        if not done:
            raise Later(timedelta(0))
        done.append("patient")

    job("test.backlog", priority="lowest")(lambda run: done.append("backlog"))
    job("test.work")(lambda run: done.append("work"))
    for name in ("backlog", "patient", "work"):
        services.enqueue(f"test.{name}", {})
    assert services.run_pending(limit=3) == 3
    assert done == ["work", "patient", "backlog"]


def test_the_same_unique_key_gives_the_same_job(two_steps: list[str]) -> None:
    first = services.enqueue("test.two_steps", {"n": 1}, unique_key="close:7")
    services.run_pending()
    again = services.enqueue("test.two_steps", {"n": 2}, unique_key="close:7")
    assert again.pk == first.pk
    assert (again.payload, again.state) == ({"n": 1}, "done")
    assert Job.objects.count() == 1


def test_a_tick_scans_for_forgotten_work_even_when_one_scan_fails(handlers: Registry) -> None:
    @periodic("test.broken")
    def broken() -> None:
        raise ValueError("broken")

    @periodic("test.forgotten")
    def forgotten() -> None:
        services.enqueue("test.any", {}, unique_key="forgotten")

    services.tick()
    services.tick()
    assert Job.objects.get().unique_key == "forgotten"


def test_two_functions_cannot_have_one_name(handlers: Registry) -> None:
    job("test.name")(expire)
    job("test.name")(expire)
    with pytest.raises(ValueError, match=r"test\.name"):
        job("test.name")(make_due)


def test_job_steps_are_unique_in_the_database() -> None:
    asked = services.enqueue("test.any", {})
    JobStep.objects.create(job=asked, name="step", attempt=1)
    _, is_new = JobStep.objects.get_or_create(job=asked, name="step", defaults={"attempt": 2})
    assert not is_new


@pytest.mark.parametrize("signal", [KeyboardInterrupt, SystemExit])
def test_a_job_whose_process_is_stopped_is_given_back_at_once(handlers: Registry, signal: type[BaseException]) -> None:
    stops = iter([True])

    @job("test.stopped")
    def stopped(run: runner.Run) -> None:
        run.once("first", lambda: 1)
        if next(stops, False):
            raise signal

    asked = services.enqueue("test.stopped", {})
    with pytest.raises(signal):
        services.run_job(asked.pk, 1)
    asked.refresh_from_db()
    assert (asked.state, asked.attempt, asked.error_code, asked.lease_until) == ("queued", 2, "interrupted", None)
    make_due(asked)
    assert services.run_job(asked.pk, 2) is True
    asked.refresh_from_db()
    assert (asked.state, asked.steps.count()) == ("done", 1)
