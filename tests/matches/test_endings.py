"""The page of play says why a match ended as it did, and which round is the last."""

from __future__ import annotations

import pytest
from django.test import Client

from matches.services.answering import Seat
from matches.text.match import ending
from people.models import User
from tests.matches.playing import address_of, leave, match_at, read

RAN_OUT = {"rounds": 10, "ended_by": "time_limit", "tie_break": "total"}


@pytest.mark.parametrize(
    ("result", "has_winner", "said"),
    [
        (
            RAN_OUT,
            True,
            "After 10 rounds: the time was up. Reputation was equal. Decided by: lower build total.",
        ),
        ({"rounds": 1, "ended_by": "last_side"}, True, "After 1 round: only one side was left."),
        ({"rounds": 0, "ended_by": "surrender"}, True, "Before the first round: a side surrendered."),
        ({"rounds": 3, "ended_by": "last_side"}, False, "Nobody won."),
    ],
    ids=["time", "last_side", "before", "nobody"],
)
def test_an_ending_says_what_ended_the_match_and_what_broke_a_tie(
    result: dict[str, object], has_winner: bool, said: str
) -> None:
    assert ending(result, has_winner) == said


@pytest.mark.django_db
def test_the_page_of_play_says_which_round_is_the_last_and_why_the_match_ended(client: Client, player: User) -> None:
    match = match_at("move", lambda side: Seat(side, player.pk))
    client.force_login(player)
    leave(client, match, "surrender", confirm="yes")
    match.refresh_from_db()
    assert match.result is not None
    text = read(client, address_of(match))
    assert f"Round {match.result['rounds']} of 10, " in text
    assert ending(match.result, True) in text
