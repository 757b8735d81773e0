"""Sentences in a language: forms for one and for several, words with two meanings, numbers."""

from __future__ import annotations

import pytest
from django.utils import translation

from rules.core.messages import Message, ngettext_noop, pgettext_noop
from rules.wording.filling import MISSING, say
from rules.wording.language import English, Number
from rules.wording.refusals import sentence
from rules.wording.stable_advice import stable_reason
from web.languages.reader import translate

CLICKS = ngettext_noop("{count} click", "{count} clicks")


class Polish(English):
    """Three forms by number, and its own signs within numbers."""

    def __call__(self, message: str, count: Number | None = None) -> str:
        """Return the form for the number, and another word for an order."""
        if isinstance(message, Message) and message.context == "order":
            return "natarcie"
        if message is CLICKS and isinstance(count, int):
            return "{count} klik" if count == 1 else "{count} kliki" if 2 <= count <= 4 else "{count} klików"
        return super().__call__(message, count)

    def number(self, value: Number) -> str:
        """Return a number with a comma."""
        return str(value).replace(".", ",")


@pytest.mark.parametrize(("count", "said"), [(1, "1 klik"), (3, "3 kliki"), (5, "5 klików")])
def test_a_language_chooses_among_its_own_forms(count: int, said: str) -> None:
    assert say(CLICKS, {"count": count}, Polish()) == said


@pytest.mark.parametrize(("count", "said"), [(1, "1 click"), (0, "0 clicks"), (10_000, "10,000 clicks")])
def test_english_has_a_form_for_one_and_a_form_for_several(count: int, said: str) -> None:
    assert say(CLICKS, {"count": count}) == said


def test_a_count_that_is_missing_is_an_ellipsis_beside_the_form_for_several() -> None:
    assert say(CLICKS, {}) == f"{MISSING} clicks"


def test_a_word_with_two_meanings_has_two_translations() -> None:
    assert say(pgettext_noop("order", "assault"), {}, Polish()) == "natarcie"
    assert say(pgettext_noop("class", "assault"), {}, Polish()) == "assault"


def test_a_class_is_no_order_in_any_sentence() -> None:
    refused = sentence("wrong_class", {"unit": "Atlas", "class": "assault", "needed": "light"}, Polish())
    advised = stable_reason("duty_depends", {"class": "assault", "rule": "R-FOR-04"}, {}, Polish())
    ordered = sentence("order_not_now", {"order": "assault", "phase": "move"}, Polish())
    assert ("natarcie" in refused, "natarcie" in advised, "natarcie" in ordered) == (False, False, True)
    assert "assault" in refused
    assert "assault" in advised


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert say("{mean} of {values}", {"mean": 1.5, "values": [2, 2.5]}, Polish()) == "1,5 of 2, 2,5"


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "9999 12,500 1.5 True"), ("de", "9999 12.500 1,5 True"), ("pl", "9999 12\xa0500 1,5 True")],
)
def test_the_site_writes_numbers_in_the_language_of_its_reader(language: str, said: str) -> None:
    with translation.override(language):
        assert say("{a} {b} {c} {d}", {"a": 9999, "b": 12_500, "c": 1.5, "d": True}, translate) == said


def test_the_site_asks_its_catalogue_for_the_form_and_the_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.languages.reader.ngettext", lambda one, several, count: f"{one}|{several}|{count}")
    monkeypatch.setattr("web.languages.reader.pgettext", lambda context, text: f"{context}|{text}")
    assert say(CLICKS, {"count": 4}, translate) == "4 click|4 clicks|4"
    assert say(pgettext_noop("order", "assault"), {}, translate) == "order|assault"


@pytest.mark.parametrize(
    ("code", "state", "said"),
    [
        ("season_not_running", "sudden_death", "“season: deciding the titles”"),
        ("report_too_early", "line_ups", "“match: line-ups are called”"),
        ("proposal_closed", "declined", "“proposal: declined”"),
        ("draft_not_open", "discarded", "“import: discarded”"),
    ],
)
def test_a_refusal_says_the_state_of_what_it_is_about(code: str, state: str, said: str) -> None:
    assert said in sentence(code, {"state": state}, Contexts())


def test_a_refusal_says_how_a_match_is_played() -> None:
    assert "(at a table)" in sentence("report_not_at_table", {"mode": "table"})


class Contexts(English):
    """English with the context before each word that has one."""

    def __call__(self, message: str, count: Number | None = None) -> str:
        """Return "season: running" for the word of a season."""
        said = super().__call__(message, count)
        return f"{message.context}: {said}" if isinstance(message, Message) and message.context else said
