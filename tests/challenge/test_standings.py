"""The standings and the lists beside them: where everybody is, and who need not wait any more."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from challenge.models import Event
from challenge.presenters.standings import folded, standings
from challenge.selectors.books import book_of
from challenge.services.books import Wish, write
from challenge.services.events import open_event
from people.models import User
from rules.challenge.book.rows import DEED
from tests.challenge.conftest import GM, LIGHT, Enter
from tests.challenge.test_pilot import Phones, page


def words(shown: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", shown))


@pytest.fixture
def phones(event: Event) -> Phones:
    return Phones(event)


def test_the_standings_say_who_is_out(fight: Event, enter: Enter, phones: Phones) -> None:
    enter(what="forfeit", by="Ross", reason="left without their sheets")
    enter(what="new_pilot", by="Kim", approved=False)
    shown = words(page(Client(), fight, ""))
    assert "out of the tournament" in shown
    assert "not approved" in shown


def test_nobody_is_said_to_wait_for_a_turn_that_has_come(fight: Event, enter: Enter, phones: Phones) -> None:
    for turn in (1, 2):
        enter(what="end_turn", turn=turn)
    enter(what="exit", by="Ross", turn=3, phase="end")
    assert "back in turn 6" in words(page(Client(), fight, ""))
    assert "turn 6 at Factory" in words(page(phones.agent(), fight, "off-board/"))
    enter(what="head_hit", by="Jo", turn=3, phase="fire", at="Ross")
    for turn in (3, 4, 5):
        enter(what="end_turn", turn=turn)
    assert "back in turn" not in words(page(Client(), fight, ""))
    assert "turn 6 at" not in words(page(phones.agent(), fight, "off-board/"))
    assert "May enter at any time" in words(page(Client(), fight, "pilots/Ross/"))


def test_a_headline_of_a_chip_does_not_say_that_it_paid_nothing(owner: User) -> None:
    event = open_event("Chips", {"tables": [{"id": "Pit"}], "options": ["betting"]}, {}, owner)
    deeds: list[dict[str, Any]] = [
        deed
        for name in ("Ross", "Jo")
        for deed in (
            {"what": "new_pilot", "by": name},
            {"do": "buy_mech", "pilot": name, "mech": LIGHT},
            {"what": "enter", "by": name, "turn": 1, "phase": "movement"},
        )
    ]
    deeds += [
        {"what": "head_hit", "by": "Ross", "at": "Jo", "turn": 1, "phase": "fire"},
        {"what": "end_turn", "turn": 1},
    ]
    write(event.pk, GM, [Wish(f"c-{place}", DEED, {**deed, "table": "Pit"}) for place, deed in enumerate(deeds)])
    shown = words(page(Client(), event, "board/"))
    assert "It is a chip worth" in shown
    assert "nothing" not in shown


def test_the_lines_in_sight_go_down_to_the_cut_where_it_is_near(event: Event, enter: Enter) -> None:
    """Seats of those who are out pass down: the cut is then behind the ninth or the tenth place."""
    names = [f"Pilot {place}" for place in range(1, 15)]
    for place, name in enumerate(names):
        enter(what="new_pilot", by=name)
        enter(what="give", at=name, fame=20 - place)
    for gone, in_sight in ((0, 8), (1, 9), (2, 10), (3, 8)):
        if gone:
            enter(what="forfeit", by=names[gone - 1])
        shown = folded(standings(book_of(Event.objects.get(pk=event.pk))), {names[13], names[0]})
        assert [len(lines) for lines in (shown.own, shown.first, shown.others)] == [1, in_sight, 14 - in_sight]
        assert shown.own[0].pilot.id == names[13]
