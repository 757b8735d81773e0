"""The end of a day, the call to the final, and the end of the event."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from challenge.models import Entry, Event
from challenge.presenters.day import called, day_checks, places, to_draw
from challenge.selectors.books import book_of
from people.models import User
from rules.challenge.ranking import level_at_the_cut, seats
from tests.challenge.conftest import Enter


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def address(event: Event, rest: str = "") -> str:
    return f"/challenge/{event.slug}/day/{rest}"


@pytest.fixture
def gm(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def crowded(event: Event, enter: Enter) -> Event:
    """Ten pilots; those with later numbers have less Fame."""
    for place in range(1, 11):
        name = f"Pilot {place}"
        enter(what="new_pilot", by=name)
        enter(what="give", at=name, fame=20 - place)
    return fresh(event)


@pytest.fixture
def level(event: Event, enter: Enter) -> Event:
    """Ten pilots; the last three are level, and one seat is left for them."""
    for place in range(1, 11):
        name = f"Pilot {place}"
        enter(what="new_pilot", by=name)
        enter(what="give", at=name, fame=20 - min(place, 8))
    return fresh(event)


def names(*numbers: int) -> list[str]:
    return [f"Pilot {each}" for each in numbers]


def test_before_the_day_ends_the_page_says_what_is_still_open(gm: Client, fight: Event, enter: Enter) -> None:
    enter(what="crowd", by="Jo", turn=1)
    enter(what="new_pilot", by="Kim")
    enter(do="loan", pilot="Kim", amount=200_000)
    page = gm.get(address(fight)).content.decode()
    found = {check.title: check.items for check in day_checks(book_of(fresh(fight)))}
    assert found["Turns still open"] == ("Factory: 1",)
    assert [item.partition(" ")[0] for item in found["Pilots still inside"]] == ["Ross", "Jo"]
    assert found["Debts"] == ("Kim (3): a loan of up to 200,000 C-bills",)
    assert "Turn 1 at table Factory is still open. Close it first." in page
    assert "Close it all the same" in page


def test_one_press_closes_the_day_once(gm: Client, fight: Event, enter: Enter) -> None:
    enter(what="end_turn", turn=1)
    assert "Close the day" in gm.get(address(fight)).content.decode()
    for _again in range(2):
        assert gm.post(address(fight, "end/"), {"client_id": "d"}).status_code == 302
    state = book_of(fresh(fight)).state
    assert state.day == 2
    assert set(state.tables) == {"Factory", "Jungle"}


def test_a_day_that_the_rules_keep_open_is_closed_with_a_reason_alone(gm: Client, fight: Event, enter: Enter) -> None:
    enter(what="crowd", by="Jo", turn=1)
    refused = gm.post(address(fight, "end/"), {"client_id": "d"})
    assert refused.status_code == 409
    assert book_of(fresh(fight)).state.day == 1
    overruled = {"client_id": "d2", "overruled-reason": "agreed"}
    assert gm.post(address(fight, "end/"), overruled).status_code == 302
    assert book_of(fresh(fight)).state.day == 2


def test_the_day_is_for_gms(client: Client, fight: Event) -> None:
    assert client.get(address(fight)).status_code == 403
    for rest in ("end/", "final/", "close/"):
        assert client.post(address(fight, rest), {"client_id": "d", "sure": "yes"}).status_code == 403


def test_eight_who_are_present_sit_down(gm: Client, crowded: Event) -> None:
    assert gm.get(address(crowded, "final/")).content.decode().count("checked") == 10
    form = {"present": names(*range(1, 11)), "client_id": "f"}
    page = gm.post(address(crowded, "final/"), form).content.decode()
    assert "Pilot 8" in page
    assert "Pilot 9" not in page.split("<form")[0]
    assert gm.post(address(crowded, "final/"), {**form, "confirm": "yes"}).status_code == 302
    state = book_of(fresh(crowded)).state
    assert state.stage == "final"
    assert list(state.finalists or ()) == names(*range(1, 9))
    assert "one off-board cycle" in gm.get(address(crowded)).content.decode()


def test_before_the_final_is_called_those_inside_leave(gm: Client, fight: Event, enter: Enter) -> None:
    """A finalist inside would have no cycle: whoever leaves the final is out (MC-LOAN-09, MC-EXIT-03)."""
    enter(what="end_turn", turn=1)
    form = {"present": ["Ross", "Jo"], "client_id": "f"}
    assert "leave first" in gm.post(address(fight, "final/"), form).content.decode()
    for name in ("Ross", "Jo"):
        enter(what="exit", by=name, turn=2, overruled="the final is near")
    enter(what="end_turn", turn=2)
    assert "leave first" not in gm.post(address(fight, "final/"), form).content.decode()


def test_an_empty_seat_passes_down_with_a_reason(gm: Client, crowded: Event) -> None:
    form = {"present": names(1, 2, 4, 5, 6, 7, 8, 9, 10), "client_id": "f", "confirm": "yes"}
    refused = gm.post(address(crowded, "final/"), form)
    assert refused.status_code == 400
    assert "Say why" in refused.content.decode()
    assert book_of(fresh(crowded)).state.stage == "qualifier"
    assert gm.post(address(crowded, "final/"), {**form, "reason": "has left"}).status_code == 302
    assert list(book_of(fresh(crowded)).state.finalists or ()) == names(1, 2, 4, 5, 6, 7, 8, 9)
    document = Entry.objects.get(event=crowded, client_id="f").document
    assert (document["absent"], document["reason"], "note" in document) == (names(3), "has left", False)
    assert "Empty seats: Pilot 3 (has left)." in gm.get(f"/challenge/{crowded.slug}/log/").content.decode()


def test_whoever_is_level_at_the_eighth_seat_is_drawn(gm: Client, level: Event) -> None:
    assert level_at_the_cut(book_of(level).state) == names(8, 9, 10)
    form = {"present": names(*range(1, 11)), "client_id": "f", "confirm": "yes"}
    for drawn in ([], names(8, 9)):
        refused = gm.post(address(level, "final/"), {**form, "drawn": drawn})
        assert refused.status_code == 400
        assert "Draw by lot" in refused.content.decode()
    assert gm.post(address(level, "final/"), {**form, "drawn": names(10)}).status_code == 302
    assert list(book_of(fresh(level)).state.finalists or ()) == names(1, 2, 3, 4, 5, 6, 7, 10)
    assert Entry.objects.get(event=level, client_id="f").document["drawn"] == names(10)


def test_where_enough_leave_nobody_is_drawn(level: Event) -> None:
    book = book_of(level)
    assert to_draw(book, seats(book.state)) == 1
    present = names(1, 2, 3, 4, 5, 8, 9, 10)
    assert to_draw(book, present) == 0
    assert called(book, present, []) == present


def test_the_event_ends_with_a_champion_for_a_gm_who_is_sure(gm: Client, crowded: Event, enter: Enter) -> None:
    enter(what="stage", stage="final")
    assert "Champion as things stand:" in gm.get(address(crowded)).content.decode()
    assert gm.post(address(crowded, "close/")).status_code == 400
    assert fresh(crowded).closed_at is None
    assert gm.post(address(crowded, "close/"), {"sure": "yes"}).status_code == 302
    assert fresh(crowded).closed_at is not None
    page = gm.get(address(crowded)).content.decode()
    assert "Champion:" in page
    assert page.index("Champion:") < page.index("Pilot 1")


@pytest.mark.parametrize(("points", "words"), [(0.5, "0.5 points"), (1.0, "1 point"), (2.0, "2 points")])
def test_the_points_of_a_place_are_counted_and_may_be_half(crowded: Event, points: float, words: str) -> None:
    place = replace(places(book_of(crowded))[0], points=points)
    page = render_to_string("challenge/day_places.html", {"places": [place]})
    assert re.search(rf"·\s+{words}\s+·", page)


def test_the_page_costs_few_queries(gm: Client, crowded: Event, django_assert_max_num_queries: Any) -> None:
    gm.get(address(crowded))
    with django_assert_max_num_queries(15):
        gm.get(address(crowded))
