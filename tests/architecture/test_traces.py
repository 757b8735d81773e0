"""Answers that are known again: only where each of their statements gives what it gave."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db.models import F

from people.models import User
from tests.traces import Recall, Traces
from tests.worlds import taken_back

pytestmark = pytest.mark.django_db


def _name() -> str:
    return User.objects.get(pk=7).first_name


def _cached_name() -> str:
    found: str = cache.get_or_set("name", _name)
    return found


def _written() -> str:
    """Copy the last name, and read the copy."""
    User.objects.filter(pk=7).update(first_name=F("last_name"))
    return _name()


@pytest.fixture(autouse=True)
def person(db: None) -> None:
    User.objects.create_user("read", "read@example.org", "words", pk=7, first_name="First", last_name="Last")


def test_an_answer_is_known_again_where_its_statements_give_the_same() -> None:
    traces = Traces[str]()
    for asked in (["/"], []):
        recall = Recall(traces)
        assert recall.answer("/", _name) == "First"
        assert recall.asked == asked


def test_an_answer_is_asked_for_again_where_a_row_differs_and_known_where_it_is_as_before() -> None:
    traces = Traces[str]()
    Recall(traces).answer("/", _name)
    with taken_back():
        User.objects.update(first_name="Second")
        recall = Recall(traces)
        assert (recall.answer("/", _name), recall.asked) == ("Second", ["/"])
    recall = Recall(traces)
    assert (recall.answer("/", _name), recall.asked) == ("First", [])


def test_what_a_request_leaves_in_the_cache_answers_no_other() -> None:
    """Else the second answer would have a trace without statements, which holds everywhere."""
    traces = Traces[str]()
    for name in ("First", "Second"):
        User.objects.update(first_name=name)
        recall = Recall(traces)
        assert [recall.answer(address, _cached_name) for address in ("/one/", "/other/")] == [name, name]


def test_a_statement_reads_what_those_before_it_wrote() -> None:
    traces = Traces[str]()
    for last, asked in (("Last", ["/"]), ("Last", []), ("Another", ["/"])):
        User.objects.update(last_name=last)
        recall = Recall(traces)
        assert (recall.answer("/", _written), recall.asked) == (last, asked)
        assert _name() == "First"


def test_others_have_traces_of_their_own() -> None:
    traces = Traces[str]()
    assert Recall(traces).answer("/", _name, who="one") == "First"
    assert Recall(traces).answer("/", lambda: "other", who="another") == "other"
