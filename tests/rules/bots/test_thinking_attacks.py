"""Bots that think make special attacks: where nothing else wins, where it holds a shooter, and in matches."""

from typing import Any

import pytest

from tests.rules.board import CLICK, Json, duel, happened, placed, unit
from tests.rules.bots.deciding import THINKERS, THOROUGH, answer_of, asked, matches, showdown

MELEE = {"type": "melee", "targets": 1, "range": [0, 0]}
BLOW = 5


def fighter(attack: int = 9, **equipment: str) -> Json:
    """A dear unit with nothing but its fists: a blow is 5, a charge 6, a strike from above 7."""
    click: Json = {**CLICK, "primary": BLOW, "secondary": 1, "attack": attack, "equipment": equipment}
    return unit("fists", primary=MELEE, secondary=MELEE, points=160, clicks=6, click=click)


def last_chance(red: Json, *, left: int, **keys: Any) -> Json:
    """The last round: the dear side has lost unless it eliminates an opponent with so many points left."""
    units = [placed("a", "red", "0610", 0, red, **keys), placed("b", "blue", "0606", 6, unit("guns", clicks=left))]
    return showdown("special", units=units)


@pytest.mark.parametrize("name", THOROUGH)
def test_r_chg_10_a_charge_when_nothing_else_eliminates(name: str) -> None:
    """A blow is a point short. The greedy bot fears the heat, which comes after the last round."""
    match = asked(last_chance(fighter(7), left=BLOW + 1, heat=3), "a", "special")
    assert answer_of("greedy", match)["order"] == "pass"
    for seed in (1, 2):
        order = answer_of(name, match, seed)
        assert (order["order"], order["targets"]) == ("charge", ["b"])


@pytest.mark.parametrize("name", THOROUGH)
def test_r_dfa_08_a_strike_from_above_when_nothing_else_eliminates(name: str) -> None:
    """A charge is a point short, and the strike succeeds so seldom that the greedy bot does not think of it."""
    match = asked(last_chance(fighter(5, speed="jump_jets"), left=BLOW + 2), "a", "special")
    assert answer_of("greedy", match)["order"] == "pass"
    for seed in (1, 2):
        order = answer_of(name, match, seed)
        assert (order["order"], order["targets"]) == ("death_from_above", ["b"])


@pytest.mark.parametrize("name", THINKERS)
@pytest.mark.parametrize(("first", "order"), [("a", "pin"), ("b", "pass")])
def test_r_pin_01_a_shooter_that_has_yet_to_move_is_pinned(first: str, order: str, name: str) -> None:
    """Whoever has only fists holds whom it touches; one that moves before has gone or stays anyway (R-PIN-04)."""
    units = [placed("a", "red", "0607", 0, fighter()), placed("b", "blue", "0606", 6, unit("guns", clicks=6))]
    turns = ["a", "b"] if first == "a" else ["b", "a"]
    match = asked(duel(units=units, start={"round": 3, "phase": "special", "order": turns}), "a", "special")
    assert answer_of("greedy", match)["order"] == "pass"
    assert answer_of(name, match)["order"] == order


def test_special_attacks_of_more_than_one_kind_are_made_in_matches_between_thinkers() -> None:
    made: set[str] = set()
    for match in matches("standard", range(8)):
        made |= {event["attack"] for event in happened(match, "special_attack")}
        if len(made) > 1:
            return
    pytest.fail(f"only {made}")
