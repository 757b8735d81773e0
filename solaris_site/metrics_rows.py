"""Metrics of jobs, matches and deliveries from the database: always five queries."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from django.db import DatabaseError
from django.db.models import Count, F, Q, Sum
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.registry import Collector

from jobs.models import Job
from jobs.registry import registry
from jobs.selectors import longest_wait
from matches.models import Match, MatchAction
from stables.models import Delivery

logger = logging.getLogger("solaris_site.metrics")

OTHER = "other"
"""The label for jobs whose names no handler is registered for."""


class Rows(Collector):
    """Metrics that are read from the database at each scrape. A failed job that is started again lowers no counter.

    When the database does not answer, the only metric is solaris_database_up with the value 0.
    """

    def collect(self) -> Iterator[Metric]:
        is_up = GaugeMetricFamily("solaris_database_up", "Whether the database answered this time")
        found: list[Metric] = []
        try:
            found = list(self._rows())
            is_up.add_metric([], 1)
        except DatabaseError:
            logger.warning("The database did not answer a reader of metrics", exc_info=True)
            is_up.add_metric([], 0)
        yield from (is_up, *found)

    def _rows(self) -> Iterator[Metric]:
        yield from _jobs()
        wait = GaugeMetricFamily("solaris_queue_age_seconds", "How long the job that waits longest is due; 0: none is")
        wait.add_metric([], longest_wait())
        yield wait
        yield _gauge(
            "solaris_matches",
            "Matches by state",
            Match.State.values,
            Match.objects.order_by().values_list("state").annotate(count=Count("pk")),
        )
        yield from _decisions()
        yield _gauge(
            "solaris_webhook_deliveries",
            "News on their way to webhooks, by state",
            Delivery.State.values,
            Delivery.objects.order_by().values_list("state").annotate(count=Count("pk")),
        )


def _gauge(name: str, text: str, states: Iterable[str], rows: Iterable[tuple[str, int]]) -> GaugeMetricFamily:
    """Return a gauge with one number for each state, 0 for a state without rows; `rows` are (state, count)."""
    counts = {**dict.fromkeys(states, 0), **dict(rows)}
    family = GaugeMetricFamily(name, text, labels=["state"])
    for state, count in counts.items():
        family.add_metric([state], count)
    return family


def _decisions() -> Iterator[Metric]:
    """Yield the counts of decisions, and of decisions that a bot failed at; one query."""
    faults = {cause.value: Count("pk", filter=Q(cause=cause)) for cause in MatchAction.FAULTS}
    counts = MatchAction.objects.filter(sequence__gt=0).aggregate(all=Count("pk"), **faults)
    decisions = CounterMetricFamily("solaris_decisions", "Decisions that were played in matches")
    decisions.add_metric([], counts["all"])
    yield decisions
    failed = CounterMetricFamily("solaris_bot_faults", "Decisions that a bot failed at", labels=["fault"])
    for cause in faults:
        failed.add_metric([cause], counts[cause])
    yield failed


def _jobs() -> Iterator[Metric]:
    """Yield the jobs by state, the attempts by name and outcome, and the seconds of successful attempts; one query.

    A job's failed attempts are its attempts less one, because the last one has succeeded, runs or is to come; all
    attempts of a failed job have failed. So the number stays when a failed job is started again.
    """
    known = set(registry.handlers)
    states = dict.fromkeys(Job.State.values, 0)
    done: dict[str, int] = {}
    failed: dict[str, int] = {}
    seconds: dict[str, float] = {}
    rows = (
        Job.objects.order_by()
        .values("name", "state")
        .annotate(count=Count("pk"), attempts=Sum("attempt"), took=Sum(F("finished_at") - F("started_at")))
    )
    for row in rows:
        name = row["name"] if row["name"] in known else OTHER
        states[row["state"]] += row["count"]
        is_failed = row["state"] == Job.State.FAILED
        failed[name] = failed.get(name, 0) + row["attempts"] - (0 if is_failed else row["count"])
        done.setdefault(name, 0)
        if row["state"] == Job.State.DONE:
            done[name] += row["count"]
            seconds[name] = seconds.get(name, 0.0) + (row["took"].total_seconds() if row["took"] else 0.0)
    yield _gauge("solaris_jobs", "Jobs by state", states, states.items())
    attempts = CounterMetricFamily("solaris_job_attempts", "Attempts at jobs that ended", labels=["name", "outcome"])
    took = SummaryMetricFamily("solaris_job_seconds", "Time that attempts took that ended well", labels=["name"])
    for name in sorted(done):
        attempts.add_metric([name, "done"], done[name])
        attempts.add_metric([name, "failed"], failed[name])
        took.add_metric([name], done[name], seconds.get(name, 0.0))
    yield attempts
    yield took
