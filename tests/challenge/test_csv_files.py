"""Tables of an event for spreadsheets: who may have them, what stands in them, and that nothing in them runs."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client

from challenge.models import Event, Key
from challenge.selectors.books import book_of
from challenge.services.events import make_key
from people.models import User
from tests.challenge.conftest import GM, Enter
from web.tables import FORMS

FORMULA = "=HYPERLINK(1)"


@pytest.fixture
def gm(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def table(browser: Client, event: Event, rest: str) -> list[dict[str, str]]:
    answer: Any = browser.get(f"/challenge/{event.slug}/print/{rest}")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/csv")
    content = b"".join(answer.streaming_content).decode()
    return list(csv.DictReader(io.StringIO(content, newline="")))


def status(browser: Client, event: Event, rest: str) -> int:
    return int(browser.get(f"/challenge/{event.slug}/print/{rest}").status_code)


def test_everybody_has_the_standings_and_only_some_the_rest(gm: Client, fight: Event) -> None:
    key = make_key(fight, GM, Key.Role.PLAYER, pilot="Ross")
    ross, stranger = Client(), Client()
    ross.get(f"/challenge/{fight.slug}/key/{key.secret}/")
    for rest, allowed in {
        "standings.csv": [200, 200, 200],
        "log.csv": [200, 403, 403],
        "ledgers/Ross.csv": [200, 200, 403],
        "ledgers/Jo.csv": [200, 403, 403],
        "ledgers/Nobody.csv": [404, 404, 404],
    }.items():
        assert [status(browser, fight, rest) for browser in (gm, ross, stranger)] == allowed, rest
    page = ross.get(f"/challenge/{fight.slug}/print/").content.decode()
    assert "ledgers/Ross.csv" in page
    assert "ledgers/Jo.csv" not in page
    assert "log.csv" not in page


def test_every_table_of_the_page_to_print_is_there_for_excel_too(gm: Client, fight: Event) -> None:
    page = gm.get(f"/challenge/{fight.slug}/print/").content.decode()
    plain = re.findall(r'href="([^"?]+[.]csv)"', page)
    assert len(plain) == 4
    assert re.findall(r'href="([^"?]+[.]csv)[?]form=excel"', page) == plain


def test_the_tables_have_what_the_book_says(gm: Client, fight: Event, enter: Enter) -> None:
    enter(what="head_hit", by="Ross", at="Jo", turn=1, phase="fire")
    number = enter(what="end_turn", turn=1)
    state = book_of(Event.objects.get(pk=fight.pk)).state
    ross = state.pilots["Ross"]
    ranked = table(gm, fight, "standings.csv")
    assert [row["pilot"] for row in ranked] == ["Ross", "Jo"]
    assert (ranked[0]["fame"], ranked[0]["c_bills"]) == (str(ross.fame), str(ross.c_bills))
    lines = table(gm, fight, "ledgers/Ross.csv")
    assert (lines[0]["cp"], lines[0]["c_bills_then"]) == ("10", "3000000")
    assert lines[-1]["c_bills_then"] == str(ross.c_bills)
    assert sum(int(line["fame"]) for line in lines) == ross.fame
    rows = table(gm, fight, "log.csv")
    assert [int(row["number"]) for row in rows] == list(range(1, number + 1))
    assert rows[-2]["what"] == "Ross hits the head of the 'Mech of Jo."
    assert (rows[-2]["role"], rows[-2]["by"], rows[-2]["table"], rows[-2]["turn"]) == ("gm", "gm", "Factory", "1")


def test_a_name_runs_in_no_spreadsheet(gm: Client, event: Event, enter: Enter) -> None:
    enter(what="new_pilot", by=FORMULA, player="+1")
    enter(what="give", at=FORMULA, fame=2, reason="@SUM(1)")
    [line] = table(gm, event, "standings.csv")
    assert (line["pilot"], line["player"]) == (f"'{FORMULA}", "'+1")
    for rest in ("log.csv", f"ledgers/{FORMULA}.csv"):
        for row in table(gm, event, rest):
            assert not any(cell.startswith(("=", "+", "@")) for cell in row.values()), row


def test_a_spreadsheet_of_europe_gets_semicolons(client: Client, fight: Event) -> None:
    answer: Any = client.get(f"/challenge/{fight.slug}/print/standings.csv?form=excel")
    assert b"".join(answer.streaming_content).decode().startswith("\ufeffplace;pilot;player")


@pytest.mark.parametrize("rest", ["standings.csv", "log.csv", "ledgers/Ross.csv"])
def test_programs_get_the_same_bytes_in_every_language_and_excel_that_of_its_reader(
    gm: Client, fight: Event, rest: str
) -> None:
    def bytes_of(language: str, form: str) -> bytes:
        address = f"/challenge/{fight.slug}/print/{rest}?form={form}"
        answer: Any = gm.get(address, headers={"Accept-Language": language})
        return b"".join(answer.streaming_content)

    plain, excel = ([bytes_of(language, form) for language in ("en", "pl", "de")] for form in FORMS)
    assert plain == [plain[0]] * 3
    assert len(set(excel)) == (1 if rest == "standings.csv" else 3)


def test_the_document_of_an_event_is_the_same_in_every_language(gm: Client, fight: Event) -> None:
    answers = [
        gm.get(f"/challenge/{fight.slug}/document/", headers={"Accept-Language": language})
        for language in ("en", "pl", "de")
    ]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert len({answer.getvalue() for answer in answers}) == 1
