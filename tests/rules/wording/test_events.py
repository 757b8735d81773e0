"""Every kind of event has a line, and whole matches read as one."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.competition.setups import read_setup
from rules.competition.state.event_kinds import FIELDS, KINDS
from rules.core.dice import SeededDice
from rules.wording import SILENT_KINDS, event_sentence, explain_attack, explain_damage
from rules.wording.event_templates import BY_FIELD, TEMPLATES
from rules.wording.events import SPECIAL
from rules.wording.filling import MISSING
from tests.languages import MadeUp

NAMES = {"a": "Hellion", "b": "Solitaire", "red": "Red", "blue": "Blue", "t1": "Fuel Drum", "P-1": "Ace"}

LINES: list[tuple[dict[str, Any], str]] = [
    ({"event": "setup_rolled", "side": "red", "dice": [5, 3, 3], "total": 11}, "Red rolls 5 + 3 + 3 = 11 for setup."),
    ({"event": "unit_placed", "unit": "a", "hex": "0402", "facing": 0}, "Hellion starts in 0402, facing 12 o'clock."),
    (
        {"event": "moved", "unit": "a", "path": ["0403", "0404"], "hex": "0404", "facing": 4, "mode": "run"},
        "Hellion runs 2 hexes to 0404, facing 4 o'clock.",
    ),
    (
        {"event": "moved", "unit": "a", "path": ["0403"], "hex": "0403", "facing": 4, "mode": "jump"},
        "Hellion jumps 1 hex to 0403, facing 4 o'clock.",
    ),
    (
        {"event": "moved", "unit": "a", "path": [], "hex": "0403", "facing": 4, "mode": "turn"},
        "Hellion stays in 0403 and turns to 4 o'clock.",
    ),
    (
        {"event": "moved", "unit": "a", "path": [], "hex": "0403", "facing": 4, "mode": "assault"},
        "Hellion assaults from 0403, facing 4 o'clock.",
    ),
    ({"event": "moved", "unit": "a", "path": ["0403"], "hex": "0403", "facing": 4, "mode": "swim"}, "Hellion moves to"),
    ({"event": "order_given", "unit": "a", "order": "dodge", "reaction": True}, "Hellion dodges."),
    ({"event": "passed", "unit": "blue_7"}, "blue_7 passes."),
    ({"event": "order_given", "unit": "a", "order": "pin", "reaction": False}, "Hellion is given an order: pin."),
    ({"event": "turn_order", "order": ["a", "b"]}, "Turn order: Hellion and Solitaire."),
    (
        {"event": "initiative_rolled", "unit": "a", "dice": [3, 2], "modifiers": {"command": 1}, "total": 6},
        "Hellion rolls 3 + 2, with Command +1: 6 for initiative.",
    ),
    (
        {"event": "targeted", "unit": "a", "targets": ["b", "t1"], "value": "secondary", "indirect": True},
        "Hellion attacks Solitaire and Fuel Drum by indirect fire: secondary damage.",
    ),
    (
        {"event": "die_rerolled", "unit": "a", "die": 2, "from": 1, "to": 5, "cause": "improved_targeting"},
        "Hellion rolls its odd die again (Improved Targeting): 5 instead of 1.",
    ),
    ({"event": "attack_resolved", "unit": "a", "hit": [], "critical": None, "why": None}, "Hellion misses."),
    ({"event": "attack_resolved", "unit": "a", "hit": ["b"], "critical": None, "why": None}, "Hellion hits Solitaire."),
    (
        {
            "event": "damage_scored",
            "unit": "a",
            "target": "b",
            "scored": 1,
            "dealt": 1,
            "why": {"cause": "friendly_fire"},
        },
        "Friendly fire: Solitaire is dealt 1 damage.",
    ),
    (
        {"event": "damage_scored", "unit": "a", "target": "b", "scored": 0, "dealt": 0, "why": None},
        "No damage is scored",
    ),
    ({"event": "revive_rolled", "unit": "a", "die": 3, "modifier": 1, "success": True}, "4 needed: 3 +1, success."),
    ({"event": "eliminated", "unit": "a", "by": None}, "Hellion is eliminated."),
    ({"event": "eliminated", "unit": "a", "by": "b"}, "Hellion is eliminated by Solitaire."),
    (
        {"event": "token_destroyed", "token": "t1", "by": "a", "side": "red", "method": "none", "reputation": 0},
        "Hellion destroys the target token Fuel Drum (no range type): no reputation for Red.",
    ),
    ({"event": "reputation", "side": "red", "amount": -15, "cause": "surrender"}, "Red loses 15 of its reputation"),
    ({"event": "reputation", "side": "red", "amount": 70, "cause": "opponent_surrendered"}, "Red gains 70 reputation"),
    ({"event": "reputation", "side": "red", "amount": 5, "cause": "applause"}, "Red: +5 reputation."),
    ({"event": "surrendered", "side": "red", "units": ["a"]}, "Red surrenders. Out of the arena: Hellion."),
    (
        {"event": "dial_turned", "unit": "a", "from": 1, "to": 4, "cause": "explosion"},
        "Ammunition explodes: Hellion loses 3 clicks (4 lost in all).",
    ),
    (
        {"event": "match_ended", "winner": "red", "ended_by": "last_side", "tie_break": None},
        "Red wins the match: only one side was left.",
    ),
    (
        {"event": "match_ended", "winner": "red", "ended_by": "time_limit", "tie_break": "die"},
        "Reputation was equal; a die decided.",
    ),
]

ATTACK: dict[str, Any] = {
    "event": "attack_resolved",
    "unit": "a",
    "hit": ["b"],
    "critical": None,
    "why": {
        "order": "assault",
        "ranged": True,
        "value": "primary",
        "range_type": "energy",
        "dice": [4, 3, 5],
        "roll": 12,
        "attack_printed": 10,
        "damage": 3,
        "damage_modifiers": {"brawling": 1},
        "targets": {
            "b": {
                "modifiers": {"rear_arc": 2, "assault": -1, "P-1": 1},
                "rules": {"rear_arc": "R-RMD-13", "assault": "R-ASL-05", "P-1": "R-PLT-04", "evade": "R-SEM-03"},
                "attack": 12,
                "result": 24,
                "defense": 20,
                "defense_printed": 18,
                "defense_modifiers": {"evade": 2},
                "hit": True,
                "range": 7,
            },
            "t1": {
                "modifiers": {},
                "rules": {},
                "attack": 10,
                "result": 22,
                "defense": 23,
                "hit": False,
                "range": None,
            },
        },
    },
}


@pytest.mark.parametrize(("event", "line"), LINES, ids=lambda value: value["event"] if isinstance(value, dict) else "")
def test_a_line(event: dict[str, Any], line: str) -> None:
    text = event_sentence(event, NAMES)
    assert text == line or (line in text and len(line) < len(text))


def test_every_kind_has_words_or_is_silent() -> None:
    worded = {*TEMPLATES, *BY_FIELD, *SPECIAL}
    assert set(KINDS) == worded | SILENT_KINDS
    assert not worded & SILENT_KINDS


def _example(kind: str) -> dict[str, Any]:
    return {"event": kind, "see": "all", **{field: "x" for field, _ in FIELDS[KINDS.index(kind)]}}


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_raises_whatever_it_carries(kind: str) -> None:
    text = event_sentence(_example(kind), {})
    assert bool(text) == (kind not in SILENT_KINDS)
    assert "{" not in text
    assert MISSING not in text
    event_sentence({"event": kind}, {})
    event_sentence({key: (None if key != "event" else value) for key, value in _example(kind).items()}, {})


def test_an_unknown_kind_shows_its_name_and_parameters() -> None:
    assert event_sentence({"event": "crowd_cheered", "see": "all", "unit": "a", "hex": "0607"}, NAMES) == (
        "crowd cheered: unit Hellion, hex 0607."
    )
    assert event_sentence({"event": "crowd_cheered"}, NAMES) == "crowd cheered."
    assert event_sentence({}, NAMES)


def test_the_dice_speak_for_themselves_in_another_language() -> None:
    german = {
        "{unit} hits {hit}.": "{unit} trifft {hit}.",
        "{target} (result {result}, defense {defense})": "{target} ({result}:{defense})",
    }
    event = {**ATTACK, "why": {"targets": {"b": ATTACK["why"]["targets"]["b"]}}}
    spoken = MadeUp(lambda text: german.get(text, text))
    assert event_sentence(event, NAMES, spoken) == "Hellion trifft Solitaire (24:20)."


def test_hits_and_misses_in_one_line() -> None:
    assert event_sentence(ATTACK, NAMES) == (
        "Hellion hits Solitaire (result 24, defense 20) and misses Fuel Drum (result 22, defense 23)."
    )
    assert event_sentence({**ATTACK, "critical": "hit", "hit": ["b", "t1"]}, NAMES) == (
        "Critical hit! Hellion hits Solitaire and Fuel Drum."
    )
    assert event_sentence({**ATTACK, "critical": "miss", "hit": []}, NAMES) == (
        "Critical miss! Hellion misses Solitaire and Fuel Drum."
    )


def test_the_arithmetic_of_an_attack() -> None:
    assert explain_attack(ATTACK, NAMES) == [
        "Dice: 4 and 3, odd die 5: 12.",
        "Attack value: 10.",
        "Against Solitaire, range 7:",
        "rear arc: +2 (R-RMD-13).",
        "assault: −1 (R-ASL-05).",
        "Ace: +1 (R-PLT-04).",
        "Result: 12 rolled + 12 attack = 24.",
        "Defense: 18, Evade +2 (R-SEM-03) = 20.",
        "24 against 20: a hit.",
        "Against Fuel Drum:",
        "Result: 12 rolled + 10 attack = 22.",
        "Defense: 23.",
        "22 against 23: a miss.",
        "Damage on a hit: 3 (primary damage, Brawling +1).",
    ]


def test_r_crt_01_a_critical_hit_is_explained_without_the_comparison() -> None:
    lines = explain_attack({**ATTACK, "critical": "hit"}, NAMES)
    assert any("Critical hit" in line for line in lines)
    assert not any("a miss" in line for line in lines)


def test_r_crt_05_a_critical_miss_deals_no_damage() -> None:
    lines = explain_attack({**ATTACK, "critical": "miss", "hit": []}, NAMES)
    assert "Critical miss" in lines[-1]


def test_a_play_out_explains_nothing() -> None:
    assert explain_attack({**ATTACK, "why": None}, NAMES) == []


def test_the_arithmetic_of_damage() -> None:
    why = {"cause": "attack", "reductions": [{"name": "reflective_armor", "amount": -2, "rule": "R-SEF-03"}]}
    event = {"event": "damage_scored", "unit": "a", "target": "b", "scored": 3, "dealt": 1, "why": why}
    assert explain_damage(event, NAMES) == [
        "Damage scored on Solitaire: 3.",
        "Reflective Armor: −2 (R-SEF-03).",
        "Damage dealt: 1.",
    ]
    assert event_sentence(event, NAMES) == "Solitaire is dealt 1 damage: 3 scored, Reflective Armor −2."
    friendly = explain_damage({**event, "why": {"cause": "friendly_fire", "reductions": []}}, NAMES)
    assert "R-RMD-04" in friendly[0]


def _matches(count: int) -> Iterator[tuple[Mapping[str, str], list[dict[str, Any]]]]:
    catalogue = load_builtin()
    units, pilots = list(catalogue.units.values()), list(catalogue.pilots.values())
    tokens = next(
        list(three)
        for three in itertools.combinations(catalogue.target_tokens.values(), 3)
        if sum(token["rp"] for token in three) == 30
    )
    for seed in range(count):
        rng = random.Random(seed)
        crews = [
            {
                "id": side,
                "units": [{"id": key, "unit": rng.choice(units), "pilot": rng.choice(pilots)}],
                "tokens": tokens,
            }
            for side, key in (("red", "a"), ("blue", "b"))
        ]
        arena = rng.choice(list(catalogue.arenas.values()))
        setup = read_setup({"format": "standard", "arena": arena, "sides": crews})
        match = Match.start(setup, SeededDice(seed))
        while match.decision:
            match.play(match.sample_action(rng))
        names = {"a": "Hellion", "b": "Solitaire", "red": "Red", "blue": "Blue"}
        names |= {pilot["id"]: pilot["name"] for pilot in pilots}
        names |= {f"t{number}": token["name"] for number, token in enumerate(tokens * 2, start=1)}
        yield names, list(itertools.chain.from_iterable(match.events))


def test_whole_matches_read_without_a_gap() -> None:
    for names, events in _matches(8):
        for event in events:
            lines = [event_sentence(event, names)]
            if event["event"] == "attack_resolved":
                lines += explain_attack(event, names)
            if event["event"] == "damage_scored":
                lines += explain_damage(event, names)
            for line in lines:
                assert "{" not in line, event
                assert MISSING not in line, event
                assert "_" not in line, event
                assert "None" not in line, event
                assert "True" not in line, event


def test_the_arithmetic_of_real_attacks_adds_up() -> None:
    count = 0
    for names, events in _matches(4):
        for event in events:
            if event["event"] != "attack_resolved":
                continue
            why = event["why"]
            for found in why["targets"].values():
                count += 1
                assert sum(why["dice"]) == why["roll"]
                assert max(0, why["attack_printed"] + sum(found["modifiers"].values())) == found["attack"]
                text = "\n".join(explain_attack(event, names))
                assert f"Result: {why['roll']} rolled + {found['attack']} attack = {found['result']}." in text
                assert all(rule in text for rule in found["rules"].values())
    assert count > 20
