"""A pilot's page: all of it for the player and those who run a table, the public part for everybody."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.test import Client

from challenge.models import Event, Key
from challenge.services.events import make_key
from tests.challenge.conftest import GM, Enter


@dataclass
class Phones:
    """Browsers with a key each, made on demand."""

    event: Event

    def with_key(self, role: str = "", **more: str) -> Client:
        client = Client()
        if role:
            key = make_key(self.event, GM, role, **more)
            client.get(f"/challenge/{self.event.slug}/key/{key.secret}/")
        return client

    def player(self, pilot: str) -> Client:
        return self.with_key(Key.Role.PLAYER, pilot=pilot)

    def agent(self, table: str = "Factory") -> Client:
        return self.with_key(Key.Role.AGENT, table=table)

    def gm(self) -> Client:
        return self.with_key(Key.Role.GM)


@pytest.fixture
def phones(event: Event) -> Phones:
    return Phones(event)


def page(client: Client, event: Event, path: str, status: int = 200) -> str:
    answer = client.get(f"/challenge/{event.slug}/{path}")
    assert answer.status_code == status, path
    return answer.content.decode()


def test_a_player_reads_their_balance_and_why(fight: Event, enter: Enter, phones: Phones) -> None:
    enter(what="head_hit", by="Ross", at="Jo", turn=1, phase="fire")
    enter(what="end_turn", turn=1)
    shown = page(phones.player("Ross"), fight, "pilots/Ross/")
    assert "Ross (1) hits the head of the &#x27;Mech of Jo (2)." in shown
    assert "+1 Fame, +1 CP and +200,000 C-bills" in shown
    assert "Ross (1) buys a Locust" in shown
    assert "Turn 1 at Factory" in shown
    assert shown.index("hits the head") < shown.index("buys a Locust")


@pytest.mark.parametrize("path", ["pilots/Ross/", "pilots/Ross/claim/", "pilots/Ross/cycle/"])
def test_every_page_of_a_phone_says_when_it_was_read(fight: Event, phones: Phones, path: str) -> None:
    shown = page(phones.player("Ross"), fight, path)
    assert "Read at" in shown
    assert f'<a href="/challenge/{fight.slug}/{path}">Read again</a>' in shown


def test_spectators_see_the_public_part_alone(fight: Event, phones: Phones) -> None:
    for client in (phones.with_key(), phones.player("Jo")):
        shown = page(client, fight, "pilots/Ross/")
        assert "Locust" in shown
        assert "In the arena of Factory" in shown
        for private in ("C-bills", "History", "Within reach", "buys a Locust", "Loan"):
            assert private not in shown, private


def test_those_who_run_a_table_read_every_pilot(fight: Event, phones: Phones) -> None:
    for client in (phones.agent("Jungle"), phones.gm()):
        assert "buys a Locust" in page(client, fight, "pilots/Ross/")


def test_a_pilot_who_is_not_there_is_not_found(fight: Event, phones: Phones) -> None:
    page(phones.gm(), fight, "pilots/Nobody/", 404)
    page(phones.gm(), fight, "pilots/Nobody/cycle/", 404)
    page(phones.player("Ross"), fight, "pilots/Nobody/claim/", 404)


def test_the_key_of_a_player_opens_their_pilot(fight: Event) -> None:
    key = make_key(fight, GM, Key.Role.PLAYER, pilot="Ross")
    answer = Client().get(f"/challenge/{fight.slug}/key/{key.secret}/")
    assert answer.headers["Location"] == f"/challenge/{fight.slug}/pilots/Ross/"


def test_the_history_is_paged_by_turns(fight: Event, enter: Enter, phones: Phones) -> None:
    for turn in range(1, 9):
        enter(what="crowd", by="Ross", turn=turn)
        enter(what="end_turn", turn=turn)
    client = phones.player("Ross")
    first, second = (page(client, fight, f"pilots/Ross/?page={number}") for number in (1, 2))
    assert "Turn 8 at Factory" in first
    assert "Turn 3 at Factory" in first
    assert "Turn 2 at Factory" not in first
    assert "Turn 2 at Factory" in second
    assert "makes the crowd go wild" in second


def test_the_page_says_what_is_within_reach_and_when_they_may_leave(fight: Event, enter: Enter, phones: Phones) -> None:
    shown = page(phones.player("Ross"), fight, "pilots/Ross/")
    assert "May leave by a portal from turn 3 on." in shown
    assert "Tekshop" not in shown
    enter(what="give", by="Ross", fame=8)
    assert "Sponsor: Tekshop: Join: " in page(phones.player("Ross"), fight, "pilots/Ross/")


def test_the_page_asks_few_queries_however_long_the_event(
    fight: Event, enter: Enter, phones: Phones, django_assert_max_num_queries: object
) -> None:
    for turn in range(1, 6):
        enter(what="crowd", by="Ross", turn=turn)
        enter(what="end_turn", turn=turn)
    client = phones.player("Ross")
    for path in ("pilots/Ross/", "pilots/Ross/cycle/", "pilots/Ross/claim/"):
        with django_assert_max_num_queries(15):  # type: ignore[operator]
            page(client, fight, path)


def test_a_gm_gives_or_takes_from_a_pilots_page_and_nobody_else_is_led_there(fight: Event, phones: Phones) -> None:
    address = f"/challenge/{fight.slug}/give/?pilot=Ross"
    gm = phones.gm()
    assert f'href="{address}"' in page(gm, fight, "pilots/Ross/")
    assert '<option value="Ross" selected>' in page(gm, fight, "give/?pilot=Ross")
    for client in (phones.agent(), phones.player("Ross"), phones.with_key()):
        assert "/give/" not in page(client, fight, "pilots/Ross/")


def test_scenes_and_papers_are_reached_from_the_board_and_the_day(fight: Event, phones: Phones) -> None:
    gm = phones.gm()
    for path in ("board/", "day/"):
        shown = page(gm, fight, path)
        for led_to in ("board/scenes/", "print/"):
            assert f'href="/challenge/{fight.slug}/{led_to}"' in shown, (path, led_to)
            page(gm, fight, led_to)
