"""The board in words: every hex with its terrain, its height and what stands there."""

from __future__ import annotations

import pytest
from django.test import Client

from matches.presenters.board import build_board
from matches.presenters.board_words import words_of
from matches.services.answering import Seat
from people.models import User
from tests.matches.playing import engine_at, match_at

from .test_board import ALL, ARENA, SIDES, snapshot


def test_every_hex_is_named_with_its_terrain_and_height() -> None:
    words = words_of(build_board(ARENA, snapshot(), SIDES))
    said = {ground.words: ground.codes for ground in words.grounds}
    assert sorted(code for codes in said.values() for code in codes) == sorted(ALL)
    assert said["hindering terrain"] == ("0607",)
    assert said["water, elevated terrain"] == ("0608",)
    assert said["blocking terrain, abrupt elevated terrain"] == ("0405",)
    assert said["elevated terrain"] == ("0101",)
    assert said["clear terrain, starting area A"] == ("0402", "0813")


def test_what_stands_in_a_hex_is_said_with_its_ground() -> None:
    words = words_of(build_board(ARENA, snapshot(eliminated=True), SIDES, {"blue-1": "0607"}))
    said = {place.code: (place.ground, place.things) for place in words.places}
    assert set(said) == {"0406", "0607", "0612"}
    assert "facing 4 o’clock" in said["0406"][1][0]
    assert said["0607"][0] == "hindering terrain"
    assert "was eliminated here" in said["0607"][1][0]
    assert said["0612"][1] == ("target token, defense 17",)


@pytest.fixture
def player(db: None, client: Client) -> User:
    found = User.objects.create_user("player", "player@example.org", "-")
    client.force_login(found)
    return found


def page_of(client: Client, player: User, kind: str, query: str) -> str:
    decision = engine_at(kind)[2].decision
    assert decision is not None
    match = match_at(kind, lambda side: Seat(side, player.pk) if side == decision.side else Seat(side, bot="greedy"))
    return " ".join(client.get(f"{match.get_absolute_url()}play/?{query}").content.decode().split())


def test_the_links_of_a_move_name_the_ground_of_their_hexes(client: Client, player: User) -> None:
    page = page_of(client, player, "move", "order=move")
    assert "The board in words" in page
    assert "clear terrain, walk" in page


def test_the_last_step_says_what_the_heat_dial_will_show(client: Client, player: User) -> None:
    unit = engine_at("combat")[2].snapshot()["units"]["u0"]
    assert (unit["heat"], unit["heat_die"]) == (0, 1)
    page = page_of(client, player, "combat", "order=pass")
    assert page.index("step 0 now, +1 on the heat die.") < page.index("Step 1 of 5 in the clean-up.")
    assert page.index("Step 1 of 5 in the clean-up.") < page.index('id="commit"')
