"""What asks for an act, and what is set for a match by somebody else, is mailed at once."""

from __future__ import annotations

from people.text import notices
from stables.text.notice_topics import ASKS, SET_FOR_YOU

NOT_AT_ONCE = {
    "market_open": "the market is open for days, and a reminder is mailed before it closes",
    "seat_proposed": "a program waits for it as long as the season recruits",
    "webhook_turned_off": "no match waits for it",
    "webhook_gone": "no match waits for it",
    "webhook_maker_gone": "no match waits for it",
}


def test_everything_that_asks_for_an_act_is_mailed_at_once_or_has_its_reason() -> None:
    assert {code for code in ASKS if not notices.kind_of(code)} == set(NOT_AT_ONCE)


def test_o_10_2_what_an_organiser_sets_for_a_match_is_mailed_at_once() -> None:
    assert {notices.kind_of(code) for code in SET_FOR_YOU} == {"dates"}
