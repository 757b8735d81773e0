"""A seat that changes hands in a running match: bots answer at once, and nothing is stored for the old seats."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from matches.models import Match
from matches.selectors.matches import rebuild
from matches.services import matches
from matches.services.answering import Seat
from matches.services.matches import answer_with_bots, create_match, play_action, reseat, resolve_with_bots
from rules.core.refusals import Refused

from .conftest import SEED

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def two(setup_document: dict[str, Any]) -> Match:
    """A match of two persons, who have not begun."""
    people = [get_user_model().objects.create_user(name, f"{name}@example.org", "-") for name in ("anna", "ben")]
    seats = [Seat(side, person.pk) for side, person in zip(("red", "blue"), people, strict=True)]
    return create_match(setup_document, SEED, None, seats)


def held(match: Match) -> list[Seat]:
    return [Seat(seat.side, seat.user_id, seat.bot) for seat in match.seats.order_by("id")]


def waits_for(match: Match) -> str:
    decision = rebuild(Match.objects.get(pk=match.pk)).decision
    assert decision is not None
    return decision.side


def test_a_bot_that_takes_a_seat_decides_until_a_person_must(two: Match) -> None:
    first = waits_for(two)
    before = held(two)
    other = next(seat for seat in before if seat.side != first)
    assert reseat(two.pk, [Seat(first, bot="random")])
    assert not reseat(two.pk, [Seat(first, bot="random")])
    answer_with_bots(two.pk)
    assert waits_for(two) == other.side
    two.refresh_from_db()
    steps = two.last_sequence
    assert steps > 0
    answer_with_bots(two.pk)
    two.refresh_from_db()
    assert two.last_sequence == steps
    assert reseat(two.pk, before)
    assert held(two) == before


def test_a_seat_that_was_not_there_is_added_and_one_may_be_vacated(waiting: Match) -> None:
    waiting.seats.all().delete()
    assert reseat(waiting.pk, [Seat("red", bot="random"), Seat("blue")])
    assert held(waiting) == [Seat("red", bot="random"), Seat("blue")]
    assert reseat(waiting.pk, [Seat("red")])
    assert held(waiting) == [Seat("red"), Seat("blue")]


def test_the_seats_of_a_finished_match_stay(two: Match) -> None:
    resolve_with_bots(two.pk, {"red": "random", "blue": "random"})
    before = held(two)
    assert not reseat(two.pk, [Seat("red", bot="random")])
    assert held(two) == before
    assert answer_with_bots(two.pk).is_finished


def test_a_step_thought_out_for_the_old_seats_is_stale(two: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    first = waits_for(two)
    other = next(seat.side for seat in held(two) if seat.side != first)
    action = rebuild(two).legal_actions()[0]
    store = matches.store_new_steps

    def meanwhile(*arguments: Any) -> bool:
        monkeypatch.setattr(matches, "store_new_steps", store)
        reseat(two.pk, [Seat(other, bot="random")])
        return store(*arguments)

    monkeypatch.setattr(matches, "store_new_steps", meanwhile)
    with pytest.raises(Refused, match="stale_action"):
        play_action(two.pk, first, 0, action)
    two.refresh_from_db()
    assert (two.last_sequence, two.actions.count()) == (0, 1)
    assert play_action(two.pk, first, 0, action)


def test_a_bot_s_answer_for_a_seat_taken_back_meanwhile_is_not_stored(
    two: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = waits_for(two)
    before = held(two)
    reseat(two.pk, [Seat(first, bot="random")])
    store = matches.store_new_steps

    def meanwhile(*arguments: Any) -> bool:
        monkeypatch.setattr(matches, "store_new_steps", store)
        reseat(two.pk, before)
        return store(*arguments)

    monkeypatch.setattr(matches, "store_new_steps", meanwhile)
    answer_with_bots(two.pk)
    two.refresh_from_db()
    assert two.last_sequence == 0
