"""A refusal below any view becomes an answer with the right status, a code and a sentence."""

from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client
from django.urls import path

from rules.core.refusals import IllegalAction, Malformed, SeasonRefused
from solaris_site.urls import urlpatterns as site

PROBLEMS = {
    "illegal": IllegalAction("not_your_turn", unit="a"),
    "season": SeasonRefused("season_is_full"),
    "malformed": Malformed("unknown_order", order="dance"),
    "bug": ValueError("a bug"),
}


def refuse(request: HttpRequest, kind: str) -> Any:
    raise PROBLEMS[kind]


urlpatterns = [path("api/refuse/<kind>", refuse), path("refuse/<kind>", refuse), *site]

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db]


@pytest.mark.parametrize(("kind", "status"), [("illegal", 409), ("season", 409), ("malformed", 400)])
def test_people_get_a_page_with_a_sentence(client: Client, kind: str, status: int) -> None:
    answer = client.get(f"/refuse/{kind}", headers={"accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert answer.context["sentence"]
    assert answer.context["sentence"] in answer.content.decode()


def test_programs_get_a_problem_document(client: Client) -> None:
    answer = client.get("/api/refuse/illegal", headers={"accept": "application/json"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (409, "application/problem+json")
    problem = answer.json()
    assert problem.pop("detail")
    assert problem == {
        "type": "about:blank",
        "title": "Conflict",
        "status": 409,
        "code": "not_your_turn",
        "parameters": {"unit": "a"},
    }


def test_the_api_answers_in_json_whatever_is_accepted(client: Client) -> None:
    answer = client.get("/api/refuse/malformed", headers={"accept": "text/html"})
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_order")


def test_a_bug_stays_a_bug(client: Client) -> None:
    client.raise_request_exception = False
    assert client.get("/refuse/bug").status_code == 500


def test_every_page_forbids_foreign_and_inline_code(client: Client) -> None:
    policy = client.get("/people/log-in").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_site_says_that_it_is_well(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
