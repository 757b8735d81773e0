"""Dates, absent players, and who decides in a match: Q-157 as pure rules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from rules.campaign.season.appointments import (
    DECIDED_BY_BOT,
    EXTRA_TIME,
    FARTHEST,
    GRACE,
    HOLDERS,
    LONGEST_HAND_OVER,
    bots_may_play_all,
    check_claim,
    check_date,
    check_hand_over,
    holder,
    latest_new_date,
    left_of_limit,
    may_forfeit,
    mode_played,
    moment_text,
)

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (NOON, "2026-11-20 12:00 UTC"),
        (datetime(2026, 7, 1, 20, tzinfo=timezone(2 * HOUR)), "2026-07-01 18:00 UTC"),
        (datetime(9999, 12, 31, 23, tzinfo=timezone(-5 * HOUR)), "9999-12-31 23:00 UTC"),
        (datetime(1, 1, 1, 1, tzinfo=timezone(5 * HOUR)), "0001-01-01 01:00 UTC"),
    ],
)
def test_a_moment_is_named_in_utc_whatever_zone_it_is_in(moment: datetime, text: str) -> None:
    assert moment_text(moment).zfill(len(text)) == text


@pytest.mark.parametrize(
    ("at", "due", "code"),
    [
        (NOON, None, "date_not_ahead"),
        (NOON - HOUR, None, "date_not_ahead"),
        (NOON + HOUR, None, None),
        (NOON + HOUR, NOON + HOUR, None),
        (NOON + 2 * HOUR, NOON + HOUR, "date_after_deadline"),
        (NOON + FARTHEST, None, None),
        (NOON + FARTHEST + HOUR, None, "date_too_far"),
        (datetime.max.replace(tzinfo=NOON.tzinfo), None, "date_too_far"),
    ],
)
def test_a_date_lies_ahead_and_inside_the_round(at: datetime, due: datetime | None, code: str | None) -> None:
    assert [problem.code for problem in check_date(at, NOON, due)] == ([] if code is None else [code])


def test_the_one_new_date_lies_within_the_round_q_157() -> None:
    assert latest_new_date(NOON, [None, None]) is None
    assert latest_new_date(NOON, [NOON + HOUR, NOON + 3 * HOUR]) == NOON + 3 * HOUR
    assert latest_new_date(NOON, [NOON - HOUR, None]) == NOON + EXTRA_TIME


def test_nobody_is_absent_before_the_hour_and_its_grace_q_157() -> None:
    assert [problem.code for problem in check_claim(None, NOON)] == ["no_date_to_miss"]
    assert [problem.code for problem in check_claim(NOON, NOON + GRACE - timedelta(seconds=1))] == ["claim_too_early"]
    assert check_claim(NOON, NOON + GRACE) == []


@pytest.mark.parametrize(
    ("sides", "has_match", "may"),
    [
        (["red", "blue"], False, True),
        (["red", "blue"], True, True),
        (["red", "blue", "green"], False, True),
        (["red", "blue", "green"], True, False),
        (["red", "red", "blue", "blue"], False, False),
    ],
)
def test_where_the_absent_one_may_be_forfeited_q_138_q_157_q_168(sides: list[str], has_match: bool, may: bool) -> None:
    assert may_forfeit(sides, has_match) is may


def test_where_no_ai_stands_in_a_partner_fights_on_alone_q_138_q_168() -> None:
    assert may_forfeit(["red", "red", "blue"], False, table_only=True)


@pytest.mark.parametrize(
    ("stood_in", "person", "away", "program", "expected"),
    [
        (True, True, False, True, "stand_in"),
        (False, False, False, False, "ai"),
        (False, True, True, True, "hand_over"),
        (False, True, False, True, "program"),
        (False, True, False, False, "person"),
    ],
)
def test_who_decides_for_a_stable(stood_in: bool, person: bool, away: bool, program: bool, expected: str) -> None:
    found = holder(is_stood_in=stood_in, has_person=person, is_handed_over=away, has_program=program)
    assert found == expected
    assert found in HOLDERS
    assert (found in DECIDED_BY_BOT) == (found not in ("person", "program"))


def test_bots_play_both_sides_only_if_both_agreed_or_both_are_absent() -> None:
    both = ["a", "b"]
    assert not bots_may_play_all(both, agreed=[], absent=[], is_default=False)
    assert not bots_may_play_all(both, agreed=["a"], absent=[], is_default=False)
    assert not bots_may_play_all(both, agreed=[], absent=["b"], is_default=False)
    assert bots_may_play_all(both, agreed=both, absent=[], is_default=False)
    assert bots_may_play_all(both, agreed=[], absent=both, is_default=False)
    assert bots_may_play_all(both, agreed=["a"], absent=["b"], is_default=False)
    assert bots_may_play_all([], agreed=[], absent=[], is_default=False)
    assert bots_may_play_all(both, agreed=[], absent=[], is_default=True)


@pytest.mark.parametrize(
    ("mode", "holders", "bots_may", "played"),
    [
        ("ai", ["person", "person"], True, "ai"),
        ("ai", ["person", "person"], False, "browser"),
        ("browser", ["person", "ai"], False, "browser"),
        ("browser", ["hand_over", "ai"], False, "ai"),
        ("table", ["person", "person"], False, "table"),
        ("table", ["person", "ai"], False, "browser"),
        ("table", ["person", "program"], True, "browser"),
        ("table", ["hand_over", "stand_in"], False, "ai"),
    ],
)
def test_how_a_fixture_is_really_played(mode: str, holders: list[str], bots_may: bool, played: str) -> None:
    assert mode_played(mode, holders, bots_may) == played


def test_a_hand_over_takes_time_and_has_an_end() -> None:
    assert check_hand_over(NOON, NOON + HOUR, NOON) == []
    codes = [problem.code for problem in check_hand_over(NOON - 2 * HOUR, NOON - HOUR, NOON)]
    assert codes == ["hand_over_takes_no_time"]
    assert [problem.code for problem in check_hand_over(NOON + HOUR, NOON + HOUR, NOON)] == ["hand_over_takes_no_time"]
    too_long = check_hand_over(NOON, NOON + LONGEST_HAND_OVER + HOUR, NOON)
    assert [problem.code for problem in too_long] == ["hand_over_too_long"]


def test_what_is_left_of_a_spending_limit() -> None:
    assert (left_of_limit(None, 500), left_of_limit(100, 30), left_of_limit(100, 130)) == (None, 70, 0)
