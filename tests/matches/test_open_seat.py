"""A friendly match against whoever gets its address: the seat is taken once, and nothing counts before."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jobs.models import Job
from matches.models import Match
from matches.selectors import time_banks
from matches.selectors.matches import rebuild
from matches.services import matches
from matches.services.beginning import open_seats
from matches.services.beginning.friendly import BY_LINK, Wishes, start_friendly
from matches.services.turns import waiting_turns, whose_turn
from people.models import User
from rules.core.refusals import Refused
from tests.matches.playing import address_of, read
from tests.waiting import DEADLINE_SECONDS

pytestmark = pytest.mark.database

HOURS = 24
WAITED = timedelta(hours=30)


@pytest.fixture
def lonely(player: User) -> Match:
    """A match that waits for a rival, with a time bank."""
    return start_friendly(player, Wishes(opponent=BY_LINK, hours_a_round=HOURS))


@pytest.fixture
def stranger(db: None) -> User:
    return User.objects.create_user("stranger", "stranger@example.org", "secret words")


def press(client: Client, match: Match, name: str) -> int:
    return client.post(reverse(f"matches:{name}", args=[match.public_id])).status_code


def test_the_form_makes_a_match_with_a_free_seat_and_its_address_to_send(client: Client, player: User) -> None:
    client.force_login(player)
    fields = {"format": "standard", "opponent": BY_LINK, "hours_a_round": str(HOURS)}
    answer = client.post("/matches/new/", fields)
    match = Match.objects.get()
    assert answer["Location"] == address_of(match)
    assert [(seat.user_id, seat.bot) for seat in match.seats.all()] == [(player.pk, ""), (None, "")]
    assert match.seconds_a_round == HOURS * 3600
    text = read(client, answer["Location"])
    assert "Waiting for a rival" in text
    assert f"http://testserver{match.get_absolute_url()}" in text
    assert 'id="commit"' not in text
    assert "Waiting for a rival" in read(client, match.get_absolute_url())


def test_who_has_the_address_takes_the_seat(lonely: Match, client: Client, player: User, rival: User) -> None:
    asked = reverse("matches:take_seat", args=[lonely.public_id])
    anonymous = read(client, lonely.get_absolute_url())
    assert f"{reverse('people:log_in')}?next={lonely.get_absolute_url()}" in anonymous
    assert (asked in anonymous, client.get(asked).status_code) == (True, 405)
    client.force_login(rival)
    seen = read(client, lonely.get_absolute_url())
    assert (asked in seen, "Address to send" in seen) == (True, False)
    assert client.post(asked)["Location"] == address_of(lonely)
    assert [seat.user_id for seat in lonely.seats.all()] == [player.pk, rival.pk]
    assert "Waiting for a rival" not in read(client, address_of(lonely))
    assert asked not in read(client, lonely.get_absolute_url())
    assert press(client, lonely, "take_seat") == 302


def test_who_comes_second_is_refused_and_nobody_plays_twice(
    lonely: Match, client: Client, player: User, rival: User, stranger: User
) -> None:
    assert open_seats.take(lonely.pk, rival)
    client.force_login(stranger)
    assert press(client, lonely, "take_seat") == 409
    with pytest.raises(Refused, match="seat_taken"):
        open_seats.take(lonely.pk, stranger)
    assert press(client, lonely, "close_seat") == 403
    client.force_login(player)
    assert press(client, lonely, "take_seat") == 302
    assert press(client, lonely, "close_seat") == 409
    assert [seat.user_id for seat in lonely.seats.all()] == [player.pk, rival.pk]


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_is_seated(lonely: Match, rival: User, stranger: User) -> None:
    barrier, outcomes = threading.Barrier(2), []

    def sit(user: User) -> None:
        try:
            barrier.wait(DEADLINE_SECONDS)
            outcomes.append(str(open_seats.take(lonely.pk, user)))
        except Refused as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=sit, args=[user]) for user in (rival, stranger)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_SECONDS)
    assert sorted(outcomes) == ["True", "seat_taken"]
    assert lonely.seats.filter(user__in=[rival, stranger]).count() == 1


def test_nothing_counts_before_the_seat_is_taken(lonely: Match, player: User, rival: User) -> None:
    begun = timezone.now()
    assert (waiting_turns(begun + timedelta(minutes=10)), whose_turn(lonely.pk, lonely.last_sequence)) == ([], None)
    came = begun + WAITED
    assert time_banks.run_out(came) == []
    engine = rebuild(lonely)
    assert engine.decision is not None
    with pytest.raises(Refused, match="seat_open"):
        matches.play_action(lonely.pk, engine.decision.side, lonely.last_sequence, engine.legal_actions()[0])
    open_seats.take(lonely.pk, rival, came)
    for each in time_banks.run_out(came):
        assert not matches.answer_expired(each.match_id, each.sequence, each.seat_id, came)
    seat = lonely.seats.get(side=engine.decision.side)
    assert abs(seat.bank_seconds - WAITED.total_seconds() - HOURS * 3600) < 60
    assert whose_turn(lonely.pk, lonely.last_sequence) == seat.user_id
    assert Job.objects.filter(name="matches.tell_turn").count() == 1
    matches.play_action(lonely.pk, seat.side, lonely.last_sequence, engine.legal_actions()[0])


def test_the_page_of_the_one_who_waits_learns_of_the_rival(
    lonely: Match, client: Client, player: User, rival: User
) -> None:
    client.force_login(player)
    changes = reverse("matches:changes", args=[lonely.public_id])
    version = client.get(changes).json()["version"]
    assert client.get(changes, {"version": version}).status_code == 204
    open_seats.take(lonely.pk, rival)
    assert client.get(changes, {"version": version}).status_code == 200
    assert rival.username in read(client, address_of(lonely))


def test_the_seat_can_be_given_to_the_ai(lonely: Match, client: Client, player: User, rival: User) -> None:
    client.force_login(player)
    assert press(client, lonely, "close_seat") == 302
    assert [(seat.user_id, seat.bot) for seat in lonely.seats.all()] == [(player.pk, ""), (None, "greedy")]
    lonely.refresh_from_db()
    decision = rebuild(lonely).decision
    assert decision is not None
    assert decision.side == lonely.setup["sides"][0]["id"]
    client.force_login(rival)
    assert press(client, lonely, "take_seat") == 409


def test_in_a_season_no_seat_is_free(lonely: Match, rival: User) -> None:
    Match.objects.filter(pk=lonely.pk).update(fixture_key="fixture:1")
    with pytest.raises(Refused, match="seat_taken"):
        open_seats.take(lonely.pk, rival)


def test_every_other_side_of_a_melee_is_played_by_the_ai(player: User) -> None:
    match = start_friendly(player, Wishes(format="grand_melee", opponent=BY_LINK))
    assert [bool(seat.user_id or seat.bot) for seat in match.seats.all()] == [True, False, True, True]
