"""A pilot through the door: one page, one press; refused with everything as typed; taken back in one press."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from challenge.models import Entry, Event, Key
from challenge.presenters.door import searched
from challenge.selectors.books import book_of
from challenge.services.books import Wish, write
from challenge.services.events import make_key
from people.models import User
from rules.challenge.book.rows import DEED, SESSION
from rules.challenge.mechs import MechModel
from rules.challenge.state import Pilot
from tests.challenge.conftest import GM, LIGHT, Enter

DEAR = "hunchback_hbk_4g"


@pytest.fixture
def gm(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def agent(event: Event) -> Client:
    """A browser that holds the key of the table Jungle."""
    found = Client()
    key = make_key(event, GM, Key.Role.AGENT, table="Jungle")
    assert found.get(reverse("challenge:use_key", args=[event.slug, key.secret])).status_code == 302
    return found


def door(event: Event) -> str:
    return reverse("challenge:door", args=[event.slug])


def typed(**more: Any) -> dict[str, Any]:
    return {"client_id": "laptop-1", "card": 1, "name": "Ross", "mech": LIGHT, **more}


def pilot(event: Event, name: str = "Ross") -> Pilot:
    return book_of(Event.objects.get(pk=event.pk)).state.pilots[name]


def test_one_press_brings_a_pilot_in_with_card_mech_edge_house_and_portal(gm: Client, event: Event) -> None:
    answer = gm.post(door(event), typed(player="Ana", edge="on", house="LA", place="Factory · East", card=7))
    assert answer.status_code == 302
    ross = pilot(event)
    assert (ross.player, ross.card, ross.approved, ross.edge, ross.house) == ("Ana", 7, True, 2, "LA")
    assert ross.mech is not None
    assert (ross.mech.model.id, ross.c_bills, ross.cp) == (LIGHT, 1_490_000, 4)
    assert (ross.table, ross.portal, ross.is_in_arena) == ("Factory", "East", True)
    page = gm.get(door(event)).content.decode()
    assert "1,490,000 C-bills, 4 CP" in page
    assert 'name="card" value="1"' in page


def test_what_must_be_typed_is_a_name_and_a_mech(gm: Client, event: Event) -> None:
    page = gm.get(door(event)).content.decode()
    form = page.split('id="door"')[1].split("</form>")[0]
    assert re.findall(r'<input[^>]* name="(\w+)"[^>]* required', form) == ["card", "name"]
    assert 'name="card" value="1"' in form
    # A name, a 'Mech, the button: three acts, and the name's letters.
    assert gm.post(door(event), typed()).status_code == 302
    assert pilot(event).player == "Ross"
    assert pilot(event).house is None
    assert pilot(event).edge == 1


def test_a_second_press_is_the_same_arrival(gm: Client, event: Event) -> None:
    for _ in range(2):
        assert gm.post(door(event), typed(edge="on")).status_code == 302
    assert Entry.objects.filter(event=event, kind=DEED).count() == 4


def test_a_refusal_writes_nothing_and_shows_all_as_typed(gm: Client, event: Event, enter: Enter) -> None:
    enter(what="new_pilot", by="Jo")
    before = Event.objects.get(pk=event.pk).written
    answer = gm.post(door(event), typed(card=1, player="Ana & Sons", edge="on", house="FS", place="Jungle"))
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Card 1 belongs to another pilot" in page
    assert 'value="Ana &amp; Sons"' in page
    assert re.search(rf'value="{LIGHT}" checked', page)
    assert re.search(r'<option value="FS" selected>', page)
    assert re.search(r'<option value="Jungle" selected>', page)
    assert 'name="client_id" value="laptop-1"' in page
    assert Event.objects.get(pk=event.pk).written == before
    assert gm.post(door(event), typed(card=2)).status_code == 302


def test_the_gm_overrules_a_refusal_with_one_press_and_an_agent_does_not(
    gm: Client, agent: Client, event: Event
) -> None:
    write(event.pk, GM, [Wish("limit", SESSION, {"most_value": 1_000_000})])
    assert "Overrule" in gm.post(door(event), typed()).content.decode()
    refused = agent.post(door(event), typed(overruled="agreed"))
    assert refused.status_code == 409
    assert "Overrule" not in refused.content.decode()
    assert gm.post(door(event), typed(overruled="agreed")).status_code == 302
    overruled = [entry for entry in Entry.objects.filter(event=event) if "overruled" in entry.document]
    assert [entry.document["do"] for entry in overruled] == ["buy_mech"]
    assert pilot(event).mech is not None


def test_a_name_that_is_taken_is_never_overruled(gm: Client, event: Event, enter: Enter) -> None:
    enter(what="new_pilot", by="Ross")
    enter(what="give", at="Ross", fame=9)
    answer = gm.post(door(event), typed(card=5, overruled="agreed"))
    assert answer.status_code == 409
    assert pilot(event).fame == 9


@pytest.mark.parametrize("name", ["Ann/Bo", "..", "", "x" * 61])
def test_a_name_that_no_address_takes_is_a_fault(gm: Client, event: Event, name: str) -> None:
    assert gm.post(door(event), typed(name=name)).status_code == 400
    assert book_of(Event.objects.get(pk=event.pk)).state.pilots == {}


def test_mechs_stand_with_those_first_that_the_money_buys(gm: Client, event: Event) -> None:
    page = gm.get(door(event)).content.decode()
    order = re.findall(r'name="mech" value="(\w+)"', page)
    assert order.index("spider_sdr_5v") < order.index(LIGHT) < order.index(DEAR)
    assert order.index(DEAR) < order.index("mad_cat_timber_wolf_prime")
    assert "leaves 1,490,000" in page
    assert re.search(r"too dear by [\d,]+: a loan covers it", page)


def test_a_search_keeps_what_is_typed_and_one_find_is_taken(gm: Client, event: Event) -> None:
    found = gm.post(door(event), typed(find="1", search="locust", mech="", edge="on")).content.decode()
    assert set(re.findall(r'name="mech" value="(\w+)"', found)) == {
        "locust_lct_1e", "locust_lct_1m", "locust_lct_1s", LIGHT,
    }  # fmt: skip
    assert 'value="Ross"' in found
    assert re.search(r'name="edge"[^>]*checked', found)
    several = gm.post(door(event), typed(search="locust", mech=""))
    assert several.status_code == 400
    assert gm.post(door(event), typed(search="lct-1V", mech="")).status_code == 302
    assert pilot(event).mech is not None
    assert len(re.findall(r'name="mech"', gm.get(door(event), {"q": "lct 1v"}).content.decode())) == 2


@pytest.mark.parametrize(("name", "search"), [("Żółw LCT-1V", "zolw lct1v"), ("Jäger", "jager"), ("Jäger", "Jaeger")])
def test_a_search_needs_no_marks(name: str, search: str) -> None:
    model = MechModel("a", 20, 0, name=name)
    assert searched([model, MechModel("b", 20, 0, name="Atlas")], search) == [model]


def test_a_loan_covers_what_the_first_mech_lacks(gm: Client, event: Event) -> None:
    mech = {"new_light": {"name": "New Light", "tons": 35, "cost": 3_159_000}}
    write(event.pk, GM, [Wish("m", "mechs", {"mechs": mech})])
    assert gm.post(door(event), typed(mech="new_light")).status_code == 409
    assert gm.post(door(event), typed(mech="new_light", loan="on")).status_code == 302
    ross = pilot(event)
    assert (ross.c_bills, ross.cp) == (-150_000, 5)
    assert ross.loan is not None
    assert ross.loan.limit == 150_000


def test_a_pilot_may_come_without_a_mech(gm: Client, event: Event) -> None:
    assert gm.post(door(event), typed(mech="")).status_code == 400
    assert gm.post(door(event), typed(mech="-")).status_code == 302
    assert pilot(event).mech is None


def test_an_arrival_is_undone_by_one_press(gm: Client, event: Event) -> None:
    gm.post(door(event), typed(edge="on", place="Factory · North"))
    gm.post(door(event), typed(name="Jo", card=2, client_id="laptop-2"))
    page = gm.get(door(event)).content.decode()
    numbers = re.findall(r'name="number" value="(\d+)"', page)
    assert len(numbers) == 2
    undo = reverse("challenge:door_undo", args=[event.slug])
    for _ in range(2):
        answer = gm.post(undo, {"client_id": "u", "number": numbers[1]})
    assert answer.status_code == 404
    assert list(book_of(Event.objects.get(pk=event.pk)).state.pilots) == ["Jo"]
    assert 'name="card" value="1"' in gm.get(door(event)).content.decode()


def test_an_arrival_in_a_closed_turn_is_undone_with_a_reason(gm: Client, event: Event, enter: Enter) -> None:
    gm.post(door(event), typed())
    enter(what="end_turn", turn=1)
    page = gm.get(door(event)).content.decode()
    assert "Undo in a closed turn" in page
    number = re.findall(r'name="number" value="(\d+)"', page)[0]
    undo = reverse("challenge:door_undo", args=[event.slug])
    assert gm.post(undo, {"client_id": "u", "number": number}).status_code == 409
    assert gm.post(undo, {"client_id": "u", "number": number, "reason": "wrong click"}).status_code == 302
    assert book_of(Event.objects.get(pk=event.pk)).state.pilots == {}


def test_who_wrote_themselves_in_is_approved_by_one_press(gm: Client, event: Event, enter: Enter) -> None:
    enter(what="new_pilot", by="Kim", player="Kim", approved=False)
    assert "Wait for approval" in gm.get(door(event)).content.decode()
    answer = gm.post(
        reverse("challenge:door_approve", args=[event.slug]), {"client_id": "a", "pilot": "Kim", "card": "4"}
    )
    assert answer.status_code == 302
    assert (pilot(event, "Kim").approved, pilot(event, "Kim").card) == (True, 4)
    assert "Wait for approval" not in gm.get(door(event)).content.decode()


def test_sheets_are_checked_in_by_one_press(gm: Client, fight: Event, enter: Enter) -> None:
    assert "sheets not handed in" not in gm.get(door(fight)).content.decode()
    enter(what="exit", by="Jo", turn=1, overruled="ill")
    assert "sheets not handed in" in gm.get(door(fight)).content.decode()
    answer = gm.post(reverse("challenge:door_sheets", args=[fight.slug]), {"client_id": "s", "pilot": "Jo"})
    assert answer.status_code == 302
    assert pilot(fight, "Jo").sheets_in
    assert "sheets not handed in" not in gm.get(door(fight)).content.decode()


def test_an_agent_lets_pilots_in_at_their_own_table_alone(agent: Client, event: Event) -> None:
    page = agent.get(door(event)).content.decode()
    assert '<option value="Jungle">' in page
    assert "Factory · North" not in page
    assert agent.post(door(event), typed(place="Factory · North")).status_code == 400
    assert agent.post(door(event), typed(place="Jungle")).status_code == 302
    assert pilot(event).table == "Jungle"


def test_the_door_is_shut_for_everybody_else(client: Client, event: Event, enter: Enter) -> None:
    enter(what="new_pilot", by="Ross")
    assert client.get(door(event)).status_code == 403
    assert client.post(door(event), typed(name="Eve")).status_code == 403
    for name in ("door_undo", "door_approve", "door_sheets"):
        assert client.post(reverse(f"challenge:{name}", args=[event.slug])).status_code == 403
    assert client.get(reverse("challenge:pilot_key", args=[event.slug, "Ross"])).status_code == 403


def test_an_agent_shows_the_key_of_a_pilot(agent: Client, event: Event, enter: Enter) -> None:
    enter(what="new_pilot", by="Ross Two")
    address = reverse("challenge:pilot_key", args=[event.slug, "Ross Two"])
    assert "<svg" not in agent.get(address).content.decode().split("<main")[1]
    assert not Key.objects.filter(role=Key.Role.PLAYER).exists()
    assert agent.post(address).status_code == 302
    secret = Key.objects.get(role=Key.Role.PLAYER, pilot="Ross Two").secret
    page = agent.get(address).content.decode()
    assert f"{event.slug}/key/{secret}/" in page
    assert 'role="img"' in page
    assert agent.get(reverse("challenge:pilot_key", args=[event.slug, "Nobody"])).status_code == 404


def test_the_door_asks_few_queries_however_long_the_list(
    gm: Client, fight: Event, django_assert_max_num_queries: Any
) -> None:
    many = {
        f"copy_{number}": {"name": f"Copy {number}", "tons": 20, "cost": 1_000_000 + number} for number in range(500)
    }
    write(fight.pk, GM, [Wish("m", "mechs", {"mechs": many})])
    with django_assert_max_num_queries(15):
        page = gm.get(door(fight)).content.decode()
    assert len(re.findall(r'<label class="offer" data-name', page)) == 200
    assert "more ’Mechs: find them by their names" in page


def test_prices_at_the_door_are_those_that_are_paid(gm: Client, event: Event) -> None:
    state = book_of(event).state
    dearest = max((m for m in state.models.values() if m.cost // 10_000 * 10_000 <= 3_000_000), key=_cost)
    gm.post(door(event), typed(mech=dearest.id))
    assert pilot(event).c_bills == 3_000_000 - dearest.cost // 10_000 * 10_000


def _cost(model: MechModel) -> int:
    return model.cost
