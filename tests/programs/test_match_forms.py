"""What an action must look like over the interface: anything else is 400, changes nothing, and is no error of ours."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from matches.api.forms import without_fractions
from matches.models import Match, MatchAction
from matches.services.answering import Seat
from people.models import User
from rules.competition.action_shape import ACTION, MOST_FAULTS, faults_of
from tests.matches.playing import KINDS, match_at
from tests.programs.askers import Asker, decider, deciding
from tests.worlds import taken_back

pytestmark = pytest.mark.django_db

NOT_FORMED: list[Any] = [
    "no json",
    b"\xff",
    [],
    {},
    None,
    {"sequence": 0, "action": {}},
    {"seen": 0, "action": {}},
    {"seen": True, "action": {}},
    {"seen": "now", "action": {"unit": "red-1", "order": "pass"}},
    {"seen": " 0123456789ab", "action": {"unit": "red-1", "order": "pass"}},
    *(
        {"seen": "0123456789ab", "action": action}
        for action in (
            "pass",
            {},
            {"order": "time_up"},
            {"unit": "red-1"},
            {"unit": "red-1", "order": "time_up"},
            {"unit": "red-1", "order": "dance"},
            {"unit": "red-1", "order": "pass", "react": "none"},
            {"unit": "red-1", "order": "pass", "why": "so"},
            {"unit": 1, "order": "pass"},
            {"unit": "\ud800", "order": "pass"},
            {"unit": "red\u0000", "order": "pass"},
            {"unit": "red-1", "choose": "start", "hex": [], "facing": 0},
            {"unit": "red-1", "choose": "start", "hex": "101", "facing": 0},
            {"unit": "red-1", "choose": "start", "hex": "0101", "facing": 12},
            {"unit": "red-1", "choose": "start", "hex": "0101", "facing": True},
            {"unit": "red-1", "order": "assault", "attack": {"order": "close", "targets": ["x"], "indirect": True}},
        )
    ),
    '{"seen": "0123456789ab", "action": ' + "[" * 5000 + "]" * 5000 + "}",
    '{"seen": "0123456789ab", "action": ' + '{"a":' * 400 + "1" + "}" * 400 + "}",
    '{"seen": "0123456789ab", "action": {"unit": "red-1", "order": "move", "facing": 1e999}}',
    '{"seen": "0123456789ab", "action": {"unit": "red-1", "order": "move", "facing": ' + "9" * 5000 + "}}",
]


@pytest.mark.parametrize("body", NOT_FORMED, ids=range(len(NOT_FORMED)))
def test_what_has_not_the_described_form_is_400_and_changes_nothing(duel: Match, body: Any) -> None:
    answer = decider(duel).post("actions/", body)
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["code"] in ("invalid", "bad_json")
    assert answer.json()["detail"]
    duel.refresh_from_db()
    assert (duel.state, duel.last_sequence) == (Match.State.WAITING, 0)


def test_a_number_without_a_fraction_is_whole_however_it_is_written(duel: Match) -> None:
    asker = decider(duel)
    action = next(action for action in deciding(duel).legal_actions() if action.get("facing"))
    assert asker.play({**action, "facing": float(action["facing"])}).status_code == 200
    stored = MatchAction.objects.get(match=duel, sequence=1).action
    assert stored == action
    assert type(stored["facing"]) is int
    kept = asker.put("standing/", {"unit": action["unit"], "answers": {"revive": 50.0}})
    assert (kept.status_code, kept.json()["units"][0]["answers"]) == (200, {"revive": 50})
    refused = asker.put("standing/", {"unit": action["unit"], "answers": {"revive": 50.5}})
    assert refused.status_code == 400


# Any JSON ------------------------------------------------------------------------------------------------------------

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = sorted({key for form in ACTION["oneOf"] for key in form["properties"]})
WORDS = sorted({word for form in ACTION["oneOf"] for key in ("order", "react", "choose")
                for word in form["properties"].get(key, {}).get("enum", ())})  # fmt: skip
SENSE = st.sampled_from(["red-1", "blue-1", "t1", "0607", "9999", "primary", "jump_jets", 0, 3, 11, True, None, *WORDS])
VALUES = SENSE | st.lists(SENSE, max_size=3) | st.dictionaries(st.sampled_from(["red-1", "t1", "order"]), SENSE) | ANY
NEARLY = st.fixed_dictionaries(
    {"unit": st.sampled_from(["red-1", "blue-1", "t1", ""])},
    optional=dict.fromkeys([key for key in KEYS if key != "unit"], VALUES),
)


def formed(schema: Any) -> Any:
    """What has the form of a schema, with names and hexes that are there more often than not."""
    if "oneOf" in schema:
        return st.one_of([formed(each) for each in schema["oneOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return st.one_of([st.none() if each == "null" else _of_type(each, schema) for each in types])


def _of_type(name: str, schema: Any) -> Any:
    if name == "boolean":
        return st.booleans()
    if name == "integer":
        return st.integers(schema["minimum"], schema["maximum"])
    if name == "string":
        pattern = schema["pattern"]
        return st.sampled_from([each for each in NAMES if re.search(pattern, each)]) | st.from_regex(
            pattern, fullmatch=True
        )
    if name == "array":
        return st.lists(formed(schema["items"]), min_size=schema["minItems"], max_size=min(3, schema["maxItems"]))
    if schema["additionalProperties"] is not False:
        return st.dictionaries(
            st.sampled_from(["red-1", "t1", "x"]), formed(schema["additionalProperties"]), max_size=2
        )
    inner = {key: formed(each) for key, each in schema["properties"].items()}
    needed = {key: inner.pop(key) for key in schema["required"]}
    return st.fixed_dictionaries(needed, optional=inner)


NAMES = ("red-1", "red-2", "blue-1", "t1", "G-001", "0607", "0608", "0101", "9999", "0607@3", "9999@1")
FORMED = formed(ACTION)


@pytest.mark.parametrize("kind", ["start", "combat", "react", "split", "tag"])
def test_no_json_whatever_is_an_error_of_ours(db: None, kind: str) -> None:
    person = User.objects.create_user("player", "player@x.org", "-")
    match = match_at(kind, lambda side: Seat(side, person.pk))
    asker = Asker("player", match)
    seen, played = asker.seen, match.actions.count()

    @settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(action=NEARLY | FORMED | ANY)
    def tried(action: Any) -> None:
        is_formed = not faults_of(without_fractions(action))
        answer = asker.post("actions/check/", {"action": action})
        assert answer.status_code == (200 if is_formed else 400), answer.content
        with taken_back():
            answer = asker.post("actions/", {"seen": seen, "action": action})
            assert answer.status_code in ((200, 409) if is_formed else (400,)), answer.content
        assert asker.post("legal-actions/", {"stage": action}).status_code in (200, 400)

    tried()
    assert match.actions.count() == played


@pytest.mark.parametrize("kind", KINDS)
def test_every_legal_action_of_every_kind_has_the_described_form(db: None, kind: str) -> None:
    from jsonschema import Draft202012Validator

    match = match_at(kind, lambda side: Seat(side))
    described = Draft202012Validator(ACTION)
    actions = deciding(match).legal_actions()
    for action in random.Random(1).sample(actions, min(20, len(actions))):
        assert faults_of(action) == []
        assert described.is_valid(action), action
        for key in action:
            wrong = {**action, key: {"not": ["this"]}}
            assert not described.is_valid(wrong)
            assert faults_of(wrong) != []


def test_a_long_list_of_nonsense_has_a_few_faults() -> None:
    assert len(faults_of({"unit": "a", "order": "move", "path": [None] * 5000, "facing": 0})) == MOST_FAULTS
