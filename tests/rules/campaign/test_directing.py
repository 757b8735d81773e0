"""What organisers may do with an open match: excuses, declared forfeits, and what is unusual about an exchange."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from rules.campaign.season.directing import check_excuse, may_declare_forfeit, swap_doubts

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
DUE = NOW + timedelta(days=2)


@pytest.mark.parametrize(
    ("until", "due", "codes"),
    [
        (DUE + timedelta(minutes=1), DUE, []),
        (DUE, DUE, ["excuse_no_longer"]),
        (NOW, None, ["date_not_ahead"]),
        (NOW + timedelta(minutes=1), None, []),
        (NOW + timedelta(days=367), DUE, ["date_too_far"]),
        (None, DUE, ["excuse_needs_time"]),
        (None, None, []),
    ],
)
def test_an_excuse_brings_more_time(until: datetime | None, due: datetime | None, codes: list[str]) -> None:
    assert [problem.code for problem in check_excuse(until, NOW, due)] == codes


DUEL = {1: "red", 2: "blue"}
SHARED = {1: "red", 2: "red", 3: "blue"}
MELEE = {1: "red", 2: "blue", 3: "green"}


@pytest.mark.parametrize(
    ("sides", "forfeiting", "has_match", "may"),
    [
        (DUEL, {2}, False, True),
        (DUEL, {2}, True, True),
        (DUEL, {1, 2}, True, True),
        (SHARED, {1}, False, False),
        (SHARED, {1, 2}, True, True),
        (SHARED, {3}, False, True),
        (MELEE, {2}, False, True),
        (MELEE, {2}, True, False),
    ],
)
def test_a_whole_side_may_forfeit_but_not_half_of_one_or_in_the_middle_of_a_melee(
    sides: dict[int, str], forfeiting: set[int], has_match: bool, may: bool
) -> None:
    assert may_declare_forfeit(sides, forfeiting, has_match) is may


def test_where_no_ai_stands_in_half_a_side_may_forfeit() -> None:
    assert may_declare_forfeit(SHARED, {1}, False, table_only=True)


def test_rematches_and_a_second_bye_are_named_with_their_number() -> None:
    met = [("Ada", "Cy"), ("Cy", "Ada"), ("Bo", "Di")]
    doubts = swap_doubts([(["Cy"], ["Ada"]), (["Bo"], ["Cy"])], ["Di"], met, {"Di": 1, "Ada": 2})
    assert [(doubt.code, doubt.parameters) for doubt in doubts] == [
        ("swap_rematch", {"one": "Ada", "other": "Cy", "times": 2}),
        ("swap_second_bye", {"stable": "Di", "byes": 1}),
    ]
    assert swap_doubts([(["Ada"], ["Bo"])], ["Cy"], met, {"Cy": 0}) == []
