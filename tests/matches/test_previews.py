"""What the page says of an order before it is given: sums, results, tokens, heat, and the odds beside the options."""

import re
from html import unescape
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.html import strip_tags

from matches.presenters.previews import chances, preview_of
from rules.competition.match import Match
from rules.competition.narrowing import narrow
from tests.rules.board import STEP, Dropped, Json, duel, placed, token, unit

SHOT = {"unit": "a", "order": "ranged", "value": "primary", "targets": ["b"]}
NAMES = {"a": "Ash", "b": "Elm", "t1": "Turret"}


def said(document: Json, action: Json) -> str:
    """The preview of an action as a reader reads it."""
    html = render_to_string("matches/play_preview.html", {"preview": preview_of(match_of(document), action, NAMES)})
    return re.sub(r"\s+([.:;,])", r"\1", re.sub(r"\s+", " ", unescape(strip_tags(html))))


def match_of(document: Json) -> Match:
    return Dropped(document, 1).match


def test_each_result_has_its_chance_its_damage_after_armor_and_what_is_left() -> None:
    armored = {"unit": unit("b", click={"equipment": {"defense": "reactive_armor"}})}
    text = said(duel(blue=armored), SHOT)
    assert "Hit 60 % Elm: 1 damage; 4 clicks left Scored: 3. Reactive Armor −2 R-SEF-04" in text
    assert "Critical miss R-CRT-05 3 % Ash: 1 damage to itself (critical miss); 4 clicks left" in text
    assert "Elm may still react, which changes the sum. R-CMB-05" in text


@pytest.mark.parametrize(
    ("defense", "words"),
    [
        (3, "any roll but a critical miss: two ones R-CRT-05"),
        (19, "three dice must show 10 or more"),
        (40, "only a critical hit does: two sixes R-CRT-01"),
    ],
)
def test_the_roll_that_is_needed_is_said_as_it_is(defense: int, words: str) -> None:
    assert words in said(duel(blue={"unit": unit("b", click={"defense": defense})}), SHOT)


def test_r_clo_07_the_damage_of_a_hit_says_how_it_comes_about() -> None:
    text = said(duel(red={"hex": "0607"}), {**SHOT, "order": "close"})
    assert "Damage on a hit: 3, half of it, rounded up, in close combat: 2 R-CLO-07" in text


def test_r_lof_06_a_range_says_that_it_counts_hexsides() -> None:
    assert "range 6 hexsides R-LOF-06" in said(duel(), SHOT)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({}, "Turret pays 10 reputation for ballistic, 5 for anything else. This attack is ballistic: 10."),
        ({"method": "melee"}, "Turret pays 10 reputation for melee, 5 for anything else. This attack is ballistic: 5."),
        ({"armor": "reactive_armor"}, "This attack cannot destroy it."),
    ],
)
def test_r_tgt_09_a_token_says_what_it_pays_and_whether_this_attack_earns_it(keys: Any, words: str) -> None:
    weak = {"unit": unit("a", click={"primary": 1})}
    assert words in said(duel(red=weak, tokens=[token("t1", hex="0608", **keys)]), {**SHOT, "targets": ["t1"]})


def test_r_hef_09_the_heat_after_an_order_says_its_step_its_numbers_and_its_risk() -> None:
    hot = {**STEP, "primary": -1, "effects": {"speed": "avoid_shutdown"}}
    red = {"unit": unit("a", heat=[{**STEP, "effects": {}}, hot, {**STEP, "effects": {}}])}
    text = said(duel(red=red), SHOT)
    assert "Heat step 0 now, +1 by this. Step 1 of 3 in the clean-up. R-CLN-03 Primary −1." in text
    assert "Avoid Shutdown: a die of 1 to 2 strikes R-HEF-09. 33 % to be shut down." in text
    burning = said(duel(red={**red, "heat": 2}), SHOT)
    assert "The dial turns to the three radiation symbols, and the unit is shut down. R-SHD-01" in burning


def test_a_move_without_a_target_says_that_nothing_can_be_attacked() -> None:
    far = duel(blue={"hex": "0101"}, start={"round": 1, "phase": "move", "order": ["a", "b"]})
    move = {"unit": "a", "order": "move", "path": [], "facing": 6}
    assert "Nothing to attack from there." in said(far, move)
    assert "Nothing to attack from there." not in said(far, {"unit": "a", "order": "pass"})


def test_the_odds_beside_a_weapon_have_its_damage_and_those_of_two_targets_a_chance_for_each() -> None:
    two = {"unit": unit("a", primary={"type": "ballistic", "targets": 2, "range": [0, 8]})}
    match = match_of(duel(red=two, tokens=[token("t1", hex="0608")]))
    answers = {"order": "ranged", "target": "b"}
    question = narrow(match.legal_actions(), "0610", answers, {"cancel": "none"}).question
    assert question is not None
    assert question.key == "attack"
    assert chances(match, question.options, {}) == {
        "ranged.primary": "62 % to hit, 3 damage",
        "ranged.secondary": "62 % to hit, 2 damage",
    }
    at_token = narrow(match.legal_actions(), "0610", {**answers, "target": "t1"}, {"cancel": "none"}).question
    assert at_token is not None
    expected = {"ranged.primary": "94 % to hit, 10 reputation", "ranged.secondary": "94 % to hit, 5 reputation"}
    assert chances(match, at_token.options, {}) == expected
    targets = narrow(match.legal_actions(), "0610", {"order": "ranged"}, {"cancel": "none"}).question
    assert targets is not None
    assert chances(match, targets.options, {"b": "Raven", "t1": "Ace"}) == {
        "b": "62 % to hit",
        "t1": "94 % to hit",
        "b+t1": "62 % to hit Raven and 94 % to hit Ace",
    }


def test_r_mul_07_divided_damage_says_of_each_target_what_all_of_it_would_do() -> None:
    two = {"type": "ballistic", "targets": 2, "range": [0, 8]}
    document = duel(red={"unit": unit("a", primary=two)}, format="team", blue={"clicks": 2})
    document["units"].append(placed("c", "blue", "0706", 6, unit("c"), clicks=4))
    document["start"]["order"] = ["a", "b", "c"]
    text = said(document, {**SHOT, "targets": ["b", "c"]})
    [both] = re.findall(r"Hit \(Elm, c\).*?(?=Hit \()", text)
    assert "Elm: 3 damage, if all 3 go to it; eliminated in the clean-up" in both
    assert "c: 3 damage, if all 3 go to it; eliminated in the clean-up" in both


@pytest.mark.parametrize(
    ("document", "action", "line"),
    [
        ({}, SHOT, "3 damage · heat +1, shutdown 0 % · critical miss: 1 damage to itself"),
        ({"tokens": [token("t1", hex="0608")]}, {**SHOT, "targets": ["t1"]}, "10 reputation · heat +1, shutdown 0 %"),
        ({"red": {"heat": 2}}, {"unit": "a", "order": "vent"}, "heat −2, shutdown 0 %"),
        ({}, {"unit": "a", "order": "pass"}, ""),
    ],
)
def test_the_bar_says_in_one_line_what_comes_of_the_press(document: Any, action: Json, line: str) -> None:
    assert preview_of(match_of(duel(**document)), action, NAMES).short.startswith(line)
