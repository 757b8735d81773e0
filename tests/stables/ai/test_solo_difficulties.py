"""The difficulties of a solo evening: harder bots in turn, each with words of its own on the page."""

from __future__ import annotations

from rules.bots.owners.evenings import DIFFICULTIES
from stables.presenters.solo import DIFFICULTY, difficulties


def test_the_difficulties_rise_with_the_bot_that_plays() -> None:
    assert {key: level.bot for key, level in DIFFICULTIES.items()} == {
        "easy": "random",
        "fair": "greedy",
        "firm": "quick",
        "hard": "tactical",
    }
    assert list(DIFFICULTIES) == ["easy", "fair", "firm", "hard"]


def test_each_difficulty_is_offered_in_words_of_its_own() -> None:
    shown = difficulties()
    assert [choice.key for choice in shown] == list(DIFFICULTIES)
    assert len({str(choice.label) for choice in shown}) == len(shown)
    assert len({str(choice.description) for choice in shown}) == len(shown)
    assert [choice.key for choice in shown if choice.is_chosen] == [DIFFICULTY]
