"""Dates and modes of a fixture: proposed, accepted by everybody, declined; and what the modes do when it is played."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from catalogue.services import load_release
from jobs.models import Job
from jobs.services import run_pending
from matches.services import Seat, play_action
from people.models import Notice
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Asset, CrewCard, Fixture, FixtureSide, HandOver, LogEntry, Proposal, Season
from stables.seating import seating_of
from stables.services import appointments
from stables.services.playing import prepare_match
from tests.once import built_once
from tests.stables.duels import BOT, JSON, Club, open_club, sides_of

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DUE = NOW + 48 * HOUR


@pytest.fixture(scope="module")
def opened(django_db_setup: None, django_db_blocker: Any, quiet_settings: None) -> Iterator[Club]:
    with built_once(django_db_blocker):
        yield open_club(load_release(), play_due_at=DUE)


@pytest.fixture
def club(db: None, opened: Club) -> Club:
    """The club as it was opened, whatever other tests did to it."""
    return deepcopy(opened)


@pytest.fixture
def duel(club: Club) -> Fixture:
    return club.fixture("anna", "ben")


def refused(call: Any, code: str) -> None:
    with pytest.raises(SeasonRefused) as caught:
        call()
    assert caught.value.code == code


# --- dates ------------------------------------------------------------------------------------------------------------


def test_a_date_holds_once_the_other_accepts_and_both_are_told(club: Club, duel: Fixture) -> None:
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


# --- the page and its forms -------------------------------------------------------------------------------------------

FORMS = ("propose_appointment", "answer_proposal", "claim_no_show", "answer_no_show")


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(("person", "status"), [(None, 401), ("carla", 403), ("organiser", 403), ("spectator", 403)])
def test_only_who_plays_in_it_arranges_a_fixture(
    club: Club, duel: Fixture, name: str, person: str | None, status: int
) -> None:
    answer = club.client(person).post(club.address(name, duel), {"mode": "ai", "answer": "accept"}, headers=JSON)
    assert answer.status_code == status
    assert not Proposal.objects.exists()


@pytest.mark.parametrize("name", FORMS)
def test_addresses_of_a_fixture_take_posts_for_fixtures_there_are(club: Club, duel: Fixture, name: str) -> None:
    client = club.client("anna")
    assert client.get(club.address(name, duel)).status_code == 405
    missing = club.address(name, duel).replace(f"/{duel.pk}/", f"/{duel.pk + 999}/")
    assert client.post(missing).status_code == 404


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"date": "tomorrow"}, "bad_field"),
        ({}, "bad_field"),
        ({"mode": "chess"}, "bad_field"),
        ({"date": "2026-13-01T10:00"}, "bad_field"),
    ],
)
def test_malformed_proposals_are_400(club: Club, duel: Fixture, fields: dict[str, str], code: str) -> None:
    answer = club.client("anna").post(club.address("propose_appointment", duel), fields, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_two_people_agree_with_plain_forms_each_in_the_own_zone(club: Club, duel: Fixture) -> None:
    club.round.play_due_at = None
    club.round.save()
    club.people["anna"].time_zone = "Europe/Berlin"
    club.people["anna"].save()
    anna, ben = club.client("anna"), club.client("ben")
    page = club.address("fixture", duel)
    today = datetime.now(UTC)
    year = today.year + (today.month >= 7)
    answer = anna.post(club.address("propose_appointment", duel), {"date": f"{year}-07-01T20:00", "mode": "table"})
    assert (answer.status_code, answer["Location"]) == (302, page)
    made = Proposal.objects.get()
    assert made.at == datetime(year, 7, 1, 18, tzinfo=UTC)
    shown = ben.get(page).content.decode()
    assert 'value="accept"' in shown
    answer = ben.post(club.address("answer_proposal", duel), {"proposal": made.pk, "answer": "accept"}, follow=True)
    assert "You accepted" in answer.content.decode()
    duel.refresh_from_db()
    assert (duel.mode, duel.scheduled_at) == ("table", made.at)
    other = club.fixture("ben", "carla")
    strange = {"proposal": made.pk, "answer": "decline"}
    answer = ben.post(club.address("answer_proposal", other), strange, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_field")


@pytest.mark.parametrize("person", [None, "anna", "carla", "spectator", "organiser"])
def test_everybody_may_look_and_line_ups_stay_sealed_until_both_are_in(
    club: Club, duel: Fixture, person: str | None
) -> None:
    club.hand_in(duel, "anna")
    unit = escape(duel.sides.get(side="red").line_up.crews.get().unit.label)
    client, page = club.client(person), club.address("fixture", duel)
    answer = client.get(page)
    assert answer.status_code == 200
    shown = answer.content.decode()
    assert unit not in shown
    assert answer.context["line_ups"] == []
    assert ("propose" in shown) == (person == "anna")
    club.hand_in(duel, "ben")
    answer = client.get(page)
    assert unit in answer.content.decode()
    # Both were chosen by the site, and the page says so.
    assert [bool(view["flag"]) for view in answer.context["line_ups"]] == [
        side.line_up.source != "owner" for side in duel.sides.select_related("line_up").order_by("id")
    ]


def test_the_page_shows_the_hash_before_and_the_seed_after(club: Club) -> None:
    duel = club.fixture("anna", "machines")
    club.hand_in(duel, "anna", "machines")
    run_pending()
    duel.refresh_from_db()
    match = duel.match
    assert match is not None
    client, page = club.client(None), club.address("fixture", duel)
    before = client.get(page).content.decode()
    assert match.seed_commitment in before
    assert bytes(match.seed).hex() not in before
    play_action(match.pk, "red", match.last_sequence, {"unit": "red-1", "order": "surrender"})
    run_pending()
    after = client.get(page).content.decode()
    assert bytes(match.seed).hex() in after
    assert "won" in after


def test_gear_is_shown_and_the_rally_hand_is_not(club: Club, duel: Fixture) -> None:
    club.hand_in(duel, "anna", "ben")
    crew = duel.sides.get(side="red").line_up.crews.get()
    for kind, name in (("gear", "Visible Thing"), ("rally_card", "Hidden Trick")):
        card = Asset.objects.create(
            stable=club.stables["anna"], kind=kind, catalogue_key=name, content_hash="-", name=name, price_paid=10
        )
        CrewCard.objects.create(crew=crew, asset=card)
    for name in (None, "ben"):
        shown = club.client(name).get(club.address("fixture", duel)).content.decode()
        assert "Visible Thing" in shown
        assert "Hidden Trick" not in shown


def test_where_two_stables_share_a_side_the_first_person_there_decides_for_both(club: Club, duel: Fixture) -> None:
    for name, side in (("machines", "red"), ("carla", "blue")):
        FixtureSide.objects.create(fixture=duel, stable=club.stables[name], side=side)
    people = {name: club.people[name].pk for name in ("anna", "ben", "carla")}
    fixture = Fixture.objects.select_related("round__cycle__season").get(pk=duel.pk)
    assert seating_of(fixture).of_sides() == [Seat("red", people["anna"]), Seat("blue", people["ben"])]
    HandOver.objects.create(stable=club.stables["ben"], starts_at=NOW, ends_at=NOW + HOUR)
    assert seating_of(fixture, NOW).of_sides() == [Seat("red", people["anna"]), Seat("blue", people["carla"])]


def test_a_bye_and_a_draft_and_a_stranger_s_address(club: Club, duel: Fixture) -> None:
    bye = club.fixture("carla", kind="bye", state="settled", mode="ai")
    client = club.client(None)
    assert "bye" in client.get(club.address("fixture", bye)).content.decode()
    missing = club.address("fixture", duel).replace(club.season.slug, "none")
    assert client.get(missing).status_code == 404
    Season.objects.filter(pk=club.season.pk).update(state="draft")
    assert client.get(club.address("fixture", duel)).status_code == 404


def test_the_page_takes_few_queries_however_many_take_part(club: Club, duel: Fixture) -> None:
    melee = club.fixture("anna", "ben", "carla", "machines")
    for fixture, names in ((duel, ("anna", "ben")), (melee, ("anna", "ben", "carla", "machines"))):
        made = appointments.propose(
            stable_id=club.stable_id("anna"), fixture_id=fixture.pk, mode="table" if fixture is duel else "ai", now=NOW
        )
        assert made.state == "open"
        club.hand_in(fixture, *names)
    counts = []
    for fixture in (duel, melee):
        client = club.client("ben")
        client.get(club.address("fixture", fixture))
        with CaptureQueriesContext(connection) as queries:
            assert client.get(club.address("fixture", fixture)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 15


def test_a_sealed_fixture_asks_once_for_each_cause(club: Club, duel: Fixture) -> None:
    agree(club, duel, "table", "anna", "ben")
    club.hand_in(duel, "anna", "ben")
    agree(club, duel, "ai", "anna", "ben")
    asked = Job.objects.filter(name="stables.play_fixture", payload__fixture=duel.pk)
    assert asked.count() == 2
    run_pending()
    duel.refresh_from_db()
    assert duel.state == "settled"
