"""Time to think by rounds: filling, charging, running out once, coming back, what a pause does, who may end it."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from jobs.models import Job
from jobs.services import run_pending
from matches import jobs
from matches.host import Stops
from matches.models import Match, MatchAction, MatchSeat
from matches.selectors import time_banks
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.matches import answer_expired, create_match, play_action, reseat
from matches.services.steps import Played, store_new_steps
from matches.services.time_banks import SECONDS_BACK, come_back, settle, stand_still
from people.models import Notice, User
from rules.core.refusals import Refused
from tests.matches.conftest import SEED
from tests.matches.hosts import Host
from web.moments import moment_words

pytestmark = [pytest.mark.django_db, pytest.mark.database]

DAY = 24 * 3600
Cause = MatchAction.Cause


@pytest.fixture
def slow(setup_document: dict[str, Any], player: User, rival: User) -> Match:
    """A match of two people with a day for each round."""
    return create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", rival.pk)], DAY)


def asked(match: Match) -> MatchSeat:
    decision = rebuild(match).decision
    assert decision is not None
    return match.seats.get(side=decision.side)


def leave(match: Match, left: int) -> MatchSeat:
    """Let the asked side have so many seconds left."""
    seat = asked(match)
    MatchSeat.objects.filter(pk=seat.pk).update(bank_seconds=left)
    return match.seats.get(pk=seat.pk)


def later(seconds: float) -> datetime:
    return timezone.now() + timedelta(seconds=seconds)


def play_to_round(match: Match, number: int) -> None:
    rng = random.Random(1)
    for _ in range(200):
        match.refresh_from_db()
        engine = rebuild(match)
        if engine.table.position.round >= number and engine.table.position.phase > 1:
            return
        assert engine.decision is not None
        play_action(match.pk, engine.decision.side, match.last_sequence, engine.sample_action(rng))
    raise AssertionError("no such round")


@pytest.mark.parametrize(
    ("left", "up_to", "number", "expected"),
    [(0, 2, 3, 10), (4, 2, 3, 14), (25, 2, 3, 30), (0, 2, 9, 30), (7, 3, 3, 7), (90, 3, 3, 90)],
)
def test_what_is_not_used_is_saved_up_for_three_rounds(left: int, up_to: int, number: int, expected: int) -> None:
    assert time_banks.filled(left, up_to, number, 10) == expected


def test_only_the_time_of_the_open_decision_is_charged_and_rounds_fill_the_bank(slow: Match) -> None:
    assert set(slow.seats.values_list("bank_seconds", "bank_round")) == {(DAY, 0)}
    seat = asked(slow)
    engine = rebuild(slow)
    since = time_banks.newest_step(slow)
    settle(slow, seat.side, since, 0, since + timedelta(hours=2))
    assert slow.seats.get(pk=seat.pk).bank_seconds == DAY - 7200
    assert slow.seats.exclude(pk=seat.pk).get().bank_seconds == DAY
    settle(slow, "", since, 1, since)
    assert sorted(slow.seats.values_list("bank_seconds", "bank_round")) == [(2 * DAY - 7200, 1), (2 * DAY, 1)]
    assert engine.decision is not None


def test_nobody_is_hurried_without_a_time_for_rounds(waiting: Match) -> None:
    play_to_round(waiting, 1)
    assert set(waiting.seats.values_list("bank_seconds", "bank_round", "expiries")) == {(0, 0, 0)}
    assert time_banks.run_out(later(90 * DAY)) == []
    assert not MatchAction.objects.filter(cause=Cause.TIME).exists()


def test_the_ai_answers_until_the_round_is_over_and_the_person_is_shown_once(slow: Match) -> None:
    play_to_round(slow, 1)
    seat = leave(slow, 60)
    before = slow.last_sequence
    (found,) = time_banks.run_out(later(61))
    assert (found.match_id, found.sequence, found.seat_id) == (slow.pk, before, seat.pk)
    assert answer_expired(slow.pk, before, seat.pk, later(61))
    assert not answer_expired(slow.pk, before, seat.pk, later(61))
    slow.refresh_from_db()
    first = slow.actions.get(sequence=before + 1)
    assert (first.side, first.cause) == (seat.side, Cause.TIME)
    assert match_rounds(slow) >= 1
    notice = Notice.objects.get()
    assert (notice.user_id, notice.code, notice.url) == (seat.user_id, "time_ran_out", play(slow))
    assert slow.seats.get(pk=seat.pk).expiries == 1
    # The other one goes on; what the first one is asked in this round is answered, and in the next one he is asked.
    rng = random.Random(2)
    number = match_rounds(slow)
    for _ in range(100):
        engine = rebuild(slow)
        assert engine.decision is not None
        if engine.decision.side == seat.side:
            break
        play_action(slow.pk, engine.decision.side, slow.last_sequence, engine.sample_action(rng))
        slow.refresh_from_db()
    assert match_rounds(slow) > number
    assert slow.seats.get(pk=seat.pk).bank_seconds == DAY
    own = slow.actions.filter(side=seat.side, sequence__gt=before)
    assert set(own.values_list("cause", flat=True)) <= {Cause.TIME, Cause.ONLY}


def match_rounds(match: Match) -> int:
    return rebuild(match).table.position.round


def play(match: Match) -> str:
    return reverse("matches:play", args=[match.public_id])


def test_in_time_nothing_happens_and_of_a_late_answer_and_a_worker_one_is_heard(slow: Match) -> None:
    seat = leave(slow, 60)
    assert time_banks.run_out(later(50)) == []
    assert not answer_expired(slow.pk, slow.last_sequence, seat.pk, later(50))
    other = slow.seats.exclude(pk=seat.pk).get()
    assert not answer_expired(slow.pk, slow.last_sequence, other.pk, later(90 * DAY))
    engine = rebuild(slow)
    # The person was faster than the worker, who had read the same step.
    play_action(slow.pk, seat.side, slow.last_sequence, engine.default_action())
    assert not answer_expired(slow.pk, 0, seat.pk, later(61))
    assert not Notice.objects.exists()
    # The worker was faster than the person.
    slow.refresh_from_db()
    seat = leave(slow, 60)
    seen = slow.last_sequence
    action = rebuild(slow).default_action()
    assert answer_expired(slow.pk, seen, seat.pk, later(61))
    with pytest.raises(Refused) as refused:
        play_action(slow.pk, seat.side, seen, action)
    assert refused.value.code == "stale_action"


def test_the_search_asks_once_and_the_job_answers(slow: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = leave(slow, 60)
    at = later(61)
    monkeypatch.setattr(timezone, "now", lambda: at)
    jobs.scan_for_empty_banks()
    jobs.scan_for_empty_banks()
    assert Job.objects.filter(name="matches.time_up").count() == 1
    run_pending()
    assert slow.seats.get(pk=seat.pk).expiries == 1


def test_the_search_takes_as_many_queries_for_many_matches_as_for_one(
    setup_document: dict[str, Any], player: User, rival: User
) -> None:
    counts = []
    for _ in range(2):
        for _ in range(3):
            create_match(setup_document, SEED, None, [Seat("red", player.pk), Seat("blue", rival.pk)], DAY)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert time_banks.run_out(later(2 * DAY))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_who_comes_back_within_the_round_decides_again(slow: Match, client: Client) -> None:
    play_to_round(slow, 1)
    seat = leave(slow, 60)
    answer_expired(slow.pk, slow.last_sequence, seat.pk, later(61))
    slow.refresh_from_db()
    assert slow.seats.get(pk=seat.pk).bank_seconds == 0
    assert seat.user is not None
    client.force_login(seat.user)
    address = reverse("matches:come_back", args=[slow.public_id])
    assert address in client.get(play(slow)).content.decode()
    assert client.post(address).status_code == 302
    assert slow.seats.get(pk=seat.pk).bank_seconds == SECONDS_BACK
    assert address not in client.get(play(slow)).content.decode()
    # A second press changes nothing, and a rival cannot press it.
    MatchSeat.objects.filter(pk=seat.pk).update(bank_seconds=77)
    client.post(address)
    assert slow.seats.get(pk=seat.pk).bank_seconds == 77


def test_a_step_thought_out_before_somebody_came_back_is_not_stored(slow: Match) -> None:
    play_to_round(slow, 1)
    seat = leave(slow, 60)
    answer_expired(slow.pk, slow.last_sequence, seat.pk, later(61))
    match = Match.objects.get(pk=slow.pk)
    engine, seats = rebuild(match), tuple(match.seats.all())
    assert engine.decision is not None
    engine.play(engine.default_action())
    assert seat.user_id is not None
    assert come_back(match.pk, seat.user_id)
    assert not store_new_steps(match, engine, Played("", {}, seats))


def test_no_time_passes_while_a_match_stands_still(slow: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = leave(slow, 3600)
    now = timezone.now()
    stopped = {slow.pk: Stops(now + timedelta(minutes=10))}
    monkeypatch.setattr(Host, "stops_of", lambda self, ids: {pk: at for pk, at in stopped.items() if pk in ids})
    Host().instead(monkeypatch)
    assert time_banks.run_out(later(9 * DAY)) == []
    assert not answer_expired(slow.pk, slow.last_sequence, seat.pk, later(9 * DAY))
    stopped.clear()
    stand_still([slow.pk], now + timedelta(minutes=10), now + timedelta(days=9))
    assert not answer_expired(slow.pk, 0, seat.pk, now + timedelta(days=9, minutes=45))
    # Who was not asked has neither lost nor won anything.
    assert slow.seats.exclude(pk=seat.pk).get().bank_seconds == DAY
    assert answer_expired(slow.pk, 0, seat.pk, now + timedelta(days=9, minutes=51))


@pytest.mark.parametrize(("keeps", "expiries"), [(True, 2), (False, 0)])
def test_a_side_keeps_its_bank_whoever_plays_it(
    slow: Match, django_user_model: Any, keeps: bool, expiries: int
) -> None:
    """A stand-in (`keeps`) takes over how often the time ran out too: naming one may wipe nothing out."""
    seat = leave(slow, 5)
    MatchSeat.objects.filter(pk=seat.pk).update(expiries=2)
    newcomer = django_user_model.objects.create_user("new", "n@example.org", "-")
    reseat(slow.pk, [Seat(seat.side, newcomer.pk)], keeps_answers=keeps)
    seat.refresh_from_db()
    assert (seat.user_id, seat.bank_seconds, seat.expiries) == (newcomer.pk, 5, expiries)


def test_who_sits_down_at_an_empty_bank_has_the_time_of_one_who_comes_back(slow: Match, django_user_model: Any) -> None:
    seat = leave(slow, 0)
    newcomer = django_user_model.objects.create_user("new", "n@example.org", "-")
    reseat(slow.pk, [Seat(seat.side, newcomer.pk)], keeps_answers=True)
    seat.refresh_from_db()
    assert seat.bank_seconds == SECONDS_BACK


def test_the_bank_is_not_refilled_by_way_of_the_ai(slow: Match) -> None:
    seat = leave(slow, 5)
    reseat(slow.pk, [Seat(seat.side, bot="random")])
    reseat(slow.pk, [Seat(seat.side, seat.user_id)])
    seat.refresh_from_db()
    assert seat.bank_seconds == 5


# --- words, and what to do about a rival who is away ------------------------------------------------------------------


def test_the_page_says_how_much_is_left_and_until_when_in_the_readers_time_zone(slow: Match, client: Client) -> None:
    seat = leave(slow, 2 * DAY)
    assert seat.user is not None
    User.objects.filter(pk=seat.user_id).update(time_zone="Pacific/Auckland")
    end = time_banks.newest_step(slow) + timedelta(days=2)
    with timezone.override("Pacific/Auckland"):
        moment = moment_words(end)
    assert moment.endswith(" (Pacific/Auckland)")
    client.force_login(seat.user)
    shown = client.get(play(slow)).content.decode()
    assert moment in shown
    assert "Time left for this round, with the rounds saved up:" in shown
    other = slow.seats.exclude(pk=seat.pk).get().user
    assert other is not None
    client.force_login(other)
    shown = client.get(play(slow)).content.decode()
    assert ": 2\xa0days." in shown
    assert "Time for your own decisions: 1\xa0day." in shown


def away(match: Match, times: int = 3) -> tuple[MatchSeat, MatchSeat]:
    """The seat that is asked, whose time ran out so often, and the other one."""
    seat = asked(match)
    MatchSeat.objects.filter(pk=seat.pk).update(expiries=times)
    return seat, match.seats.exclude(pk=seat.pk).get()


@pytest.mark.parametrize(("what", "state"), [("ai", "playing"), ("end", "finished")])
def test_after_three_times_the_other_one_decides_in_a_friendly_match(
    slow: Match, client: Client, what: str, state: str
) -> None:
    gone, here = away(slow)
    assert here.user is not None
    client.force_login(here.user)
    address = reverse("matches:rival_away", args=[slow.public_id])
    assert address in client.get(play(slow)).content.decode()
    assert client.post(address, {"what": "nothing"}).status_code == 400
    assert client.post(address, {"what": what}).status_code == 302
    slow.refresh_from_db()
    assert slow.state == state
    if what == "ai":
        assert slow.seats.get(pk=gone.pk).bot == "greedy"
        assert slow.actions.get(sequence=1).cause == Cause.GIVEN
    else:
        assert slow.result is not None
        assert slow.result["winner"] == here.side


def test_before_that_nobody_may_and_the_absent_one_may_not(slow: Match, client: Client) -> None:
    gone, here = away(slow, 2)
    address = reverse("matches:rival_away", args=[slow.public_id])
    assert here.user is not None
    assert gone.user is not None
    client.force_login(here.user)
    assert address not in client.get(play(slow)).content.decode()
    assert client.post(address, {"what": "ai"}).status_code == 409
    away(slow)
    client.force_login(gone.user)
    assert client.post(address, {"what": "ai"}).status_code == 409
    slow.refresh_from_db()
    assert slow.last_sequence == 0


def test_a_friendly_match_takes_its_hours_from_the_form(player: User, client: Client) -> None:
    client.force_login(player)
    form = {"format": "standard", "opponent": "random", "hours_a_round": "24"}
    assert client.post(reverse("matches:new"), form).status_code == 302
    assert Match.objects.get().seconds_a_round == DAY
    assert client.post(reverse("matches:new"), {**form, "hours_a_round": "25"}).status_code == 400
