"""The board: its scenes, the poll that costs one query, cheers, and the page that runs it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from challenge.models import Event
from challenge.selectors import books
from challenge.selectors.books import book_of
from challenge.services.events import close_event, show_scene
from challenge.views import board as views
from people.models import User
from people.services.accounts import Limit
from tests.challenge.conftest import GM, LIGHT, Enter


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def address(event: Event, rest: str = "") -> str:
    return f"/challenge/{event.slug}/board/{rest}"


def text(client: Client, event: Event) -> str:
    answer = client.get(address(event))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def gm(owner: User) -> Client:
    browser = Client()
    browser.force_login(owner)
    return browser


@pytest.fixture
def crowded(event: Event, enter: Enter) -> Event:
    """Ten pilots with a 'Mech; those with later numbers have less Fame."""
    for place in range(1, 11):
        name = f"Pilot {place}"
        enter(what="new_pilot", by=name)
        enter(do="buy_mech", pilot=name, mech=LIGHT)
        enter(what="give", at=name, fame=20 - place)
    return fresh(event)


def version(client: Client, event: Event) -> str:
    return text(client, event).split('data-version="')[1].split('"')[0]


def test_everybody_sees_the_board_without_the_frame_of_the_site(client: Client, fight: Event) -> None:
    page = text(client, fight)
    assert "Steel Night" in page
    assert "turn 1" in page
    assert "masthead" not in page
    assert "footer" not in page
    assert '<noscript><meta http-equiv="refresh"' in page


def test_eight_have_a_seat_and_the_ninth_stands_below_the_cut(client: Client, crowded: Event) -> None:
    page = text(client, crowded)
    assert page.count('<th scope="row">') == 9
    assert page.index("Pilot 8") < page.index("— cut —") < page.index("Pilot 9")
    assert "Pilot 10" not in page.split("board-next")[0]


def test_the_cut_is_there_for_few_pilots_too(client: Client, fight: Event) -> None:
    assert "— cut —" in text(client, fight)


def test_it_says_who_comes_next_and_what_was_earned(client: Client, fight: Event, enter: Enter) -> None:
    enter(what="head_hit", by="Ross", at="Jo", turn=1, phase="fire")
    enter(what="exit", by="Jo", turn=1, overruled="ill")
    enter(what="end_turn", turn=1)
    page = text(client, fight)
    assert "Next in:" in page
    following = page.split("board-next")[1].split("</p>")[0]
    assert "Jo" in following
    assert "</abbr>4" in following
    assert "Ross (1) hits the head of the &#x27;Mech of Jo (2)." in page


def test_nobody_without_a_mech_that_can_fight_may_enter(client: Client, fight: Event, enter: Enter) -> None:
    enter(what="kill", by=["Ross"], at="Jo", method="fire", turn=1, phase="fire")
    for turn in (1, 2, 3):
        enter(what="end_turn", turn=turn)
    page = text(client, fight)
    assert "Jo" not in page.split("board-next")[1].split("</p>")[0]
    assert "may enter" not in page
    assert "off the board" in page
    show_scene(fight, GM, "queue")
    assert "has no ’Mech that can fight" in text(client, fight)


@pytest.mark.parametrize(
    ("scene", "shown"), [("top", "— cut —"), ("headlines", "Headlines"), ("queue", "may enter"), ("final", "Overruns")]
)
def test_each_scene_shows_its_own(client: Client, crowded: Event, scene: str, shown: str) -> None:
    show_scene(crowded, GM, scene)
    page = text(client, crowded)
    assert f'data-scene="{scene}"' in page
    assert shown in page


def test_the_queue_says_how_many_more_wait(client: Client, crowded: Event) -> None:
    show_scene(crowded, GM, "queue")
    assert "and 1 more" in text(client, crowded)


def test_a_poll_of_an_unchanged_board_is_one_query_and_folds_nothing(
    client: Client, fight: Event, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    known = version(client, fight)

    def no_fold(*_arguments: object) -> None:
        raise AssertionError("folded")

    monkeypatch.setattr(views, "book_of", no_fold)
    monkeypatch.setattr(books, "fold_rows", no_fold)
    with django_assert_num_queries(1):
        answer = client.get(address(fight, "state/"), {"version": known})
    assert answer.status_code == 204
    assert answer.content == b""


@pytest.mark.parametrize("change", ["row", "scene", "cheer", "end"])
def test_whatever_the_board_shows_changes_its_version(client: Client, fight: Event, enter: Enter, change: str) -> None:
    known = version(client, fight)
    if change == "row":
        enter(what="noted", text="x")
    elif change == "scene":
        show_scene(fight, GM, "top")
    elif change == "cheer":
        client.post(address(fight, "cheer/"))
    else:
        close_event(fight.pk, GM)
    answer = client.get(address(fight, "state/"), {"version": known})
    assert answer.status_code == 200
    assert 'id="board-scene"' in answer.content.decode()
    assert known not in answer.content.decode()


def test_a_poll_is_never_kept_and_unknown_events_are_not_there(client: Client, fight: Event) -> None:
    assert "no-store" in client.get(address(fight, "state/")).headers["Cache-Control"]
    assert client.get("/challenge/nothing/board/state/").status_code == 404


def test_cheers_are_counted_for_the_gm_and_limited_for_an_address(
    client: Client, gm: Client, fight: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "CHEERS_OF_A_PLACE", Limit("challenge_cheer", 2))
    answers = [client.post(address(fight, "cheer/")).status_code for _press in range(3)]
    assert answers == [302, 302, 429]
    assert fresh(fight).cheers == 2
    assert "Spectators have cheered 2 times." in gm.get(address(fight, "scenes/")).content.decode()
    assert client.get(address(fight, "cheer/")).status_code == 405


def test_the_gm_changes_the_scene_with_one_press_and_nobody_else_does(client: Client, gm: Client, fight: Event) -> None:
    assert gm.post(address(fight, "scenes/"), {"scene": "final"}).status_code == 302
    assert fresh(fight).scene == "final"
    assert client.post(address(fight, "scenes/"), {"scene": "top"}).status_code == 403
    assert client.get(address(fight, "scenes/")).status_code == 403
    assert gm.post(address(fight, "scenes/"), {"scene": "song"}).status_code == 403
    assert fresh(fight).scene == "final"


def test_the_final_counts_points_and_overruns(client: Client, gm: Client, event: Event, enter: Enter) -> None:
    for name in ("Ross", "Jo"):
        enter(what="new_pilot", by=name)
        enter(do="buy_mech", pilot=name, mech=LIGHT)
    enter(what="stage", stage="final", finalists=["Ross", "Jo"])
    for name in ("Ross", "Jo"):
        enter(what="enter", by=name, turn=1, phase="movement")
    show_scene(event, GM, "final")
    assert 'name="pilot" value="Jo"' in gm.get(address(event, "scenes/")).content.decode()
    for _again in range(2):
        assert gm.post(address(event, "overrun/"), {"pilot": "Jo", "client_id": "o"}).status_code == 302
    assert book_of(fresh(event)).state.pilots["Jo"].overruns == 1
    enter(what="kill", by=["Ross"], at="Jo", method="fire", turn=1, phase="fire")
    enter(what="end_turn", turn=1)
    page = text(client, event)
    ross, jo = (page.split(f"{name}</span>")[1].split("</tr>")[0] for name in ("Ross", "Jo"))
    assert '<td class="number">1</td>' in ross
    assert ">out<" in jo.replace("\n", "").replace(" ", "")


def test_the_board_costs_few_queries(client: Client, fight: Event, django_assert_max_num_queries: Any) -> None:
    client.get(address(fight))
    with django_assert_max_num_queries(3):
        client.get(address(fight))
