"""The page and the forms of a fixture's dates and modes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from jobs.models import Job
from jobs.services import run_pending
from matches.services.answering import Seat
from matches.services.matches import play_action
from stables.models import Asset, CrewCard, Fixture, FixtureSide, HandOver, NoShowClaim, Proposal, Season
from stables.selectors.seating import seating_of
from stables.services.line_ups import appointments
from tests.stables.duels import Club
from tests.stables.line_ups.test_appointments import HOUR, NOW, agree, club, duel

__all__ = ["club", "duel"]


# --- the page and its forms -------------------------------------------------------------------------------------------

FORMS = ("propose_appointment", "answer_proposal", "claim_no_show", "answer_no_show")


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(("person", "status"), [(None, 302), ("carla", 403), ("organiser", 403), ("spectator", 403)])
def test_only_who_plays_in_it_arranges_a_fixture(
    club: Club, duel: Fixture, name: str, person: str | None, status: int
) -> None:
    answer = club.client(person).post(club.address(name, duel), {"mode": "ai", "answer": "accept"})
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
    answer = club.client("anna").post(club.address("propose_appointment", duel), fields)
    assert (answer.status_code, answer.context["code"]) == (400, code)


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
    answer = ben.post(club.address("answer_proposal", other), strange)
    assert (answer.status_code, answer.context["code"]) == (400, "bad_field")


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


@pytest.mark.parametrize(
    ("person", "word", "said", "state"),
    [
        ("ben", "decline", "You declined", "declined"),
        ("anna", "withdraw", "Your proposal is withdrawn", "withdrawn"),
    ],
)
def test_a_proposal_ends_by_a_plain_form(
    club: Club, duel: Fixture, person: str, word: str, said: str, state: str
) -> None:
    club.client("anna").post(club.address("propose_appointment", duel), {"mode": "table"})
    made = Proposal.objects.get()
    fields = {"proposal": made.pk, "answer": word}
    page = club.client(person).post(club.address("answer_proposal", duel), fields, follow=True).content.decode()
    made.refresh_from_db()
    assert (said in page, made.state) == (True, state)


def test_a_word_that_is_no_answer_leaves_a_proposal_open(club: Club, duel: Fixture) -> None:
    club.client("anna").post(club.address("propose_appointment", duel), {"mode": "table"})
    made = Proposal.objects.get()
    fields = {"proposal": made.pk, "answer": "cry"}
    answer = club.client("ben").post(club.address("answer_proposal", duel), fields)
    assert (answer.status_code, answer.context["code"]) == (400, "bad_field")
    assert Proposal.objects.get().state == made.state


@pytest.mark.parametrize(
    ("person", "word", "said"),
    [
        ("anna", "withdraw", "The claim is withdrawn"),
        ("ben", "here", "You are here"),
        ("anna", "stand_in", "The AI stands in"),
    ],
)
def test_a_claim_goes_on_by_a_plain_form(club: Club, duel: Fixture, person: str, word: str, said: str) -> None:
    Fixture.objects.filter(pk=duel.pk).update(scheduled_at=NOW - 10 * HOUR)
    absent = club.stables["ben"]
    NoShowClaim.objects.create(
        fixture=duel, claimant=club.stables["anna"], absent=absent, new_date=NOW - HOUR, state="choice"
    )
    page = club.client(person).post(club.address("answer_no_show", duel), {"answer": word}, follow=True)
    assert said in page.content.decode()
