"""What advice tells of an answer that does without equipment: the numbers as they are without it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.bots.advice.explaining import explain
from rules.competition.forecast import break_away_forecast
from rules.competition.match import Match
from rules.core.dice import ScriptedDice
from rules.core.odds import chance_to_hit
from tests.rules.board import CLICK, SCENARIOS, Dropped, unit
from tests.rules.bots.advice.advised import at_combat, at_move, reasons
from tests.rules.dealing import gear

BLOW = {"unit": "a", "order": "close", "value": "primary", "targets": ["b"]}
AGILE = unit("b", secondary={"type": "melee", "targets": 1}, click={"equipment": {"secondary": "agility"}})
"""A blow of 2 deals it 1."""

EVASIVE = unit("a", click={"equipment": {"speed": "evade"}})
EVEN = chance_to_hit(CLICK["attack"], CLICK["defense"])


def said(match: Match, action: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The reasons of an answer of blue's unit by their codes."""
    choice = match.read({"unit": "b", **action})[0]
    return {reason.code: dict(reason.parameters) for reason in explain(match, choice)}


def struck(blue: dict[str, Any], attack: int = CLICK["attack"]) -> Match:
    """Red has gone for blue's unit in base contact, which is asked for its reaction."""
    red = {"hex": "0607", "unit": unit("a", click={"attack": attack})}
    match = at_combat(red=red, blue={"unit": AGILE, **blue})
    match.play(BLOW)
    assert match.decision is not None
    assert (match.decision.kind, match.decision.unit) == ("react", "b")
    return match


def test_r_sed_16_a_reaction_without_agility_tells_of_the_blow_that_agility_does_not_weaken() -> None:
    match = struck({})
    kept, given_up = said(match, {"react": "none"}), said(match, {"react": "none", "cancel": ["agility"]})
    assert kept["attack_as_it_is"]["expected"] == round(EVEN, 1)
    assert given_up["attack_as_it_is"]["expected"] == round(2 * EVEN, 1)
    assert kept["attack_as_it_is"]["then"] == given_up["attack_as_it_is"]["then"] == round(100 * EVEN)


def test_r_sed_16_whether_a_hit_destroys_hears_of_the_same_blow() -> None:
    match = struck({"clicks": 3})
    assert "would_be_destroyed" not in said(match, {"react": "none"})
    assert said(match, {"react": "none", "cancel": ["agility"]})["would_be_destroyed"] == {"left": 2}


@pytest.mark.parametrize(("attack", "code"), [(7, "attack_falls"), (9, "attack_grows")])
def test_a_dodge_without_agility_tells_by_the_damage_which_of_both_saves_some(attack: int, code: str) -> None:
    """It is hit less often, and harder."""
    now, then = (chance_to_hit(attack - less, CLICK["defense"]) for less in (0, 2))
    assert (2 * then < now) == (code == "attack_falls")
    match = struck({}, attack=attack)
    assert said(match, {"react": "dodge"})["attack_falls"]["saved"] == round(now - then, 1)
    found = said(match, {"react": "dodge", "cancel": ["agility"]})[code]
    assert found["saved"] == round(abs(2 * then - now), 1)
    assert (found["now"], found["then"]) == (round(100 * now), round(100 * then))


def test_r_seg_08_who_cannot_react_hears_the_same_of_its_agility() -> None:
    start = {"round": 1, "phase": "combat", "order": ["b", "a"]}
    match = at_combat(red={"hex": "0607"}, blue={"unit": AGILE}, start=start)
    match.play({"unit": "b", "order": "dig_in"})
    while match.decision is not None and match.decision.unit != "a":
        match.play(match.default_action())
    match.play(BLOW)
    assert match.decision is not None
    assert match.decision.kind == "cancel"
    # Digging in makes it easier to hit by 1.
    chance = chance_to_hit(CLICK["attack"], CLICK["defense"] - 1)
    kept, given_up = (said(match, {"choose": "cancel", "keys": keys}) for keys in ([], ["agility"]))
    assert kept["attack_as_it_is"]["expected"] == round(chance, 1)
    assert given_up["attack_as_it_is"]["expected"] == round(2 * chance, 1)


def test_an_attacker_without_its_armor_piercing_hears_what_armor_takes() -> None:
    piercing = unit("a", click={"equipment": {"primary": "armor_piercing"}})
    armored = unit("b", click={"equipment": {"defense": "heavy_armor"}})
    match = at_combat(red={"unit": piercing}, blue={"unit": armored})
    shot = {"order": "ranged", "value": "primary", "targets": ["b"]}
    kept, given_up = reasons(match, shot), reasons(match, {**shot, "cancel": ["armor_piercing"]})
    assert kept["hits_for"]["damage"] == 3
    assert given_up["hits_for"]["damage"] == 2
    assert given_up["armor_takes"]["modifiers"] == {"heavy_armor": -1}


def test_r_sem_03_a_run_without_evade_hears_its_heat() -> None:
    match = at_move(red={"unit": EVASIVE})
    run = {"order": "move", "path": ["0609", "0608"], "facing": 0, "run": True}
    assert not any(code.startswith("heat") for code in reasons(match, run))
    assert reasons(match, {**run, "cancel": ["evade"]})["heat_harmless"] == {"added": 1, "step": 1}


def test_r_brk_05_who_gives_up_what_helps_it_away_hears_its_chance_without() -> None:
    match = at_move(red={"unit": EVASIVE}, blue={"hex": "0609"})
    away = {"unit": "a", "order": "move", "path": ["0611"], "facing": 0}
    assert reasons(match, away)["breaks_away_first"]["chance"] == 83
    without = {**away, "cancel": ["evade"]}
    assert reasons(match, without)["breaks_away_first"]["chance"] == 67
    seen = break_away_forecast(match, without)
    assert seen is not None
    assert seen.needed == 3


def test_r_sea_02_a_repair_turns_back_what_heat_alone_leaves_of_the_value() -> None:
    """Gear adds to the damage of an attack, not to what a Repair mends."""
    document = json.loads((SCENARIOS / "friends" / "repair_by_value.json").read_text(encoding="utf-8"))
    document["units"][0]["gear"] = [gear("G-900", "primary", modifiers={"primary": 2})]
    match = Dropped(document, 1).match
    match.table.dice = ScriptedDice([4, 3, 3])
    match.play({**document["actions"][0]})
    assert match.decision is not None
    assert match.decision.kind == "repair"
    assert reasons(match, {"choose": "repair", "amount": "value"})["mends_by_value"] == {"clicks": 3}
