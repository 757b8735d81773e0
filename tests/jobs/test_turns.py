"""Workers take jobs in turn by those for whom they are done, so that nobody waits for all the work of others."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from jobs import runner, services, tasks
from jobs.models import Job
from jobs.registry import Registry, job
from tests.jobs.test_concurrency import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def done(handlers: Registry) -> list[str]:
    """Whose jobs were done, in order: each job of these names notes its turn and its number in it."""
    order: list[str] = []

    def note(run: runner.Run) -> None:
        order.append(run.payload["note"])

    job("test.work")(note)
    job("test.patient", priority="low")(note)
    job("test.calm", priority="lower")(note)
    job("test.backlog", priority="lowest")(note)
    return order


def ask(turn: str, count: int, name: str = "work") -> list[Job]:
    return [services.enqueue(f"test.{name}", {"note": f"{turn}{number}"}, turn=turn) for number in range(1, count + 1)]


def work(count: int) -> None:
    for _ in range(count):
        assert services.run_next()


def test_one_job_comes_second_at_the_latest_however_many_another_asked_for_before(done: list[str]) -> None:
    ask("busy", 30)
    work(1)
    ask("other", 1)
    work(1)
    assert done == ["busy1", "other1"]
    work(29)
    assert done[2:] == [f"busy{number}" for number in range(2, 31)], "in the order in which they were asked for"
    assert not services.run_next()


def test_many_have_their_turns_one_after_the_other(done: list[str]) -> None:
    for turn in ("a", "b", "c"):
        ask(turn, 3)
    work(9)
    assert done == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


def test_messages_of_one_are_turns_of_all(done: list[str]) -> None:
    """A worker that hears of one job does the one whose turn it is; the message's own is done by a later message."""
    asked = ask("busy", 2) + ask("other", 1)
    assert [tasks.run_job(each.pk, 1) for each in asked] == [True] * 3
    assert done == ["busy1", "other1", "busy2"]
    assert tasks.run_job(asked[0].pk, 1) is False, "a message that arrives twice does nothing"


def test_jobs_without_a_turn_share_that_of_their_name(done: list[str]) -> None:
    ask("busy", 2)
    services.enqueue("test.work", {"note": "mail1"})
    services.enqueue("test.work", {"note": "mail2"})
    work(4)
    assert done == ["busy1", "mail1", "busy2", "mail2"]


def test_turns_go_on_among_the_jobs_of_the_highest_priority(done: list[str]) -> None:
    kinds = ("backlog", "calm", "patient", "work")
    for turn in ("a", "b"):
        for name in kinds:
            services.enqueue(f"test.{name}", {"note": name}, turn=turn)
    work(8)
    assert done == ["work", "work", "patient", "patient", "calm", "calm", "backlog", "backlog"]


def test_a_flow_of_others_jobs_does_not_hold_up_one_of_low_priority_for_ever(done: list[str]) -> None:
    (patient,), (calm,) = ask("other", 1, "patient"), ask("other", 1, "calm")
    ask("busy", 4)
    work(2)
    assert done == ["busy1", "busy2"]
    Job.objects.filter(pk__in=(patient.pk, calm.pk)).update(created_at=timezone.now() - 2 * runner.PATIENCE)
    ask("other", 1)
    work(2)
    assert done[2:] == ["other1", "busy3"]
    patient.refresh_from_db()
    assert patient.state == Job.State.QUEUED, "its own of normal priority still comes first"
    work(2)
    assert done[4:] == ["other1", "busy4"]
    patient.refresh_from_db()
    calm.refresh_from_db()
    assert (patient.state, calm.state) == (Job.State.DONE, Job.State.QUEUED), "nobody waits for work of lower priority"


def test_what_is_not_due_has_no_turn(done: list[str]) -> None:
    (later,) = ask("other", 1)
    Job.objects.filter(pk=later.pk).update(not_before=timezone.now() + timedelta(hours=1))
    assert not services.run_next()
    assert runner.next_in_turn() is None


def test_a_look_for_the_next_job_takes_two_queries(done: list[str], django_assert_num_queries: Any) -> None:
    for turn in ("a", "b", "c"):
        ask(turn, 20)
    with django_assert_num_queries(2):
        assert runner.next_in_turn() is not None


@pytest.mark.django_db(transaction=True)
def test_workers_that_look_at_once_share_the_turns(done: list[str]) -> None:
    ask("busy", 6)
    ask("other", 2)
    assert at_once(4, services.run_next) == [True] * 4
    assert len(done) == len(set(done)) == 4, "nothing is done twice"
    work(4)
    assert sorted(done) == [f"busy{number}" for number in range(1, 7)] + ["other1", "other2"]
