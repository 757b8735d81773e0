"""Proposals of dates and modes, and what becomes of them, reach those whom they concern, and name their match."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone
from django.utils.html import strip_tags

from people.models import Notice, User
from people.services import mails
from people.services.accounts import TooOften
from people.text.notices import notice_sentence
from stables.models import Fixture, LogEntry, Round
from stables.services.line_ups import appointments
from stables.text.log import log_sentence
from tests.stables.duels import Club
from tests.stables.line_ups.test_appointments import HOUR, NOW, club, duel
from web.moments import moment_words

__all__ = ["club", "duel"]

WHO = "Stable of anna – Stable of ben"


def shown(club: Club, name: str, address: str = "/") -> str:
    page = club.client(name).get(address).content.decode()
    return re.sub(r"\s+", " ", strip_tags(page))


@pytest.fixture
def proposal(club: Club, duel: Fixture) -> Any:
    """Anna proposes to play at a table tonight."""
    Round.objects.filter(pk=duel.round_id).update(play_due_at=None)
    at = timezone.now().replace(microsecond=0) + timedelta(hours=3)
    made = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=duel.pk, at=at, mode="table")
    return made, at


def test_a_proposal_stands_on_the_desk_until_it_is_answered(club: Club, duel: Fixture, proposal: Any) -> None:
    made, at = proposal
    asked = f"Round 1: Stable of anna proposes for your match: {moment_words(at)}, at a table. Accept or decline it."
    assert asked in shown(club, "ben")
    assert asked in shown(club, "ben", club.season.get_absolute_url())
    [task] = [
        one for one in club.client("ben").get("/api/v1/me/desk/").json()["waiting"] if "proposes" in one["sentence"]
    ]
    assert (task["sentence"], task["page"]) == (asked, f"/seasons/{club.season.slug}/fixtures/{duel.pk}/")
    for name in ("anna", "carla", "organiser"):
        assert "proposes for your match" not in shown(club, name)
    appointments.accept(stable_id=club.stable_id("ben"), proposal_id=made.proposal_id)
    assert "proposes for your match" not in shown(club, "ben")


def test_in_a_melee_it_waits_only_for_those_who_have_not_answered(club: Club) -> None:
    melee = club.fixture("anna", "ben", "carla")
    Round.objects.filter(pk=melee.round_id).update(play_due_at=None)
    at = timezone.now() + HOUR
    made = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=melee.pk, at=at)
    appointments.accept(stable_id=club.stable_id("ben"), proposal_id=made.proposal_id)
    waits = {name: "proposes for your match" in shown(club, name) for name in ("anna", "ben", "carla")}
    assert waits == {"anna": False, "ben": False, "carla": True}


def test_it_is_mailed_at_once_in_the_persons_zone_and_by_their_choice(club: Club, proposal: Any) -> None:
    _, at = proposal
    User.objects.filter(username="ben").update(time_zone="Asia/Tokyo")
    for person_id, _newest in mails.waiting_now():
        mails.send_waiting(person_id)
    with timezone.override("Asia/Tokyo"):
        tonight = moment_words(at)
    [message] = mail.outbox
    assert message.subject == f"1 more, and: Test season, round 1: Stable of anna proposes a date for {WHO}: {tonight}."
    assert f"Test season, round 1: Stable of anna proposes how to play {WHO}: at a table.\n" in message.body
    Notice.objects.update(mailed_at=None)
    User.objects.filter(username="ben").update(mail_dates=False)
    assert mails.waiting_now() == []


def test_what_was_agreed_names_the_match_and_what_it_is(club: Club, proposal: Any) -> None:
    made, at = proposal
    appointments.accept(stable_id=club.stable_id("ben"), proposal_id=made.proposal_id)
    lines = [log_sentence(one.code, one.parameters) for one in LogEntry.objects.exclude(fixture=None).order_by("id")]
    assert lines == [
        f"Round 1, {WHO}: a date was agreed, {moment_words(at)}.",
        f"Round 1, {WHO}: it was agreed to play at a table.",
    ]
    assert set(LogEntry.objects.exclude(fixture=None).values_list("cycle__number", flat=True)) == {1}
    notice = Notice.objects.get(code="proposal_accepted")
    assert notice_sentence(notice.code, notice.parameters) == (
        f"Test season, round 1: what you proposed for {WHO} was accepted: {moment_words(at)}, at a table."
    )


def test_what_was_declined_is_named_too(club: Club, duel: Fixture) -> None:
    made = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=duel.pk, mode="ai", now=NOW)
    appointments.decline(stable_id=club.stable_id("ben"), proposal_id=made.proposal_id)
    [entry] = LogEntry.objects.filter(code="proposal_declined")
    assert log_sentence(entry.code, entry.parameters) == (
        f"Round 1, {WHO}: Stable of ben declined what was proposed: the AI plays for both."
    )
    notice = Notice.objects.get(code="proposal_declined")
    assert notice_sentence(notice.code, notice.parameters).endswith(f"for {WHO} was declined: the AI plays for both.")


def test_who_may_play_now_hears_where_and_until_when(club: Club, duel: Fixture) -> None:
    """Not from a match that the AI plays."""
    club.hand_in(duel, "anna", "ben")
    notices = Notice.objects.filter(code="match_ready").order_by("user__username")
    assert [notice.user.username for notice in notices] == ["anna", "ben"]
    due = moment_words(duel.round.play_due_at)
    assert notice_sentence("match_ready", notices[0].parameters) == (
        f"Test season, cycle 1, round 1: all line-ups of {WHO} are in. Play it, in the browser, by {due}. "
        "Format: Standard. Arena: Foundry Nine."
    )
    assert notices[0].user_id in dict(mails.waiting_now())
    other = club.fixture("anna", "carla", mode="ai")
    club.hand_in(other, "anna", "carla")
    assert notices.count() == 2


def test_no_rival_is_mailed_without_end_by_new_dates_for_today(club: Club, duel: Fixture) -> None:
    Round.objects.filter(pk=duel.round_id).update(play_due_at=None)
    about: dict[str, Any] = {"stable_id": club.stable_id("anna"), "fixture_id": duel.pk}
    most, soon = appointments.PROPOSALS_OF_A_STABLE.times, timezone.now() + timedelta(hours=3)
    for minute in range(most):
        appointments.propose(**about, at=soon + timedelta(minutes=minute))
        mails.send_waiting(club.people["ben"].pk)
    with pytest.raises(TooOften):
        appointments.propose(**about, at=soon + HOUR)
    assert len(mail.outbox) == most
    # Nobody else has used up anything.
    appointments.propose(stable_id=club.stable_id("ben"), fixture_id=duel.pk, at=soon + HOUR)
