"""A worker is killed (SIGKILL) before and after every commit; its job resumes at the next step."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from jobs import services
from jobs.models import Job
from tests.nursery import Child, Nursery
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.mark.parametrize("step", ["1", "2", "3"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_killed_worker_loses_and_doubles_nothing(nursery: Nursery, tmp_path: Path, when: str, step: str) -> None:
    job = services.enqueue("test.three_steps", {})
    mark = tmp_path / "reached"

    def work(attempt: int, moment: str) -> Child:
        return nursery.start("-m", "tests.jobs.killed_worker", str(job.pk), str(attempt), str(mark), moment)

    worker = work(1, f"{when}:{step}")
    wait_until(lambda: mark.exists() or worker.poll() is not None, "the moment to kill it")
    assert worker.poll() is None, worker.errors.read_text()
    worker.kill()
    done_before = int(step) if when == "after" else int(step) - 1
    assert Job.objects.filter(name="test.effect").count() == done_before

    # Its lease would end by itself, after a minute.
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert services.reclaim_expired() == 1
    duplicate, resumed = work(1, "never"), work(2, "never")
    assert (duplicate.wait(), duplicate.output.read_text().strip()) == (0, "False")
    assert (resumed.wait(), resumed.output.read_text().strip()) == (0, "True")

    job.refresh_from_db()
    assert (job.state, job.attempt) == ("done", 2)
    steps = list(job.steps.values_list("name", "attempt"))
    assert steps == [(name, 1 if int(name) <= done_before else 2) for name in ("1", "2", "3")]
    effects = Job.objects.filter(name="test.effect").order_by("id").values_list("payload", flat=True)
    assert [effect["step"] for effect in effects] == ["1", "2", "3"]
