"""What rally cards ask for, in words."""

import pytest

from rules.catalogue.vocabulary import DIAL_VALUES
from rules.core.words import STATES as UNIT_STATES
from rules.wording import requirement
from tests.languages import MadeUp


@pytest.mark.parametrize("state", UNIT_STATES)
def test_r_ral_06_every_state_that_a_card_asks_for_has_words_of_its_own(state: str) -> None:
    alone = requirement({"state": state})
    assert alone.startswith("Playable while ")
    assert alone.endswith(".")
    assert alone not in [requirement({"state": other}) for other in UNIT_STATES if other != state]
    asked = alone.removeprefix("Playable while ")
    assert (
        requirement({"value": "attack", "below": 7, "state": state})
        == f"Playable while attack on the dial is below 7 and {asked}"
    )


@pytest.mark.parametrize("value", DIAL_VALUES)
def test_r_ral_06_a_value_below_a_number_is_named(value: str) -> None:
    found = requirement({"value": value, "below": 3})
    assert found.startswith(f"Playable while {value}")
    assert found.endswith(" on the dial is below 3.")
    assert requirement({"value": value, "below": 3}, MadeUp(lambda template: f"<{template}>")).count("<") == 3
