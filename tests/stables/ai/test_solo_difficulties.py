"""The difficulties of a solo evening: harder bots in turn, each with words of its own on the page."""

from __future__ import annotations

from rules.bots.owners.evenings import DIFFICULTIES
from stables.forms.solo import EveningForm


def test_the_difficulties_rise_with_the_bot_that_plays() -> None:
    assert {key: level.bot for key, level in DIFFICULTIES.items()} == {
        "easy": "random",
        "fair": "greedy",
        "firm": "quick",
        "hard": "tactical",
    }
    assert list(DIFFICULTIES) == ["easy", "fair", "firm", "hard"]


def test_each_difficulty_is_offered_in_words_of_its_own() -> None:
    field = EveningForm()["difficulty"]
    shown = [radio.data["label"] for radio in field]
    assert [radio.data["value"] for radio in field] == list(DIFFICULTIES)
    assert len({str(choice.label) for choice in shown}) == len(shown)
    assert len({str(choice.description) for choice in shown}) == len(shown)
    assert [radio.data["value"] for radio in field if radio.data["selected"]] == ["fair"]
