"""Metrics: who may read them, what they count, and what a reading costs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from jobs import services
from jobs.models import Job
from jobs.registry import registry
from matches.models import Match, MatchAction
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from people.models import User
from solaris_site import metrics
from tests.services.processes import environment, run
from tests.web.sites_apart import ask

pytestmark = pytest.mark.django_db


# Metrics ---------------------------------------------------------------------------------------------------------

TOKEN = "a token that only Prometheus knows"


@pytest.fixture
def reads(settings: Any, client: Client) -> Callable[[], dict[tuple[str, tuple[tuple[str, str], ...]], float]]:
    """Reads all samples: (name, labels) -> value.

    Requests of other tests are forgotten: with each route that a process has answered, a reading takes longer.
    """
    settings.METRICS_TOKEN = TOKEN
    for counted in (metrics.REQUESTS, metrics.SECONDS):
        counted.clear()

    def read() -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith("text/plain; version=")
        families = text_string_to_metric_families(answer.content.decode())
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in families
            for sample in family.samples
        }

    return read


@pytest.mark.parametrize(
    ("token", "is_embedded", "address", "headers", "status"),
    [
        (TOKEN, False, "192.0.2.1", {"Authorization": f"Bearer {TOKEN}"}, 200),
        (TOKEN, False, "192.0.2.1", {"Authorization": f"bearer  {TOKEN}"}, 200),
        (TOKEN, False, "192.0.2.1", {"Authorization": f"Basic {TOKEN}"}, 404),
        (TOKEN, False, "192.0.2.1", {"Authorization": f"Bearer {TOKEN}s"}, 404),
        (TOKEN, False, "192.0.2.1", {"Authorization": "Bearer é"}, 404),
        (TOKEN, False, "192.0.2.1", {"Authorization": "Bearer "}, 404),
        (TOKEN, False, "192.0.2.1", {}, 404),
        (TOKEN, True, "127.0.0.1", {}, 404),
        ("", True, "127.0.0.1", {}, 200),
        ("", True, "::1", {}, 200),
        ("", True, "127.0.0.1", {"X-Forwarded-For": "192.0.2.1"}, 404),
        ("", True, "127.0.0.1", {"X-Real-IP": "192.0.2.1"}, 404),
        ("", True, "127.0.0.1", {"Forwarded": "for=192.0.2.1"}, 404),
        ("", True, "192.0.2.1", {}, 404),
        ("", False, "127.0.0.1", {}, 404),
        ("", False, "127.0.0.1", {"Authorization": "Bearer "}, 404),
    ],
)
def test_metrics_are_for_those_who_have_the_token_or_is_on_the_machine_of_an_embedded_site(
    client: Client, settings: Any, token: str, is_embedded: bool, address: str, headers: dict[str, str], status: int
) -> None:
    settings.METRICS_TOKEN, settings.IS_EMBEDDED = token, is_embedded
    answer = client.get("/metrics", headers=headers, REMOTE_ADDR=address)
    assert answer.status_code == status
    if status == 404:
        answers = [client.get(where, headers=headers, REMOTE_ADDR=address) for where in ("/metrics", "/nothing-here")]
        assert answers[0].context["code"] == answers[1].context["code"]
        assert answers[0].context["sentence"] == answers[1].context["sentence"]


def test_behind_a_proxy_that_says_nothing_metrics_need_the_token(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN, settings.IS_EMBEDDED, settings.PROXY_COUNT = "", True, 1
    ways: list[dict[str, str]] = [{}, {"X-Forwarded-For": "127.0.0.1"}]
    assert [client.get("/metrics", headers=way).status_code for way in ways] == [404, 404]
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    settings.METRICS_TOKEN, settings.PROXY_COUNT = "", 0
    assert client.get("/metrics").status_code == 200


def test_staff_have_no_way_round_the_token(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    client.force_login(User.objects.create_superuser("root", "root@example.org", "-"))
    assert client.get("/metrics").status_code == 404


def test_requests_are_counted_by_route_method_and_class_of_status(client: Client, reads: Any) -> None:
    def count(route: str, status: str, method: str = "GET") -> float:
        labels = (("method", method), ("route", route), ("status", status))
        return float(reads().get(("solaris_requests_total", labels), 0.0))

    before = (
        count("health", "2xx"),
        count("health", "4xx", "POST"),
        count("unknown", "4xx"),
        count("unknown", "4xx", "other"),
    )
    client.get("/healthz")
    client.post("/healthz")
    for number in range(3):
        client.get(f"/no/{number}/such/{number}")
        client.generic("FROB", f"/no/{number}/such/{number}")
    after = (
        count("health", "2xx"),
        count("health", "4xx", "POST"),
        count("unknown", "4xx"),
        count("unknown", "4xx", "other"),
    )
    assert [new - old for new, old in zip(after, before, strict=True)] == [1, 1, 3, 3]
    samples = reads()
    seconds = (("method", "GET"), ("route", "health"))
    assert samples["solaris_request_seconds_count", seconds] >= 1
    assert samples["solaris_request_seconds_bucket", (("le", "+Inf"), *seconds)] >= 1


def test_labels_are_from_finite_lists(client: Client, reads: Any) -> None:
    for key in ("one", "two"):
        client.get(f"/seasons/{key}/", headers={"Authorization": key})
        client.get(f"/matches/shared/{key * 10}/")
        client.get(f"/static/{key}.css")
    routes = {dict(labels)["route"] for name, labels in reads() if name == "solaris_requests_total"}
    assert {"stables:season", "matches:shared_show", "static", "unknown"} & routes >= {"stables:season", "static"}
    assert not [route for route in routes if "one" in route.split("/") or "two" in route or "oneone" in route]


@pytest.fixture
def some_jobs() -> Iterator[None]:
    kept = dict(registry.handlers)
    registry.handlers["test.known"] = lambda run: None

    def breaks(run: Any) -> None:
        raise ValueError

    registry.handlers["test.breaks"] = breaks
    yield
    registry.handlers.clear()
    registry.handlers.update(kept)


def jobs_counted(samples: Any, name: str) -> tuple[float, float]:
    counts = [
        samples.get(("solaris_job_attempts_total", (("name", name), ("outcome", outcome))), 0.0)
        for outcome in ("done", "failed")
    ]
    return counts[0], counts[1]


def test_jobs_are_counted_from_the_database_whoever_did_them(some_jobs: None, reads: Any) -> None:
    for _ in range(2):
        services.run_job(services.enqueue("test.known", {}).pk, 1)
    Job.objects.filter(name="test.known").update(started_at=timezone.now() - timedelta(seconds=60))
    broken = services.enqueue("test.breaks", {})
    services.enqueue("test.unknown", {})
    samples = reads()
    assert jobs_counted(samples, "test.known") == (2, 0)
    assert samples["solaris_job_seconds_count", (("name", "test.known"),)] == 2
    assert samples["solaris_job_seconds_sum", (("name", "test.known"),)] > 100
    assert jobs_counted(samples, "other") == (0, 0)
    assert samples["solaris_jobs", (("state", "done"),)] == 2
    assert samples["solaris_jobs", (("state", "queued"),)] == 2
    assert samples["solaris_jobs", (("state", "running"),)] == 0
    seen = [jobs_counted(samples, "test.breaks")]
    for attempt in range(1, 6):
        Job.objects.filter(pk=broken.pk).update(not_before=None)
        assert services.run_job(broken.pk, attempt)
        seen.append(jobs_counted(reads(), "test.breaks"))
    assert reads()["solaris_jobs", (("state", "failed"),)] == 1
    services.restart(Job.objects.get(pk=broken.pk))
    seen.append(jobs_counted(reads(), "test.breaks"))
    registry.handlers["test.breaks"] = lambda run: None
    assert services.run_job(broken.pk, 6)
    seen.append(jobs_counted(reads(), "test.breaks"))
    assert seen == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 5), (1, 5)], "it never falls"


def test_the_age_of_the_queue_is_that_of_the_oldest_due_job(reads: Any) -> None:
    assert reads()["solaris_queue_age_seconds", ()] == 0
    made = services.enqueue("test.waits", {})
    Job.objects.filter(pk=made.pk).update(created_at=timezone.now() - timedelta(seconds=300))
    assert 250 < reads()["solaris_queue_age_seconds", ()] < 400


def test_matches_and_decisions_are_counted(reads: Any) -> None:
    before = reads()
    made = create_match(demonstration_setup(), b"a seed that nobody may see early", None, [])
    MatchAction.objects.create(match=made, sequence=1, side="red", action={}, events=[])
    after = reads()
    assert after["solaris_matches", (("state", "waiting"),)] == before["solaris_matches", (("state", "waiting"),)] + 1
    assert after["solaris_decisions_total", ()] == before["solaris_decisions_total", ()] + 1, "the opening is none"
    assert {dict(labels)["state"] for name, labels in after if name == "solaris_matches"} == set(Match.State.values)
    assert ("solaris_webhook_deliveries", (("state", "waiting"),)) in after


def test_the_documents_name_every_metric_and_no_other(client: Client, reads: Any) -> None:
    client.get("/healthz")
    page = (Path(__file__).resolve().parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    written = set(re.findall(r"^\| `(solaris_\w+)` \|", page, re.MULTILINE))
    # Of each counter Prometheus is told when it began, too.
    own = {name for name, _ in reads() if name.startswith("solaris_") and not name.endswith("_created")}
    metrics_of_site = {re.sub(r"_(bucket|count|sum)$", "", name) for name in own}
    assert metrics_of_site | {"solaris_job_seconds", "solaris_job_attempts_total"} == written


def test_a_scrape_takes_as_many_queries_whatever_there_is(client: Client, reads: Any, some_jobs: None) -> None:
    def taken() -> int:
        with CaptureQueriesContext(connection) as queries:
            reads()
        return len(queries)

    few = taken()
    for number in range(5):
        services.enqueue("test.known" if number % 2 else f"test.{number}", {})
        create_match(demonstration_setup(), f"another seed of many: {number}".encode().ljust(32), None, [])
    assert taken() == few == 5


def test_without_its_database_a_site_still_tells_of_requests(
    client: Client, reads: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import OperationalError

    assert reads()["solaris_database_up", ()] == 1

    def gone() -> Any:
        raise OperationalError("gone")

    monkeypatch.setattr("solaris_site.metrics_rows.longest_wait", gone)
    samples = reads()
    assert samples["solaris_database_up", ()] == 0
    assert ("solaris_queue_age_seconds", ()) not in samples
    assert [name for name, _ in samples if name == "solaris_requests_total"]


SCRAPE = """
import django
django.setup()
from django.test import Client
print(Client().get("/metrics").content.decode())
"""


def test_several_web_processes_make_one_sum(tmp_path: Path) -> None:
    """Embedded, so that the machine itself may read; each process counts into the folder that all share."""
    variables = {"VAR_DIR": str(tmp_path), "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "counts")}
    for addresses in (("/healthz", "/healthz?again"), ("/healthz",)):
        ask(*addresses, **variables)
    given = environment(DJANGO_SETTINGS_MODULE="solaris_site.settings", ALLOWED_HOSTS="testserver", **variables)
    text = run("-c", SCRAPE, variables=given)
    assert 'solaris_requests_total{method="GET",route="health",status="2xx"} 3.0' in text
    assert "solaris_database_up 0.0" in text
