"""The class of newcomers by the mean tonnage; what no scenario can say: tons that no 'Mech has."""

from __future__ import annotations

import pytest

from rules.challenge.newcomers import class_by_mean


@pytest.mark.parametrize(
    ("tons", "weight_class"),
    [
        ([66], "heavy"), ([43], "medium"), ([59.9], "medium"), ([60], "heavy"), ([79], "heavy"), ([80], "assault"),
        ([38], "light"), ([39.9], "light"), ([20, 100], "heavy"), ([20, 20, 75], "light"), ([], "light"),
    ],
)  # fmt: skip
def test_the_mean_is_rounded_down_to_five_tons(tons: list[float], weight_class: str) -> None:
    assert class_by_mean(tons) == weight_class
