"""How the end of a match is shown to a person who played it, and what is said of a question about a rally card."""

from __future__ import annotations

from django.test import Client

from matches.models import Match
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.beginning.friendly import HOT_SEAT, Wishes, start_friendly
from people.models import User
from tests.matches.playing import address_of, leave, match_at, read


def test_who_plays_one_side_is_shown_whether_they_won(
    client: Client, waiting: Match, player: User, rival: User
) -> None:
    decision = rebuild(waiting).decision
    assert decision is not None
    loser, winner = (player, rival) if decision.side == "red" else (rival, player)
    client.force_login(loser)
    assert leave(client, waiting, "surrender", confirm="yes").status_code == 302
    lost = read(client, address_of(waiting))
    assert ("You lost." in lost, "You won." in lost) == (True, False)
    client.force_login(winner)
    won = read(client, address_of(waiting))
    assert ("You lost." in won, "You won." in won, "has won." in won) == (False, True, False)


def test_at_one_screen_the_winner_is_named_once(client: Client, player: User) -> None:
    match = start_friendly(player, Wishes(opponent=HOT_SEAT))
    client.force_login(player)
    leave(client, match, "surrender", confirm="yes")
    text = read(client, address_of(match))
    assert "has won." in text
    assert not any(f"{word} ({word})" in text for word in ("Red", "Blue"))
    assert "You won." not in text


def test_nobody_is_promised_that_a_rally_question_cannot_be_guessed(client: Client, player: User) -> None:
    match = match_at("rally", lambda side: Seat(side, player.pk))
    client.force_login(player)
    text = read(client, address_of(match))
    assert "Opponents can see that you were asked, but not your answer; now and then they can guess it." in text
    assert "Only you know" not in text
