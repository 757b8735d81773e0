"""Playing over the interface: who is answered, what is refused, and that refusals change nothing."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from matches.models import Match, MatchAction
from matches.services.answering import Seat
from matches.services.matches import play_action
from people.models import User
from rules.competition.action_shape import faults_of
from tests.matches.conftest import SEED, play_some
from tests.matches.playing import match_at, near_its_end
from tests.programs.askers import PEOPLE, Asker, decider, deciding, other

pytestmark = pytest.mark.django_db


# The decision and its answers ----------------------------------------------------------------------------------------


def test_who_decides_sees_the_decision_and_all_legal_actions(duel: Match) -> None:
    engine, asker = deciding(duel), decider(duel)
    assert engine.decision is not None
    turn = asker.get("decision/").json()
    assert turn["decision"] == engine.decision.to_json()
    assert (turn["state"], turn["waiting_for"], turn["side"]) == ("waiting", engine.decision.side, engine.decision.side)
    found = asker.get("legal-actions/?limit=2000").json()
    assert found["legal_actions"] == engine.legal_actions()
    assert (found["count"], found["decision"], found["seen"]) == (
        len(engine.legal_actions()),
        turn["decision"],
        turn["seen"],
    )
    assert "sequence" not in json.dumps(turn)
    assert SEED.hex() not in json.dumps(found)


def test_legal_actions_come_in_parts(duel: Match) -> None:
    engine, asker = deciding(duel), decider(duel)
    everything = engine.legal_actions()
    part = asker.get("legal-actions/?offset=3&limit=2").json()
    assert (part["legal_actions"], part["count"], part["offset"]) == (everything[3:5], len(everything), 3)
    assert asker.get("legal-actions/?offset=999999").json()["legal_actions"] == []
    for query in ("limit=0", "limit=2001", "offset=-1", "limit=x"):
        assert asker.get(f"legal-actions/?{query}").status_code == 400


@pytest.mark.parametrize("name", ["other", "spectator"])
def test_who_does_not_decide_sees_whose_decision_it_is_and_no_more(duel: Match, name: str) -> None:
    engine = deciding(duel)
    assert engine.decision is not None
    asker = other(duel) if name == "other" else Asker(name, duel)
    for part in ("decision/", "legal-actions/"):
        answer = asker.get(part).json()
        assert answer["decision"] is None
        assert answer.get("legal_actions", []) == []
        assert answer["waiting_for"] == engine.decision.side
        shown = json.dumps(answer)
        assert engine.decision.kind not in shown
        assert engine.decision.unit not in shown


def test_an_action_is_built_by_stages(duel: Match) -> None:
    rng = random.Random(5)
    for _ in range(12):
        engine, asker = deciding(duel), decider(duel)
        whole = engine.legal_actions()
        stage: dict[str, Any] = {}
        for _ in range(20):
            found = asker.post("legal-actions/", {"stage": stage}).json()
            if not found["key"]:
                break
            assert found["options"] == engine.legal_actions(stage)
            assert {option[found["key"]] is None for option in found["options"]} <= {True, False}
            stage = rng.choice(found["options"])
        (action,) = found["options"]
        assert action in whole
        assert asker.play(action).status_code == 200


def test_a_stage_that_leads_nowhere_has_no_options_and_rivals_get_none(duel: Match) -> None:
    for stage in ({"order": "dance"}, {"nothing": 1}, {"hex": [[]]}):
        found = decider(duel).post("legal-actions/", {"stage": stage}).json()
        assert (found["key"], found["options"]) == ("", [])
    assert other(duel).post("legal-actions/", {"stage": {}}).json()["options"] == []
    assert Asker("spectator", duel).post("legal-actions/", {"stage": {}}).status_code == 403
    for body in ({}, {"stage": []}, {"stage": None}, {"stage": {}, "more": 1}):
        assert decider(duel).post("legal-actions/", body).status_code == 400


# Playing -------------------------------------------------------------------------------------------------------------


def test_a_legal_action_is_played_and_shown(duel: Match) -> None:
    asker, action = decider(duel), deciding(duel).legal_actions()[0]
    before = asker.seen
    answer = asker.play(action)
    assert answer.status_code == 200
    step = MatchAction.objects.get(match=duel, sequence=1)
    assert step.action == action
    document = answer.json()
    assert [event["facts"] for event in document["events"]] == step.events
    assert [event["event"] for event in document["events"]] == [event["event"] for event in step.events]
    assert any(event["sentence"] for event in document["events"])
    assert document["seen"] not in ("", before)
    assert document["cursor"].endswith(f".{document['seen']}")
    assert asker.get(f"live/?after={document['cursor']}").status_code == 204
    late = asker.post("actions/", {"seen": before, "action": action}).json()
    assert (late["code"], late["parameters"]) == ("stale_action", {})


def test_what_comes_back_hides_the_rivals_decision(duel: Match) -> None:
    for _ in range(8):
        engine, asker = deciding(duel), decider(duel)
        assert engine.decision is not None
        document = asker.play(engine.legal_actions()[0]).json()
        following = deciding(duel).decision
        assert following is not None
        assert document["waiting_for"] == following.side
        own = following.side == engine.decision.side
        assert document["decision"] == (following.to_json() if own else None)
        if not own:
            return
    raise AssertionError("the other side was never asked")


def test_an_action_whose_answer_was_lost_is_played_once(duel: Match) -> None:
    asker, action = decider(duel), deciding(duel).legal_actions()[0]
    body = {"seen": asker.seen, "action": action}
    first, again = (asker.post("actions/", body, "turn-1") for _ in range(2))
    assert (again.status_code, again.json(), again.headers["Idempotency-Replayed"]) == (200, first.json(), "true")
    assert duel.actions.count() == 2
    assert asker.post("actions/", {**body, "seen": "0" * 12}, "turn-1").status_code == 422


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"unit": "nobody", "order": "pass"}, "not_your_unit"),
        ({"unit": "theirs", "order": "pass"}, "not_your_unit"),
        ({"unit": "own", "order": "pass"}, "other_decision"),
        ({"unit": "own", "choose": "start", "hex": "0101", "facing": 0}, "not_a_start"),
        ({"unit": "own", "choose": "start", "hex": "9999", "facing": 0}, "unknown_hex"),
        ({"unit": "own", "choose": "token", "hex": "0607"}, "other_decision"),
        ({"unit": "own", "react": "dodge"}, "other_decision"),
        ({"unit": "own", "order": "rally", "card": "R-001"}, "card_not_in_hand"),
        ({"unit": "own", "order": "rally", "card": None}, "bad_field"),
    ],
)
def test_what_makes_no_sense_now_is_409_with_its_code_and_changes_nothing(
    duel: Match, action: dict[str, Any], code: str
) -> None:
    decision = deciding(duel).decision
    assert decision is not None
    own = decision.unit
    theirs = next(f"{side}-1" for side in PEOPLE if side != decision.side)
    action = {**action, "unit": {"own": own, "theirs": theirs}.get(action["unit"], action["unit"])}
    asker = decider(duel)
    checked = asker.post("actions/check/", {"action": action}).json()
    assert (checked["is_legal"], [each["code"] for each in checked["problems"]]) == (False, [code])
    assert checked["problems"][0]["detail"]
    refused = asker.play(action)
    assert (refused.status_code, refused.json()["code"]) == (409, code)
    assert refused.json()["detail"] not in ("", code)
    duel.refresh_from_db()
    assert (duel.state, duel.last_sequence) == (Match.State.WAITING, 0)


def test_checking_plays_nothing(duel: Match) -> None:
    asker, action = decider(duel), deciding(duel).legal_actions()[0]
    assert asker.post("actions/check/", {"action": action}).json() == {
        "is_legal": True, "problems": [], "outlook": None, "break_away": None,
    }  # fmt: skip
    assert duel.actions.count() == 1
    assert Asker("spectator", duel).post("actions/check/", {"action": action}).status_code == 403


def test_out_of_turn_one_learns_only_whose_turn_it_is(duel: Match) -> None:
    play_some(duel, 3)
    decision = deciding(duel).decision
    assert decision is not None
    asker = other(duel)
    unit = next(f"{side}-1" for side in PEOPLE if side != decision.side)
    for action in (
        {"unit": unit, "order": "pass"},
        {"unit": unit, "order": "surrender"},
        {"unit": unit, "react": "none"},
    ):
        for answer in (asker.play(action), asker.post("actions/check/", {"action": action})):
            assert decision.unit not in answer.content.decode()
            assert "others_decide" in answer.content.decode()
    theirs = asker.play(deciding(duel).legal_actions()[0])
    assert (theirs.status_code, theirs.json()["code"]) == (409, "not_your_unit")
    assert duel.actions.count() == 4


@pytest.mark.parametrize("name", ["spectator", ""])
def test_who_does_not_play_plays_nothing(duel: Match, name: str) -> None:
    body = {"seen": "0" * 12, "action": deciding(duel).legal_actions()[0]}
    asker = Asker(name or "nobody", duel)
    if not name:
        asker.headers = {}
    assert asker.post("actions/", body).status_code == (403 if name else 401)
    assert asker.post("actions/", "no json").status_code == (403 if name else 401)
    assert asker.get("standing/").status_code == (403 if name else 401)
    assert duel.actions.count() == 1


def test_agreeing_out_of_turn_and_surrendering_end_a_match(duel: Match) -> None:
    play_some(duel, 3)
    decision = deciding(duel).decision
    assert decision is not None
    unit = next(f"{side}-1" for side in PEOPLE if side != decision.side)
    assert other(duel).play({"unit": unit, "order": "agree"}).status_code == 200
    again = other(duel).play({"unit": unit, "order": "agree"})
    assert (again.status_code, again.json()["code"]) == (409, "agreed_already")
    ended = decider(duel).play({"unit": decision.unit, "order": "surrender"}).json()
    assert (ended["state"], ended["waiting_for"], ended["decision"]) == ("finished", None, None)
    duel.refresh_from_db()
    assert ended["result"] == duel.result
    after = Asker("player", duel).post("actions/", {"seen": ended["seen"], "action": {"unit": unit, "order": "pass"}})
    assert (after.status_code, after.json()["code"]) == (409, "match_over")


def test_a_step_that_nobody_may_see_makes_no_agreement_stale(db: None) -> None:
    match = match_at("rally", lambda side: Seat(side))
    Match.objects.filter(pk=match.pk).update(fixture_key="fixture:1")
    engine = deciding(match)
    decision = engine.decision
    assert decision is not None
    others = next(seat for seat in match.seats.all() if seat.side != decision.side)
    asker = Asker("player", match)
    match.seats.filter(pk=others.pk).update(user=asker.user)
    before = asker.seen
    play_action(match.pk, decision.side, match.last_sequence, {"unit": decision.unit, "choose": "rally", "card": None})
    assert asker.seen == before
    unit = next(
        unit for unit, state in engine.snapshot()["units"].items()
        if state["side"] == others.side and not state["eliminated"]
    )  # fmt: skip
    agreed = asker.post("actions/", {"seen": before, "action": {"unit": unit, "order": "agree"}})
    assert agreed.status_code == 200


def test_who_plays_both_sides_is_asked_for_the_one_that_decides(duel: Match) -> None:
    person = User.objects.get(username="player")
    duel.seats.update(user=person)
    asker, asked = Asker("player", duel), set()
    for _ in range(6):
        turn = asker.get("legal-actions/").json()
        assert turn["side"] == turn["waiting_for"]
        assert turn["sides"] == ["red", "blue"]
        asked.add(turn["side"])
        assert asker.post("actions/", {"seen": turn["seen"], "action": turn["legal_actions"][0]}).status_code == 200
    assert asked == {"red", "blue"}


def test_a_match_is_played_to_its_end_over_the_interface(duel: Match) -> None:
    """From a few answers before it: with each answer the whole match is read once more."""
    match = near_its_end(duel, User.objects.get(username="player"), answers=12)
    match.seats.filter(side="blue").update(user=User.objects.get(username="rival"))
    rng, played = random.Random(2), set()
    askers = {side: Asker(name, match) for side, name in PEOPLE.items()}
    for _ in range(400):
        waiting = askers["red"].get("decision/").json()["waiting_for"]
        if waiting is None:
            break
        turn = askers[waiting].get("legal-actions/?limit=2000").json()
        action = rng.choice(turn["legal_actions"])
        assert faults_of(action) == []
        assert askers[waiting].post("actions/", {"seen": turn["seen"], "action": action}).status_code == 200
        played.add(waiting)
    match.refresh_from_db()
    assert match.is_finished
    assert played == {"red", "blue"}


# Standing answers ----------------------------------------------------------------------------------------------------


def test_standing_answers_are_kept_and_read_by_their_player_alone(duel: Match) -> None:
    asker, rival = Asker("player", duel), Asker("rival", duel)
    answers = {"react": {"leave": 25, "dig_in": True, "otherwise": "none"}, "revive": 50, "restart": "never"}
    kept = asker.put("standing/", {"unit": "red-1", "answers": answers})
    assert kept.status_code == 200
    (unit,) = kept.json()["units"]
    assert (unit["unit"], unit["answers"]) == ("red-1", answers)
    assert unit["name"]
    assert asker.get("standing/").json() == kept.json()
    assert [each["answers"] for each in rival.get("standing/").json()["units"]] == [{}]
    refused = rival.put("standing/", {"unit": "red-1", "answers": {}})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_your_unit")
    assert asker.put("standing/", {"unit": "red-1", "answers": {}}).json()["units"][0]["answers"] == {}
    for wrong in ({"revive": 101}, {"revive": "maybe"}, {"react": {"leave": True}}, {"dance": 1}, [], None):
        assert asker.put("standing/", {"unit": "red-1", "answers": wrong}).status_code == 400
