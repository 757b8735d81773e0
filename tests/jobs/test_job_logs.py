"""What the log says of jobs: every line of an attempt names it, one line ends it, and it is known who asked for it."""

from __future__ import annotations

import io
import json
import logging
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from jobs import runner, services
from jobs.models import Job
from jobs.registry import Registry, job
from jobs.selectors import longest_wait
from solaris_site.log_records import OneLine, OneObject, Surroundings
from tests.waiting import DEADLINE_SECONDS
from web import log_context

pytestmark = pytest.mark.django_db
Lines = Callable[[], list[dict[str, Any]]]
logger = logging.getLogger("jobs")


@pytest.fixture
def lines() -> Iterator[Lines]:
    """The lines that were logged so far, as programs read them."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(OneObject())
    handler.addFilter(Surroundings())
    root, level = logging.getLogger(), logger.level
    root.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    root.removeHandler(handler)
    logger.setLevel(level)


def test_every_line_of_a_job_names_it_and_one_line_ends_it(handlers: Registry, lines: Lines) -> None:
    @job("test.talks")
    def talks(run: runner.Run) -> None:
        logging.getLogger("elsewhere").warning("in the middle")

    asked = services.enqueue("test.talks", {})
    services.run_job(asked.pk, 1)
    middle, end = lines()
    about = {"job_id": asked.pk, "attempt": 1, "job_name": "test.talks"}
    assert about.items() <= middle.items()
    assert (middle["logger"], middle["level"], middle["message"]) == ("elsewhere", "WARNING", "in the middle")
    assert about.items() <= end.items()
    assert (end["outcome"], end["level"], end["logger"]) == ("done", "INFO", "jobs")
    assert end["milliseconds"] >= 0
    logger.warning("afterwards")
    assert "job_id" not in lines()[-1]


def test_a_failed_attempt_is_one_line_with_its_traceback(handlers: Registry, lines: Lines) -> None:
    @job("test.fails")
    def fails(run: runner.Run) -> None:
        raise ValueError("two\nlines")

    asked = services.enqueue("test.fails", {})
    services.run_job(asked.pk, 1)
    (end,) = lines()
    assert (end["outcome"], end["level"], end["job_id"], end["attempt"]) == ("failed", "ERROR", asked.pk, 1)
    assert "ValueError: two\nlines" in end["exc_info"]
    Job.objects.filter(pk=asked.pk).update(not_before=None)
    services.run_job(asked.pk, 2)
    assert lines()[-1]["attempt"] == 2


def test_a_lost_attempt_says_so(handlers: Registry, lines: Lines) -> None:
    @job("test.is_lost")
    def is_lost(run: runner.Run) -> None:
        Job.objects.filter(pk=run.job_id).update(attempt=run.attempt + 1)
        run.once("step", dict)

    asked = services.enqueue("test.is_lost", {})
    services.run_job(asked.pk, 1)
    assert [line["outcome"] for line in lines()] == ["lost"]


def test_who_waits_for_jobs_in_a_command_hears_of_trouble_alone(handlers: Registry, lines: Lines) -> None:
    @job("test.quiet")
    def quiet(run: runner.Run) -> None:
        pass

    services.enqueue("test.quiet", {})
    services.run_pending()
    assert [line["level"] for line in lines() if line.get("outcome") == "done"] == ["DEBUG"]


def test_the_heartbeat_speaks_for_its_job(handlers: Registry, settings: Any, lines: Lines) -> None:
    heard = threading.Event()
    facts: list[dict[str, Any]] = []

    @job("test.lasts")
    def lasts(run: runner.Run) -> None:
        assert heard.wait(DEADLINE_SECONDS)

    def beat(self: runner.Heartbeat) -> None:
        facts.append(log_context.facts())
        heard.set()

    asked = services.enqueue("test.lasts", {})
    before = runner.Heartbeat._beat
    runner.Heartbeat._beat = beat  # type: ignore[method-assign]
    try:
        services.run_job(asked.pk, 1)
    finally:
        runner.Heartbeat._beat = before  # type: ignore[method-assign]
    assert facts == [{"job_id": asked.pk, "attempt": 1, "job_name": "test.lasts"}]


def test_two_jobs_at_once_differ() -> None:
    job_ids: dict[int, Any] = {}
    ready = threading.Barrier(2, timeout=DEADLINE_SECONDS)

    def work(number: int) -> None:
        with log_context.in_job(log_context.JobContext(number, 1, "test.at_once")):
            ready.wait()
            job_ids[number] = log_context.facts()["job_id"]

    threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert job_ids == {1: 1, 2: 2}
    assert log_context.facts() == {}


def test_a_job_that_a_request_asked_for_is_shown_with_the_request(
    handlers: Registry, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    with (
        log_context.in_request(log_context.RequestContext("abc-1", lambda: 7)),
        django_capture_on_commit_callbacks(execute=True),
    ):
        asked = services.enqueue("test.anything", {}, unique_key="once")
        assert services.enqueue("test.anything", {}, unique_key="once").pk == asked.pk
    (line,) = lines()
    assert (line["request_id"], line["user_id"]) == ("abc-1", 7)
    assert (line["asked_job"], line["asked_name"]) == (asked.pk, "test.anything")
    assert "job_id" not in line
    with django_capture_on_commit_callbacks(execute=True):
        services.enqueue("test.anything", {})
    assert len(lines()) == 1, "nobody asked by a request"


def test_a_job_that_was_never_stored_was_not_asked_for(
    handlers: Registry, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    with log_context.in_request(log_context.RequestContext("abc-2")), django_capture_on_commit_callbacks() as waiting:
        services.enqueue("test.anything", {})
    assert (len(waiting), lines()) == (1, [])


def test_plain_lines_name_the_job_too() -> None:
    record = logging.LogRecord("jobs", logging.INFO, "", 0, "done %s", ("well",), None)
    with log_context.in_job(log_context.JobContext(3, 2, "test.plain")):
        Surroundings().filter(record)
    assert OneLine().format(record).endswith("INFO    jobs: done well [job_id=3 attempt=2 job_name=test.plain]")


# How long jobs wait ----------------------------------------------------------------------------------------------


def waiting(**values: Any) -> Job:
    made = services.enqueue("test.waits", {})
    Job.objects.filter(pk=made.pk).update(**values)
    return made


def ago(hours: int) -> Any:
    """So many hours and a half ago: the clock of SQLite has milliseconds, and may be behind Python's."""
    return timezone.now() - timedelta(hours=hours, minutes=30)


def hours_of_the_longest_wait() -> float:
    return longest_wait() // 3600


def test_the_longest_wait_is_that_of_the_oldest_due_job(handlers: Registry) -> None:
    assert longest_wait() == 0
    waiting(created_at=ago(1))
    waiting(created_at=ago(5), not_before=ago(2))
    assert hours_of_the_longest_wait() == 2
    waiting(created_at=ago(90), not_before=timezone.now() + timedelta(hours=1))
    waiting(created_at=ago(90), state=Job.State.DONE)
    waiting(created_at=ago(90), started_at=ago(0), attempt=2)
    assert hours_of_the_longest_wait() == 2
