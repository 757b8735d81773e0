"""The way back from a press of the market, the garage or the advice."""

from __future__ import annotations

import pytest

from stables.models import Season, Stable
from stables.views.stable.market import way_back

HERE = "/seasons/winter/stables/lions/market/"


@pytest.mark.parametrize("number", ["²", "x", "9" * 5000])
def test_a_suggestion_without_a_number_opens_no_advice(number: str) -> None:
    stable = Stable(season=Season(slug="winter"), slug="lions")
    assert way_back(stable, {"back": "market", "advice": number}) == HERE
    assert way_back(stable, {"back": "market", "advice": "1"}) == f"{HERE}?advice=open#advice-1"
