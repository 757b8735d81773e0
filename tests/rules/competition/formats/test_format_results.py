"""What a match of each format tells at its end: shares, places, dead pilots; and when it is over."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules.competition.formats import format_of
from rules.competition.formats.standard import sudden_death
from rules.competition.match import Match
from rules.competition.setups import read_setup
from rules.competition.state.events import DAMAGE_NOTED, REPUTATION
from rules.competition.state.setup import MatchSetup
from rules.core.dice import ScriptedDice, SeededDice
from rules.core.refusals import IllegalAction, Malformed
from rules.solaris.house_rules import HouseRules
from tests.rules.board import happened, loadout, pilot, unit
from tests.rules.competition.formats.test_formats import KEYS, document_of, place_all, played, setup_of
from tests.rules.competition.test_whole_matches import through_text

# --- what is told at the end ------------------------------------------------------------------------------------


def ended(key: str, *sizes: int, reputation: Mapping[int, int], **keys: Any) -> Match:
    """A match whose sides have scored so much, at its first decision of the first round."""
    match = Match.start(read_setup(document_of(key, *sizes, **keys)), SeededDice(2))
    while match.decision is not None and match.decision.kind in ("start", "token", "active"):
        match.play(match.default_action())
    for side, amount in reputation.items():
        match.table.emit(REPUTATION, side, amount, "test")
    return match


@pytest.mark.parametrize(
    ("scored", "share"), [pytest.param(80, 40, id="R-FMT-04"), pytest.param(85, 43, id="Q-135 rounds up")]
)
def test_r_fmt_04_reputation_is_divided_between_the_teammates(scored: int, share: int) -> None:
    match = ended("team", 2, 2, reputation={0: scored}, house_rules={"time_limit_rounds": 1, "target_tokens": False})
    match.table.emit(DAMAGE_NOTED, 1, 5, "test", -1)  # one of them falls, and has his share all the same
    match.play({"order": "time_up"})
    match.play(match.default_action())
    while match.decision is not None:
        match.play(match.default_action())
    result = match.result
    assert result is not None
    assert result.sides["s0"]["reputation"] == scored
    assert [result.units[name]["reputation"] for name in ("u00", "u01", "u10")] == [share, share, 0]


def test_q_166_two_pilots_who_surrender_have_half_of_their_shares() -> None:
    """25 scored: shares of 13 and 13, halves of 7 and 7, 13 for the stable; 70 for each pilot who remains (Q-137)."""
    match = ended("team", 2, 2, reputation={0: 25, 1: 15}, house_rules={"target_tokens": False})
    assert match.decision is not None
    side = match.decision.side
    other = {"s0": "s1", "s1": "s0"}[side]
    scored = {"s0": 25, "s1": 15}
    match.play({"unit": match.decision.unit, "order": "surrender"})
    result = match.result
    assert result is not None
    assert result.sides[side]["reputation"] == (scored[side] + 1) // 2
    assert result.sides[other]["reputation"] == scored[other] + 70
    assert {unit["reputation"] for unit in result.units.values() if unit["side"] == side} == {(scored[side] + 3) // 4}
    assert {unit["reputation"] for unit in result.units.values() if unit["side"] == other} == {
        (scored[other] + 1) // 2 + 70
    }


def test_r_fmt_05_r_sur_02_two_stables_a_side_and_one_surrenders_both() -> None:
    document = document_of("team", 2, 2, house_rules={"target_tokens": False})
    for side in document["sides"]:
        for number, entry in enumerate(side["units"]):
            entry["owner"] = f"{side['id']}-stable{number}"
    setup = read_setup(document)
    assert setup.to_json()["sides"][0]["units"][1]["owner"] == "s0-stable1"
    assert read_setup(through_text(setup.to_json())) == setup
    match = Match.start(setup, SeededDice(1))
    place_all(match)
    assert match.decision is not None
    side, unit_name = match.decision.side, match.decision.unit
    partner = next(name for name in ("u01", "u11") if name[1] == unit_name[1])
    match.play({"unit": partner, "order": "surrender"})
    assert match.result is not None
    assert match.result.sides[side]["surrendered"]
    assert match.result.units["u00"]["owner"] == "s0-stable0"
    with pytest.raises(Malformed, match="bad_setup"):
        read_setup({**document, "sides": [{**document["sides"][0], "units": [loadout("x", owner=3)]}] * 2})


def two_stables_a_side(**keys: Any) -> MatchSetup:
    """A team match in which every unit is of a stable of its own."""
    document = document_of("team", 2, 2, **keys)
    for side in document["sides"]:
        for number, entry in enumerate(side["units"]):
            entry["owner"] = f"{side['id']}-stable{number}"
    return read_setup(document)


def test_q_129_q_165_each_stable_takes_the_share_of_its_own_unit() -> None:
    """85 scored by one of them: 43 for each stable, also the one whose unit has fallen; kills are their unit's own."""
    setup = two_stables_a_side(house_rules={"target_tokens": False, "time_limit_rounds": 1})
    match = Match.start(setup, SeededDice(2))
    place_all(match)
    match.table.emit(REPUTATION, 0, 5, "test")
    match.table.emit(DAMAGE_NOTED, 1, 5, "test", -1)
    match.table.emit(DAMAGE_NOTED, 2, 5, "attack", 0)
    while match.decision is not None:
        match.play(match.default_action())
    assert match.result is not None
    assert match.result.sides["s0"]["reputation"] == 85
    shares = {one["owner"]: (one["reputation"], one["kills"]) for one in match.result.units.values()}
    assert shares == {"s0-stable0": (43, 1), "s0-stable1": (43, 0), "s1-stable0": (0, 0), "s1-stable1": (0, 0)}


def test_r_sur_05_every_remaining_stable_of_a_side_gains_seventy() -> None:
    """Also the one whose unit has fallen: 80 are 40 and 40, and 70 for each (Q-137); the side has them once."""
    match = Match.start(two_stables_a_side(house_rules={"target_tokens": False}), SeededDice(2))
    place_all(match)
    match.table.emit(REPUTATION, 0, 80, "test")
    match.table.emit(DAMAGE_NOTED, 1, 5, "test", -1)
    while match.decision is not None and not (match.decision.side == "s1" and match.snapshot()["round"] == 2):
        match.play(match.default_action())
    assert match.decision is not None
    match.play({"unit": match.decision.unit, "order": "surrender"})
    assert match.result is not None
    assert match.result.units["u01"]["eliminated"]
    assert match.result.sides["s0"]["reputation"] == 150
    assert [match.result.units[name]["reputation"] for name in ("u00", "u01", "u10", "u11")] == [110, 110, 0, 0]


def test_r_end_04_q_27_one_of_two_stables_agrees_for_its_side() -> None:
    match = Match.start(two_stables_a_side(house_rules={"target_tokens": False}), SeededDice(2))
    place_all(match)
    match.play({"unit": "u01", "order": "agree"})
    with pytest.raises(IllegalAction, match="agreed_already"):
        match.play({"unit": "u00", "order": "agree"})
    match.play({"unit": "u10", "order": "agree"})
    while match.decision is not None:
        match.play(match.default_action())
    assert match.result is not None
    assert (match.result.ended_by, match.result.rounds) == ("agreement", 1)


def test_q_167_a_surrendered_unit_has_the_place_of_its_half() -> None:
    match = ended("grand_melee", 1, 1, 1, reputation={0: 40, 1: 10, 2: 30}, house_rules={"target_tokens": False})
    while match.decision is not None and match.decision.side != "s0":
        match.play(match.default_action())
    assert match.decision is not None
    match.play({"unit": "u00", "order": "surrender"})
    match.play({"order": "time_up"})
    while match.decision is not None:
        match.play(match.default_action())
    assert match.result is not None
    assert match.result.places == ("s2", "s0", "s1")
    assert match.result.to_json()["places"] == ["s2", "s0", "s1"]


@pytest.mark.parametrize(("die", "dead"), [(1, True), (2, False)])
def test_r_dth_01_r_dth_03_a_dead_pilot_is_in_the_result_with_their_share(die: int, dead: bool) -> None:
    document = document_of(
        "team", 2, 2, house_rules={"pilot_death": True, "target_tokens": False, "time_limit_rounds": 1}
    )
    for side in document["sides"]:
        for entry in side["units"]:
            entry["pilot"] = pilot()
    dice = [6, 5, 4, 1, 2, 3, 1, 1, 1, 2, 2, 2, 3, 3, die]
    match = Match.start(read_setup(document), ScriptedDice(dice))
    place_all(match)
    match.table.emit(REPUTATION, 0, 30, "test")
    match.table.emit(DAMAGE_NOTED, 1, 5, "test", -1)
    while match.decision is not None:
        match.play(match.default_action())
    assert match.result is not None
    fate = match.result.units["u01"]
    assert (fate["eliminated"], fate["pilot_dead"], fate["reputation"]) == (True, dead, 15)
    assert not match.result.units["u00"]["pilot_dead"]


@pytest.mark.parametrize("pilot_death", [False, True])
def test_r_dth_01_gear_that_serves_is_no_dead_pilot(pilot_death: bool) -> None:
    """Who chose gear in place of the dial lives on in the result, eliminated or not."""
    clicks = {"click": {"equipment": {"speed": "evade"}}}
    jets = {"id": "G-901", "name": "Jets", "points": 5, "slot": "speed", "modifiers": {}, "equipment": "jump_jets"}
    names = ("u00", "u10")
    document = document_of(
        "standard", 1, 1, house_rules={"pilot_death": pilot_death, "target_tokens": False, "time_limit_rounds": 1}
    )
    for side, name in zip(document["sides"], names, strict=True):
        side["units"] = [loadout(name, unit(name, **clicks), gear=[jets], pilot=pilot())]
    match = Match.start(read_setup(document), SeededDice(7 if pilot_death else 1))
    while match.decision is not None:
        if match.decision.kind == "source":
            match.play({"unit": match.decision.unit, "choose": "source", "value": "speed", "from": "gear"})
        else:
            if match.decision.kind == "move" and not happened(match, "damage_noted"):
                match.table.emit(DAMAGE_NOTED, 1, 5, "test", -1)
            match.play(match.default_action())
    assert {event["unit"] for event in happened(match, "source_chosen")} == set(names)
    assert match.result is not None
    dead = {name for name, one in match.result.units.items() if one["pilot_dead"]}
    assert dead == {event["unit"] for event in happened(match, "pilot_fate") if event["dead"]}
    assert [match.result.units[name]["eliminated"] for name in names] == [False, True]


def test_r_sud_01_a_sudden_death_match_is_a_standard_match_without_pilot_death_and_cards() -> None:
    rules = sudden_death(HouseRules(pilot_death=True, critical_hit_extra_damage=1))
    assert (rules.pilot_death, rules.rally_cards, rules.target_tokens) == (False, False, True)
    assert rules.critical_hit_extra_damage == 1
    match = played("standard", 4, **rules.to_json())
    assert happened(match, "pilot_fate") == []
    assert match.result is not None


# --- time -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_r_fmt_22_the_time_limit_of_a_format_is_a_number_of_rounds(key: str) -> None:
    minutes = {"standard": 20, "weapons_dead": 20, "grand_melee": 60}.get(key, 40)
    assert format_of(key).last_round(HouseRules()) == minutes // 2
    assert format_of(key).last_round(HouseRules(time_limit_rounds=3)) == 3
    assert format_of(key).last_round(HouseRules(clock_seconds=600)) is None
    assert format_of(key).last_round(HouseRules(clock_seconds=600, time_limit_rounds=4)) == 4


def test_r_end_03_a_clock_runs_out_by_an_action() -> None:
    """No round limit then; the expiry is recorded, ends the phase, and replays."""
    setup = setup_of("standard", 5, clock_seconds=600, target_tokens=False)
    match = Match.start(setup, SeededDice(5))
    while match.decision is not None and match.snapshot()["round"] <= 11:
        match.play(match.default_action())
    assert match.decision is not None
    match.play({"order": "time_up"})
    while match.decision is not None:
        match.play(match.default_action())
    result = match.result
    assert result is not None
    assert (result.ended_by, result.rounds) == ("time_limit", 12)
    assert Match.replay(setup, SeededDice(5), match.actions).result == result
