"""Watching the site run: whether it lives and is ready, what its log says of requests, what Prometheus may read."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_celery_beat.models import IntervalSchedule, PeriodicTask
from prometheus_client.parser import text_string_to_metric_families

from jobs import context, services
from jobs.models import Job
from jobs.registry import registry
from matches.demonstration import demonstration_setup
from matches.models import Match, MatchAction
from matches.services import create_match
from people.models import User
from people.tokens import make_token
from solaris_site import metrics, readiness
from solaris_site.log_records import OneLine, OneObject, Surroundings
from solaris_site.observing import ObservingMiddleware
from tests.services.processes import environment, free_port, run

pytestmark = pytest.mark.django_db
Lines = Callable[[], list[dict[str, Any]]]

ASK = """
import django, json, os
django.setup()
from django.test import Client
told = {}
for address in os.environ["ASK"].split():
    answer = Client(raise_request_exception=False).get(address)
    told[address] = [answer.status_code, answer.content.decode()]
print(json.dumps(told))
"""


def ask(*addresses: str, **variables: str) -> dict[str, tuple[int, Any]]:
    """What a site with these variables answers, in a process of its own."""
    given = {
        "DJANGO_SETTINGS_MODULE": "solaris_site.settings",
        "ALLOWED_HOSTS": "testserver",
        "ASK": " ".join(addresses),
        **variables,
    }
    told = json.loads(run("-c", ASK, variables=environment(**given)).splitlines()[-1])
    return {address: (status, json.loads(text)) for address, (status, text) in told.items()}


def production(tmp_path: Path, **variables: str) -> dict[str, str]:
    kept = {"VAR_DIR": str(tmp_path), "STATIC_ROOT": str(tmp_path / "static"), "DEBUG": "0"}
    return {"SECRET_KEY": "x" * 60, "ALLOWED_HOSTS": "testserver", **kept, **variables}


# Whether it is well ----------------------------------------------------------------------------------------------


def test_a_site_without_its_database_and_its_queue_lives_but_is_not_ready(tmp_path: Path) -> None:
    """Both are real addresses at which nobody listens; asked over http, outside DEBUG, without being sent to https."""
    url = f"postgres://somebody:hunter2@127.0.0.1:{free_port()}/solaris"
    broker = f"redis://:hunter2@127.0.0.1:{free_port()}/0"
    told = ask("/healthz", "/readyz", **production(tmp_path, DATABASE_URL=url, CELERY_BROKER_URL=broker))
    assert told["/healthz"] == (200, {"status": "ok"})
    status, document = told["/readyz"]
    assert status == 503
    names = ("database", "migrations", "beat", "worker", "queue")
    assert document == {"status": "not ready", "checks": dict.fromkeys(names, "not ok")}


def test_a_database_without_tables_is_not_ready(tmp_path: Path) -> None:
    told = ask("/readyz", **production(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/empty.sqlite3"))
    status, document = told["/readyz"]
    assert status == 503
    assert document["checks"] == {
        "database": "ok",
        "migrations": "not ok",
        "beat": "not ok",
        "worker": "not ok",
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
        answers.wait(30)
        return {"slow": True}

    probe = readiness.Probe(("slow",), hang)
    looks = readiness.Looks(probe, readiness.Probe(("quick",), lambda: {"quick": True}))
    monkeypatch.setattr(readiness, "LONGEST_LOOK", 0.5)
    assert looks.look() == {"slow": False, "quick": True}
    assert looks.look()["slow"] is False
    assert len(asked) == 1
    answers.set()
    assert probe.thread is not None
    probe.thread.join(30)
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


# The log ---------------------------------------------------------------------------------------------------------


class lines_of:  # noqa: N801 - reads like a function
    """What is logged inside, as programs read it; `text` has it as people do."""

    def __init__(self, name: str = "") -> None:
        self.logger = logging.getLogger(name)

    def __enter__(self) -> Lines:
        self.written, self.plain = io.StringIO(), io.StringIO()
        self.handlers = [logging.StreamHandler(self.written), logging.StreamHandler(self.plain)]
        for handler, formatter in zip(self.handlers, (OneObject(), OneLine()), strict=True):
            handler.setFormatter(formatter)
            handler.addFilter(Surroundings())
            self.logger.addHandler(handler)
        return lambda: [json.loads(line) for line in self.written.getvalue().splitlines()]

    def __exit__(self, *told: object) -> None:
        for handler in self.handlers:
            self.logger.removeHandler(handler)


@pytest.fixture
def watched() -> Iterator[lines_of]:
    taken = lines_of()
    with taken as lines:
        taken.lines = lines  # type: ignore[attr-defined]
        yield taken


def access_lines(watched: lines_of) -> list[dict[str, Any]]:
    return [line for line in watched.lines() if line["logger"] == "solaris_site.requests"]  # type: ignore[attr-defined]


def test_one_line_a_request_says_what_it_was(client: Client, watched: lines_of) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": "from-the-proxy_1"})
    assert answer.headers["X-Request-ID"] == "from-the-proxy_1"
    (line,) = access_lines(watched)
    assert {name: line[name] for name in ("level", "request_id", "method", "route", "status")} == {
        "level": "INFO",
        "request_id": "from-the-proxy_1",
        "method": "GET",
        "route": "health",
        "status": 200,
    }
    assert line["milliseconds"] >= 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line["time"])
    assert line["message"].startswith("GET /healthz 200 ")


@pytest.mark.parametrize("sent", ["", "a" * 65, "two words", "a\tb", "é", "x;y", "${jndi}", "a.b"])
def test_an_id_that_is_none_is_replaced(client: Client, watched: lines_of, sent: str) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": sent})
    given = answer.headers["X-Request-ID"]
    assert given != sent
    assert re.fullmatch(r"[0-9a-f]{32}", given)
    assert access_lines(watched)[0]["request_id"] == given


@pytest.mark.parametrize(
    "address", ["/nothing/here", "/api/v1/nothing", "/api/v1/seasons/?page=x", "/static/css/board.css"]
)
def test_every_answer_has_its_id(client: Client, address: str) -> None:
    first, second = (client.get(address).headers["X-Request-ID"] for _ in range(2))
    assert first != second


def test_every_line_of_a_request_has_its_id(client: Client, watched: lines_of) -> None:
    """Also the one that Django writes about a refused request when all middlewares are done."""
    client.put("/people/sign-up?next=%2Fsecret", headers={"X-Request-ID": "one"})
    client.get("/seasons/no-such-season/", headers={"X-Request-ID": "two"})
    client.get("/api/v1/seasons/", headers={"X-Request-ID": "three", "Authorization": "Bearer nobody"})
    lines = watched.lines()  # type: ignore[attr-defined]
    assert {line["logger"] for line in lines} >= {"django.request", "solaris_site.requests"}
    assert {line["request_id"] for line in lines} == {"one", "two", "three"}
    refused = [line for line in lines if line["logger"] == "django.request"]
    assert {line["message"] for line in refused} == {
        "Method Not Allowed (PUT): /people/sign-up",
        "Method Not Allowed: /people/sign-up",
        "Not Found: /seasons/<slug:season_slug>/",
        "Unauthorized: /api/v1/seasons/",
    }


def test_people_are_numbers_and_are_not_looked_up_for_the_log(client: Client, watched: lines_of) -> None:
    person = User.objects.create_user("kai-the-name", "kai@example.org", "-")
    client.force_login(person)
    client.get("/people/notices")
    assert access_lines(watched)[-1]["user_id"] == person.pk
    with CaptureQueriesContext(connection) as queries:
        Client().get("/healthz")
    assert len(queries) == 0
    assert "user_id" not in access_lines(watched)[-1]
    token = make_token(user=person, name="x", scopes=["read"]).text
    Client().get("/api/v1/seasons/", headers={"Authorization": f"Bearer {token}"})
    assert access_lines(watched)[-1]["user_id"] == person.pk
    assert "kai" not in watched.written.getvalue()
    assert token not in watched.written.getvalue()


SECRETS = [
    f"/matches/shared/{'k' * 43}/",
    f"/matches/shared/{'k' * 43}",
    f"/join/{'invitation-of-few'}/",
    f"/seasons/spring/calendar/{'k' * 43}.ics",
    "/people/reset-password/MQ/secret-of-a-mail",
    "/people/unsubscribe/secret-of-a-mail",
    "/help/?search=secret-of-a-search",
    "/nowhere/secret-of-nobody/",
    "/metrics?token=secret-of-metrics",
]


@pytest.mark.parametrize("address", SECRETS)
def test_no_secret_of_an_address_is_in_any_line(client: Client, watched: lines_of, address: str) -> None:
    client.get(address)
    client.post(address)
    lines = watched.lines()  # type: ignore[attr-defined]
    assert len(lines) >= 2
    for text in (watched.written.getvalue(), watched.plain.getvalue()):
        assert "k" * 43 not in text
        assert "secret-of" not in text
        assert "invitation-of-few" not in text


def test_what_breaks_is_one_line_with_its_traceback_and_without_keys(
    watched: lines_of, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*told: Any) -> None:
        raise ValueError(f"no such thing as {'k' * 43}")

    monkeypatch.setattr("stables.views.calendar_feeds.calendar_feeds.open_feed", breaks)
    client = Client(raise_request_exception=False)
    assert client.get(f"/seasons/spring/calendar/{'k' * 43}.ics").status_code == 500
    (line,) = [line for line in watched.lines() if line["level"] == "ERROR"]  # type: ignore[attr-defined]
    assert line["message"] == "Internal Server Error: /seasons/<slug:season_slug>/calendar/<str:key>.ics"
    assert "ValueError: no such thing as [key]" in line["exc_info"]
    assert line["request_id"] == access_lines(watched)[0]["request_id"]
    assert access_lines(watched)[0]["status"] == 500
    assert "k" * 43 not in watched.plain.getvalue()


@pytest.mark.parametrize(
    "told",
    [
        "Failed to parse headers (url=http://127.0.0.1:9961/api/hooks/12/SECRET-short): oh",
        "posting to 'https://hooks.example:8443/?key=SECRET' failed",
        "see HTTPS://hooks.example/SECRET",
        "signed with whsec_SECRET/+abc==",
        'Traceback: {"url": "https://[2606::1]/a/SECRET"}',
    ],
)
@pytest.mark.parametrize("form", [OneLine, OneObject])
def test_what_follows_a_host_and_what_signs_is_struck_out(form: Any, told: str) -> None:
    for arguments in ((told, ()), ("%s", (told,))):
        text = form().format(logging.LogRecord("x", logging.INFO, "", 0, *arguments, None))
        assert "SECRET" not in text
        assert "[key]" in text
    kept = "see https://hooks.example and /seasons/ of http://127.0.0.1:80/"
    assert kept in form().format(logging.LogRecord("x", logging.INFO, "", 0, kept, (), None))


def test_only_known_fields_are_told() -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, "hello", None, None)
    record.request = RequestFactory().get("/?secret=1")
    record.password = "hunter2"
    Surroundings().filter(record)
    assert set(json.loads(OneObject().format(record))) == {"time", "level", "logger", "message"}


def test_requests_at_once_are_told_apart_by_threads_and_by_coroutines() -> None:
    ready = threading.Barrier(2, timeout=20)
    told: dict[str, str] = {}

    def answer(request: Any) -> HttpResponse:
        ready.wait()
        told[request.headers["X-Request-ID"]] = context.request_id()
        return HttpResponse()

    def request(name: str) -> Any:
        return RequestFactory().get("/", headers={"X-Request-ID": name})

    middleware = ObservingMiddleware(answer)
    threads = [threading.Thread(target=middleware, args=(request(name),)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    async def later(request: Any) -> HttpResponse:
        await asyncio.sleep(0)
        told[request.headers["X-Request-ID"]] = context.request_id()
        return HttpResponse()

    async def both() -> list[Any]:
        own = ObservingMiddleware(later)
        return await asyncio.gather(*(own(request(name)) for name in ("c", "d")))  # type: ignore[arg-type]

    answers = asyncio.run(both())
    assert told == {name: name for name in "abcd"}
    assert [answer.headers["X-Request-ID"] for answer in answers] == ["c", "d"]
    assert context.request_id() == ""


LOG = """
import django, logging
django.setup()
logging.getLogger("solaris_site").info("two\\nlines")
logging.getLogger("some.library").warning("as well")
"""


def logged(**variables: str) -> list[str]:
    """What a process with these variables writes to its standard error."""
    given = environment(DJANGO_SETTINGS_MODULE="solaris_site.settings", **variables)
    script = f"import sys; sys.stderr = sys.stdout\n{LOG}"
    return run("-c", script, variables=given).splitlines()


def test_programs_read_the_log_in_production_and_people_under_debug(tmp_path: Path) -> None:
    in_production = [json.loads(line) for line in logged(**production(tmp_path))]
    assert [(line["logger"], line["message"]) for line in in_production] == [
        ("solaris_site", "two\nlines"),
        ("some.library", "as well"),
    ]
    embedded = logged(VAR_DIR=str(tmp_path))
    assert embedded[0].endswith("INFO    solaris_site: two")
    chosen = logged(VAR_DIR=str(tmp_path), LOG_FORMAT="json", LOG_LEVEL="WARNING")
    assert [json.loads(line)["logger"] for line in chosen] == ["some.library"]
    with pytest.raises(AssertionError, match="LOG_FORMAT must be one of json, plain"):
        run("manage.py", "check", variables=environment(VAR_DIR=str(tmp_path), LOG_FORMAT="xml"))


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
def test_metrics_are_for_who_has_the_token_or_is_on_the_machine_of_an_embedded_site(
    client: Client, settings: Any, token: str, is_embedded: bool, address: str, headers: dict[str, str], status: int
) -> None:
    settings.METRICS_TOKEN, settings.IS_EMBEDDED = token, is_embedded
    answer = client.get("/metrics", headers=headers, REMOTE_ADDR=address)
    assert answer.status_code == status
    if status == 404:
        accepted = {**headers, "Accept": "application/json"}
        told = [client.get(where, headers=accepted, REMOTE_ADDR=address) for where in ("/metrics", "/nothing-here")]
        assert told[0].json() == told[1].json()


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
    told = [
        samples.get(("solaris_job_attempts_total", (("name", name), ("outcome", outcome))), 0.0)
        for outcome in ("done", "failed")
    ]
    return told[0], told[1]


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
    told = {re.sub(r"_(bucket|count|sum)$", "", name) for name in own}
    assert told | {"solaris_job_seconds", "solaris_job_attempts_total"} == written


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
