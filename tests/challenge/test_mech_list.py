"""The list of 'Mechs: one 'Mech more or less, and a GM's own prices with a preview."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from challenge.models import Entry, Event
from challenge.presenters.mechs import mech_lines
from challenge.selectors.books import book_of
from challenge.services.events import make_key
from people.models import User
from rules.challenge.mechs import MechModel
from rules.challenge.tables import read_data
from tests.challenge.conftest import GM, LIGHT

ONE = {
    "client_id": "m", "name": "Banshee BNC-3E", "tons": 95, "cost": "8,789,000", "walk": 4, "jump": "",
    "tech": "inner_sphere", "flags": ["ecm", "c3"],
}  # fmt: skip


@pytest.fixture
def gm(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def models(event: Event) -> dict[str, MechModel]:
    return book_of(Event.objects.get(pk=event.pk)).state.models


def post(browser: Client, event: Event, page: str, /, **typed: Any) -> Any:
    return browser.post(reverse(f"challenge:{page}", args=[event.slug]), typed)


def test_one_mech_comes_into_the_list_and_the_same_press_once(gm: Client, event: Event) -> None:
    for _ in range(2):
        assert post(gm, event, "mechs_add", **ONE).status_code == 302
    mech = models(event)["banshee_bnc_3e"]
    assert (mech.name, mech.tons, mech.cost, mech.walk, mech.run, mech.jump) == ("Banshee BNC-3E", 95, 8789000, 4, 6, 0)
    assert mech.flags == {"ecm", "c3"}
    assert Entry.objects.filter(event=event, kind="mechs").count() == 1
    # Who goes back and types another one has another one.
    assert post(gm, event, "mechs_add", **{**ONE, "name": "Banshee BNC-3S"}).status_code == 302
    assert "banshee_bnc_3s" in models(event)


@pytest.mark.parametrize("fault", [{"cost": "dear"}, {"tons": 15}, {"tons": 42}, {"name": "--"}, {"walk": ""}])
def test_a_faulty_mech_is_shown_as_typed(gm: Client, event: Event, fault: dict[str, Any]) -> None:
    answer = post(gm, event, "mechs_add", **{**ONE, **fault})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "<details open>" in page
    assert re.search(r'value="ecm"[^>]*checked', page)
    assert "banshee_bnc_3e" not in models(event)


def test_a_mech_is_taken_out_and_the_change_undone(gm: Client, event: Event) -> None:
    assert post(gm, event, "mechs_out", client_id="o", mech=LIGHT).status_code == 302
    assert LIGHT not in models(event)
    page = gm.get(reverse("challenge:mechs", args=[event.slug])).content.decode()
    number = re.findall(r'name="number" value="(\d+)"', page)[0]
    assert post(gm, event, "mechs_undo", client_id="u", number=number).status_code == 302
    assert LIGHT in models(event)
    assert post(gm, event, "mechs_undo", client_id="u", number=number).status_code == 404
    assert post(gm, event, "mechs_undo", client_id="u", number="1").status_code == 404


def test_prices_are_shown_first_and_then_taken_in_one_row(gm: Client, event: Event) -> None:
    text = "Name;Model;Tons;Price\r\nLocust;LCT-1V;20;1,600,000\r\nYeoman;YMN-6Y;60;6000000\r\nrubbish"
    shown = post(gm, event, "mechs_prices", client_id="p", text=text)
    page = shown.content.decode()
    assert shown.status_code == 200
    assert "Prices of ’Mechs in the list: 1. New ’Mechs: 1. Lines that cannot be read: 1." in page
    assert "1,512,400 → <b>1,600,000</b>" in page
    assert "Line 4:" in page
    assert models(event)[LIGHT].cost == 1_512_400
    hidden = re.search(r'name="text" value="([^"]*)"', page)
    assert hidden is not None
    assert post(gm, event, "mechs_prices", client_id="p", text=hidden[1], confirm="1").status_code == 302
    assert models(event)[LIGHT].cost == 1_600_000
    assert models(event)[LIGHT].walk == 8
    assert models(event)["yeoman_ymn_6y"].tons == 60
    assert Entry.objects.filter(event=event, kind="mechs").count() == 1


def test_a_file_of_prices_may_be_the_whole_list(gm: Client, event: Event) -> None:
    file = SimpleUploadedFile("prices.csv", "Løcust,20,1600000\nFlea,FLE-4,20,1500000\n".encode("cp1252"))
    page = post(gm, event, "mechs_prices", client_id="p", file=file, only="on").content.decode()
    assert "Løcust" in page
    assert "’Mechs that leave the list: 66" in page
    hidden = re.search(r'name="text" value="([^"]*)"', page)
    assert hidden is not None
    post(gm, event, "mechs_prices", client_id="p", text=hidden[1], only="on", confirm="1")
    assert sorted(models(event)) == ["flea_fle_4", "løcust"]


def test_without_lines_nothing_is_brought(gm: Client, event: Event) -> None:
    assert post(gm, event, "mechs_prices", client_id="p", text=" ").status_code == 400
    assert post(gm, event, "mechs_prices", client_id="p", text="nothing", confirm="1").status_code == 200
    assert not Entry.objects.filter(event=event, kind="mechs").exists()


def test_the_list_is_a_house_list_and_sorted_as_asked(
    gm: Client, event: Event, django_assert_max_num_queries: Any
) -> None:
    address = reverse("challenge:mechs", args=[event.slug])
    with django_assert_max_num_queries(15):
        page = gm.get(address).content.decode()
    assert "This is a house list" in page
    names = re.findall(r'<th scope="row" translate="no">([^<]+)<', page)
    costs = {model.name: model.cost for model in models(event).values()}
    assert [costs[name] for name in names] == sorted(costs.values())
    dearest = gm.get(address, {"by": "-price"}).content.decode()
    assert re.findall(r'<th scope="row" translate="no">([^<]+)<', dearest)[0] == "Mad Cat (Timber Wolf) Prime"
    found = gm.get(address, {"by": "nonsense", "q": "locust"}).content.decode()
    assert len(re.findall(r'<th scope="row" translate="no">', found)) == 4
    assert "formula and published figure agree" in found
    assert "house price: worked out by the formula" in found
    shown = mech_lines(models(event).values(), "name")
    assert {line.model.id for line in shown if "house price" not in str(line.basis)} == {
        row["id"] for row in read_data("mechs")["rows"] if row["basis"] == "both"
    }


def test_agents_read_the_list_and_only_gms_change_it(client: Client, event: Event) -> None:
    address = reverse("challenge:mechs", args=[event.slug])
    assert client.get(address).status_code == 403
    key = make_key(event, GM, "agent", table="Jungle")
    client.get(reverse("challenge:use_key", args=[event.slug, key.secret]))
    page = client.get(address).content.decode()
    assert "Take out" not in page
    for name in ("mechs_add", "mechs_out", "mechs_undo", "mechs_prices"):
        assert post(client, event, name, **ONE, mech=LIGHT, text="a;1").status_code == 403
    assert not Entry.objects.filter(event=event, kind="mechs").exists()
