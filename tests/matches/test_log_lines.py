"""The lines of a match's log: whose aside stands where, and in which order the two rolls of an attack stand."""

from __future__ import annotations

from matches.presenters.match import Aside, event_views, own_attack
from tests.rules.board import Json, flat, ran, scenario_documents

NAMES = {"a": "Vixen", "b": "Raven"}
ASIDE = Aside("b", "standing answer")


def cooled(unit: str) -> Json:
    return {"event": "heat_dial_turned", "see": "all", "unit": unit, "from": 1, "to": 0, "cause": "cooling"}


def test_an_aside_stands_on_the_line_of_its_own_unit() -> None:
    (line,) = event_views([cooled("b")], NAMES, {0: ASIDE})
    assert (line.sentence, line.aside) == ("Raven cools down from 1 to 0.", "standing answer")


def test_an_aside_has_a_line_of_its_own_before_what_others_do() -> None:
    first, then, last = event_views([cooled("a"), cooled("b")], NAMES, {0: ASIDE})
    assert (first.sentence, first.aside) == ("Raven: standing answer.", "")
    assert [(each.sentence, each.aside) for each in (then, last)] == [
        ("Vixen cools down from 1 to 0.", ""),
        ("Raven cools down from 1 to 0.", ""),
    ]


def test_a_players_own_answer_ends_the_aside_of_the_step_before() -> None:
    lines = list(event_views([{"event": "turn_began", "unit": "b"}, cooled("a")], NAMES, {0: ASIDE, 1: Aside("a", "")}))
    assert [(each.sentence, each.aside) for each in lines] == [("Vixen cools down from 1 to 0.", "")]


def rolls_of(scenario: str) -> list[str]:
    """What the log says of the rolls of a conformance scenario, in its order."""
    match = ran(dict(scenario_documents())[scenario]).match
    lines = event_views(flat(match), NAMES)
    return [line.sentence for line in lines if line.kind in ("second_roll", "attack_resolved")]


def test_r_sef_02_a_hit_stands_before_the_second_roll_that_holds_it() -> None:
    assert rolls_of("protection/decoy_fails.json") == [
        "Vixen hits Raven (result 21, defense 19).",
        "Raven has a Decoy: Vixen rolls again, 4 + 3 + 3, 19 against 19, and still hits.",
    ]


def test_r_sef_02_a_second_roll_that_fails_says_that_the_first_one_hit() -> None:
    second, resolved = rolls_of("protection/decoy_holds.json")
    assert second.startswith("Vixen would hit, but Raven has a Decoy: Vixen rolls again, ")
    assert second.endswith("and misses.")
    assert resolved.startswith("Vixen misses Raven")


def test_a_round_in_which_no_unit_has_a_turn_says_so() -> None:
    begins = [{"event": "round_began", "round": 4}, {"event": "phase_began", "phase": "move"}]
    ends = [{"event": "phase_began", "phase": "cleanup"}]
    turn = [{"event": "turn_began", "unit": "a"}]
    assert [line.sentence for line in event_views([*begins, *ends], NAMES)] == ["No unit can act in round 4."]
    assert not list(event_views([*begins, *turn, *ends], NAMES))
    assert not list(event_views(ends, NAMES))


def test_what_ones_own_last_attack_did_is_said_in_one_sentence() -> None:
    events = flat(ran(dict(scenario_documents())["protection/decoy_fails.json"]).match)
    assert own_attack(events, {"a"}) == "Your attack hit: 3 damage."
    missed = flat(ran(dict(scenario_documents())["protection/decoy_holds.json"]).match)
    assert own_attack(missed, {"a"}) == "Your attack missed."
    assert own_attack(events, {"b"}) == ""
