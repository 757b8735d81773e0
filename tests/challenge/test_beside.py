"""The page beside a table: bets, turrets, tanks, mines, rebar, notes, a forfeit."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from challenge.forms.arena import beside
from challenge.models import Entry, Event
from challenge.presenters.arena.beside import words_of
from challenge.services.books import Wish, write
from challenge.services.events import make_key, open_event
from people.models import User
from rules.challenge.book.rows import DEED
from rules.challenge.deeds.surprises import MOST_DENSITY
from rules.challenge.entries import read_entry
from rules.challenge.kinds import KINDS
from tests.challenge.conftest import GM, LIGHT, Enter
from tests.challenge.test_table import page_of, press, state_of


def client_with(event: Event, role: str, table: str = "") -> Client:
    key = make_key(event, GM, role, table=table, label=role)
    client = Client()
    client.get(f"/challenge/{event.slug}/key/{key.secret}/")
    return client


@pytest.fixture
def agent(fight: Event) -> Client:
    return client_with(fight, "agent", "Factory")


@pytest.fixture
def bettors(owner: User) -> Event:
    """Ross and Jo hold a white chip each for a head hit, and the second turn has begun."""
    event = open_event("Chips", {"tables": [{"id": "Factory"}], "options": ["betting"]}, {"minimum_turns": 2}, owner)
    deeds: list[dict[str, Any]] = []
    for name in ("Ross", "Jo"):
        deeds += [
            {"what": "new_pilot", "by": name},
            {"do": "buy_mech", "pilot": name, "mech": LIGHT},
            {"what": "enter", "by": name, "turn": 1, "phase": "movement"},
        ]
    for by, at in (("Ross", "Jo"), ("Jo", "Ross")):
        deeds.append({"what": "head_hit", "by": by, "at": at, "turn": 1, "phase": "fire"})
    deeds.append({"what": "end_turn", "turn": 1})
    write(event.pk, GM, [Wish(f"c-{place}", DEED, {**deed, "table": "Factory"}) for place, deed in enumerate(deeds)])
    return Event.objects.get(pk=event.pk)


def rows_of(event: Event, name: str) -> list[str]:
    return [chip.row for chip in state_of(event).pilots[name].chips]


def notes(event: Event) -> list[str]:
    entries = Entry.objects.filter(event=event, document__has_key="what").order_by("number")
    said = [words_of(read_entry(entry.document, KINDS)) for entry in entries]
    return [text for text in said if text]


BET = {"press": "bet", "own": "special.E|Ross", "against": "special.E|Jo", "on": "Jo keeps standing", "turn": 2}


@pytest.mark.parametrize(("said", "winner"), [("won", "Ross"), ("lost", "Jo")])
def test_a_bet_is_made_and_settled_by_one_press_each(bettors: Event, said: str, winner: str) -> None:
    agent = client_with(bettors, "agent", "Factory")
    assert press(agent, bettors, "beside/", **BET).status_code == 302
    assert (rows_of(bettors, "Ross"), rows_of(bettors, "Jo")) == ([], [])
    shown = agent.get(page_of(bettors, "beside/")).content.decode()
    assert "Jo keeps standing" in shown
    assert "Bets (1)" in agent.get(page_of(bettors)).content.decode()
    (bet,) = state_of(bettors).bets
    press(agent, bettors, "beside/", press=said, bet=bet, turn=2)
    assert rows_of(bettors, winner) == ["special.E", "special.E"]
    assert state_of(bettors).bets == {}


def test_against_the_house_a_winner_gets_the_chip_that_it_staked(bettors: Event) -> None:
    agent = client_with(bettors, "agent", "Factory")
    press(agent, bettors, "beside/", **{**BET, "against": "", "house_chip": "special.A"})
    (bet,) = state_of(bettors).bets
    press(agent, bettors, "beside/", press="won", bet=bet, turn=2)
    assert rows_of(bettors, "Ross") == ["special.E", "special.A"]


def test_an_edge_card_calls_a_bet_off(bettors: Event) -> None:
    agent = client_with(bettors, "agent", "Factory")
    press(agent, bettors, "beside/", **BET)
    (bet,) = state_of(bettors).bets
    press(agent, bettors, "beside/", press="call_off", bet=bet, pilot="Jo", turn=2)
    assert (rows_of(bettors, "Ross"), rows_of(bettors, "Jo")) == (["special.E"], ["special.E"])
    assert state_of(bettors).pilots["Jo"].edge == 0


def test_a_bet_without_its_roll_or_with_a_chip_that_is_gone_is_refused(bettors: Event) -> None:
    agent = client_with(bettors, "agent", "Factory")
    assert press(agent, bettors, "beside/", **{**BET, "on": " "}).status_code == 400
    press(agent, bettors, "beside/", **BET)
    assert press(agent, bettors, "beside/", **BET).status_code == 409


def test_without_the_option_nobody_is_asked_for_bets(agent: Client, fight: Event) -> None:
    assert ">Bets<" not in agent.get(page_of(fight, "beside/")).content.decode()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (
            {"press": "turret", "class": "light", "die": "5", "first": "6", "second": "3", "place": "Hex 0512"},
            "Hex 0512: Light turret with SRM 4 (die 5) finds its target (6 + 3) and attacks with gunnery 5.",
        ),
        (
            {"press": "turret", "class": "assault", "die": "4", "first": "6", "second": "2"},
            "Assault turret with ER PPC (die 4) finds no target (6 + 2).",
        ),
        (
            {"press": "tank", "contents": "explosive", "damage": "20, 30"},
            "Tank with explosives takes 50 of 50: it breaks. Next to it: 20 damage in groups of 5; two hexes away: 10.",
        ),
        (
            {"press": "mines", "density": "12"},
            "Minefield of density 12: more than the recommended 10 (MC-MINE-02).",
        ),
        ({"press": "note", "text": "Building in 0306: 2 levels, CF 40."}, "Building in 0306: 2 levels, CF 40."),
    ],
)
def test_what_the_gm_plays_stands_in_the_book(agent: Client, fight: Event, sent: dict[str, str], said: str) -> None:
    assert press(agent, fight, "beside/", turn=1, **sent).status_code == 302
    assert notes(fight) == [said]
    assert state_of(fight).tables["Factory"].turn == 1


@pytest.mark.parametrize(
    ("sent", "facts"),
    [
        (
            {"press": "turret", "class": "light", "die": "5", "first": "6", "second": "3", "place": "Hex 0512"},
            {
                "what": "turret_search",
                "class": "light",
                "die": 5,
                "weapon": "SRM 4",
                "dice": [6, 3],
                "place": "Hex 0512",
            },
        ),
        (
            {"press": "turret_hit", "class": "assault", "damage": "30 20"},
            {"what": "turret_damage", "class": "assault", "points": 50},
        ),
        (
            {"press": "tank", "contents": "explosive", "damage": "20, 30"},
            {"what": "tank_damage", "contents": "explosive", "points": 50},
        ),
        ({"press": "mines", "density": "12"}, {"what": "minefield", "density": 12}),
    ],
)
def test_the_book_has_keys_and_figures_and_no_words_of_the_writers_language(
    agent: Client, fight: Event, sent: dict[str, str], facts: dict[str, Any]
) -> None:
    press(agent, fight, "beside/", turn=1, **sent)
    written = Entry.objects.filter(event=fight).latest("number").document
    assert {name: value for name, value in written.items() if name not in ("table", "turn")} == facts


def test_a_press_that_comes_twice_rolls_once(agent: Client, fight: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    rolled = iter(range(100))
    monkeypatch.setattr("secrets.randbelow", lambda below: next(rolled) % below)
    for _ in range(2):
        press(agent, fight, "beside/", client_id="once", press="turret", turn=1, **{"class": "light"})
    assert len(notes(fight)) == 1
    assert notes(fight)[0] in agent.get(page_of(fight, "beside/")).content.decode()


@pytest.mark.parametrize(("damage", "falls"), [("10 9", False), ("10 10", True)])
def test_a_turret_takes_its_factor_in_one_turn(agent: Client, fight: Event, damage: str, falls: bool) -> None:
    sent = {"press": "turret_hit", "class": "light", "damage": damage, "claimant": ["Ross", "Jo"], "turn": 1}
    press(agent, fight, "beside/", **sent)
    turrets = [fact.entry.by for fact in state_of(fight).tables["Factory"].facts if fact.entry.what == "turret"]
    assert turrets == ([("Ross", "Jo")] if falls else [])


def test_rebar_is_picked_up_and_laid_down(agent: Client, fight: Event) -> None:
    for held, carries in (("yes", True), ("no", False)):
        press(agent, fight, "beside/", press="rebar", pilot="Ross", held=held, turn=1)
        assert state_of(fight).pilots["Ross"].rebar is carries


def test_a_gm_alone_lets_a_pilot_forfeit(agent: Client, fight: Event) -> None:
    sent = {"press": "forfeit", "pilot": "Ross", "reason": "left without their sheets", "turn": 1}
    assert press(agent, fight, "beside/", **sent).status_code == 403
    press(client_with(fight, "gm"), fight, "beside/", **sent)
    assert state_of(fight).pilots["Ross"].forfeited


@pytest.mark.parametrize(
    "sent",
    [
        {"press": "dance"},
        {"press": "turret", "class": "heavy"},
        {"press": "turret", "class": "light", "die": "7"},
        {"press": "tank", "contents": "class_0", "damage": "much"},
        {"press": "tank", "contents": "milk", "damage": "5"},
        {"press": "mines", "density": ""},
        {"press": "note", "text": " "},
    ],
)
def test_what_cannot_be_read_changes_nothing(agent: Client, fight: Event, sent: dict[str, str]) -> None:
    before = Entry.objects.count()
    assert press(agent, fight, "beside/", turn=1, **sent).status_code == 400
    assert Entry.objects.count() == before


def test_every_press_of_the_page_has_its_maker(agent: Client, bettors: Event) -> None:
    press(client_with(bettors, "agent", "Factory"), bettors, "beside/", **{**BET, "against": ""})
    shown = client_with(bettors, "gm").get(page_of(bettors, "beside/")).content.decode()
    for name in beside._MAKERS:
        assert f'name="press" value="{name}"' in shown, name


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("", "MC-AWD-05"), ("", "MC-BOARD-01"), ("", "MC-EXIT-08"), ("beside/", "MC-TUR-02"), ("beside/", "MC-TANK-02"),
        ("initiative/", "MC-AREA-02"), ("initiative/", "MC-AREA-03"),
    ],
)  # fmt: skip
def test_rules_that_nothing_enforces_stand_where_they_are_needed(
    agent: Client, fight: Event, path: str, rule: str
) -> None:
    assert rule in agent.get(page_of(fight, path)).content.decode()


def test_the_final_has_its_reminders(owner: User, client: Client, fight: Event, enter: Enter) -> None:
    client.force_login(owner)
    assert "MC-AREA-04" in client.get(f"/challenge/{fight.slug}/day/final/").content.decode()


def test_a_refused_press_shows_what_was_typed_in_its_own_form(agent: Client, fight: Event) -> None:
    fields = {"press": "mines", "density": "12 x", "place": "north wall"}
    answer = press(agent, fight, "beside/", **fields)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert 'value="12 x"' in page
    assert page.count('value="north wall"') == 1
    again = press(agent, fight, "beside/", press="turret_hit", damage="5 y", claimant="Jo", **{"class": "assault"})
    page = again.content.decode()
    assert page.count('value="5 y"') == 1
    assert 'value="assault" selected' in page
    assert "checked" in page.partition('name="claimant" value="Jo"')[2][:40]


def test_the_fields_take_as_much_as_the_rules(agent: Client, fight: Event) -> None:
    page = agent.get(page_of(fight, "beside/")).content.decode()
    assert f'maxlength="{beside.LONGEST_NOTE}"' in page
    assert f'max="{MOST_DENSITY}"' in page
