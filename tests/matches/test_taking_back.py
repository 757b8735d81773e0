"""A step back on the page and by a program: against the AI alone, while no die fell since."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from matches.models import Match
from matches.selectors.matches import rebuild
from matches.services import matches
from matches.services.answering import Seat
from matches.services.matches import create_match, play_action
from people.models import User
from rules.core.refusals import IllegalAction, Refused
from tests.matches.playing import address_of, match_at, read

from .conftest import SEED

pytestmark = [pytest.mark.django_db, pytest.mark.database]

BUTTON = 'id="take-back"'


@pytest.fixture
def mine(client: Client, player: User) -> Client:
    client.force_login(player)
    return client


@pytest.fixture
def moving(player: User) -> Match:
    """A match against the AI at a move of the player's, before anybody attacked."""
    match = match_at("move", lambda side: Seat(side, bot="greedy"))
    decision = rebuild(match).decision
    assert decision is not None
    match.seats.filter(side=decision.side).update(bot="", user=player)
    return match


def own_side(match: Match) -> str:
    return str(match.seats.get(user__isnull=False).side)


def play(match: Match, action: dict[str, Any]) -> Match:
    play_action(match.pk, own_side(match), match.last_sequence, action)
    match.refresh_from_db()
    return match


def press(client: Client, match: Match, text: str) -> Any:
    seen = re.search(r'data-version="(\w+)"', text)
    assert seen is not None
    return client.post(address_of(match), {"back": "yes", "seen": seen[1]})


def test_a_move_is_taken_back_and_chosen_again(mine: Client, moving: Match) -> None:
    assert BUTTON not in read(mine, address_of(moving))
    before = rebuild(moving)
    play(moving, before.default_action())
    text = read(mine, address_of(moving))
    assert BUTTON in text
    assert press(mine, moving, text).status_code == 302
    moving.refresh_from_db()
    after = rebuild(moving)
    assert after.decision == before.decision
    assert after.table.position == before.table.position
    stored = list(moving.actions.values_list("sequence", "action__order"))
    assert stored[-1] == (moving.last_sequence, "take_back"), "nothing that was played is removed"
    text = read(mine, address_of(moving))
    assert "takes a step back." in text
    assert BUTTON not in text
    assert press(mine, moving, text).status_code == 409
    play(moving, after.default_action())
    assert rebuild(moving).table.position != before.table.position


def test_a_form_that_comes_too_late_takes_nothing_back(mine: Client, moving: Match) -> None:
    play(moving, rebuild(moving).default_action())
    text = read(mine, address_of(moving))
    play(moving, rebuild(moving).default_action())
    assert press(mine, moving, text).status_code == 409
    assert not moving.actions.filter(action__order="take_back").exists()


def test_nobody_takes_back_what_was_played_before_they_sat_down(mine: Client, moving: Match) -> None:
    play(moving, rebuild(moving).default_action())
    moving.seats.filter(user__isnull=False).update(taken_at=moving.last_sequence)
    text = read(mine, address_of(moving))
    assert BUTTON not in text
    assert press(mine, moving, text).status_code == 409


def test_a_match_has_a_bound_of_steps_back_on_the_page_and_for_programs(
    mine: Client, moving: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "MOST_STEPS_BACK", 2)
    decision = rebuild(moving).decision
    assert decision is not None
    back = {"unit": decision.unit, "order": "take_back"}
    for _ in range(2):
        play(moving, rebuild(moving).default_action())
        assert BUTTON in read(mine, address_of(moving))
        play(moving, back)
    play(moving, rebuild(moving).default_action())
    text = read(mine, address_of(moving))
    assert BUTTON not in text
    answer = press(mine, moving, text)
    assert (answer.status_code, "At most 2 steps back" in answer.content.decode()) == (409, True)
    with pytest.raises(Refused, match="taken_back_too_often"):
        play(moving, back)
    assert moving.actions.filter(action__order="take_back").count() == 2


@pytest.mark.parametrize("seats", ["two people", "one person for both sides"])
def test_no_step_is_taken_back_where_people_play(
    seats: str, setup_document: dict[str, Any], player: User, rival: User, mine: Client
) -> None:
    other = rival if seats == "two people" else player
    match = create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", other.pk)])
    side = rebuild(match).decision.side  # type: ignore[union-attr]
    action = rebuild(match).default_action()
    play_action(match.pk, side, 0, action)
    with pytest.raises(Refused) as refused:
        play_action(match.pk, side, 1, {"unit": action["unit"], "order": "take_back"})
    assert refused.value.code == "back_against_people"
    assert BUTTON not in read(mine, address_of(match))
    assert press(mine, match, read(mine, address_of(match))).status_code == 409


def test_a_program_takes_back_its_own_answers_alone(moving: Match) -> None:
    unit = rebuild(moving).decision.unit  # type: ignore[union-attr]
    play(moving, rebuild(moving).default_action())
    played = len(rebuild(moving).steps_to_take_back(own_side(moving)))
    with pytest.raises(IllegalAction) as refused:
        play(moving, {"unit": unit, "order": "take_back", "answers": played + 1})
    assert refused.value.code == "nothing_to_take_back"
    play(moving, {"unit": unit, "order": "take_back", "answers": played})
    assert rebuild(moving).decision.unit == unit  # type: ignore[union-attr]
