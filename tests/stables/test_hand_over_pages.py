"""The pages of a hand-over: who sees them, what their forms say, and what they cost."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from jobs.services import run_pending
from matches.services.matches import play_action
from stables.models import Fixture, HandOver
from stables.services.base.ledger import Allowance, Movement, allowing, post
from stables.services.fixtures import hand_overs
from tests.stables.duels import JSON, Club, in_zone
from tests.stables.test_hand_overs import HOUR, away, club, club_capital, opened

__all__ = ["club", "opened"]
pytestmark = pytest.mark.database


# --- the pages --------------------------------------------------------------------------------------------------------


def page(club: Club, name: str, *more: Any) -> str:
    return reverse(f"stables:{name}", args=[club.season.slug, club.stables["ben"].slug, *more])


@pytest.mark.parametrize(
    ("person", "status"), [(None, 302), ("anna", 403), ("organiser", 403), ("spectator", 403), ("ben", 200)]
)
def test_only_the_owner_sees_the_pages_of_a_hand_over(club: Club, person: str | None, status: int) -> None:
    made = away(club)
    client = club.client(person)
    assert client.get(page(club, "hand_over")).status_code == status
    assert client.get(page(club, "hand_over_summary", made.pk)).status_code == status


@pytest.mark.parametrize(("person", "status"), [(None, 401), ("anna", 403), ("organiser", 403), ("spectator", 403)])
def test_only_the_owner_hands_over_and_takes_back(club: Club, person: str | None, status: int) -> None:
    made = away(club)
    client = club.client(person)
    in_future = {"to": "2100-01-01T10:00"}
    assert client.post(page(club, "hand_over"), in_future, headers=JSON).status_code == status
    assert client.post(page(club, "take_back", made.pk), headers=JSON).status_code == status
    assert HandOver.objects.get().ended_at is None


def test_another_s_hand_over_is_nowhere_to_be_found(club: Club) -> None:
    made = away(club, "anna")
    ben = club.client("ben")
    assert ben.get(page(club, "hand_over_summary", made.pk)).status_code == 404
    assert ben.post(page(club, "take_back", made.pk)).status_code == 404
    assert ben.get(page(club, "take_back", made.pk)).status_code == 405


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "bad_field"),
        ({"to": "never"}, "bad_field"),
        ({"to": "2100-01-01T10:00", "spending_limit": "much"}, "not_a_number"),
        ({"to": "2100-01-01T10:00", "scope": "sell"}, "bad_field"),
    ],
)
def test_malformed_forms_are_400(club: Club, fields: dict[str, str], code: str) -> None:
    answer = club.client("ben").post(page(club, "hand_over"), fields, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert not HandOver.objects.exists()


def test_the_form_proposes_play_and_repair_with_a_limit_and_the_summary_tells_all(club: Club) -> None:
    client = club.client("ben")
    shown = client.get(page(club, "hand_over"))
    assert [value for value, _, is_usual in shown.context["scopes"] if is_usual] == ["play_and_repair"]
    assert shown.context["limit"] == club_capital(club, "ben") // 2
    fields = {"from": "", "to": in_zone(timezone.now() + 5 * HOUR), "scope": "play_and_repair", "spending_limit": "60"}
    assert client.post(page(club, "hand_over"), fields).status_code == 302
    made = HandOver.objects.get()
    duel = club.fixture("anna", "ben")
    club.hand_in(duel, "anna")
    hand_overs.prepare(stable_id=club.stable_id("ben"), fixture_id=duel.pk)
    run_pending()
    match = Fixture.objects.select_related("match").get(pk=duel.pk).match
    assert match is not None
    play_action(match.pk, "red", match.last_sequence, {"unit": "red-1", "order": "surrender"})
    run_pending()
    with allowing(Allowance(club.stable_id("ben"), 60, {"hand_over": made.pk})):
        name = {"name": "Something", "state": "able"}
        post(stable_id=club.stable_id("ben"), movements=[Movement(-50, "repair", "one", name)])
    assert client.post(page(club, "take_back", made.pk)).status_code == 302
    told = client.get(page(club, "hand_over_summary", made.pk))
    assert (told.context["spent"], told.context["is_over"]) == (50, True)
    [view] = told.context["matches"]
    assert (view["fixture"].pk, view["won"]) == (duel.pk, True)
    assert [entry.cause for entry, _, _ in told.context["entries"]] == ["repair"]
    assert len(told.context["line_ups"]) == 1
    made.refresh_from_db()
    assert made.summary_read_at is not None
    answer = client.post(page(club, "take_back", made.pk), headers=JSON)
    assert answer.status_code == 200


def test_the_pages_take_few_queries(club: Club) -> None:
    made = away(club)
    for _ in range(3):
        duel = club.fixture("anna", "ben")
        hand_overs.prepare(stable_id=club.stable_id("ben"), fixture_id=duel.pk)
    client = club.client("ben")
    for address in (page(club, "hand_over"), page(club, "hand_over_summary", made.pk)):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        assert len(queries) <= 15
