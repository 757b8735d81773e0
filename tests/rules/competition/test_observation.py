"""What a side or a spectator may see, possible wholes behind it, and the check of a downloaded replay."""

import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest

from rules import RULES_VERSION
from rules.competition.match import Match, determinise
from rules.competition.setups import read_setup
from rules.competition.state.setup import MatchSetup
from rules.competition.verification import Outcome, verify
from rules.core.dice import SeededDice, commitment
from rules.core.refusals import Malformed
from rules.verify import main
from tests.rules.board import (
    Json,
    decisions,
    flat,
    loadout,
    random_match,
    random_setup,
    setup_document,
    token,
    unit,
)

SEED = bytes(range(32))
OTHER = bytes(range(1, 33))


def marked_setup() -> MatchSetup:
    """A duel whose six tokens have names that stand nowhere else."""
    document = setup_document({"red": [loadout("a", unit(points=140))], "blue": [loadout("b")]})
    for side in document["sides"]:
        side["tokens"] = [token(f"secret-{side['id']}-{number}") for number in range(3)]
    return read_setup(document)


def begun(steps: int, seed: bytes = SEED) -> Match:
    """The marked duel after some random actions."""
    match = Match.start(marked_setup(), SeededDice(seed))
    for _, _ in zip(range(steps), decisions(match, random.Random(1)), strict=False):
        pass
    return match


def names(match: Match, numbers: Any) -> list[str]:
    return [match.table.roster.tokens[number].key for number in numbers]


@pytest.mark.parametrize("side", ["red", "blue", None])
@pytest.mark.parametrize("steps", [0, 3, 12])
def test_r_tgt_03_face_down_tokens_of_others_are_nowhere_in_an_observation(steps: int, side: str | None) -> None:
    """Neither in what leaves the house nor in what a bot could reach behind it; the seed is not there either."""
    match = begun(steps)
    observation = match.observe(side)
    text = json.dumps(observation.to_json())
    whole = pickle.dumps(observation)
    pool = match.table.position.pool
    assert pool
    for number in pool:
        key = match.table.roster.tokens[number].key
        is_own = side is not None and f"secret-{side}-" in key
        assert (key in text) is is_own, key
        assert (key.encode() in whole) is is_own, key
    assert SEED not in whole
    assert SEED.hex() not in text
    assert observation.to_json()["snapshot"] == match.snapshot()
    assert len(flat(match)) == len(observation.events)


def test_tokens_that_have_been_drawn_are_open() -> None:
    match = begun(3)
    pool = match.table.position.pool
    drawn = [number for number in range(6) if number not in pool]
    assert drawn
    text = json.dumps(match.observe(None).to_json())
    for key in names(match, drawn):
        assert key in text


def test_a_decision_is_shown_to_its_owner_and_others_see_who_is_waited_for() -> None:
    match = begun(5)
    decision = match.decision
    assert decision is not None
    other = "red" if decision.side == "blue" else "blue"
    assert match.observe(decision.side).decision == decision.to_json()
    for viewer in (other, None):
        assert match.observe(viewer).decision is None
        assert match.observe(viewer).waiting_for == decision.side
    with pytest.raises(KeyError):
        match.observe("green")


@pytest.mark.parametrize("steps", [0, 3, 9, 25])
def test_a_possible_whole_is_the_same_match_with_other_secrets(steps: int) -> None:
    match = begun(steps)
    assert match.decision is not None
    for side in ("red", "blue", None):
        before = match.table.position.copy()
        twin = determinise(match.observe(side), random.Random(steps))
        assert twin.table.position == match.table.position
        assert twin.legal_actions() == match.legal_actions()
        roster = twin.table.roster
        for number in range(2):
            own = [roster.tokens[index].rp for index in range(6) if roster.token_owner[index] == number]
            assert sum(own) == 30, "R-TGT-02"
        for _ in decisions(twin, random.Random(2)):
            pass
        assert twin.result is not None
        assert match.table.position == before


def test_possible_wholes_differ_in_their_dice() -> None:
    match = begun(0)
    observation = match.observe(None)
    ends = set()
    for number in range(6):
        twin = determinise(observation, random.Random(number))
        for _ in decisions(twin, random.Random(3)):
            pass
        ends.add(json.dumps(twin.table.position.to_json()))
    assert len(ends) > 1


def test_observing_changes_nothing_in_random_matches_of_many_sides() -> None:
    match = random_match(8, sides=4, units=6)
    observed = random_match(8, sides=4, units=6)
    for now in decisions(match, random.Random(8)):
        assert now.decision is not None
        now.observe(now.decision.side).to_json()
    for _ in decisions(observed, random.Random(8)):
        pass
    assert match.events == observed.events


# --- verification -----------------------------------------------------------------------------------------------


def replay_document(seed: bytes = SEED, number: int = 4) -> Json:
    """A finished match as it is downloaded."""
    setup = read_setup(random_setup(random.Random(number), 2, 2))
    match = Match.start(setup, SeededDice(seed))
    for _ in decisions(match, random.Random(number)):
        pass
    assert match.result is not None
    document = {
        "rules_version": RULES_VERSION, "setup": setup.to_json(), "seed": seed.hex(),
        "seed_commitment": commitment(seed), "actions": match.actions, "events": match.events,
        "result": match.result.to_json(),
    }  # fmt: skip
    return json.loads(json.dumps(document))  # type: ignore[no-any-return]


def test_an_untouched_replay_is_ok() -> None:
    document = replay_document()
    found = verify(document)
    assert found.outcome is Outcome.OK
    assert found.events == sum(map(len, document["events"]))


def test_a_touched_event_is_found_where_it_stands() -> None:
    document = replay_document()
    batch = len(document["events"]) // 2
    document["events"][batch][0]["unit"] = "nobody"
    found = verify(document)
    assert found.outcome is Outcome.DIFFERS
    assert (found.sequence, found.position) == (batch, 0)
    assert found.stored["unit"] == "nobody"


@pytest.mark.parametrize(
    "touch",
    [
        lambda document: document["events"].pop(),
        lambda document: document["events"][-1].append({"event": "passed", "see": "all", "unit": "u0"}),
        lambda document: document["actions"].pop(),
        lambda document: document["actions"].insert(0, {"unit": "u0", "order": "vent"}),
        lambda document: document["actions"].append({"unit": "u0", "order": "pass"}),
        lambda document: document.update(seed=OTHER.hex()),
        lambda document: document.update(
            seed=(b"\x01" + SEED[1:]).hex(), seed_commitment=commitment(b"\x01" + SEED[1:])
        ),
        lambda document: document.update(seed_commitment="0" * 64),
        lambda document: document["result"].update(winner="nobody"),
        lambda document: document.update(result=None),
        lambda document: document["setup"]["sides"][0]["units"][0].update(clicks=1),
    ],
)
def test_whatever_is_touched_the_replay_differs(touch: Any) -> None:
    document = replay_document()
    touch(document)
    assert verify(document).outcome is Outcome.DIFFERS


def test_a_match_of_other_rules_is_not_judged() -> None:
    document = {**replay_document(), "rules_version": "0.0.0"}
    assert verify(document).outcome is Outcome.OTHER_RULES


@pytest.mark.parametrize(
    "document",
    [
        {}, [], None, "text", {**replay_document(), "seed": "not hex"}, {**replay_document(), "setup": {}},
        {**replay_document(), "actions": None}, {**replay_document(), "events": None},
        {**replay_document(), "events": [None]}, {**replay_document(), "events": [["text"]], "rules_version": "0"},
        {**replay_document(), "actions": {"unit": 1}},
    ],
    ids=["empty", "list", "none", "text", "seed", "setup", "no actions", "no events", "batch", "event", "actions"],
)  # fmt: skip
def test_a_document_that_is_not_a_replay_is_malformed_or_differs(document: Any) -> None:
    """Never a crash: somebody's file is read here."""
    try:
        found = verify(document)
    except Malformed:
        return
    assert found.outcome is Outcome.DIFFERS


def test_the_command_says_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "replay.json"
    path.write_text(json.dumps(replay_document()), encoding="utf-8")
    assert main([str(path)]) == 0
    assert ": ok, " in capsys.readouterr().out
    assert main([str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "ok"
    touched = replay_document()
    touched["events"][0].pop()
    path.write_text(json.dumps(touched), encoding="utf-8")
    assert main([str(path)]) == 1
    assert "first difference: action 0" in capsys.readouterr().out
    path.write_text("no json", encoding="utf-8")
    assert main([str(path)]) == 1
    assert "not a replay" in capsys.readouterr().err
