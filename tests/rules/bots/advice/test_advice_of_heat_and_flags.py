"""Advice where a die is rolled again, heat is dealt, cards are held and a flag lies: it tells what can happen."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.bots.advice.explaining import explain
from rules.competition.match import Match
from rules.core.dice import SeededDice
from tests.rules.board import Dropped, Json, placed, unit
from tests.rules.bots.advice.advised import SHOT, SHOWS, answers, at_combat, reasons
from tests.rules.dealing import dealt

# --- heat effects that are rolled again ----------------------------------------------------------------------------


def steady() -> dict[str, Any]:
    """A pilot who rolls one heat effect of a round again."""
    return {
        **{"id": "L-900", "kind": "legendary", "name": "Test Legend", "points": 10, "modifiers": {}},
        **{"alternative": {"points": 20, "unit": "a"}, "requires": {"class": ["medium"]}, "ability": "steady_nerves"},
    }


def showing(**effects: str) -> dict[str, Any]:
    """A unit whose second heat step shows these effects."""
    plain = {**SHOWS, "effects": {}}
    return unit("a", heat=[plain, {**SHOWS, "effects": effects}, plain])


def test_r_hef_09_a_pilot_who_rolls_an_effect_again_lowers_its_chance() -> None:
    cool = at_combat(red={"unit": showing(speed="avoid_shutdown"), "pilot": steady()})
    assert reasons(cool, SHOT)["heat_effect_shows"]["chance"] == round(100 * (2 / 6) ** 2)
    plain = at_combat(red={"unit": showing(speed="avoid_shutdown")})
    assert reasons(plain, SHOT)["heat_effect_shows"]["chance"] == round(100 * 2 / 6)


def test_what_serves_once_a_round_serves_the_second_effect_where_the_first_did_not_fail() -> None:
    both = showing(primary="avoid_ammunition_explosion", speed="avoid_shutdown")
    match = at_combat(red={"unit": both, "pilot": steady()})
    # The second is rolled twice in the four of six cases in which the first held at once.
    assert reasons(match, SHOT)["heat_effect_shows"]["chance"] == round(100 * (4 / 6 * 4 / 36 + 2 / 6 * 2 / 6))


# --- flamers ------------------------------------------------------------------------------------------------------


ENERGY = {"type": "energy", "targets": 1, "range": [0, 8]}
BURNER = unit("a", primary=ENERGY, click={"equipment": {"primary": "flamers"}})
BURN = {"order": "close", "value": "primary", "targets": ["b"]}


def test_r_sed_12_an_attack_with_flamers_tells_the_heat_and_no_damage() -> None:
    found = reasons(at_combat(red={"unit": BURNER, "hex": "0607"}), BURN)
    assert found["hit_heats"] == {"target": "b", "heat": 2}
    assert found["hits"].keys() == {"target", "chance"}
    assert not found.keys() & {"hits_for", "leaves_clicks"}
    without = reasons(at_combat(red={"unit": BURNER, "hex": "0607"}), {**BURN, "cancel": ["flamers"]})
    assert without["hits_for"]["damage"] == 2
    assert "hit_heats" not in without


def test_r_sed_12_who_is_attacked_with_flamers_hears_of_the_heat() -> None:
    match = at_combat(red={"unit": BURNER, "hex": "0607"})
    match.play({"unit": "a", **BURN})
    found = answers(match, "dodge")
    assert found["hit_heats"] == {"target": "b", "heat": 2}
    assert found["chance_changes"]["then"] < found["chance_changes"]["now"]
    assert "attack_falls" not in found
    assert "chance_as_it_is" in answers(match, "none")


# --- flags --------------------------------------------------------------------------------------------------------


def near_the_flag() -> Match:
    """A unit with jump jets two hexes before blue's flag in 0602."""
    flags = {"red": {"home": "0613", "hex": "0613"}, "blue": {"home": "0602", "hex": "0602"}}
    jumper = unit("a", click={"equipment": {"speed": "jump_jets"}})
    document: Json = {
        "format": "capture_the_flag",
        "arena": {"hexes": {}},
        "units": [placed("a", "red", "0604", 0, jumper), placed("b", "blue", "0810")],
        "flags": flags,
        "start": {"round": 1, "phase": "move", "order": ["a", "b"]},
        "dice": [],
        "actions": [],
        "expect": {},
    }
    return Dropped(document, 1).match


@pytest.mark.parametrize(
    ("path", "jumps", "tries"),
    [
        pytest.param(["0603", "0602", "0601"], True, False, id="jumps-over-it"),
        pytest.param(["0603", "0602"], True, True, id="jumps-beside-it"),
        pytest.param(["0603", "0602"], False, True, id="walks-beside-it"),
    ],
)
def test_r_fmt_15_a_jump_that_passes_over_a_flag_does_not_try_for_it(path: list[str], jumps: bool, tries: bool) -> None:
    match = near_the_flag()
    action = {"order": "move", "path": path, "facing": 0, **({"jump": True} if jumps else {})}
    assert match.check({"unit": "a", **action}) == []
    assert ("tries_for_flag" in reasons(match, action)) is tries


# --- cards ----------------------------------------------------------------------------------------------------------


def test_cards_that_were_played_are_not_among_those_that_stay() -> None:
    """Whoever keeps cards is told of as many as the hand holds without those that lie open already."""
    count = 0
    for seed in range(6):
        match, rng = Match.start(dealt(seed), SeededDice(seed)), random.Random(seed)
        while match.decision is not None and count < 4:
            kind, asked, _ = match.table.open or pytest.fail("nothing is open")
            own = match.table.roster.own_units[asked]
            played = {card for _, who, card, _ in match.table.position.rallies if who in own}
            if kind.name == "rally" and played:
                (reason,) = explain(match, (None,))
                hand = match.table.roster.hand_of(asked)
                assert reason.code == "keeps_cards"
                assert reason.parameters["cards"] == len([card for card in hand if card not in played]) < len(hand)
                count += 1
            match.play(match.sample_action(rng))
    assert count
