"""Dates and modes of a fixture: proposed, accepted by everybody, declined; and what the modes do when it is played."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jobs.services import run_pending
from matches.services.matches import play_action
from people.models import Notice
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Fixture, LogEntry, Proposal, Season
from stables.services.line_ups import appointments
from stables.services.line_ups.match_setup import prepare_match
from tests.stables.duels import BOT, Club, sides_of

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def club(dated_club: Club) -> Club:
    return dated_club


@pytest.fixture
def duel(club: Club) -> Fixture:
    return club.fixture("anna", "ben")


def refused(call: Any, code: str) -> None:
    with pytest.raises(SeasonRefused) as caught:
        call()
    assert caught.value.code == code


# --- dates ------------------------------------------------------------------------------------------------------------


def test_a_date_holds_once_the_other_accepts_and_both_are_shown(club: Club, duel: Fixture) -> None:
    at = NOW + 5 * HOUR
    made = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=duel.pk, at=at, now=NOW)
    duel.refresh_from_db()
    assert (made.state, duel.scheduled_at) == ("open", None)
    assert list(Notice.objects.values_list("user__username", "code")) == [("ben", "date_proposed")]
    appointments.accept(stable_id=club.stable_id("ben"), proposal_id=made.proposal_id, now=NOW)
    duel.refresh_from_db()
    assert duel.scheduled_at == at
    assert Notice.objects.filter(user__username="anna", code="proposal_accepted").exists()
    assert LogEntry.objects.get(fixture=duel).code == "date_agreed"


@pytest.mark.parametrize(
    ("hours", "code"), [(-1, "date_not_ahead"), (0, "date_not_ahead"), (49, "date_after_deadline")]
)
def test_a_date_is_in_the_future_and_inside_the_round(club: Club, duel: Fixture, hours: int, code: str) -> None:
    at = NOW + hours * HOUR
    anna = club.stable_id("anna")
    refused(lambda: appointments.propose(stable_id=anna, fixture_id=duel.pk, at=at, now=NOW), code)
    assert not Proposal.objects.exists()


def test_a_date_that_went_by_cannot_be_accepted(club: Club, duel: Fixture) -> None:
    made = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=duel.pk, at=NOW + HOUR, now=NOW)
    ben = club.stable_id("ben")
    late = NOW + 2 * HOUR
    refused(lambda: appointments.accept(stable_id=ben, proposal_id=made.proposal_id, now=late), "date_not_ahead")
    assert Proposal.objects.get().state == "open"


def test_a_machine_accepts_everything(club: Club) -> None:
    duel = club.fixture("anna", "machines")
    made = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=duel.pk, at=NOW + HOUR, now=NOW)
    duel.refresh_from_db()
    assert (made.state, duel.scheduled_at) == ("accepted", NOW + HOUR)
    assert not Notice.objects.exists()


def test_in_a_melee_all_persons_must_accept(club: Club) -> None:
    melee = club.fixture("anna", "ben", "carla", "machines")
    made = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=melee.pk, at=NOW + HOUR, now=NOW)
    assert Notice.objects.count() == 2
    one = appointments.accept(stable_id=club.stable_id("ben"), proposal_id=made.proposal_id, now=NOW)
    again = appointments.accept(stable_id=club.stable_id("ben"), proposal_id=made.proposal_id, now=NOW)
    assert (one.state, again.state) == ("open", "open")
    two = appointments.accept(stable_id=club.stable_id("carla"), proposal_id=made.proposal_id, now=NOW)
    assert two.state == "accepted"


def test_one_no_is_enough_and_a_withdrawn_proposal_is_gone(club: Club, duel: Fixture) -> None:
    anna, ben = club.stable_id("anna"), club.stable_id("ben")
    first = appointments.propose(stable_id=anna, fixture_id=duel.pk, at=NOW + HOUR, now=NOW)
    assert appointments.decline(stable_id=ben, proposal_id=first.proposal_id).state == "declined"
    refused(lambda: appointments.accept(stable_id=ben, proposal_id=first.proposal_id, now=NOW), "proposal_closed")
    second = appointments.propose(stable_id=anna, fixture_id=duel.pk, at=NOW + HOUR, now=NOW)
    third = appointments.propose(stable_id=anna, fixture_id=duel.pk, at=NOW + 2 * HOUR, now=NOW)
    refused(lambda: appointments.accept(stable_id=ben, proposal_id=second.proposal_id, now=NOW), "proposal_closed")
    assert appointments.withdraw(stable_id=anna, proposal_id=third.proposal_id).state == "withdrawn"
    refused(lambda: appointments.accept(stable_id=ben, proposal_id=third.proposal_id, now=NOW), "proposal_closed")
    duel.refresh_from_db()
    assert duel.scheduled_at is None


def test_nobody_answers_for_others(club: Club, duel: Fixture) -> None:
    made = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=duel.pk, at=NOW + HOUR, now=NOW)
    for name in ("anna", "carla"):
        stable_id = club.stable_id(name)
        for answer in (appointments.accept, appointments.decline):
            refused(lambda: answer(stable_id=stable_id, proposal_id=made.proposal_id), "no_fixture_of_yours")  # noqa: B023
    ben = club.stable_id("ben")
    refused(lambda: appointments.withdraw(stable_id=ben, proposal_id=made.proposal_id), "no_fixture_of_yours")
    refused(lambda: appointments.withdraw(stable_id=ben, proposal_id=10**6), "no_fixture_of_yours")
    carla = club.stable_id("carla")
    refused(lambda: appointments.propose(stable_id=carla, fixture_id=duel.pk, mode="ai"), "no_fixture_of_yours")


@pytest.mark.parametrize("state", ["finished", "cancelled", "sudden_death"])
def test_nothing_is_arranged_outside_a_running_season(club: Club, duel: Fixture, state: str) -> None:
    Season.objects.filter(pk=club.season.pk).update(state=state)
    anna = club.stable_id("anna")
    refused(lambda: appointments.propose(stable_id=anna, fixture_id=duel.pk, mode="ai"), "appointment_over")


# --- modes ------------------------------------------------------------------------------------------------------------


def agree(club: Club, fixture: Fixture, mode: str, *names: str) -> None:
    made = appointments.propose(stable_id=club.stable_id(names[0]), fixture_id=fixture.pk, mode=mode, now=NOW)
    for name in names[1:]:
        appointments.accept(stable_id=club.stable_id(name), proposal_id=made.proposal_id, now=NOW)


@pytest.mark.parametrize(("mode", "at"), [("", None), ("chess", None)])
def test_a_proposal_says_something_that_can_be(club: Club, duel: Fixture, mode: str, at: Any) -> None:
    with pytest.raises(Malformed):
        appointments.propose(stable_id=club.stable_id("anna"), fixture_id=duel.pk, mode=mode, at=at)


def test_what_is_so_already_is_not_proposed(club: Club, duel: Fixture) -> None:
    anna = club.stable_id("anna")
    refused(lambda: appointments.propose(stable_id=anna, fixture_id=duel.pk, mode="browser"), "nothing_to_change")


def test_a_table_needs_a_person_for_every_stable(club: Club) -> None:
    duel = club.fixture("anna", "machines")
    anna = club.stable_id("anna")
    refused(lambda: appointments.propose(stable_id=anna, fixture_id=duel.pk, mode="table"), "table_needs_people")


def test_in_the_browser_the_match_waits_for_its_people(club: Club, duel: Fixture) -> None:
    club.hand_in(duel, "anna", "ben")
    run_pending()
    seats = [("red", club.people["anna"].pk, ""), ("blue", club.people["ben"].pk, "")]
    assert sides_of(duel) == seats
    assert duel.match is not None
    assert (duel.match.state, duel.match.last_sequence) == ("waiting", 0)


def test_against_a_machine_the_bot_answers_at_once_and_the_end_is_settled(club: Club) -> None:
    duel = club.fixture("anna", "machines")
    club.hand_in(duel, "anna", "machines")
    run_pending()
    assert sides_of(duel) == [("red", club.people["anna"].pk, ""), ("blue", None, BOT)]
    match = duel.match
    assert match is not None
    play_action(match.pk, "red", match.last_sequence, {"unit": "red-1", "order": "surrender"})
    run_pending()
    duel.refresh_from_db()
    assert (duel.state, duel.result.document["winner"]) == ("settled", "blue")


def test_bots_play_both_sides_only_if_both_agreed(club: Club, duel: Fixture) -> None:
    made = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=duel.pk, mode="ai", now=NOW)
    club.hand_in(duel, "anna", "ben")
    run_pending()
    duel.refresh_from_db()
    # One of two wants it: the match is there and waits for both.
    assert (duel.state, duel.mode) == ("sealed", "browser")
    ben = club.stable_id("ben")
    refused(lambda: appointments.accept(stable_id=ben, proposal_id=made.proposal_id, now=NOW), "match_is_made")


def test_what_both_agreed_upon_the_bots_play_to_the_end(club: Club, duel: Fixture) -> None:
    agree(club, duel, "ai", "anna", "ben")
    club.hand_in(duel, "anna", "ben")
    run_pending()
    duel.refresh_from_db()
    assert duel.state == "settled"
    assert {bot for _, _, bot in sides_of(duel)} == {BOT}


def test_a_mode_that_nobody_agreed_upon_lets_no_bots_play_for_people(club: Club) -> None:
    duel = club.fixture("anna", "ben", mode="ai")
    club.hand_in(duel, "anna", "ben")
    run_pending()
    assert sides_of(duel)[0] == ("red", club.people["anna"].pk, "")


def test_by_the_season_s_default_bots_play(club: Club) -> None:
    Season.objects.filter(pk=club.season.pk).update(calendar={})
    duel = club.fixture("anna", "ben", mode="ai")
    club.hand_in(duel, "anna", "ben")
    run_pending()
    duel.refresh_from_db()
    assert duel.state == "settled"


def test_at_a_table_there_is_no_match_of_ours_until_it_is_agreed_otherwise(club: Club, duel: Fixture) -> None:
    agree(club, duel, "table", "anna", "ben")
    club.hand_in(duel, "anna", "ben")
    run_pending()
    duel.refresh_from_db()
    assert (duel.state, duel.match) == ("sealed", None)
    agree(club, duel, "browser", "ben", "anna")
    run_pending()
    assert len(sides_of(duel)) == 2


def test_what_is_reported_is_arranged_no_more(club: Club, duel: Fixture) -> None:
    agree(club, duel, "table", "anna", "ben")
    club.hand_in(duel, "anna", "ben")
    run_pending()
    duel.reports.create(stable=club.stables["anna"], number=1, document={})
    ben = club.stable_id("ben")
    refused(lambda: appointments.propose(stable_id=ben, fixture_id=duel.pk, mode="browser"), "appointment_over")


def test_the_job_may_run_again_and_changes_nothing(club: Club, duel: Fixture) -> None:
    club.hand_in(duel, "anna", "ben")
    run_pending()
    before = sides_of(duel)
    match, bots = prepare_match(fixture_id=duel.pk)
    assert match is not None
    assert (match.pk, bots) == (duel.match_id, {})
    assert sides_of(duel) == before
