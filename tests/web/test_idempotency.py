"""Idempotency keys: a request that is sent twice happens once and is answered twice in the same words."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection, connections
from django.test import Client
from django.urls import path
from django.utils import timezone
from rest_framework.response import Response

from api import idempotency
from api.endpoint import Endpoint, idempotent
from jobs.registry import registry
from people.models import KeptAnswer, User
from people.services.tokens import make_token
from rules.core.refusals import Malformed, SeasonRefused
from solaris_site.urls import urlpatterns as site

FAILURES = {
    "refused": SeasonRefused("season_is_full"),
    "malformed": Malformed("not_an_object"),
    "bug": ValueError("a bug"),
}


def work(request: Any) -> Response:
    """Make a group by the name that is sent; fail afterwards when asked to."""
    Group.objects.create(name=request.data["name"])
    failure = request.data.get("fails")
    if failure:
        raise FAILURES[failure]
    return Response({"groups": Group.objects.count()}, status=201, headers={"Location": "/there"})


class Together(Endpoint):
    @idempotent(atomic=True)
    def post(self, request: Any) -> Response:
        return work(request)


class Afterwards(Endpoint):
    @idempotent(atomic=False)
    def post(self, request: Any) -> Response:
        return work(request)


urlpatterns = [path("api/together", Together.as_view()), path("api/afterwards", Afterwards.as_view()), *site]
pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__), pytest.mark.database]
BOTH = pytest.mark.parametrize("way", ["together", "afterwards"])


@pytest.fixture
def header(db: None) -> dict[str, str]:
    person = User.objects.create_user("player", "player@example.org", "-")
    return {"Authorization": f"Bearer {make_token(user=person, name='x', scopes=['play']).text}"}


def ask(way: str, header: dict[str, str], key: str, **fields: Any) -> Any:
    client = Client(raise_request_exception=False)
    sent = {**header, "Idempotency-Key": key} if key else header
    return client.post(f"/api/{way}", fields, content_type="application/json", headers=sent)


@BOTH
def test_a_second_request_with_the_key_gets_the_first_answer(way: str, header: dict[str, str]) -> None:
    first = ask(way, header, "one", name="a", more=1)
    second = ask(way, header, "one", more=1, name="a")
    assert (first.status_code, first.json(), first.headers["Location"]) == (201, {"groups": 1}, "/there")
    assert (second.status_code, second.json(), second.headers["Location"]) == (201, {"groups": 1}, "/there")
    assert (first.headers.get("Idempotency-Replayed"), second.headers["Idempotency-Replayed"]) == (None, "true")
    assert Group.objects.count() == 1
    assert ask(way, header, "two", name="b").json() == {"groups": 2}


@BOTH
def test_another_request_with_the_key_hears_so(way: str, header: dict[str, str]) -> None:
    ask(way, header, "one", name="a")
    other = ask(way, header, "one", name="b")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert other.headers["Content-Type"] == "application/problem+json"
    elsewhere = ask("together" if way == "afterwards" else "afterwards", header, "one", name="a")
    assert elsewhere.status_code == 422
    assert Group.objects.count() == 1


@BOTH
def test_a_key_is_one_accounts_own(way: str, header: dict[str, str]) -> None:
    ask(way, header, "one", name="a")
    rival = User.objects.create_user("rival", "rival@example.org", "-")
    own = {"Authorization": f"Bearer {make_token(user=rival, name='x', scopes=['play']).text}"}
    assert ask(way, own, "one", name="b").json() == {"groups": 2}


def test_a_refusal_changed_nothing_and_is_shown_again(header: dict[str, str]) -> None:
    first = ask("together", header, "one", name="a", fails="refused")
    second = ask("together", header, "one", name="a", fails="refused")
    assert (first.status_code, first.json()["code"]) == (409, "season_is_full")
    assert (second.status_code, second.json()) == (409, first.json())
    assert second.headers["Content-Type"] == "application/problem+json"
    assert second.headers["Idempotency-Replayed"] == "true"
    assert not Group.objects.exists()


@BOTH
@pytest.mark.parametrize(("failure", "status"), [("malformed", 400), ("bug", 500)])
def test_what_did_not_come_so_far_may_be_tried_again(
    way: str, header: dict[str, str], failure: str, status: int
) -> None:
    assert ask(way, header, "one", name="a", fails=failure).status_code == status
    assert not KeptAnswer.objects.exists()
    if way == "together":
        assert not Group.objects.exists()
        assert ask(way, header, "one", name="a").status_code == 201


@BOTH
def test_while_the_first_is_at_work_the_second_hears_to_wait(way: str, header: dict[str, str]) -> None:
    ask(way, header, "one", name="a")
    row = KeptAnswer.objects.get()
    KeptAnswer.objects.filter(pk=row.pk).update(status=None)
    assert ask(way, header, "one", name="a").json()["code"] == "request_at_work"
    # A process that died is not waited for.
    KeptAnswer.objects.filter(pk=row.pk).update(
        created_at=timezone.now() - idempotency.AT_WORK_FOR - timedelta(seconds=1)
    )
    Group.objects.all().delete()
    assert ask(way, header, "one", name="a").status_code == 201


@BOTH
@pytest.mark.parametrize("key", ["x" * 81, "with space", "ümlaut", "\x07"])
def test_a_key_has_a_form(way: str, header: dict[str, str], key: str) -> None:
    answer = ask(way, header, key, name="a")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_field")
    assert not Group.objects.exists()


@BOTH
def test_a_header_without_a_key_is_no_key(way: str, header: dict[str, str]) -> None:
    answer = ask(way, {**header, "Idempotency-Key": ""}, "", name="a")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_field")
    assert not Group.objects.exists()


def test_answers_are_kept_for_a_day(header: dict[str, str]) -> None:
    ask("together", header, "one", name="a")
    assert registry.scans["api.old_answers"]() == 0
    KeptAnswer.objects.update(created_at=timezone.now() - idempotency.KEPT_FOR - timedelta(seconds=1))
    assert ask("together", header, "one", name="b").status_code == 201
    KeptAnswer.objects.update(created_at=timezone.now() - idempotency.KEPT_FOR - timedelta(seconds=1))
    assert registry.scans["api.old_answers"]() == 1


@pytest.fixture
def own_connections(transactional_db: None) -> Iterator[None]:
    yield
    connections.close_all()


@pytest.mark.django_db(transaction=True)
@BOTH
def test_ten_at_once_happen_once(way: str, own_connections: None) -> None:
    person = User.objects.create_user("player", "player@example.org", "-")
    header = {"Authorization": f"Bearer {make_token(user=person, name='x', scopes=['play']).text}"}
    found: list[Any] = []
    start = threading.Barrier(10)

    def run() -> None:
        start.wait()
        answer = ask(way, header, "one", name="a")
        found.append((answer.status_code, answer.json().get("code", "")))
        connection.close()

    threads = [threading.Thread(target=run) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Group.objects.count() == 1
    assert set(found) <= {(201, ""), (409, "request_at_work")}
    assert found.count((201, "")) >= 1
    if way == "together":
        assert set(found) == {(201, "")}
    assert KeptAnswer.objects.get().status == 201


def test_who_works_longer_than_a_key_is_held_is_answered_all_the_same(
    header: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(request: Any) -> Response:
        # The same request, sent again, took the key over in between.
        KeptAnswer.objects.all().delete()
        return Response({"groups": 0}, status=201)

    monkeypatch.setitem(globals(), "work", overtaken)
    assert ask("afterwards", header, "one", name="a").status_code == 201
