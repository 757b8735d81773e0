"""The tutorial match: what it points out, from its first decision to its end, whatever the dice do."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match
from matches.presenters.lessons.tutorial import ASIDES, STEPS, done_by, hot_since, step_key
from matches.selectors.matches import find_match, rebuild, sides_of
from matches.services import matches
from matches.services.answering import Seat
from matches.services.beginning import quick_duels
from people.models import User
from rules import bots
from rules.bots.guard import Guard
from rules.competition.match import Match as EngineMatch
from rules.competition.setups import read_setup
from rules.core.dice import SeededDice
from tests.matches.playing import address_of, match_at, read

pytestmark = [pytest.mark.django_db, pytest.mark.database]

TUTORIAL = "/matches/tutorial/"
MOST_ANSWERS, MOST_ROUNDS = 120, 6
KEYS = [step.key for step in STEPS]


def lesson_in(page: str) -> str:
    found = re.search(r'id="lesson">([^<]+)<', page)
    return found[1] if found else ""


def text_of(key: str) -> str:
    return str(next(step.text for step in STEPS if step.key == key))


def shown(client: Client, match: Match, query: str = "") -> str:
    """The key of the step that the page points out, "" for none."""
    lesson = lesson_in(read(client, address_of(match) + query)).replace("&#x27;", "'")
    return next((step.key for step in (*STEPS, *ASIDES) if str(step.text) == lesson), "")


def test_a_visitor_learns_in_a_match_of_a_dozen_steps(client: Client) -> None:
    assert f'action="{TUTORIAL}"' in read(client, "/")
    assert client.get(TUTORIAL).status_code == 405
    address = client.post(TUTORIAL)["Location"]
    page = read(client, address)
    assert len(STEPS) == 12
    assert "Learned: 0 of 12" in page
    assert (lesson_in(page), 'data-lesson="board"' in page) == (text_of("hex"), True)
    # Another browser session of the same guest goes on where it was.
    again = Client()
    again.cookies = client.cookies
    assert "Learned: 0 of 12" in read(again, address)


def test_the_step_follows_the_choices_so_far(client: Client, player: User) -> None:
    match = quick_duels.teach(player)
    client.force_login(player)
    assert shown(client, match) == "hex"
    place = next(action for action in rebuild(match).legal_actions() if action.get("path"))["path"][-1]
    assert shown(client, match, f"?order=move&hex={place}") == "turn"
    assert shown(client, match, f"?order=move&hex={place}&facing=6") == "go"


def test_each_decision_has_the_step_that_fits_it_until_the_end(client: Client, player: User) -> None:
    match = quick_duels.teach(player)
    client.force_login(player)
    bot, rng, fits = bots.get("greedy"), random.Random(1), {"react": "react", "initiative": "first"}
    seen = set()
    for _ in range(MOST_ANSWERS):
        match = find_match(match.public_id)
        if match.is_over:
            break
        engine = rebuild(match)
        decision = engine.decision
        assert decision is not None
        step = shown(client, match)
        seen.add(step)
        if decision.kind in fits:
            assert step == fits[decision.kind]
        elif decision.kind in ("move", "combat"):
            in_combat = {"aim", "no_target", "heat", "cool", "token", "end"}
            assert step in {"move": {"hex", "heat", "reacting", "token"}, "combat": in_combat}[decision.kind]
        answer = Guard(engine).ask(bot, rng)
        matches.play_action(match.pk, decision.side, match.last_sequence, answer.action)
    page = read(client, address_of(match))
    assert match.is_over
    assert (lesson_in(page), "of 12" in page, 'id="skip-tutorial"' in page) == ("", True, False)
    assert {"hex", "aim"} <= seen
    # What did not come up in the match is said at its end.
    assert [key for key in KEYS if text_of(key) not in unescape(page)] == []


@pytest.mark.parametrize("seed", [0, 3, 6])
def test_a_match_of_some_rounds_shows_move_fire_heat_reaction_and_token(seed: int) -> None:
    """Whatever the dice do, and although the player neither cools their ’Mech nor ever has a reaction to choose."""
    bot, rng = bots.get("greedy"), random.Random(seed)
    engine = EngineMatch.start(read_setup(quick_duels.lesson_setup(rng)), SeededDice(rng.randbytes(32)))
    guard, own = Guard(engine), dict[int, Mapping[str, Any]]()
    seen: set[str] = set()
    while (decision := engine.decision) is not None and engine.table.position.round <= MOST_ROUNDS:
        action = guard.ask(bot, rng).action
        if decision.side == "red":
            orders = {each["order"] for each in engine.legal_actions() if "order" in each}
            done = done_by(own, hot_since(engine, "red"), is_over=False) - {"react", "cool"}
            seen.add(step_key(engine, "red", {}, False, done, orders))
            own[len(engine.actions) + 1] = action
        engine.play(action)
    assert {"hex", "aim", "heat", "token"} <= seen
    assert seen & {"react", "reacting"}


def test_only_an_order_counts_as_a_look_at_the_heat() -> None:
    """Where somebody reacts or rolls for initiative, another step is said."""
    answers = {4: {"react": "none"}, 5: {"choose": "initiative", "first": True}}
    assert "heat" not in done_by(answers, 3, is_over=False)


def test_no_lesson_names_a_letter_that_the_board_does_not_have() -> None:
    """The board marks ways to move by chevrons and a leap; a single letter stands nowhere but on a start."""
    assert [key for key in KEYS if re.search(r"\b[A-Z]\b", text_of(key))] == []
    assert all(mark in text_of("hex") for mark in ("One chevron", "two are a run", "leap"))


def test_what_is_done_is_read_from_the_own_actions() -> None:
    moved = {"unit": "red-1", "order": "move", "path": []}
    shot = {"unit": "red-1", "order": "ranged", "value": "primary", "targets": ["t2"]}
    assert done_by({}, None, is_over=False) == frozenset()
    assert done_by({3: moved}, None, is_over=False) == {"hex", "turn", "go"}
    assert done_by({3: shot}, 4, is_over=False) == {"aim", "weapon", "fire", "token"}
    assert done_by({3: {"order": "vent"}, 5: {"react": "dodge"}}, 4, is_over=False) == {"react"}
    assert done_by({5: {"order": "vent"}}, 4, is_over=False) == {"heat", "cool"}
    assert done_by({5: {"choose": "initiative", "first": True}}, None, is_over=True) == {"first", "end"}
    everything = {1: moved, 3: shot, 5: {"order": "pass"}, 6: {"react": "none"}, 7: {"choose": "initiative"}}
    assert done_by(everything, 4, is_over=True) == set(KEYS)


def test_the_steps_can_be_skipped_by_their_player_alone(client: Client, player: User, rival: User) -> None:
    match = quick_duels.teach(player)
    address = reverse("matches:skip_tutorial", args=[match.public_id])
    client.force_login(rival)
    assert client.post(address).status_code == 403
    client.force_login(player)
    assert lesson_in(read(client, address_of(match)))
    assert client.post(address)["Location"] == address_of(match)
    page = read(client, address_of(match))
    assert ("Learned:" in page, lesson_in(page), sides_of(find_match(match.public_id), player)) == (
        False, "", ("red",),
    )  # fmt: skip


def test_no_other_match_teaches(client: Client, player: User) -> None:
    match = quick_duels.fight(player)
    client.force_login(player)
    page = read(client, address_of(match))
    assert ("Learned:" in page, "data-lesson" in page) == (False, False)


@pytest.mark.parametrize(
    ("kind", "answers"),
    [("react", {}), ("initiative", {}), ("move", {}), ("move", {"hex": "0101"}), ("combat", {"order": "ranged"})],
)
def test_what_is_learned_is_not_said_again(kind: str, answers: dict[str, str]) -> None:
    engine = rebuild(match_at(kind, lambda side: Seat(side, bot="greedy")))
    everything = frozenset(KEYS) - {"end"}
    for is_complete in (False, True):
        assert step_key(engine, "red", answers, is_complete, everything, {"ranged", "pass"}) == ""


def test_the_end_is_said_once_all_else_is_learned() -> None:
    engine = rebuild(match_at("combat", lambda side: Seat(side, bot="greedy")))
    everything = frozenset(KEYS) - {"end"}
    assert step_key(engine, "red", {}, False, everything, {"ranged"}) == "end"
    assert step_key(engine, "red", {}, False, everything - {"react"}, {"ranged"}) == ""


@pytest.mark.parametrize(
    ("answers", "is_complete", "orders", "key"),
    [
        ({}, False, {"pass", "vent"}, "no_target"),
        ({}, False, {"pass"}, "only_pass"),
        ({}, False, {"pass", "vent", "assault"}, "assault"),
        ({}, False, {"pass", "ranged"}, "aim"),
        ({"order": "pass"}, True, set(), "other"),
        ({"order": "assault"}, False, set(), "other"),
        ({"order": "ranged"}, False, set(), "weapon"),
        ({"order": "close"}, True, set(), "fire"),
    ],
)
def test_a_step_names_a_target_only_where_there_is_one(
    answers: dict[str, str], is_complete: bool, orders: set[str], key: str
) -> None:
    match = match_at("combat", lambda side: Seat(side, bot="greedy"))
    assert step_key(rebuild(match), "red", answers, is_complete, frozenset({"heat"}), orders) == key
