"""What organisers write by the interface: the season's own page, messages to all."""

from __future__ import annotations

from typing import Any

import pytest

from stables.models import ComingQuestion
from tests.api.test_running_a_season import RECRUITING, RUNNING, SOON, code_of

pytestmark = pytest.mark.django_db


def test_organisers_write_a_page_that_everybody_reads_and_messages(api: Any) -> None:
    assert api("organiser", "put", f"{RECRUITING}page/", {"text": " # Where\nHere"}).json() == {"text": "# Where\nHere"}
    assert api("anonymous", "get", f"{RECRUITING}page/").json() == {"text": "# Where\nHere"}
    assert api("organiser", "put", f"{RECRUITING}page/", {"text": ""}).json() == {"text": ""}
    sent = api("organiser", "post", f"{RECRUITING}message", {"text": "Bring dice."}).json()
    assert sent == {"people": 5}, "two owners, two with an office, and one who waits"
    assert code_of(api("organiser", "post", f"{RECRUITING}message", {"text": "\u200b"})) == (409, "message_missing")


def test_organisers_act_for_all_whom_the_season_waits_for(api: Any) -> None:
    listed = api("organiser", "get", f"{RUNNING}absent/").json()["awaited"]
    assert {(each["stable"], each["waits_for"]) for each in listed} == {
        ("player-sons", "line_up"), ("rival-sons", "line_up"),
    }  # fmt: skip
    address = f"{RUNNING}absent/"
    assert api("organiser", "post", address, {"act": "remind"}).json() == {
        "done": ["player-sons", "rival-sons"], "refused": [],
    }  # fmt: skip
    one = {"act": "line_up", "stables": ["player-sons"], "reason": "agreed"}
    assert api("organiser", "post", address, one).json()["done"] == ["player-sons"]
    refused = api("organiser", "post", address, {**one, "stables": ["player-sons"]}).json()["refused"]
    assert [each["code"] for each in refused] == ["stable_not_awaited"]
    assert refused[0]["detail"].endswith("now.")
    assert code_of(api("organiser", "post", address, {**one, "stables": ["nobody"]})) == (409, "nobody_chosen")
    assert code_of(api("organiser", "post", address, {"act": "line_up"})) == (409, "reason_missing")
    assert code_of(api("organiser", "post", address, {"act": "extend", "reason": "agreed"})) == (409, "bad_field")
    assert code_of(api("organiser", "post", address, {"act": "feed"})) == (400, "invalid")
    assert code_of(api("player", "get", address)) == (403, "forbidden")


def test_organisers_ask_who_comes_and_owners_answer(api: Any) -> None:
    address = f"{RUNNING}who-comes/"
    ComingQuestion.objects.all().delete()
    assert api("organiser", "get", address).json() == {"at": None, "answers": []}
    own = f"{RUNNING}stables/player-sons/coming/"
    assert code_of(api("player", "put", own, {"is_coming": True})) == (409, "nothing_asked")
    assert api("organiser", "post", address, {"at": SOON.isoformat()}).json() == {"people": 2}
    assert api("player", "put", own, {"is_coming": False}).json()["is_coming"] is False
    answers = api("organiser", "get", address).json()["answers"]
    assert [(each["stable"], each["is_coming"]) for each in answers] == [("player-sons", False), ("rival-sons", None)]
    assert code_of(api("rival", "put", own, {"is_coming": True})) == (403, "forbidden")
    assert code_of(api("player", "get", address)) == (403, "forbidden")
    past = {"at": "2001-01-01T19:00:00Z"}
    assert code_of(api("organiser", "post", address, past)) == (409, "date_not_ahead")


def test_organisers_choose_for_an_absent_stable(api: Any) -> None:
    address = f"{RUNNING}stables/player-sons/absent"
    forfeit = {"choice": "forfeit", "reason": "no_show"}
    assert code_of(api("rival", "post", address, forfeit)) == (403, "forbidden")
    assert code_of(api("organiser", "post", address, {"choice": "bye", "reason": "agreed"})) == (409, "bye_not_due")
    assert code_of(api("organiser", "post", address, {"choice": "new_date", "reason": "agreed"})) == (409, "bad_field")
    assert code_of(api("organiser", "post", address, {"choice": "forfeit"})) == (409, "reason_missing")
    assert api("organiser", "post", address, forfeit).json()["choice"] == "forfeit"
    assert code_of(api("organiser", "post", address, forfeit)) == (409, "stable_not_awaited")
