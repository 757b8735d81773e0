"""The log: every row as a sentence, one press that undoes, corrections with a preview, gifts."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from challenge.models import Entry, Event, Key
from challenge.presenters.log import closed_rows
from challenge.selectors.books import book_of
from challenge.services.books import Wish, is_closed, write
from challenge.services.events import close_event, make_key
from people.models import User
from rules.challenge.book.rows import UNDO
from tests.challenge.conftest import GM, Enter


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def address(event: Event, rest: str = "log/") -> str:
    return f"/challenge/{event.slug}/{rest}"


SPONSOR = "devalls"
"""A sponsor of no house, who asks for Fame."""


@pytest.fixture
def gm(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def agent(fight: Event) -> Client:
    """A browser with the key of the agent at the table Factory."""
    key = make_key(fight, GM, Key.Role.AGENT, table="Factory", label="Ada")
    browser = Client()
    browser.get(address(fight, f"key/{key.secret}/"))
    return browser


@pytest.fixture
def closed(fight: Event, enter: Enter) -> Event:
    """Turn 1 is closed: Jo has hit the head of Ross; turn 2 has begun."""
    enter(what="head_hit", by="Jo", at="Ross", turn=1, phase="fire", wish={"client_id": "hit"})
    enter(what="end_turn", turn=1, wish={"client_id": "end"})
    enter(what="crowd", by="Jo", turn=2)
    return fresh(fight)


def number(event: Event, client_id: str) -> int:
    return Entry.objects.get(event=event, client_id=client_id).number


def test_the_log_says_who_entered_what_newest_first(gm: Client, closed: Event) -> None:
    page = gm.get(address(closed)).content.decode()
    assert "Jo hits the head of the &#x27;Mech of Ross." in page
    assert page.index("The crowd goes wild for Jo.") < page.index("Turn 1 ends.") < page.index("Jo hits the head")


def test_a_page_of_the_log_has_fifty_rows_and_few_queries(
    gm: Client, fight: Event, enter: Enter, django_assert_max_num_queries: Any
) -> None:
    for place in range(60):
        enter(what="noted", text=f"note {place}")
    gm.get(address(fight))
    with django_assert_max_num_queries(8):
        page = gm.get(address(fight)).content.decode()
    assert page.count("<li value=") == 50
    assert "note 59" in page
    assert "note 9." not in page
    assert "note 9." in gm.get(address(fight, "log/?page=2")).content.decode()


def test_the_log_is_for_those_who_run_a_table(client: Client, agent: Client, closed: Event) -> None:
    assert client.get(address(closed)).status_code == 403
    assert agent.get(address(closed)).status_code == 200


def test_one_press_undoes_the_last_row_of_a_table_and_a_second_one_is_the_same(gm: Client, closed: Event) -> None:
    last = closed.written
    press = {"number": last, "client_id": "press"}
    for _again in range(2):
        assert gm.post(address(closed, "log/undo/"), press).status_code == 302
    assert fresh(closed).written == last + 1
    page = gm.get(address(closed)).content.decode()
    assert "<del>The crowd goes wild for Jo.</del>" in page
    assert f"undone by entry {last + 1}" in page


def test_only_the_last_row_of_a_table_has_the_button(gm: Client, closed: Event) -> None:
    page = gm.get(address(closed)).content.decode()
    assert page.count('action="/challenge/steel-night/log/undo/"') == 1


def test_an_agent_undoes_at_their_own_table_alone(agent: Client, closed: Event, enter: Enter) -> None:
    other = enter(what="noted", text="elsewhere", table="Jungle")
    assert agent.post(address(closed, "log/undo/"), {"number": other, "client_id": "x"}).status_code == 403
    assert agent.post(address(closed, "log/undo/"), {"number": closed.written, "client_id": "y"}).status_code == 302


def test_the_undoing_of_a_closed_turn_shows_all_that_moves_and_wants_a_reason(gm: Client, closed: Event) -> None:
    hit = number(closed, "hit")
    form = {"way": "undo", "client_id": "c"}
    page = gm.post(address(closed, f"log/{hit}/"), form)
    assert page.status_code == 400
    assert "Say why" in page.content.decode()
    page = gm.post(address(closed, f"log/{hit}/"), {**form, "reason": "wrong click"})
    text = page.content.decode()
    assert page.status_code == 200
    assert "Fame" in text
    assert "Place" in text
    assert fresh(closed).written == closed.written
    before = book_of(closed).state.pilots["Jo"].fame
    done = gm.post(address(closed, f"log/{hit}/"), {**form, "reason": "wrong click", "confirm": "yes"})
    assert done.status_code == 302
    assert book_of(fresh(closed)).state.pilots["Jo"].fame < before
    assert Entry.objects.get(event=closed, number=closed.written + 1).reason == "wrong click"


def test_a_closed_row_is_changed_where_it_stood(gm: Client, closed: Event) -> None:
    hit = number(closed, "hit")
    form = {
        "way": "change", "client_id": "c", "reason": "wrong pilot",
        "deed-by": ["Ross"], "deed-at": "Jo", "deed-phase": "fire",
    }  # fmt: skip
    text = gm.post(address(closed, f"log/{hit}/"), form).content.decode()
    assert "Ross hits the head of the &#x27;Mech of Jo." in text
    assert gm.post(address(closed, f"log/{hit}/"), {**form, "confirm": "yes"}).status_code == 302
    state = book_of(fresh(closed)).state
    assert state.pilots["Jo"].fame == 0 < state.pilots["Ross"].fame
    assert [line.turn for line in state.lines if line.pilot == "Ross" and line.reason == "special.E"] == [1]


def test_a_forgotten_deed_is_added_before_the_end_of_its_turn(gm: Client, closed: Event) -> None:
    end = number(closed, "end")
    offered = gm.get(address(closed, f"log/{end}/add/")).content.decode()
    assert "?what=damage" in offered
    where = address(closed, f"log/{end}/add/?what=damage")
    assert gm.get(where).status_code == 200
    form = {
        "way": "add", "client_id": "c", "reason": "forgotten", "deed-by": ["Jo"], "deed-at": "Ross",
        "deed-points": "25", "deed-phase": "fire",
    }  # fmt: skip
    assert "Jo does 25 damage to Ross." in gm.post(where, form).content.decode()
    assert gm.post(where, {**form, "confirm": "yes"}).status_code == 302
    assert [line.turn for line in book_of(fresh(closed)).state.lines if line.reason == "flashy.B"] == [1]


def test_a_correction_names_later_rows_that_the_rules_would_forbid(gm: Client, fight: Event, enter: Enter) -> None:
    enter(what="give", at="Jo", fame=30, wish={"client_id": "gift"})
    enter(what="exit", by="Jo", turn=1, overruled="ill")
    enter(what="end_turn", turn=1)
    enter(what="crowd", by="Ross", turn=2)
    enter(do="join_sponsor", pilot="Jo", sponsor=SPONSOR)
    form = {"way": "undo", "client_id": "c", "reason": "wrong click"}
    text = gm.post(address(fight, f"log/{number(fight, 'gift')}/"), form).content.decode()
    assert "rules would then forbid" in text
    assert "Jo has 0 Fame, and this asks for" in text


def test_what_later_rows_need_is_not_undone_and_says_so(gm: Client, fight: Event) -> None:
    arrival = next(row.number for row in book_of(fight).rows if row.document.get("by") == "Ross")
    page = gm.post(address(fight, f"log/{arrival}/"), {"way": "undo", "client_id": "c", "confirm": "yes"})
    assert page.status_code == 409
    assert "Later entries need this one" in page.content.decode()


def test_a_gm_overrules_a_refused_correction_with_a_reason(gm: Client, agent: Client, closed: Event) -> None:
    where = address(closed, f"log/{number(closed, 'end')}/add/?what=exit")
    form = {"way": "add", "client_id": "c", "reason": "forgotten", "deed-by": ["Jo"]}
    refused = gm.post(where, form)
    assert refused.status_code == 409
    assert "Overrule" in refused.content.decode()
    assert "Overrule" not in agent.post(where, form).content.decode()
    overruled = gm.post(where, {**form, "overrule": "yes", "overruled-reason": "agreed"}).content.decode()
    assert "The GM overrules the rules: agreed." in overruled
    assert '<input type="hidden" name="overruled" value="agreed">' in overruled


def test_rows_that_are_not_there_or_not_theirs_are_not_corrected(gm: Client, agent: Client, closed: Event) -> None:
    assert gm.get(address(closed, "log/999/")).status_code == 404
    assert agent.get(address(closed, "log/1/")).status_code == 403
    assert gm.get(address(closed, "log/1/")).status_code == 200
    assert gm.get(address(closed, "log/1/add/?what=damage")).status_code == 404


def test_a_gm_gives_and_takes_with_a_reason(gm: Client, agent: Client, fight: Event) -> None:
    where = address(fight, "give/")
    assert agent.get(where).status_code == 403
    assert 'value="Jo" selected' in gm.get(where + "?pilot=Jo").content.decode()
    before = book_of(fight).state.pilots["Jo"]
    assert gm.post(where, {"pilot": "Jo", "client_id": "g", "reason": "prize"}).status_code == 400
    assert gm.post(where, {"pilot": "Jo", "client_id": "g", "fame": "3"}).status_code == 400
    gift = {"pilot": "Jo", "client_id": "g", "fame": "3", "c_bills": "-100000", "reason": "prize"}
    for _again in range(2):
        assert gm.post(where, gift).status_code == 302
    after = book_of(fresh(fight)).state.pilots["Jo"]
    assert (after.fame, after.c_bills) == (before.fame + 3, before.c_bills - 100_000)
    assert "main" not in book_of(fresh(fight)).state.tables


def test_standings_lead_the_gm_to_a_gift_and_group_the_digits(gm: Client, client: Client, fight: Event) -> None:
    page = gm.get(address(fight, "")).content.decode()
    assert "/give/?pilot=Jo" in page
    assert f"{book_of(fight).state.pilots['Jo'].c_bills:,}" in page
    assert "/give/" not in Client().get(address(fight, "")).content.decode()


def test_the_log_of_a_closed_event_offers_nothing(gm: Client, closed: Event) -> None:
    close_event(closed.pk, GM)
    page = gm.get(address(closed)).content.decode()
    assert "log/undo/" not in page


def test_the_turn_of_a_row_is_closed_for_the_log_as_for_the_writer(closed: Event, enter: Enter) -> None:
    enter(what="end_turn", turn=2)
    write(closed.pk, GM, [Wish("u", UNDO, {}, undoes=number(closed, "hit"), reason="forgotten")])
    book = book_of(fresh(closed))
    counting = {row.number for row in book.counting}
    assert closed_rows(book) == {each for each in counting if is_closed(book.rows, each)}
