"""Initiative at a table: who enters and where, the deck that outlasts a power cut, real cards that win."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from challenge.models import Deck, Entry, Event
from challenge.presenters.initiative import deck_view
from challenge.services.books import Wish, write
from challenge.services.events import make_key
from rules.challenge.book.rows import SETUP as SETUP_ROW
from tests.challenge.conftest import GM, LIGHT, Enter
from tests.challenge.test_table import page_of, press, state_of

STABLE = {"fame": 20, "cp": 20, "c_bills": 5_000_000}


@pytest.fixture
def agent(event: Event) -> Client:
    key = make_key(event, GM, "agent", table="Factory", label="agent")
    client = Client()
    client.get(f"/challenge/{event.slug}/key/{key.secret}/")
    return client


@pytest.fixture
def turn_two(fight: Event, enter: Enter) -> Event:
    """Turn 2 with Ross, Jo and Kim, who belongs to the Wraiths."""
    enter(what="new_pilot", by="Kim")
    enter(what="give", at="Kim", **STABLE, reason="a test")
    enter(do="declare_house", pilot="Kim", house="CC")
    enter(do="join_stable", pilot="Kim", stable="wraiths")
    enter(do="buy_mech", pilot="Kim", mech=LIGHT)
    enter(what="enter", by="Kim", turn=1, phase="movement")
    enter(what="end_turn", turn=1)
    return Event.objects.get(pk=fight.pk)


def deck_of(event: Event) -> Any:
    return deck_view(event, state_of(event), "Factory")


def order_of(event: Event) -> list[str]:
    return state_of(event).tables["Factory"].order


def cards(event: Event, *, down: list[int], opened: int, in_place: tuple[int, ...] = ()) -> None:
    """Lay the cards so that they lie in a known order."""
    Deck.objects.filter(event=event).update(
        state={"down": down, "open": opened, "in_place": list(in_place), "waiting": []}
    )


def test_in_the_set_up_each_takes_a_portal_of_their_own(agent: Client, event: Event, enter: Enter) -> None:
    """MC-SETUP-01, MC-SETUP-02: whose portal nobody says draws one of those that are free."""
    for name in ("Ross", "Jo", "Kim"):
        enter(what="new_pilot", by=name)
        enter(do="buy_mech", pilot=name, mech=LIGHT)
    assert press(agent, event, "enter/", pilot=["Ross", "Jo", "Kim"], turn=1).status_code == 409
    assert not state_of(event).pilots["Ross"].is_in_arena
    press(agent, event, "enter/", pilot=["Ross", "Jo"], turn=1, **{"portal:Jo": "East"})
    pilots = state_of(event).pilots
    assert (pilots["Ross"].portal, pilots["Jo"].portal) == ("North", "East")


def test_who_may_not_enter_stands_there_with_the_reason(agent: Client, fight: Event, enter: Enter) -> None:
    enter(what="new_pilot", by="Kim")
    view = agent.get(page_of(fight, "initiative/")).context["view"]
    assert view.newcomers == []
    assert [(each.pilot.id, "MC-GEN-02" in each.why_not) for each in view.waiting] == [("Kim", True)]


def test_cards_turn_one_at_a_time_and_the_last_writes_the_order(agent: Client, fight: Event) -> None:
    press(agent, fight, "draw/", step="begin", client_id="a")
    cards(fight, down=[1], opened=2)
    assert (deck_of(fight).open_pilot.id, deck_of(fight).left) == ("Jo", 1)
    press(agent, fight, "draw/", step="0", client_id="b")
    press(agent, fight, "draw/", step="0", client_id="b")
    assert order_of(fight) == []
    press(agent, fight, "draw/", step="0", client_id="c")
    assert order_of(fight) == ["Jo", "Ross"]
    assert not Deck.objects.exists()
    assert press(agent, fight, "draw/", step="0", client_id="d").status_code == 409


def test_a_page_keeps_the_cards_face_down_to_itself(agent: Client, turn_two: Event) -> None:
    press(agent, turn_two, "draw/", step="begin", client_id="a")
    cards(turn_two, down=[2, 1], opened=3)
    one = agent.get(page_of(turn_two, "initiative/")).content.decode()
    cards(turn_two, down=[1, 2], opened=3)
    other = agent.get(page_of(turn_two, "initiative/")).content.decode()

    def shown(page: str) -> str:
        return page.partition('class="open-card"')[2].partition("</form>")[0]

    assert shown(one) == shown(other) != ""


def test_wraiths_move_their_card_at_the_draw(agent: Client, turn_two: Event) -> None:
    press(agent, turn_two, "draw/", step="begin", client_id="a")
    cards(turn_two, down=[2, 1], opened=3)
    assert list(deck_of(turn_two).places) == [0, 1, 2]
    assert press(agent, turn_two, "draw/", step="3", client_id="b").status_code == 409
    press(agent, turn_two, "draw/", step="1", client_id="c")
    assert list(deck_of(turn_two).places) == [0]
    assert press(agent, turn_two, "draw/", step="1", client_id="d").status_code == 409
    for client_id in "ef":
        press(agent, turn_two, "draw/", step="0", client_id=client_id)
    assert order_of(turn_two) == ["Jo", "Kim", "Ross"]


def test_no_ability_moves_a_card_in_the_set_up(agent: Client, event: Event, turn_two: Event, enter: Enter) -> None:
    for name in ("Ross", "Jo", "Kim"):
        enter(what="exit", by=name, turn=2, overruled="a test")
    enter(what="end_turn", turn=2)
    enter(what="enter", by="Kim", turn=3, overruled="a test")
    press(agent, event, "draw/", step="begin", client_id="a")
    assert list(deck_of(Event.objects.get(pk=event.pk)).places) == [0]


def test_an_edge_card_draws_again_and_is_gone(agent: Client, fight: Event) -> None:
    press(agent, fight, "draw/", step="begin", client_id="a")
    cards(fight, down=[1], opened=2)
    for _ in range(2):
        press(agent, fight, "draw/", step="redraw", client_id="b")
    assert state_of(fight).pilots["Jo"].edge == 0
    assert Entry.objects.filter(event=fight, document__what="edge").count() == 1
    stored = Deck.objects.get().state
    assert sorted([*stored["down"], stored["open"]]) == [1, 2]
    cards(fight, down=[1], opened=2)
    assert press(agent, fight, "draw/", step="redraw", client_id="c").status_code == 409
    assert Deck.objects.get().state["open"] == 2


def test_all_at_once_writes_an_order_of_everybody(agent: Client, fight: Event) -> None:
    press(agent, fight, "draw/", step="all")
    assert sorted(order_of(fight)) == ["Jo", "Ross"]


def test_real_cards_win_over_a_deck(agent: Client, fight: Event) -> None:
    press(agent, fight, "draw/", step="begin")
    assert press(agent, fight, "order/", cards="2, 9", turn=1).status_code == 409
    assert press(agent, fight, "order/", cards="two", turn=1).status_code == 400
    assert Deck.objects.exists()
    press(agent, fight, "order/", cards="2, 1", turn=1)
    assert order_of(fight) == ["Jo", "Ross"]
    assert not Deck.objects.exists()


def test_a_deck_is_for_those_who_run_the_table(agent: Client, fight: Event) -> None:
    assert Client().post(page_of(fight, "draw/"), {"step": "begin", "client_id": "a"}).status_code == 403
    assert agent.post(page_of(fight, "draw/", "Jungle"), {"step": "begin", "client_id": "a"}).status_code == 403
    assert not Deck.objects.exists()


@pytest.fixture
def chooser(event: Event, enter: Enter) -> Event:
    """Ross, Jo and Kim with three portals; Kim chooses theirs (Tactical Genius)."""
    setup = {"tables": [{"id": "Factory", "portals": ["North", "East", "South"]}]}
    write(event.pk, GM, [Wish("three", SETUP_ROW, setup)])
    for name in ("Ross", "Jo", "Kim"):
        enter(what="new_pilot", by=name)
        enter(do="buy_mech", pilot=name, mech=LIGHT)
    enter(do="buy_ability", pilot="Kim", ability="tactical_genius", overruled="a test")
    return Event.objects.get(pk=event.pk)


@pytest.mark.parametrize(("draws", "inside"), [([0, 0, 0], 3), ([1, 1, 0], 1), ([2, 0, 0], 0)])
def test_whoever_chooses_a_portal_is_asked_when_their_turn_comes(
    agent: Client, chooser: Event, monkeypatch: pytest.MonkeyPatch, draws: list[int], inside: int
) -> None:
    """Kim is third, with one portal left, then second, then first (MC-SETUP-03)."""
    left = [*draws, *[0] * 9]
    monkeypatch.setattr("secrets.randbelow", lambda below: left.pop(0))
    answer = press(agent, chooser, "enter/", pilot=["Ross", "Jo", "Kim"], turn=1, **{"no_eject:Kim": "yes"})
    pilots = state_of(chooser).pilots
    assert sum(pilot.is_in_arena for pilot in pilots.values()) == inside
    if inside < 3:
        shown = agent.get(answer.headers["Location"])
        assert "Kim chooses a portal" in shown.content.decode()
        queue, free = shown.context["queue"], shown.context["free"]
        assert len(free) == 3 - inside
        press(agent, chooser, "enter/", queue=queue, turn=1, **{f"portal:{queue[0]}": free[-1], "no_eject:Kim": "yes"})
        pilots = state_of(chooser).pilots
        assert pilots["Kim"].portal == free[-1]
    assert sorted(pilot.portal or "" for pilot in pilots.values() if pilot.is_in_arena) == ["East", "North", "South"]
    assert not pilots["Kim"].auto_eject


def test_a_portal_drawn_at_a_real_table_is_not_drawn_again(agent: Client, chooser: Event) -> None:
    press(agent, chooser, "enter/", pilot=["Ross", "Jo"], turn=1, **{"portal:Jo": "South"})
    assert state_of(chooser).pilots["Jo"].portal == "South"
    assert state_of(chooser).pilots["Ross"].portal in ("North", "East")
    taken = press(agent, chooser, "enter/", pilot=["Kim"], turn=1, **{"portal:Kim": "South"})
    assert "queue=Kim" not in taken.headers["Location"]
    assert state_of(chooser).pilots["Kim"].portal in ("North", "East")
