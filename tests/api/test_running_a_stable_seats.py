"""Hand-overs and programs over the interface, and that a program is named wherever it plays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from jobs.services import run_pending
from people.models import User
from stables.models import ExternalSeat, HandOver, LedgerEntry, Stable
from stables.services.base.ledger import Movement, post
from stables.services.fixtures import programs
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db

BROWSER = "seasons/browser-season/"
OWN = f"{BROWSER}stables/player-sons/"
RIVAL = f"{BROWSER}stables/rival-sons/"


def said(answer: Any) -> tuple[int, str]:
    """Status and code."""
    return answer.status_code, answer.json().get("code", "")


@pytest.fixture
def stable(world: World, api: Any) -> Stable:
    return world.stable("browser")


# Hand-overs -------------------------------------------------------------------------------------------------------


def test_a_stable_is_handed_over_once_and_taken_back(stable: Stable, api: Any) -> None:
    until = timezone.now() + timedelta(days=3)
    sent = {"ends_at": until.isoformat(), "scope": "everything", "spending_limit": 100}
    first = api("player", "post", f"{OWN}hand-overs/", sent, key="away")
    assert (first.status_code, first.json()["scope"], first.json()["ended_at"]) == (201, "everything", None)
    assert api("player", "post", f"{OWN}hand-overs/", sent, key="away").json() == first.json()
    assert HandOver.objects.filter(stable=stable).count() == 1
    assert said(api("player", "post", f"{OWN}hand-overs/", sent)) == (409, "hand_over_overlaps")
    number = first.json()["hand_over"]
    post(stable_id=stable.pk, movements=[Movement(-30, "repair", "a test", {"hand_over": number, "name": "x"})])
    shown = api("player", "get", f"{OWN}hand-overs/").json()
    assert (shown["count"], shown["results"][0]["spent"], shown["results"][0]["spending_limit"]) == (1, 30, 100)
    ended = api("player", "post", f"{OWN}hand-overs/{number}/take-back").json()
    assert ended["ended_at"] is not None
    assert api("player", "post", f"{OWN}hand-overs/{number}/take-back").json() == ended
    assert api("rival", "post", f"{RIVAL}hand-overs/{number}/take-back").status_code == 404
    assert api("player", "post", f"{OWN}hand-overs/{10**30}/take-back").status_code == 404


def test_hand_overs_that_cannot_be(api: Any) -> None:
    now = timezone.now()
    past, far = (now - timedelta(days=1)).isoformat(), (now + timedelta(days=300)).isoformat()
    assert said(api("player", "post", f"{OWN}hand-overs/", {"ends_at": past})) == (409, "hand_over_takes_no_time")
    assert said(api("player", "post", f"{OWN}hand-overs/", {"ends_at": far})) == (409, "hand_over_too_long")
    last = {"starts_at": "9999-12-31T00:00:00Z", "ends_at": "9999-12-31T23:59:59Z"}
    assert said(api("player", "post", f"{OWN}hand-overs/", last)) == (409, "date_too_far")
    for body in ({}, {"ends_at": "soon"}, {"ends_at": far, "scope": "all"}, {"ends_at": far, "spending_limit": -1}):
        assert said(api("player", "post", f"{OWN}hand-overs/", body)) == (400, "invalid")


def test_hand_overs_take_as_many_queries_for_many(stable: Stable, api: Any) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert api("player", "get", f"{OWN}hand-overs/").status_code == 200
        return len(caught)

    now = timezone.now()

    def hand_over(number: int) -> None:
        starts = now + timedelta(days=number)
        made = HandOver.objects.create(stable=stable, starts_at=starts, ends_at=starts + timedelta(hours=1))
        movement = Movement(-1, "repair", f"test {number}", {"hand_over": made.pk, "name": "x"})
        post(stable_id=stable.pk, movements=[movement])

    hand_over(0)
    queries()
    few = queries()
    for number in range(1, 9):
        hand_over(number)
    assert LedgerEntry.objects.filter(stable=stable, parameters__has_key="hand_over").count() == 9
    assert queries() == few


# Programs ---------------------------------------------------------------------------------------------------------


def test_a_program_plays_once_all_consent_until_somebody_ends_it(stable: Stable, api: Any) -> None:
    made = api("player", "post", f"{OWN}programs", {"account": "program"}, key="program")
    assert (made.status_code, made.json()["agreed"]) == (201, False)
    assert api("player", "post", f"{OWN}programs", {"account": "program"}, key="program").json() == made.json()
    assert said(api("player", "post", f"{OWN}programs", {"account": "spectator"})) == (409, "program_seat_taken")
    assert said(api("rival", "post", f"{RIVAL}programs", {"account": "nobody"})) == (409, "program_unknown")
    shown = api("rival", "get", f"{BROWSER}programs/").json()["results"][0]
    assert (shown["stable"], shown["account"], shown["agreed_at"]) == ("player-sons", "program", None)
    assert (shown["waits_for"], shown["can_consent"], shown["can_end"]) == (["rival-sons"], True, True)
    number = made.json()["seat"]
    own, rivals = f"{OWN}programs/{number}/answer", f"{RIVAL}programs/{number}/answer"
    assert said(api("player", "post", own, {"answer": "consent"})) == (409, "no_fixture_of_yours")
    assert api("rival", "post", rivals, {"answer": "consent"}).json() == {
        "seat": number,
        "agreed": True,
        "ended": False,
    }
    everybody = api("anonymous", "get", f"{BROWSER}programs/").json()["results"][0]
    assert (everybody["consents"], everybody["can_consent"], everybody["can_end"]) == (["rival-sons"], False, False)
    assert api("rival", "post", rivals, {"answer": "end"}).json()["ended"]
    assert said(api("rival", "post", rivals, {"answer": "consent"})) == (409, "program_seat_over")
    assert said(api("rival", "post", rivals, {"answer": "maybe"})) == (400, "invalid")
    assert api("rival", "post", f"{RIVAL}programs/{10**30}/answer", {"answer": "end"}).status_code == 404
    assert api("spectator", "post", own, {"answer": "end"}).status_code == 403


def test_the_account_of_a_program_ends_its_own_seat(stable: Stable, api: Any) -> None:
    number = api("player", "post", f"{OWN}programs", {"account": "program"}).json()["seat"]
    [shown] = api("program", "get", f"{BROWSER}programs/").json()["results"]
    assert (shown["can_consent"], shown["can_end"]) == (False, True)
    own = f"{OWN}programs/{number}/answer"
    assert api("program", "post", own, {"answer": "consent"}).status_code == 403
    assert api("program", "post", f"{RIVAL}programs/{number}/answer", {"answer": "end"}).status_code == 403
    for _ in range(2):
        assert api("program", "post", own, {"answer": "end"}, key="down").json()["ended"]


def test_a_program_is_named_wherever_it_plays(world: World, stable: Stable, api: Any) -> None:
    """On the page of the fixture and of the match, and in what the interface answers of both."""
    seat = programs.propose(stable_id=stable.pk, username="program", actor=world.people["player"])
    programs.consent(seat_id=seat.seat_id, stable_id=world.stable("browser", "rival").pk)
    run_pending()
    fixture = world.fixtures["browser"]
    page = world.clients["spectator"].get(reverse("stables:fixture", args=["browser-season", fixture.pk]))
    assert "a program plays" in page.content.decode()
    match = world.clients["spectator"].get(fixture.match.get_absolute_url())
    assert "played by the program “program”" in match.content.decode()
    document = api("anonymous", "get", f"{BROWSER}fixtures/{fixture.pk}/").json()
    sides = {side["stable"]["slug"]: (side["decides"], side["program"]) for side in document["sides"]}
    assert sides == {"player-sons": ("program", "program"), "rival-sons": ("person", None)}
    asked = api("anonymous", "get", f"matches/{fixture.match.public_id}/").json()
    own = fixture.sides.get(stable=stable).side
    seats = {side["side"]: (side["seat"]["kind"], side["seat"]["account"]) for side in asked["sides"]}
    assert seats.pop(own) == ("program", "program")
    assert list(seats.values()) == [("person", None)]


def test_programs_take_as_many_queries_for_many(world: World, stable: Stable, api: Any) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert api("player", "get", f"{BROWSER}programs/").status_code == 200
        return len(caught)

    rival = world.stable("browser", "rival")
    ExternalSeat.objects.create(stable=stable, user=world.people["program"]).consents.add(rival)
    queries()
    few = queries()
    for number in range(9):
        person = User.objects.create_user(f"robot {number}", f"robot-{number}@example.org")
        seat = ExternalSeat.objects.create(stable=stable, user=person, ended_at=timezone.now())
        seat.consents.add(rival)
    assert queries() == few
