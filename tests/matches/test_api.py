"""What a player may ask of a running match: who is answered, what is refused, and that refusals change nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from matches.models import Match, MatchAction
from matches.selectors import rebuild

from .conftest import play_some

pytestmark = pytest.mark.django_db


def address(match: Match) -> str:
    return f"{match.get_absolute_url()}actions/"


def send(client: Client, match: Match, body: Any) -> Any:
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(address(match), text, content_type="application/json", headers={"accept": "application/json"})


@pytest.fixture
def as_decider(waiting: Match, player: Any, rival: Any, client: Client) -> Client:
    """A client of whoever decides first."""
    decision = rebuild(waiting).decision
    assert decision is not None
    client.force_login(player if decision.side == "red" else rival)
    return client


def test_the_deciding_player_sees_the_decision_and_all_legal_actions(waiting: Match, as_decider: Client) -> None:
    engine = rebuild(waiting)
    answer = as_decider.get(address(waiting)).json()
    assert engine.decision is not None
    assert answer["decision"] == engine.decision.to_json()
    assert answer["legal_actions"] == engine.legal_actions()
    assert (answer["sequence"], answer["state"], answer["result"]) == (0, "waiting", None)
    assert "seed" not in json.dumps(answer)


def test_the_waiting_player_sees_whose_decision_it_is_and_no_options(
    waiting: Match, player: Any, rival: Any, client: Client
) -> None:
    decision = rebuild(waiting).decision
    assert decision is not None
    client.force_login(rival if decision.side == "red" else player)
    answer = client.get(address(waiting)).json()
    assert (answer["decision"], answer["legal_actions"]) == (None, [])
    assert answer["waiting_for"] == decision.side
    shown = json.dumps(answer)
    assert decision.kind not in shown
    assert decision.unit not in shown


def test_what_comes_back_from_an_action_hides_the_rivals_decision_too(
    waiting: Match, player: Any, rival: Any, client: Client
) -> None:
    people = {"red": player, "blue": rival}
    for _ in range(8):
        engine = rebuild(waiting)
        assert engine.decision is not None
        side = engine.decision.side
        client.force_login(people[side])
        body = {"sequence": waiting.last_sequence, "action": engine.legal_actions()[0]}
        answer = send(client, waiting, body).json()
        waiting.refresh_from_db()
        following = rebuild(waiting).decision
        assert following is not None
        assert answer["waiting_for"] == following.side
        own = following.side == side
        assert answer["decision"] == (following.to_json() if own else None)
        assert bool(answer["legal_actions"]) == own
        if not own:
            return
    raise AssertionError("the other side was never asked")


def test_a_legal_action_is_played(waiting: Match, as_decider: Client) -> None:
    action = rebuild(waiting).legal_actions()[0]
    answer = send(as_decider, waiting, {"sequence": 0, "action": action})
    assert answer.status_code == 200
    step = MatchAction.objects.get(match=waiting, sequence=1)
    assert step.action == action
    assert answer.json()["events"] == step.events
    assert answer.json()["sequence"] == 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("no json", 400, "bad_json"),
        (b"\xff", 400, "bad_json"),
        ([], 400, "bad_json"),
        ({}, 400, "bad_field"),
        ({"sequence": "0", "action": {}}, 400, "bad_field"),
        ({"sequence": True, "action": {}}, 400, "bad_field"),
        ({"sequence": -1, "action": {}}, 400, "bad_field"),
        ({"sequence": 0, "action": "pass"}, 400, "bad_field"),
        ({"sequence": 0, "action": {"padding": "x" * 30_000}}, 400, "body_too_large"),
        ({"sequence": 7, "action": {}}, 409, "stale_action"),
        ({"sequence": 0, "action": {}}, 409, "not_your_unit"),
        ({"sequence": 0, "action": {"order": "time_up"}}, 409, "not_your_unit"),
        ({"sequence": 0, "action": {"unit": "own", "order": "time_up"}}, 409, "not_your_unit"),
        ({"sequence": 0, "action": {"unit": "own", "choose": "start", "hex": "0101", "facing": 0}}, 409, "not_a_start"),
        ({"sequence": 0, "action": {"unit": "own", "choose": "start", "hex": "9999", "facing": 0}}, 400, "unknown_hex"),
        ({"sequence": 0, "action": {"unit": "own", "choose": "start", "hex": [], "facing": 0}}, 400, "unknown_hex"),
        ({"sequence": 0, "action": {"unit": "own"}}, 400, "bad_action"),
        ({"sequence": 0, "action": {"unit": "own", "order": "pass"}}, 409, "other_decision"),
    ],
)
def test_a_bad_request_is_refused_with_a_sentence_and_changes_nothing(
    waiting: Match, as_decider: Client, body: Any, status: int, code: str
) -> None:
    decision = rebuild(waiting).decision
    assert decision is not None
    if isinstance(body, dict) and isinstance(body.get("action"), dict) and body["action"].get("unit") == "own":
        body["action"]["unit"] = decision.unit
    answer = send(as_decider, waiting, body)
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["status"]) == (status, code, status)
    assert problem["detail"]
    assert code not in problem["detail"]
    assert waiting.actions.count() == 1
    waiting.refresh_from_db()
    assert (waiting.state, waiting.last_sequence) == (Match.State.WAITING, 0)


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_does_not_play_is_forbidden(waiting: Match, client: Client, django_user_model: Any, method: str) -> None:
    stranger = django_user_model.objects.create_superuser("stranger", "stranger@example.org", "secret words")
    for _ in range(2):
        answer = getattr(client, method)(address(waiting))
        assert (answer.status_code, answer.json()["code"]) == (403, "not_a_player")
        client.force_login(stranger)
    assert waiting.actions.count() == 1


def test_a_match_that_is_not_there_is_not_found(client: Client) -> None:
    answer = client.get("/matches/00000000-0000-4000-8000-000000000000/actions/")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_match")


def test_a_post_from_another_site_is_refused(waiting: Match, player: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(player)
    assert send(client, waiting, {"sequence": 0, "action": {}}).status_code == 403


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_not_allowed(waiting: Match, client: Client, method: str) -> None:
    assert getattr(client, method)(address(waiting)).status_code == 405


def test_a_rival_cannot_decide_for_me(waiting: Match, player: Any, rival: Any, client: Client) -> None:
    play_some(waiting, 3)
    engine = rebuild(waiting)
    assert engine.decision is not None
    client.force_login(rival if engine.decision.side == "red" else player)
    action = engine.legal_actions()[0]
    answer = send(client, waiting, {"sequence": waiting.last_sequence, "action": action})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_your_unit")
    assert waiting.actions.count() == 4
