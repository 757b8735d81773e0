"""The edges of the interface: slashes, sizes, lengths, methods, forms, and a pace that counts at closed doors too."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from matches.models import Match
from people.models import KeptAnswer, User
from people.services.tokens import make_token

pytestmark = [pytest.mark.django_db, pytest.mark.database]
JSON = "application/json"


@pytest.fixture
def header(db: None) -> dict[str, str]:
    cache.clear()
    person = User.objects.create_user("player", "player@example.org", "-")
    return {"Authorization": f"Bearer {make_token(user=person, name='x', scopes=['read', 'play']).text}"}


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("debug", [False, True])
def test_a_slash_more_or_less_changes_nothing(
    client: Client, header: dict[str, str], settings: Any, debug: bool
) -> None:
    settings.DEBUG = debug
    made = client.post("/api/v1/matches", {"opponent": "greedy"}, content_type=JSON, headers=header)
    assert made.status_code == 201
    address = f"/api/v1/matches/{made.json()['public_id']}"
    assert client.get(address, headers=header).status_code == 200
    answer = client.post(f"{address}/actions/check/", {}, content_type=JSON, headers=header)
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
    assert client.post("/api/v1/nothing", {}, content_type=JSON, headers=header).json()["code"] == "not_found"
    assert client.get("/people/account/tokens-that-are-not").status_code == 404


@pytest.mark.parametrize("debug", [False, True])
def test_a_request_that_is_too_large_is_a_problem(
    client: Client, header: dict[str, str], settings: Any, debug: bool
) -> None:
    settings.DEBUG = debug
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    for key in ({}, {"Idempotency-Key": "large"}):
        answer = client.post("/api/v1/matches/", {"opponent": "x" * 200}, content_type=JSON, headers={**header, **key})
        assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")
    assert not KeptAnswer.objects.exists()


def test_browsers_keep_nothing_of_the_interface_and_programs_compare_tags(
    client: Client, header: dict[str, str]
) -> None:
    asked = client.get("/api/v1/matches/", headers=header)
    assert asked.headers["Cache-Control"] == "private, no-cache"
    client.force_login(User.objects.get())
    assert client.get("/api/v1/matches/").headers["Cache-Control"] == "private, no-store"


def test_a_request_without_a_length_is_not_taken_for_an_empty_one(client: Client, header: dict[str, str]) -> None:
    answer = client.generic(
        "POST", "/api/v1/matches/", b"", content_type=JSON, headers={**header, "Transfer-Encoding": "chunked"}
    )
    assert (answer.status_code, answer.json()["code"]) == (411, "length_required")
    assert not Match.objects.exists()


def test_a_name_that_is_given_twice_is_refused(client: Client, header: dict[str, str]) -> None:
    for body in (
        '{"opponent": "greedy", "opponent": "link"}',
        '{"opponent": "greedy", "x": {"a": 1, "a": 1}}',
        "[NaN]",
    ):
        answer = client.post("/api/v1/matches/", body, content_type=JSON, headers=header)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_json")


@pytest.mark.parametrize("method", ["patch", "delete", "options", "trace"])
def test_a_method_that_is_not_there_is_405_for_everybody(client: Client, header: dict[str, str], method: str) -> None:
    for headers in ({}, header):
        answer = getattr(client, method)("/api/v1/matches/", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
        assert set(answer.headers["Allow"].replace(" ", "").split(",")) >= {"GET", "POST"}


def test_a_session_without_the_forms_token_hears_what_is_missing(header: dict[str, str]) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get())
    answer = client.post("/api/v1/matches/", {"opponent": "greedy"}, content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (403, "form_not_ours")


@pytest.mark.parametrize(
    ("method", "address", "headers", "refused"),
    [
        ("get", "/api/v1/seasons/", {"Authorization": "Bearer solaris_guess"}, 401),
        ("post", "/api/v1/matches/", {}, 401),
        ("get", "/api/v1/seasons/no-such-season/", {}, 404),
        ("get", "/api/v1/no-such-address/", {}, 404),
    ],
)
def test_the_pace_counts_at_closed_doors(
    client: Client, settings: Any, method: str, address: str, headers: dict[str, str], refused: int
) -> None:
    cache.clear()
    settings.API_RATES = {**settings.API_RATES, "strangers": "3/min"}
    codes = [getattr(client, method)(address, headers=headers).status_code for _ in range(4)]
    assert codes == [refused, refused, refused, 429]


def test_a_match_that_was_begun_by_a_process_that_died_is_not_begun_again(
    client: Client, header: dict[str, str]
) -> None:
    keyed = {**header, "Idempotency-Key": "killed"}
    first = client.post("/api/v1/matches/", {"opponent": "greedy"}, content_type=JSON, headers=keyed)
    KeptAnswer.objects.update(status=None, created_at=timezone.now() - timedelta(minutes=3))
    again = client.post("/api/v1/matches/", {"opponent": "greedy"}, content_type=JSON, headers=keyed)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["public_id"] == again.json()["public_id"]
    assert Match.objects.count() == 1
    other = client.post("/api/v1/matches/", {"opponent": "greedy"}, content_type=JSON, headers=header)
    assert other.json()["public_id"] != first.json()["public_id"]
