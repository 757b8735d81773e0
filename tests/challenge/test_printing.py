"""Papers on A4: who may print what, and what stands on them."""

from __future__ import annotations

import pytest
from django.test import Client

from challenge.models import Event, Key
from challenge.presenters.printing import award_tables, ledgers, repair_table
from challenge.selectors.books import book_of
from challenge.services.books import Wish, write
from challenge.services.events import make_key
from people.models import User
from rules.challenge.book.rows import SETUP
from rules.challenge.worth import Worth
from tests.challenge.conftest import GM, Enter

OPEN_TO_ALL = ("print/", "print/tables/", "print/standings/")
OF_AGENTS = ("print/sheets/", "print/ledgers/")
OF_ROSS = ("print/sheets/Ross/", "print/ledgers/Ross/")


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def address(event: Event, rest: str) -> str:
    return f"/challenge/{event.slug}/{rest}"


@pytest.fixture
def gm(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def test_private_papers_are_for_their_player_and_those_who_run_a_table(gm: Client, fight: Event) -> None:
    key = make_key(fight, GM, Key.Role.PLAYER, pilot="Ross")
    ross, stranger = Client(), Client()
    ross.get(address(fight, f"key/{key.secret}/"))
    for rest in OPEN_TO_ALL:
        assert stranger.get(address(fight, rest)).status_code == 200
    for rest in OF_AGENTS:
        assert [browser.get(address(fight, rest)).status_code for browser in (gm, ross, stranger)] == [200, 403, 403]
    for rest in OF_ROSS:
        assert [browser.get(address(fight, rest)).status_code for browser in (gm, ross, stranger)] == [200, 200, 403]
    assert ross.get(address(fight, "print/sheets/Jo/")).status_code == 403
    assert gm.get(address(fight, "print/sheets/Nobody/")).status_code == 404


def test_a_sheet_has_all_that_a_pilot_has(gm: Client, fight: Event, enter: Enter) -> None:
    enter(what="wound", at="Jo", turn=1)
    enter(what="give", at="Jo", c_bills=1_000_000)
    page = gm.get(address(fight, "print/sheets/Jo/")).content.decode()
    cash = book_of(fresh(fight)).state.pilots["Jo"].c_bills
    assert f"{cash:,}" in page
    assert "Locust LCT-1V" in page
    assert page.count("✕") == 1
    assert "3 / 4" in page
    assert "sheet" in page


def test_a_ledger_counts_from_the_start_to_what_is_there(gm: Client, fight: Event, enter: Enter) -> None:
    enter(what="head_hit", by="Ross", at="Jo", turn=1, phase="fire")
    enter(what="end_turn", turn=1)
    book = book_of(fresh(fight))
    ledger = ledgers(book, ["Ross"])[0]
    pilot = book.state.pilots["Ross"]
    assert ledger.start == Worth(0, 10, 3_000_000)
    assert ledger.lines[-1].after == Worth(pilot.fame, pilot.cp, pilot.c_bills)
    page = gm.get(address(fight, "print/ledgers/Ross/")).content.decode()
    assert "Ross (1) hits the head of the &#x27;Mech of Jo (2)." in page
    assert "Ross (1) buys a Locust LCT-1V." in page


def test_tables_are_those_of_the_events_printing(gm: Client, event: Event) -> None:
    body = repair_table(book_of(event))
    setup = {**book_of(event).setup, "switches": {"table_printing": "reference"}}
    write(event.pk, GM, [Wish("s", SETUP, setup)])
    reference = repair_table(book_of(fresh(event)))
    assert ("Spot repair: other critical hit", "5,000 C-bills") in body
    assert ("Spot repair: other critical hit", "10,000 C-bills") in reference
    assert {name: len(rows) for name, _colour, rows in award_tables(book_of(event))} == {
        "Kills": 16, "Crippling": 7, "Special": 10, "Flashy": 8,
    }  # fmt: skip
    page = gm.get(address(event, "print/tables/")).content.decode()
    assert "10,000 C-bills" in page
    assert "2,500,000" in page


def test_standings_are_printed_with_the_cut(client: Client, event: Event, enter: Enter) -> None:
    for place in range(9):
        enter(what="new_pilot", by=f"Pilot {place}")
    page = client.get(address(event, "print/standings/")).content.decode()
    assert page.count('<th scope="row"') == 9
    assert "The cut" in page
