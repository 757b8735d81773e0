"""Text that is not a number, where a form or an address wants one, is refused or left out: it never stops a page."""

from __future__ import annotations

import pytest
from django.test import Client

from challenge.models import Event
from people.models import User

WRONG = ("²", "①", "9" * 5000, "0" * 5000)

ADDRESSES = [
    "tables/Factory/?closed={}",
    "pilots/Ross/cycle/?step={}&cp={}&damage.armor={}&parts.armor={}",
    "log/?after={}&page={}",
    "board/?table={}",
]
FORMS: list[tuple[str, dict[str, str]]] = [
    ("tables/Factory/feat/", {"feat": "damage.one_place", "by": "Ross", "at": "Jo", "points": "{}", "turn": "1"}),
    ("tables/Factory/feat/", {"feat": "damage.5-9", "by": "Ross", "at": "Jo", "turn": "{}"}),
    ("tables/Factory/undo/", {"number": "{}"}),
    ("tables/Factory/claims/", {"accept": "{}"}),
    ("tables/Factory/claims/", {"strike": "{}"}),
    ("tables/Factory/beside/", {"press": "turret", "class": "light", "die": "{}"}),
    ("tables/Factory/beside/", {"press": "turret_hit", "class": "light", "damage": "{}"}),
    ("tables/Factory/beside/", {"press": "note", "text": "x", "turn": "{}"}),
    (
        "tables/Factory/fall/",
        {"state": "destroyed", "at": "Jo", "shown_phase": "fire", "phase": "fire", "wounds": "{}"},
    ),
    ("tables/Factory/end/", {"points:Jo-fire": "{}"}),
    ("tables/Factory/enter/", {"pilot": "Ross", "turn": "{}"}),
    ("tables/Factory/draw/", {"step": "{}"}),
    ("tables/Factory/order/", {"cards": "1 {}"}),
    ("pilots/Ross/plan/", {"press": "withdraw", "claim": "{}"}),
    ("pilots/Ross/claim/", {"what": "damage", "points": "{}", "turn": "{}"}),
    ("pilots/Ross/cycle/", {"do": "repair", "cp": "{}", "damage.armor": "{}", "at_step": "{}"}),
    ("door/approve/", {"pilot": "Ross", "card": "{}"}),
    ("door/undo/", {"number": "{}"}),
    ("claims/", {"claim": "{}", "press": "accept"}),
    ("keys/end/", {"key": "{}"}),
    ("log/2/", {"what": "damage", "points": "{}", "turn": "{}"}),
    ("give/", {"pilot": "Ross", "fame": "{}", "cp": "{}", "c_bills": "{}"}),
    ("log/undo/", {"number": "{}"}),
]


@pytest.fixture
def gm(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_is_shown_all_the_same(gm: Client, fight: Event, address: str) -> None:
    shown = [gm.get(f"/challenge/{fight.slug}/{address.replace('{}', wrong)}") for wrong in WRONG]
    assert {answer.status_code for answer in shown} == {200}


@pytest.mark.parametrize(("where", "fields"), FORMS, ids=[f"{where}{'-'.join(fields)}" for where, fields in FORMS])
def test_a_form_is_answered(gm: Client, fight: Event, where: str, fields: dict[str, str]) -> None:
    for place, wrong in enumerate(WRONG):
        sent = {name: value.replace("{}", wrong) for name, value in fields.items()}
        answer = gm.post(f"/challenge/{fight.slug}/{where}", {"client_id": f"wrong{place}", **sent})
        assert answer.status_code in (200, 302, 400, 403, 404, 409), wrong[:9]
