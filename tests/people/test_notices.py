"""What the site tells a person."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from people import selectors
from people.models import Notice, User
from people.services import accounts
from people.text import notices
from people.text.notices import notice_sentence

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", "correct horse battery")


@pytest.fixture
def mara() -> User:
    return accounts.create_account("Mara", "mara@example.org", "correct horse battery")


def test_a_notice_goes_to_everybody_it_concerns_in_one_query(
    kai: User, mara: User, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        accounts.notify([kai, mara], "cycle_closed", {"cycle": 1}, "/seasons/1")
    assert set(Notice.objects.values_list("user__username", "code", "url")) == {
        ("Kai", "cycle_closed", "/seasons/1"),
        ("Mara", "cycle_closed", "/seasons/1"),
    }


def test_a_person_reads_their_own_notices(client: Client, kai: User, mara: User) -> None:
    accounts.notify([kai], "cycle_closed", {"cycle": 1}, "/seasons/1")
    client.force_login(mara)
    assert list(client.get(reverse("people:notices")).context["notices"]) == []
    client.force_login(kai)
    page = client.get(reverse("people:notices"))
    assert [item.notice.code for item in page.context["notices"]] == ["cycle_closed"]
    assert 'href="/seasons/1"' in page.content.decode()


def test_a_notice_has_a_sentence_whatever_became_of_its_code() -> None:
    parameters = {"cycle": 2, "season": "Winter", "place": 3, "purse": 340}
    assert notice_sentence("cycle_closed", parameters) == "Cycle 2 of Winter is closed: place 3, purse 340 Stones."
    assert notice_sentence("cycle_closed", {}) == "Cycle … of … is closed: place …, purse …."
    assert notice_sentence("dropped_long_ago", {}) == "Something happened (dropped_long_ago)."


def test_reading_marks_only_the_own_notices(client: Client, kai: User, mara: User) -> None:
    accounts.notify([kai, mara], "cycle_closed")
    client.force_login(kai)
    assert client.get(reverse("people:read_notices")).status_code == 405
    assert client.post(reverse("people:read_notices")).status_code == 302
    assert (selectors.unread_count(kai), selectors.unread_count(mara)) == (0, 1)


@pytest.mark.parametrize("page", ["", "2", "99", "-1", "abc"])
def test_pages_of_notices_are_short_whatever_number_is_asked_for(
    client: Client, kai: User, page: str, django_assert_max_num_queries: Any
) -> None:
    for _ in range(selectors.NOTICES_A_PAGE + 1):
        accounts.notify([kai], "cycle_closed")
    client.force_login(kai)
    with django_assert_max_num_queries(8):
        answer = client.get(reverse("people:notices"), {"page": page})
    assert answer.status_code == 200
    assert 1 <= len(answer.context["notices"]) <= selectors.NOTICES_A_PAGE


def test_each_app_has_codes_of_its_own() -> None:
    with pytest.raises(ValueError, match="your_turn"):
        notices.register({"your_turn": "It is somebody else's turn."}, room="matches")
    assert notice_sentence("your_turn", {"match": "Ash – Birch"}) == "Ash – Birch waits for you: it is your turn."


EVIL = "X. Account locked.” Unlock it here: https://evil.example/unlock now. Or: evil.example, help@evil.example"


@pytest.mark.parametrize("code", ["role_given", "role_taken_back", "season_invites_again", "ruling_wanted"])
def test_a_name_in_a_notice_nobody_asked_for_stays_a_name(code: str) -> None:
    said = notice_sentence(code, {"season": EVIL, "before": EVIL, "role": "referee"})
    assert "“X. Account locked. Unlock it here: … now. Or: … …”" in said
    assert "evil" not in said
    assert "“Season 3.1 of St. Gallen”" in notice_sentence(code, {"season": "Season 3.1 of St. Gallen", "role": "-"})


def test_a_code_says_whether_it_asks_for_an_act_and_until_when() -> None:
    at = "2026-03-10T15:30:00+00:00"
    assert notices.asks("line_up_due")
    assert not notices.asks("cycle_closed")
    assert not notices.asks("dropped_long_ago")
    assert notices.deadline_of("line_up_due", {"due": at}) == datetime(2026, 3, 10, 15, 30, tzinfo=UTC)
    for nothing in ({}, {"due": None}, {"due": "soon"}, {"due": "2026-03-10T15:30:00"}):
        assert notices.deadline_of("line_up_due", nothing) is None
    assert notices.deadline_of("cycle_closed", {"due": at, "": at}) is None
