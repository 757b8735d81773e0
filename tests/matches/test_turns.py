"""A person hears that a match waits for them: once a turn, and not while the players sit there."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from jobs.models import Job
from jobs.services import run_pending
from matches.jobs import scan_for_turns
from matches.models import Match, MatchSeat
from matches.selectors.matches import rebuild
from matches.selectors.time_banks import newest_step
from matches.services import turns
from matches.services.answering import Seat
from matches.services.matches import create_match
from people.models import Notice, User
from people.text.notices import notice_sentence
from tests.matches.conftest import SEED, play_some
from web.moments import moment_words

pytestmark = [pytest.mark.django_db, pytest.mark.database]

LATER = timedelta(minutes=5)


def decides(match: Match) -> User | None:
    match.refresh_from_db()
    decision = rebuild(match).decision
    assert decision is not None
    return match.seats.get(side=decision.side).user


def later(monkeypatch: Any, passed: timedelta = LATER) -> None:
    now = timezone.now()
    monkeypatch.setattr("django.utils.timezone.now", lambda: now + passed)


def test_a_turn_that_waits_is_shown_once_to_whom_it_belongs(waiting: Match, monkeypatch: Any) -> None:
    scan_for_turns()
    assert run_pending() == 0, "they may be sitting there"
    later(monkeypatch)
    for _ in range(3):
        scan_for_turns()
    run_pending()
    scan_for_turns()
    run_pending()
    [notice] = Notice.objects.all()
    assert (notice.code, notice.user, notice.url) == ("your_turn", decides(waiting), waiting.get_absolute_url())
    arena = waiting.setup["arena"]["name"]
    assert notice_sentence("your_turn", notice.parameters).endswith(
        f" waits for you: it is your turn. Standard match. Arena: {arena}."
    )


def test_a_turn_with_a_time_limit_says_until_when(waiting: Match) -> None:
    Match.objects.filter(pk=waiting.pk).update(seconds_a_round=3600)
    MatchSeat.objects.filter(match=waiting).update(bank_seconds=5400)
    person = decides(waiting)
    assert person is not None
    turns.tell_turn(waiting.pk, person.pk)
    until = moment_words(newest_step(waiting) + timedelta(minutes=90))
    told = notice_sentence("your_turn", Notice.objects.get().parameters)
    assert f"it is your turn, and you have time until {until}. Standard match." in told


def test_the_next_turn_is_shown_again(waiting: Match, monkeypatch: Any) -> None:
    later(monkeypatch)
    scan_for_turns()
    run_pending()
    play_some(waiting, 1)
    later(monkeypatch)
    scan_for_turns()
    run_pending()
    assert Notice.objects.filter(code="your_turn").count() == 2


def test_the_key_of_its_job_does_not_tell_the_number_of_the_step(waiting: Match, monkeypatch: Any) -> None:
    """Staff read keys, and a question for a rally card, which nobody else hears of, is a step as well."""
    play_some(waiting, 3)
    later(monkeypatch)
    scan_for_turns()
    key = Job.objects.get(name="matches.tell_turn").unique_key
    assert key == turns.job_key(waiting.pk, 3)
    assert {len(turns.job_key(waiting.pk, step)) for step in (3, 4, 30)} == {len(key)}


def test_a_turn_that_was_taken_meanwhile_is_not_shown(waiting: Match) -> None:
    sequence = waiting.last_sequence
    play_some(waiting, 1)
    assert turns.whose_turn(waiting.pk, sequence) is None
    assert turns.whose_turn(waiting.pk, sequence + 1) is not None


def test_bots_and_finished_matches_wait_for_nobody(finished: Match, setup_document: Any) -> None:
    create_match(setup_document, SEED, "fixture:2", [Seat("red", bot="random"), Seat("blue", bot="random")])
    assert turns.waiting_turns(timezone.now() + LATER) == []
    assert turns.whose_turn(finished.pk, finished.last_sequence) is None


def test_what_was_given_up_is_not_shown_for_ever(waiting: Match, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        assert turns.waiting_turns(timezone.now() + LATER) == [(waiting.pk, 0)]
    assert turns.waiting_turns(timezone.now() + timedelta(days=2)) == []
