"""The form of a reason: one tap is enough, own words may stand alone, and an empty one is refused."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from rules.campaign.season.directing import FORFEIT_REASONS
from rules.core.refusals import Malformed
from rules.wording.isolation import bare
from stables.forms.reason import ReasonForm
from stables.services.results.rulings import reason_of
from stables.text.reasons import DECLARED, LONGEST_WORDS, REASONS, told_declared, told_reason


@pytest.mark.parametrize(
    ("sent", "stored", "told"),
    [
        ({"reason": "no_show"}, "#no_show", "did not come"),
        ({"reason": "no_show", "words": " ill,  said  so"}, "#no_show: ill, said so", "did not come: ill, said so"),
        ({"words": "moved away"}, "moved away", "moved away"),
        ({"words": "left: both arms"}, "left: both arms", "left: both arms"),
        ({"words": "# #left"}, "left", "left"),
    ],
)
def test_a_reason_is_a_usual_one_or_own_words_or_both(sent: dict[str, str], stored: str, told: str) -> None:
    assert ReasonForm(sent).reason_text() == stored
    assert bare(told_reason(stored)) == told


@pytest.mark.parametrize("stored", ["#a whim", "#", "typing error: twice", "#a whim: twice"])
def test_a_reason_that_is_not_usual_stays_as_it_is(stored: str) -> None:
    assert told_reason(stored) == told_declared(stored) == stored


def test_a_declared_forfeit_says_why_and_what_more_was_said() -> None:
    assert bare(told_declared("#late: #left: for good")) == "not played in time: has left: for good"
    assert set(DECLARED) == set(FORFEIT_REASONS)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({}, "reason_missing"),
        ({"reason": "", "words": "  "}, "reason_missing"),
        ({"words": "x" * (LONGEST_WORDS + 1)}, "reason_missing"),
        ({"reason": "a whim"}, "bad_field"),
        ({"reason": "left", "words": "a\0b"}, "bad_field"),
    ],
)
def test_a_reason_that_is_none_is_refused(sent: dict[str, str], code: str) -> None:
    with pytest.raises(Malformed) as refused:
        ReasonForm(sent).reason_text()
    assert refused.value.code == code


@pytest.mark.parametrize("key", REASONS)
def test_the_longest_words_fit_with_every_usual_reason(key: str) -> None:
    text = ReasonForm({"reason": key, "words": "x" * LONGEST_WORDS}).reason_text()
    assert reason_of(text) == text


def test_every_usual_reason_is_one_tap_with_an_id_of_its_own_form() -> None:
    html = render_to_string("components/reason.html", {"form": ReasonForm({"reason": "left"}, prefix_of_ids="iron")})
    assert html.count('type="radio"') == len(REASONS)
    assert 'for="iron-reason_0"' in html
    assert 'id="iron-words"' in html
    assert html.count("checked") == 1
