"""The log: one line for what happened, with its id and without secrets."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from people.models import User
from people.services.tokens import make_token
from solaris_site.log_records import OneLine, OneObject, Surroundings
from solaris_site.observing import ObservingMiddleware
from tests.loops import in_a_loop
from tests.services.processes import environment, run
from tests.waiting import DEADLINE_SECONDS
from tests.web.log_lines import lines_of
from tests.web.sites_apart import production
from web import log_context

pytestmark = pytest.mark.django_db


# The log ---------------------------------------------------------------------------------------------------------


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
    "/people/address/MQ/secret-of-a-mail",
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
    def breaks(*arguments: Any) -> None:
        raise ValueError(f"no such thing as {'k' * 43}")

    monkeypatch.setattr("stables.views.reading.calendar.calendar_feeds.open_feed", breaks)
    client = Client(raise_request_exception=False)
    assert client.get(f"/seasons/spring/calendar/{'k' * 43}.ics").status_code == 500
    (line,) = [line for line in watched.lines() if line["level"] == "ERROR"]  # type: ignore[attr-defined]
    assert line["message"] == "Internal Server Error: /seasons/<slug:season_slug>/calendar/<str:key>.ics"
    assert "ValueError: no such thing as [key]" in line["exc_info"]
    assert line["request_id"] == access_lines(watched)[0]["request_id"]
    assert access_lines(watched)[0]["status"] == 500
    assert "k" * 43 not in watched.plain.getvalue()


@pytest.mark.parametrize(
    "message",
    [
        "Failed to parse headers (url=http://127.0.0.1:9961/api/hooks/12/SECRET-short): oh",
        "posting to 'https://hooks.example:8443/?key=SECRET' failed",
        "see HTTPS://hooks.example/SECRET",
        "signed with whsec_SECRET/+abc==",
        'Traceback: {"url": "https://[2606::1]/a/SECRET"}',
    ],
)
@pytest.mark.parametrize("form", [OneLine, OneObject])
def test_what_follows_a_host_and_what_signs_is_struck_out(form: Any, message: str) -> None:
    for arguments in ((message, ()), ("%s", (message,))):
        text = form().format(logging.LogRecord("x", logging.INFO, "", 0, *arguments, None))
        assert "SECRET" not in text
        assert "[key]" in text
    kept = "see https://hooks.example and /seasons/ of http://127.0.0.1:80/"
    assert kept in form().format(logging.LogRecord("x", logging.INFO, "", 0, kept, (), None))


def test_only_known_fields_are_shown() -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, "hello", None, None)
    record.request = RequestFactory().get("/?secret=1")
    record.password = "hunter2"
    Surroundings().filter(record)
    assert set(json.loads(OneObject().format(record))) == {"time", "level", "logger", "message"}


def test_requests_at_once_differ_by_threads_and_by_coroutines() -> None:
    ready = threading.Barrier(2, timeout=DEADLINE_SECONDS)
    request_ids: dict[str, str] = {}

    def answer(request: Any) -> HttpResponse:
        ready.wait()
        request_ids[request.headers["X-Request-ID"]] = log_context.request_id()
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
        request_ids[request.headers["X-Request-ID"]] = log_context.request_id()
        return HttpResponse()

    async def both() -> list[Any]:
        own = ObservingMiddleware(later)
        return await asyncio.gather(*(own(request(name)) for name in ("c", "d")))  # type: ignore[arg-type]

    answers = in_a_loop(both())
    assert request_ids == {name: name for name in "abcd"}
    assert [answer.headers["X-Request-ID"] for answer in answers] == ["c", "d"]
    assert log_context.request_id() == ""


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
