"""Answers that say no have a sentence: 403, 404, 405 and 500 as a page in the frame, at the interface as a problem."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.http import Http404, HttpRequest
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import path, reverse

from people.models import User
from solaris_site.urls import handler500 as site_handler500
from solaris_site.urls import urlpatterns as site
from tests.architecture.pseudo_locale import speak_pseudo, untranslated

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db]


def say_no(request: HttpRequest, kind: str) -> Any:
    if kind == "no-table":
        connection.cursor().execute("SELECT 1 FROM no_such_table")
    failures = {"forbidden": PermissionDenied(), "missing": Http404(), "bug": ValueError("a bug")}
    raise failures.get(kind) or OperationalError("the server closed the connection unexpectedly")


handler500 = site_handler500
urlpatterns = [path("no/<kind>", say_no), path("api/no/<kind>", say_no), *site]

CASES = [
    ("get", "/no/forbidden", 403, "forbidden"),
    ("get", "/no/missing", 404, "not_found"),
    ("get", "/no-such-address/at-all", 404, "not_found"),
    ("get", "/seasons/no-such-season/", 404, "not_found"),
    ("put", "/", 405, "method_not_allowed"),
    ("get", "/appearance/", 405, "method_not_allowed"),
]


@pytest.fixture
def stranger(client: Client) -> Client:
    client.raise_request_exception = False
    return client


PROGRAMS = [
    ("get", "/api/no/forbidden", 403, "forbidden"),
    ("get", "/api/no/missing", 404, "not_found"),
    ("get", "/api/no-such-address/at-all", 404, "not_found"),
]


@pytest.mark.parametrize("debug", [False, True], ids=["production", "DEBUG"])
@pytest.mark.parametrize(("method", "address", "status", "code"), PROGRAMS)
def test_programs_get_a_problem_document(
    stranger: Client, settings: Any, method: str, address: str, status: int, code: str, debug: bool
) -> None:
    settings.DEBUG = debug
    answer = getattr(stranger, method)(address)
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    problem = answer.json()
    assert (problem["code"], problem["status"], problem["parameters"]) == (code, status, {})
    assert problem["detail"].endswith(".")
    assert problem["title"]


@pytest.mark.parametrize("debug", [False, True], ids=["production", "DEBUG"])
@pytest.mark.parametrize(("method", "address", "status", "code"), CASES)
def test_people_get_a_page_in_the_frame(
    stranger: Client,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    address: str,
    status: int,
    code: str,
    debug: bool,
) -> None:
    settings.DEBUG = debug
    speak_pseudo(monkeypatch)
    # What a client would rather read decides nothing.
    answer = getattr(stranger, method)(address, headers={"accept": "application/json"})
    page = answer.content.decode()
    assert answer.status_code == status
    assert 'class="masthead"' in page
    assert 'class="footer"' in page
    assert (code in page) is (status != 404), "an address that is not there says so, and no code"
    if status == 405:
        assert answer.headers["Allow"]
    assert untranslated(page) == []


@pytest.mark.parametrize("debug", [False, True], ids=["production", "DEBUG"])
def test_programs_get_a_problem_document_for_a_bug(stranger: Client, settings: Any, debug: bool) -> None:
    settings.DEBUG = debug
    answer = stranger.get("/api/no/bug")
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "application/problem+json")
    assert answer.json()["code"] == "server_error"


def test_a_database_that_is_away_is_503_and_says_when_to_come_again(
    stranger: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = stranger.get("/api/no/database")
    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "database_away", "10")
    speak_pseudo(monkeypatch)
    page = stranger.get("/no/database")
    assert (page.status_code, page.headers["Retry-After"]) == (503, "10")
    assert 'class="masthead"' in page.content.decode()
    assert untranslated(page.content.decode()) == []


def test_a_table_that_is_missing_is_no_database_that_is_away(stranger: Client) -> None:
    assert stranger.get("/no/no-table").status_code == 500


@pytest.mark.parametrize("debug", [False, True], ids=["production", "DEBUG"])
@pytest.mark.parametrize("kind", ["file", "fields"])
def test_a_form_that_is_too_large_is_413_in_the_frame(stranger: Client, settings: Any, debug: bool, kind: str) -> None:
    settings.DEBUG, settings.LARGEST_REQUEST, settings.DATA_UPLOAD_MAX_MEMORY_SIZE = debug, 400, 100
    if kind == "file":
        answer = stranger.post("/people/log-in", {"photo": SimpleUploadedFile("a.jpg", b"x" * 500)})
    else:
        form = "application/x-www-form-urlencoded"
        answer = stranger.post("/people/log-in", "text=" + "x" * 200, content_type=form)
    assert (answer.status_code, 'class="masthead"' in answer.content.decode()) == (413, True)
    assert "request_too_large" in answer.content.decode()


def test_who_must_log_in_is_led_there_whatever_they_would_rather_read(stranger: Client) -> None:
    answer = stranger.get(reverse("people:account"), headers={"accept": "application/json"})
    assert (answer.status_code, answer.headers["Location"].startswith(reverse("people:log_in"))) == (302, True)


def test_a_form_from_elsewhere_is_refused_with_a_sentence(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_user("player", "player@example.org", "-"))
    page = client.post("/open-a-season/", {"name": "x"})
    assert page.status_code == 403
    assert "Load the page again" in page.content.decode()
    assert 'class="masthead"' in page.content.decode()
    answer = client.post("/seasons/some/fixtures/1/table/marks", "{}", content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "form_not_ours")


def test_a_bug_is_a_page_in_the_frame_and_asks_the_database_nothing(
    stranger: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger.force_login(User.objects.create_user("player", "player@example.org", "-"))
    from django.test import RequestFactory

    from solaris_site.views import server_error

    with CaptureQueriesContext(connection) as queries:
        page = server_error(RequestFactory().get("/")).content.decode()
    assert len(queries) == 0
    assert 'class="masthead"' in page
    assert "Out of order" in page
    answer = stranger.get("/no/bug")
    assert (answer.status_code, answer.content.decode()) == (500, page)
    answer = stranger.get("/api/no/bug")
    assert (answer.status_code, answer.json()["code"]) == (500, "server_error")
    speak_pseudo(monkeypatch)
    assert untranslated(stranger.get("/no/bug").content.decode()) == []
