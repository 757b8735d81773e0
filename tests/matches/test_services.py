"""Creating, playing and resolving matches: what is stored, what is refused, and that a refusal changes nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.db import DatabaseError, connection

import rules
from matches.models import Match, MatchAction
from matches.selectors.matches import rebuild
from matches.services import matches
from matches.services.answering import Seat
from matches.services.matches import create_match, play_action, resolve_with_bots
from matches.signals import match_ended
from rules.competition.state.setup import MatchSetup
from rules.core.dice import commitment
from rules.core.refusals import IllegalAction, Malformed, Refused
from web.append_only import WrittenOnce

from .conftest import SEED, play_some

pytestmark = [pytest.mark.django_db, pytest.mark.database]

BOTS = {"red": "random", "blue": "random"}


def stored(match: Match) -> Any:
    """Everything that a refusal must leave as it was."""
    return (
        Match.objects.filter(pk=match.pk).values_list("state", "last_sequence", "result", "finished_at").get(),
        list(MatchAction.objects.filter(match=match).values_list("sequence", "side", "action", "events")),
    )


def test_a_new_match_waits_with_its_opening_events_and_the_hash_of_its_seed(waiting: Match) -> None:
    assert waiting.state == Match.State.WAITING
    assert waiting.rules_version == rules.RULES_VERSION
    assert waiting.seed_commitment == commitment(SEED)
    assert waiting.revealed_seed is None
    opening = waiting.actions.get()
    assert (opening.sequence, opening.action, opening.side) == (0, None, "")
    assert opening.events[0]["event"] == "match_started"


def test_one_fixture_key_makes_one_match(setup_document: dict[str, Any]) -> None:
    first = create_match(setup_document, SEED, "fixture:7", [Seat("red"), Seat("blue")])
    second = create_match(setup_document, b"another seed", "fixture:7")
    assert second == first
    assert Match.objects.count() == 1
    assert MatchAction.objects.count() == 1


def test_two_workers_with_one_fixture_key_get_one_match(
    setup_document: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    winner: list[Match] = []
    read = MatchSetup.from_json

    def meanwhile(document: Any) -> Any:
        monkeypatch.setattr(MatchSetup, "from_json", read)
        winner.append(create_match(setup_document, SEED, "fixture:7"))
        return read(document)

    monkeypatch.setattr(MatchSetup, "from_json", meanwhile)
    assert create_match(setup_document, SEED, "fixture:7") == winner[0]
    assert MatchAction.objects.count() == 1


def test_a_setup_that_cannot_be_read_is_malformed_and_stores_nothing(setup_document: dict[str, Any]) -> None:
    del setup_document["sides"]
    with pytest.raises(Malformed):
        create_match(setup_document, SEED)
    assert not Match.objects.exists()


def test_an_action_is_appended_with_its_events(waiting: Match) -> None:
    engine = rebuild(waiting)
    assert engine.decision is not None
    action = engine.sample_action(random.Random(3))
    events = play_action(waiting.pk, engine.decision.side, 0, action)
    step = waiting.actions.get(sequence=1)
    assert (step.action, step.side, step.events) == (action, engine.decision.side, events)
    waiting.refresh_from_db()
    assert (waiting.state, waiting.last_sequence) == (Match.State.PLAYING, 1)


def test_played_step_by_step_to_the_end_equals_the_replay(waiting: Match) -> None:
    rng = random.Random(11)
    while not waiting.is_finished:
        engine = rebuild(waiting)
        assert engine.decision is not None
        play_action(waiting.pk, engine.decision.side, waiting.last_sequence, engine.sample_action(rng))
        waiting.refresh_from_db()
    assert rebuild(waiting).events == [step.events for step in waiting.actions.order_by("sequence")]
    assert waiting.result is not None
    assert waiting.finished_at is not None
    assert waiting.revealed_seed == SEED.hex()
    before = stored(waiting)
    with pytest.raises(Refused, match="match_over"):
        play_action(waiting.pk, "red", waiting.last_sequence, {"unit": "red-1", "order": "pass"})
    assert stored(waiting) == before


def refusals(match: Match) -> list[tuple[str, int, dict[str, Any], type[Exception], str]]:
    """Side, sequence, action, exception and code of bad requests at the match's newest step."""
    decision = rebuild(match).decision
    assert decision is not None
    own, other = decision.side, "blue" if decision.side == "red" else "red"
    now = match.last_sequence
    return [
        (own, now - 1, {"unit": decision.unit, "order": "pass"}, Refused, "stale_action"),
        (own, now + 1, {"unit": decision.unit, "order": "pass"}, Refused, "stale_action"),
        (other, now, {"unit": decision.unit, "order": "pass"}, Refused, "not_your_unit"),
        (own, now, {"unit": "nobody", "order": "pass"}, Refused, "not_your_unit"),
        (own, now, {"order": "time_up"}, Refused, "not_your_unit"),
        (own, now, {"unit": decision.unit, "order": "time_up"}, Refused, "not_your_unit"),
        (own, now, {"unit": decision.unit, "order": "time_up", "choose": "start"}, Refused, "not_your_unit"),
        (other, now, {"unit": f"{other}-1", "order": "pass"}, IllegalAction, "not_your_decision"),
        (own, now, {"unit": decision.unit, "order": "vent", "choose": "start"}, Malformed, "bad_action"),
    ]


@pytest.mark.parametrize("number", range(9))
def test_a_refusal_changes_nothing(waiting: Match, number: int) -> None:
    play_some(waiting, 2)
    side, sequence, action, kind, code = refusals(waiting)[number]
    before = stored(waiting)
    with pytest.raises(kind) as caught:
        play_action(waiting.pk, side, sequence, action)
    assert caught.value.code == code  # type: ignore[attr-defined]
    assert stored(waiting) == before


def test_of_two_actions_at_once_the_second_is_stale(waiting: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = rebuild(waiting)
    assert engine.decision is not None
    side, action = engine.decision.side, engine.sample_action(random.Random(1))
    read = matches.rebuild

    def read_and_be_overtaken(match: Match) -> Any:
        found = read(match)
        monkeypatch.setattr(matches, "rebuild", read)
        play_action(match.pk, side, 0, action)
        return found

    monkeypatch.setattr(matches, "rebuild", read_and_be_overtaken)
    with pytest.raises(Refused) as caught:
        play_action(waiting.pk, side, 0, action)
    assert caught.value.code == "stale_action"
    assert waiting.actions.count() == 2


def test_a_bot_in_the_other_seat_answers_at_once(setup_document: dict[str, Any], player: Any) -> None:
    match = create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", bot="random")])
    for _ in range(6):
        match.refresh_from_db()
        engine = rebuild(match)
        if engine.decision is None or engine.decision.side == "blue":
            break
        play_action(match.pk, "red", match.last_sequence, engine.sample_action(random.Random(5)))
    match.refresh_from_db()
    decision = rebuild(match).decision
    assert decision is None or decision.side == "red"
    assert "blue" in set(match.actions.values_list("side", flat=True))


def test_bots_play_a_match_to_its_end_and_a_second_call_changes_nothing(finished: Match) -> None:
    assert finished.state == Match.State.FINISHED
    assert finished.actions.count() == finished.last_sequence + 1
    assert rebuild(finished).result is not None
    before = stored(finished)
    assert resolve_with_bots(finished.pk, BOTS).result == finished.result
    assert stored(finished) == before


def test_two_resolvers_at_once_store_one_match(setup_document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    match = create_match(setup_document, SEED)
    read = matches.rebuild
    ended = []

    def read_and_be_overtaken(found: Match) -> Any:
        monkeypatch.setattr(matches, "rebuild", read)
        engine = read(found)
        resolve_with_bots(match.pk, BOTS)
        return engine

    def listen(match: Match, **kwargs: Any) -> None:
        ended.append(match.pk)

    monkeypatch.setattr(matches, "rebuild", read_and_be_overtaken)
    match_ended.connect(listen)
    try:
        resolved = resolve_with_bots(match.pk, BOTS)
    finally:
        match_ended.disconnect(listen)
    assert resolved.is_finished
    assert ended == [match.pk]
    assert match.actions.count() == resolved.last_sequence + 1


def test_same_setup_and_seed_give_the_same_match(setup_document: dict[str, Any], finished: Match) -> None:
    again = resolve_with_bots(create_match(setup_document, SEED, "fixture:2").pk, BOTS)
    assert again.result == finished.result
    assert [step.events for step in again.actions.all()] == [step.events for step in finished.actions.all()]


def test_bots_take_over_a_match_that_people_began(waiting: Match) -> None:
    play_some(waiting, 5)
    begun = list(waiting.actions.values_list("action", flat=True))
    resolved = resolve_with_bots(waiting.pk, BOTS)
    assert resolved.is_finished
    assert list(resolved.actions.values_list("action", flat=True))[:6] == begun


def test_a_listener_that_fails_undoes_the_end(setup_document: dict[str, Any]) -> None:
    match = create_match(setup_document, SEED)

    def fail(**kwargs: Any) -> None:
        raise DatabaseError("listener")

    match_ended.connect(fail)
    try:
        with pytest.raises(DatabaseError, match="listener"):
            resolve_with_bots(match.pk, BOTS)
    finally:
        match_ended.disconnect(fail)
    match.refresh_from_db()
    assert (match.state, match.last_sequence, match.actions.count()) == (Match.State.WAITING, 0, 1)


def test_steps_are_never_changed_nor_removed(finished: Match) -> None:
    step = finished.actions.get(sequence=1)
    step.side = "blue"
    for forbidden in (step.save, step.delete):
        with pytest.raises(WrittenOnce):
            forbidden()
    for forbidden in (lambda: finished.actions.update(side="x"), lambda: finished.actions.all().delete()):
        with pytest.raises(WrittenOnce):
            forbidden()


def test_the_database_refuses_to_change_a_step(finished: Match) -> None:
    with connection.cursor() as cursor, pytest.raises(DatabaseError, match="written once"):
        cursor.execute("UPDATE matches_matchaction SET side = 'x' WHERE sequence = 1")
