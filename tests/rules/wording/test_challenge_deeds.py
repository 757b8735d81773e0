"""The names of all deeds of the Challenge, and a deed in a few words."""

from typing import Any

import pytest

from rules.challenge.entries import read_entry
from rules.challenge.kinds import KINDS
from rules.challenge.scenario.form import read_event
from rules.wording.challenge_deeds import DEEDS, deed_words


def test_every_kind_has_a_name_and_every_name_a_kind() -> None:
    assert set(DEEDS) == set(KINDS)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        pytest.param(
            {"what": "damage", "by": "ross", "at": "jo", "points": 25, "phase": "fire"},
            "Damage: at jo and 25 points",
            id="a hit",
        ),
        pytest.param({"what": "crowd", "by": "ross"}, "The crowd goes wild", id="a deed without facts"),
        pytest.param({"do": "loan", "pilot": "ross", "amount": 200000}, "Loan: 200,000 C-bills", id="a loan"),
        pytest.param({"do": "join_sponsor", "pilot": "ross", "sponsor": "ogs"}, "Signs with a sponsor: OGS Productions",
                     id="a sponsor"),
    ],
)  # fmt: skip
def test_a_deed_in_a_few_words(document: dict[str, Any], said: str) -> None:
    event = read_event({"game": "challenge", "mechs": {}, "pilots": {"ross": {}, "jo": {}}})
    assert deed_words(event, read_entry(document, KINDS)) == said
