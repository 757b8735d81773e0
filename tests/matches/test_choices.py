"""What can be chosen in a match, as people call it."""

from typing import Any

import pytest

from matches.presenters.questions import label_of

NAMES = {"red-1": "Ash", "blue-1": "Elm"}


@pytest.mark.parametrize(
    ("key", "word", "why", "label"),
    [
        ("attack", "ranged.primary", {}, "primary damage"),
        (
            "attack",
            "ranged.primary.without:armor_piercing+pulse.ignore_friendly_fire",
            {},
            "primary damage, without Armor Piercing and Pulse, whatever it does to friends beside the target",
        ),
        ("cancel", "jump_jets", {}, "without Jump Jets"),
        ("path", "1-2-3", {}, "by 1, 2, 3"),
        ("path", "", {}, "stays"),
        ("damage", "blue-1:2+red-1:1", {}, "2 to Elm, 1 to Ash"),
        ("die", "0", {"dice": [3, 4]}, "die 1, which shows 3"),
        ("die", "2", {"dice": [3, 4, 6]}, "the off-colour die, which shows 6"),
        ("amount", "value", {"value": 3}, "the damage value, 3"),
        ("amount", "die", {}, "what a die shows"),
        ("facing", "0", {}, "12 o’clock"),
        ("facing", "3", {}, "3 o’clock"),
        ("target", "red-1+blue-1", {}, "Ash and Elm"),
    ],
)
def test_a_choice_is_called(key: str, word: str, why: dict[str, Any], label: str) -> None:
    assert label_of(key, word, why, NAMES) == label
