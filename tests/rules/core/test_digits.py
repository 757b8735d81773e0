"""A number from outside has digits from 0 to 9 and nothing else."""

from __future__ import annotations

import pytest

from rules.core.digits import MOST_DIGITS, whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("12", 12), ("007", 7), ("9" * MOST_DIGITS, 10**18 - 1)])
def test_digits_are_a_number(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", "²", "٣", "1²", "-1", "+1", " 1", "1_0", "1.0", "9" * (MOST_DIGITS + 1), "0" * 5000]
)
def test_anything_else_is_none(text: str) -> None:
    assert whole_number(text) is None


def test_a_field_may_take_fewer_digits() -> None:
    assert whole_number("99", 2) == 99
    assert whole_number("100", 2) is None
