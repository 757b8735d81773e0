"""The conformance scenarios of the Challenge, one test a file, and the runner that plays them."""

import re
from pathlib import Path
from typing import Any

import pytest

from rules.challenge.awards import awards_of
from rules.challenge.entries import read_entry
from rules.challenge.folding import enter
from rules.challenge.kinds import KINDS
from rules.challenge.scenario.form import read_event
from rules.challenge.tables import Tables
from rules.scenario.command import play
from rules.scenario.playing import load
from tests.rules.board import SCENARIOS

FOLDER = SCENARIOS / "challenge"
FILES = sorted(FOLDER.glob("*/*.json"))
RULE = re.compile(r"^(MCQ?-[A-Z]+-\d\d|(EX|R)-[A-Z]+-\d+|D-\d\d)$")

DUEL: dict[str, Any] = {
    "game": "challenge",
    "mechs": {"hunchback": {"tons": 50, "cost": 3467875}},
    "pilots": {
        "ross": {"mech": {"id": "hunchback"}, "in_arena_since": 1},
        "jo": {"mech": {"id": "hunchback"}, "in_arena_since": 1},
    },
    "entries": [
        {"turn": 4, "phase": "fire", "by": "ross", "at": "jo", "what": "damage", "points": 40},
        {"turn": 4, "phase": "fire", "by": "ross", "at": "jo", "what": "kill"},
    ],
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_scenario(path: Path) -> None:
    _, found = play(load(path))
    assert found is None, found


def test_each_says_what_it_shows() -> None:
    for path in FILES:
        document = load(path)
        assert document["title"], path.name
        assert document["why"], path.name
        assert document["expect"], path.name
        assert document["rules"], path.name
        assert [rule for rule in document["rules"] if not RULE.match(rule)] == [], path.name


def test_no_two_have_one_title() -> None:
    titles = [f"{path.parent.name}: {load(path)['title']}" for path in FILES]
    assert len(titles) == len(set(titles))


def test_every_worked_example_of_the_board_is_played() -> None:
    shown = {rule for path in FILES for rule in load(path)["rules"]}
    examples = {f"EX-AWD-{number}" for number in range(1, 8)}
    examples |= {f"EX-BET-{number}" for number in range(6)} | {"EX-EXIT-1", "EX-EXIT-2"}
    assert examples - shown == set()


def test_every_row_of_the_event_table_is_earned_somewhere() -> None:
    earned = {award["row"] for path in FILES for award in load(path)["expect"].get("awards", [])}
    assert set(Tables.of().rows) - earned == set()


def expecting(**expect: Any) -> str | None:
    outcome, found = play({**DUEL, "expect": expect})
    assert outcome is not None
    return found


@pytest.mark.parametrize(
    ("expect", "first"),
    [
        pytest.param({"pilots": {"ross": {"fame": 1}}}, "pilots.ross.fame: expected 1, found 0", id="a number"),
        pytest.param({"pilots": {"kim": {"fame": 0}}}, "pilots.kim", id="a pilot who is not there"),
        pytest.param({"ranking": ["jo", "ross"]}, "ranking[1]", id="the ranking"),
        pytest.param({"awards": [{"pilot": "ross"}]}, "awards", id="an award too many"),
        pytest.param({"error": "turn_closed"}, "error", id="a refusal that does not come"),
        pytest.param({"error": True}, "error: expected a refusal", id="any refusal"),
        pytest.param({"weather": "rain"}, "weather", id="an unknown key"),
    ],
)
def test_a_wrong_expectation_fails_with_the_first_difference(expect: dict[str, Any], first: str) -> None:
    found = expecting(**expect)
    assert found is not None
    assert found.startswith(first)


def test_a_refused_entry_before_the_last_fails_and_names_it() -> None:
    twice = [*DUEL["entries"], DUEL["entries"][1], DUEL["entries"][0]]
    assert play({**DUEL, "entries": twice, "expect": {"error": True}}) == (
        None,
        "entry 3 refused: pilot_not_in_arena {'pilot': 'jo'}",
    )


def test_a_setup_with_an_unknown_name_is_refused() -> None:
    document = {**DUEL, "entries": [], "pilots": {"ross": {"stable": "nowhere"}}}
    assert play({**document, "expect": {"error": "bad_challenge"}}) == ({"error": "bad_challenge"}, None)
    outcome, found = play({**document, "expect": {}})
    assert outcome is None
    assert found is not None
    assert "pilots.ross.stable" in found


def test_what_a_turn_will_pay_is_known_while_it_is_open() -> None:
    """The preview is what the end of the turn books."""
    event = read_event({key: DUEL[key] for key in ("game", "mechs", "pilots")})
    for document in DUEL["entries"]:
        enter(event, read_entry(document, KINDS))
    expected = [(award.pilot, award.reason, award.worth) for award in awards_of(event, event.tables["main"])]
    assert event.lines == []
    enter(event, read_entry({"turn": 4, "what": "end_turn"}, KINDS))
    assert [(line.pilot, line.reason, line.worth) for line in event.lines] == expected
    assert [reason for _, reason, _ in expected] == ["flashy.B", "flashy.C", "kills.G"]
