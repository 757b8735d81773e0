"""Each kind of offer off the board by its own form: what the page shows is what is sent, and what the book then has."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from challenge.models import Event
from challenge.presenters.offers import Offer
from challenge.services.books import Wish, write
from challenge.services.events import open_event
from people.models import User
from rules.challenge.book.rows import DEED
from rules.challenge.state import Pilot
from tests.challenge.conftest import GM, LIGHT
from tests.challenge.test_pilot import Phones
from tests.challenge.test_table import state_of

HUNCHBACK = "hunchback_hbk_4g"
RICH = {"what": "give", "fame": 20, "cp": 90, "c_bills": 30_000_000, "reason": "a test"}


def enter(event: Event, *deeds: dict[str, Any]) -> None:
    """Write deeds as the GM, all of them overruled: the tests are about what comes after them."""
    first = Event.objects.get(pk=event.pk).written
    wishes = [
        Wish(f"w{first}-{place}", DEED, {"table": "Factory", "overruled": "a test", **deed})
        for place, deed in enumerate(deeds)
    ]
    write(event.pk, GM, wishes)


@pytest.fixture
def event(owner: User) -> Event:
    """Ross and Jo, rich and off the board, each with a 'Mech; bets and teams are in play."""
    opened = open_event(
        "Offers", {"tables": [{"id": "Factory"}], "options": ["betting", "teams"]}, {"minimum_turns": 0}, owner
    )
    for name in ("Ross", "Jo"):
        enter(
            opened,
            {"what": "new_pilot", "by": name},
            {**RICH, "at": name},
            {"do": "buy_mech", "pilot": name, "mech": HUNCHBACK},
        )
    return opened


@pytest.fixture
def agent(event: Event) -> Client:
    return Phones(event).agent()


def pilot(event: Event, name: str = "Ross") -> Pilot:
    return state_of(event).pilots[name]


def offers(client: Client, event: Event, do: str, step: int = 0, name: str = "Ross", search: str = "") -> list[Offer]:
    """The offers of a kind on the page of a step; 0 is where the pilot stands."""
    asked: dict[str, Any] = {"search": search, **({"step": step} if step else {})}
    answer = client.get(f"/challenge/{event.slug}/pilots/{name}/cycle/", asked)
    assert answer.status_code == 200
    cycle = answer.context["cycle"]
    found = [*cycle.others, *(each for each_step in cycle.steps for each in each_step.offers)]
    return [each for each in found if ("do", do) in each.hidden]


def send(client: Client, event: Event, given: Offer, name: str = "Ross", **typed: Any) -> int:
    """Press the button of an offer, with some fields changed; return the status."""
    sent: dict[str, Any] = {}
    for field, value in given.hidden:
        sent.setdefault(field, []).append(value)
    sent |= {field.name: field.value for field in given.fields if field.kind != "marks" and field.value}
    sent |= {"client_id": f"press{Event.objects.get(pk=event.pk).written}", **typed}
    return int(client.post(f"/challenge/{event.slug}/pilots/{name}/cycle/", sent).status_code)


def test_chips_are_cashed(event: Event, agent: Client) -> None:
    turn = {"turn": 1, "phase": "fire"}
    enter(
        event,
        {"what": "enter", "by": "Ross", "turn": 1},
        {"what": "enter", "by": "Jo", "turn": 1},
        {"what": "head_hit", "by": "Ross", "at": "Jo", **turn},
        {"what": "end_turn", "turn": 1},
        {"what": "exit", "by": "Ross", "turn": 2, "phase": "end"},
    )
    before = pilot(event)
    assert [chip.row for chip in before.chips] == ["special.E"]
    assert send(agent, event, offers(agent, event, "cash_chips", 1)[0]) == 302
    after = pilot(event)
    assert (after.fame, after.cp, after.c_bills) == (before.fame + 1, before.cp + 1, before.c_bills + 200_000)
    assert after.chips == []


def test_a_stablemate_lends_and_is_repaid_with_the_stables_fifth(event: Event, agent: Client) -> None:
    enter(event, *({"do": "join_stable", "pilot": name, "stable": "wraiths"} for name in ("Ross", "Jo")))
    rich, poor = pilot(event, "Jo").c_bills, pilot(event).c_bills
    assert send(agent, event, offers(agent, event, "lend", name="Jo")[0], "Jo", c_bills="1000000") == 302
    assert (pilot(event, "Jo").c_bills, pilot(event).c_bills) == (rich - 1_000_000, poor + 1_000_000)
    assert send(agent, event, offers(agent, event, "repay")[0]) == 302
    assert (pilot(event, "Jo").c_bills, pilot(event).c_bills) == (rich, poor - 200_000)
    assert pilot(event).loan is None


def test_a_house_is_declared_and_changed(event: Event, agent: Client) -> None:
    cp = pilot(event).cp
    declared = next(each for each in offers(agent, event, "declare_house") if ("house", "CC") in each.hidden)
    assert send(agent, event, declared) == 302
    assert (pilot(event).house, pilot(event).cp) == ("CC", cp - 1)
    changed = next(each for each in offers(agent, event, "change_house") if ("house", "LA") in each.hidden)
    assert send(agent, event, changed) == 302
    assert (pilot(event).house, pilot(event).cp) == ("LA", cp - 5)


@pytest.mark.parametrize(("stable", "where", "status"), [("toranaga", "no", 302), ("wraiths", "yes", 302),
                                                         ("wraiths", "no", 409)])  # fmt: skip
def test_a_mech_is_changed_in_its_place(event: Event, agent: Client, stable: str, where: str, status: int) -> None:
    """MC-CUST-04: Toranaga alone of the two may put its physical weapon elsewhere."""
    enter(event, {"do": "join_stable", "pilot": "Ross", "stable": stable})
    mech = pilot(event).mech
    assert mech is not None
    added = "physical_weapons" if stable == "toranaga" else "ecm"
    typed: dict[str, Any] = {
        "cost": str(mech.book + 300_000),
        "removed": ["ammunition"],
        "added": [added],
        "weight_removed": "2000",
        "weight_added": "2000",
        "same_location": where,
    }
    (change,) = offers(agent, event, "customise")
    assert send(agent, event, change, **typed) == status
    changed = pilot(event).mech
    assert changed is not None
    assert (changed.built_by, changed.book) == ((stable, mech.book + 300_000) if status == 302 else (None, mech.book))


@pytest.mark.parametrize(
    ("typed", "status"),
    [({"cost": "1400000", "added": ["ecm"]}, 302), ({"cost": "1400000", "added": ["physical_weapons"]}, 409),
     ({"cost": ""}, 409), ({"cost": "1400000", "weight_added": "500"}, 409)],
)  # fmt: skip
def test_one_press_buys_a_mech_that_is_changed_at_once_or_does_nothing(
    event: Event, agent: Client, typed: dict[str, Any], status: int
) -> None:
    """MC-CUST-05: it costs what it costs when it is changed, be that less than the list says."""
    enter(
        event, {"do": "join_stable", "pilot": "Ross", "stable": "wraiths"},
        {"do": "sell", "pilot": "Ross"},
    )  # fmt: skip
    money, rows = pilot(event).c_bills, Event.objects.get(pk=event.pk).written
    changed = next(each for each in offers(agent, event, "buy_mech", 9) if ("with", "wraiths") in each.hidden)
    assert changed.allowed
    assert send(agent, event, changed, **{"mech": LIGHT, "same_location": "yes", **typed}) == status
    mech = pilot(event).mech
    if status == 409:
        assert (mech, pilot(event).c_bills, Event.objects.get(pk=event.pk).written) == (None, money, rows)
    else:
        assert mech is not None
        assert (mech.model.id, mech.built_by, mech.book) == (LIGHT, "wraiths", 1_400_000)
        assert (pilot(event).c_bills, Event.objects.get(pk=event.pk).written) == (money - 1_400_000, rows + 1)


def test_what_a_lost_stable_sold_is_bought_back(event: Event, agent: Client) -> None:
    enter(
        event,
        {"do": "join_stable", "pilot": "Ross", "stable": "wraiths"},
        {"do": "customise", "pilot": "Ross", "with": "wraiths", "cost": 4_000_000, "added": ["ecm"]},
        {"do": "drop_stable", "pilot": "Ross"},
    )
    assert pilot(event).mech is None
    enter(event, {"do": "join_stable", "pilot": "Ross", "stable": "wraiths"})
    money = pilot(event).c_bills
    assert send(agent, event, offers(agent, event, "buy_back", 9)[0]) == 302
    back = pilot(event).mech
    assert back is not None
    assert (back.model.id, back.book, pilot(event).c_bills) == (HUNCHBACK, 4_000_000, money - 4_000_000)


def test_special_ammunition_is_loaded_and_another_kind_refused(event: Event, agent: Client) -> None:
    enter(event, {"do": "join_stable", "pilot": "Ross", "stable": "silver_dragons"})
    (load,) = offers(agent, event, "special_ammunition")
    assert send(agent, event, load, ammunition="smoke") == 302
    assert send(agent, event, load, ammunition="thunder") == 409


@pytest.mark.parametrize(("dice", "lives"), [(["6", "4"], True), (["6", "3"], False)])
def test_solaris_prison_saves_with_ten(event: Event, agent: Client, dice: list[str], lives: bool) -> None:
    enter(
        event,
        {"do": "join_sponsor", "pilot": "Ross", "sponsor": "solaris_prison"},
        {"what": "enter", "by": "Ross", "turn": 1},
        {"what": "death", "at": "Ross", "turn": 1, "phase": "fire"},
    )
    listed = agent.get(f"/challenge/{event.slug}/off-board/").content.decode()
    assert "may be saved" in listed
    assert send(agent, event, offers(agent, event, "prison_roll")[0], dice=dice) == 302
    assert pilot(event).alive is lives


def test_a_team_shares_signs_pays_and_splits(event: Event, agent: Client) -> None:
    enter(event, {"what": "new_pilot", "by": "Kim"}, {**RICH, "at": "Kim"})
    for name in ("Ross", "Jo", "Kim"):
        assert send(agent, event, offers(agent, event, "team_up", name=name)[0], name, team="Lions") == 302
    assert send(agent, event, offers(agent, event, "deposit")[0], fame="10", cp="20", c_bills="9000000") == 302
    assert send(agent, event, offers(agent, event, "join_team_sponsor")[0], sponsor="vest") == 302
    team = state_of(event).teams["Lions"]
    assert (team.fame, team.cp, team.c_bills, team.sponsor and team.sponsor.id) == (10, 13, 9_500_000, "vest")
    bought = next(
        each for each in offers(agent, event, "buy_mech", 9, "Kim", "Locust") if ("mech", LIGHT) in each.hidden
    )
    own = pilot(event, "Kim").c_bills
    assert send(agent, event, bought, "Kim", from_team="yes") == 302
    kim = pilot(event, "Kim")
    assert kim.mech is not None
    assert (kim.mech.team, kim.c_bills) == ("Lions", own)
    assert state_of(event).teams["Lions"].c_bills < 9_500_000
    assert send(agent, event, offers(agent, event, "split")[0]) == 302
    assert state_of(event).teams == {} or pilot(event).team is None


def test_what_is_out_of_reach_and_long_forms_are_folded(event: Event, agent: Client) -> None:
    """A pilot without a C-bill reads a page of a few screens: refusals stay behind a line that counts them."""
    enter(
        event,
        {"do": "join_stable", "pilot": "Ross", "stable": "wraiths"},
        {"do": "sell", "pilot": "Ross"},
        {"what": "give", "at": "Ross", "cp": -pilot(event).cp, "c_bills": -60_000_000, "reason": "a test"},
    )
    answer = agent.get(f"/challenge/{event.slug}/pilots/Ross/cycle/?step=9")
    cycle = answer.context["cycle"]
    assert len(cycle.open_step.refused) > 3
    assert cycle.others_refused
    assert "<details open>" not in answer.content.decode()
    enter(event, {**RICH, "at": "Ross"}, {"do": "buy_mech", "pilot": "Ross", "mech": LIGHT})
    (change,) = offers(agent, event, "customise")
    assert change.is_long


@pytest.mark.parametrize("search", ["hunchback 4g", "HÜNCHBACK"])
def test_a_mech_to_be_changed_at_once_is_searched_like_all_others(event: Event, agent: Client, search: str) -> None:
    rich = {**RICH, "at": "Max"}
    enter(event, {"what": "new_pilot", "by": "Max"}, rich, {"do": "join_stable", "pilot": "Max", "stable": "wraiths"})
    listed = offers(agent, event, "buy_mech", 9, "Max", search)
    changed = [each for each in listed if ("with", "wraiths") in each.hidden]
    assert [field.value for each in changed for field in each.fields if field.name == "mech"] == [HUNCHBACK]
