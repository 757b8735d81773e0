"""The number in the header counts what asks for an act until it is done; all else is grouped and counted nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY
from django.test import Client
from django.urls import reverse

from jobs.registry import registry
from people import selectors
from people.models import Notice, User
from people.services import accounts, acts
from people.services.log_ins import AccountBackend
from people.text import digests, notices

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
PASSWORD = "correct horse battery"


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", PASSWORD)


def turn(person: User, due: datetime | None = None, match: int = 1) -> Notice:
    facts = {"match": "Ash – Birch", "due": None if due is None else due.isoformat()}
    [notice] = accounts.notify([person], "your_turn", facts, f"/matches/{match}/")
    return notice


def header(client: Client) -> str:
    page = client.get(reverse("help:index")).content.decode()
    return page[page.index("<header") : page.index("</header>")]


def test_the_header_counts_acts_and_no_news(client: Client, kai: User) -> None:
    client.force_login(kai)
    accounts.notify([kai], "cycle_closed", {"season": "Winter"})
    assert "to do" not in header(client)
    first = turn(kai)
    turn(kai)
    assert "2 to do" in header(client)
    Notice.objects.filter(pk=first.pk).update(done_at=NOON)
    assert "1 to do" in header(client)


def test_reading_does_nothing_that_is_to_do(client: Client, kai: User, done: set[int]) -> None:
    client.force_login(kai)
    act = turn(kai)
    accounts.notify([kai], "cycle_closed", {"season": "Winter"})
    assert client.post(reverse("people:read_notices")).status_code == 302
    assert "1 to do" in header(client)
    context = client.get(reverse("people:notices")).context
    assert [item.notice.pk for item in context["waiting"]] == [act.pk]
    assert context["unread"] == 0
    assert client.get(reverse("api:me")).json()["acts_open"] == 1
    done.add(act.pk)
    assert acts.settle(NOON) == 1, "the tick looks at what was read, too"
    assert "to do" not in header(client)


def test_what_a_notice_asks_and_until_when_is_written_with_it(kai: User) -> None:
    assert (turn(kai, NOON).asks, turn(kai, NOON).due_at) == (True, NOON)
    [news] = accounts.notify([kai], "cycle_closed", {"due": NOON.isoformat()})
    assert (news.asks, news.due_at) == (False, None)


def test_the_page_has_acts_first_and_the_rest_by_season_and_topic(client: Client, kai: User) -> None:
    late = turn(kai)
    soon = turn(kai, NOON)
    accounts.notify([kai], "role_given", {"season": "Summer", "role": "referee"})
    accounts.notify([kai], "season_started", {"season": "Winter"})
    accounts.notify([kai], "cycle_closed", {"season": "Winter"})
    accounts.notify([kai], "password_changed")
    done = turn(kai)
    Notice.objects.filter(pk=done.pk).update(done_at=NOON)
    client.force_login(kai)
    context = client.get(reverse("people:notices")).context
    assert [item.notice.pk for item in context["waiting"]] == [soon.pk, late.pk]
    shown = [
        (group.season, str(topic.name), [item.notice.code for item in topic.notices])
        for group in context["groups"]
        for topic in group.topics
    ]
    assert shown == [
        ("Winter", "Results", ["cycle_closed"]),
        ("Winter", "The season", ["season_started"]),
        ("Summer", "For those who run the season", ["role_given"]),
        ("", "Matches", ["your_turn"]),
        ("", "Your account", ["password_changed"]),
    ]


def test_every_topic_has_a_heading() -> None:
    assert list(digests.NAMES) == list(digests.TOPICS)


def test_the_count_comes_with_the_person_of_the_request(kai: User, django_assert_num_queries: Any) -> None:
    turn(kai)
    accounts.notify([kai], "cycle_closed")
    with django_assert_num_queries(1):
        person = AccountBackend().get_user(kai.pk)
        assert person is not None
        assert person.acts_open == 1
        assert person.unread_counted == 2
    with django_assert_num_queries(1):
        assert User.objects.get(pk=kai.pk).acts_counted is None
    with django_assert_num_queries(1):
        assert kai.acts_open == kai.acts_open == 1


def test_n_10_the_header_counts_new_notices_while_nothing_is_to_do(client: Client, kai: User) -> None:
    accounts.notify([kai], "cycle_closed")
    client.force_login(kai, backend="people.services.log_ins.AccountBackend")
    assert "1 new notice" in header(client)
    accounts.mark_notices_read(kai)
    assert "new notice" not in header(client)


def test_a_session_from_before_goes_on(client: Client, kai: User) -> None:
    turn(kai)
    client.force_login(kai, backend="django.contrib.auth.backends.ModelBackend")
    assert "1 to do" in header(client)
    assert client.session[BACKEND_SESSION_KEY] == "django.contrib.auth.backends.ModelBackend"


def test_a_password_is_tried_by_one_backend(client: Client, kai: User, monkeypatch: Any) -> None:
    """A second one would take the time of a hash once more, for a name that is there."""
    tried: list[str] = []
    check = User.check_password
    monkeypatch.setattr(User, "check_password", lambda self, raw: tried.append(raw) or check(self, raw))
    log_in = reverse("people:log_in")
    assert client.post(log_in, {"username": "Kai", "password": "wrong horse battery"}).status_code == 200
    assert tried == ["wrong horse battery"]
    assert client.post(log_in, {"username": "Kai", "password": PASSWORD}).status_code == 302
    assert client.session[BACKEND_SESSION_KEY] == "people.services.log_ins.AccountBackend"


# Done acts ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The ids of the notices of turns with nothing left to do, as another app would say."""
    ids: set[int] = set()

    def check(waiting: Sequence[Notice]) -> list[int]:
        return [notice.pk for notice in waiting if notice.pk in ids]

    monkeypatch.setitem(acts._checks, "your_turn", check)
    return ids


def test_the_tick_marks_what_is_done_for_everybody(kai: User, done: set[int], django_assert_num_queries: Any) -> None:
    mara = accounts.create_account("Mara", "mara@example.org", PASSWORD)
    mine, hers, open_one = turn(kai), turn(mara), turn(kai, match=2)
    done |= {mine.pk, hers.pk}
    with django_assert_num_queries(2):
        assert acts.settle(NOON) == 2
    assert set(Notice.objects.filter(done_at=NOON)) == {mine, hers}
    assert list(acts.open_acts()) == [open_one]
    assert registry.scans["people.acts"] is acts.settle
    with django_assert_num_queries(1):
        assert acts.settle(NOON + timedelta(hours=1)) == 0


def test_older_acts_have_their_turn_behind_many_newer_ones(
    kai: User, done: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acts, "MOST_AT_ONCE", 2)
    asked = [turn(kai, match=number) for number in range(5)]
    done |= {asked[0].pk, asked[3].pk}
    assert acts.settle(NOON) == 2
    assert set(Notice.objects.filter(done_at=NOON)) == {asked[0], asked[3]}


def test_an_act_that_is_asked_for_again_counts_once(kai: User, done: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "MOST_AT_ONCE", 2)
    mara = accounts.create_account("Mara", "mara@example.org", PASSWORD)
    first, other, hers, _, newest = turn(kai), turn(kai, match=2), turn(mara), turn(kai), turn(kai)
    assert acts.settle(NOON) == 2
    assert list(acts.open_acts().order_by("pk")) == [other, hers, newest]
    first.refresh_from_db()
    assert first.done_at == NOON


def test_a_persons_own_act_counts_at_once(client: Client, kai: User, done: set[int]) -> None:
    client.force_login(kai)
    done.add(turn(kai).pk)
    assert "1 to do" in header(client), "looking marks nothing"
    assert client.post(reverse("people:account"), {"time_zone": "nowhere"}).status_code == 200
    assert "to do" not in header(client)


def test_a_refused_act_looks_at_nothing(client: Client, kai: User, done: set[int]) -> None:
    client.force_login(kai)
    done.add(turn(kai).pk)
    assert client.put(reverse("people:read_notices")).status_code == 405
    assert "1 to do" in header(client)


def test_every_code_that_asks_is_looked_after() -> None:
    """Otherwise its number would stay for ever."""
    assert {code for code in notices.sentences() if notices.asks(code)} == acts.checked()


def test_unread_still_counts_all_for_programs(client: Client, kai: User) -> None:
    accounts.notify([kai], "cycle_closed")
    turn(kai)
    assert selectors.unread_count(kai) == 2
    client.force_login(kai)
    me = client.get(reverse("api:me")).json()
    assert (me["unread_notices"], me["acts_open"]) == (2, 1)
    [act, news] = client.get(reverse("api:notices")).json()["results"]
    assert (act["code"], act["asks"], act["due_at"], act["done_at"]) == ("your_turn", True, None, None)
    assert not news["asks"]
