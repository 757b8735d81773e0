"""The front page of an event says what comes next to those who run it, and to nobody else."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from challenge.models import Event
from challenge.services.events import close_event, make_key
from people.models import User
from tests.challenge.conftest import GM, Enter


def front(browser: Client, event: Event) -> str:
    page = browser.get(reverse("challenge:event", args=[event.slug])).content.decode()
    return re.sub(r"<[^>]+>|\s+", " ", page)


def test_before_anybody_has_come_the_door_is_next(client: Client, owner: User, event: Event) -> None:
    client.force_login(owner)
    assert "open the door" in front(client, event)
    assert "open the door" not in front(Client(), event)


def test_then_the_turns_at_the_tables_and_who_waits(
    client: Client, owner: User, fight: Event, enter: Enter, django_assert_max_num_queries: Any
) -> None:
    client.force_login(owner)
    enter(what="end_turn", turn=1)
    enter(what="new_pilot", by="Kim", approved=False)
    with django_assert_max_num_queries(15):
        page = re.sub(r"\s+", " ", front(client, fight))
    assert "open the door" not in page
    assert "1 pilot waits for approval" in page
    assert re.search(r"Turn 2 at Factory ?, 2 pilots on the board", page)
    assert re.search(r"Turn 1 at Jungle ?, 0 pilots on the board", page)
    enter(what="exit", by="Jo", turn=2, overruled="ill")
    page = re.sub(r"\s+", " ", front(client, fight))
    assert "1 pilot off the board" in page
    assert "Sheets of 1 pilot are to come in" in page


def test_an_agent_reads_of_their_own_table_alone(client: Client, fight: Event) -> None:
    key = make_key(fight, GM, "agent", table="Jungle")
    client.get(reverse("challenge:use_key", args=[fight.slug, key.secret]))
    page = front(client, fight)
    assert "at Jungle" in re.sub(r"\s+", " ", page)
    assert "Turn 1 at Factory" not in re.sub(r"\s+", " ", page)


def test_nothing_comes_next_when_the_book_is_closed(client: Client, owner: User, event: Event) -> None:
    client.force_login(owner)
    close_event(event.pk, GM)
    assert "open the door" not in front(client, event)
