"""A program plays for a stable once every other person with a stable in the season consents, until somebody ends it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from jobs.services import run_pending
from people.models import Notice
from stables.models import ExternalSeat, LogEntry, Season
from stables.services.fixtures import hand_overs, programs
from tests.stables.duels import BOT, JSON, Club, sides_of
from tests.stables.test_appointments import refused
from tests.stables.test_concurrency import at_once
from tests.stables.test_hand_overs import away

pytestmark = pytest.mark.database


@pytest.fixture
def club(club: Club) -> Club:
    club.people["robot"] = get_user_model().objects.create_user("robot", "robot@example.org", "-")
    return club


def propose(club: Club, name: str = "ben", account: str = "robot") -> programs.SeatOfProgram:
    return programs.propose(stable_id=club.stable_id(name), username=account)


def consent(club: Club, seat: programs.SeatOfProgram, *names: str) -> programs.SeatOfProgram:
    for name in names:
        seat = programs.consent(seat_id=seat.seat_id, stable_id=club.stable_id(name))
    return seat


def end(club: Club, seat: programs.SeatOfProgram, name: str = "ben") -> programs.SeatOfProgram:
    return programs.end(seat_id=seat.seat_id, stable_id=club.stable_id(name))


def test_a_program_plays_once_every_other_person_consents(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    club.hand_in(duel, "anna", "ben")
    seat = propose(club)
    told = Notice.objects.filter(code="seat_proposed").values_list("user__username", flat=True)
    assert sorted(told) == ["anna", "carla"]
    assert not consent(club, seat, "anna", "anna").agreed
    run_pending()
    assert sides_of(duel)[1] == ("blue", club.people["ben"].pk, "")
    assert consent(club, seat, "carla").agreed
    run_pending()
    # The match that runs already gets its new player too.
    assert sides_of(duel)[1] == ("blue", club.people["robot"].pk, "")
    assert Notice.objects.filter(code="seat_agreed").count() == 3
    assert [entry.code for entry in LogEntry.objects.filter(code__startswith="program").order_by("id")] == [
        "program_proposed",
        "program_consented",
        "program_consented",
        "program_agreed",
    ]


@pytest.mark.parametrize("by", ["ben", "anna"])
def test_the_owner_and_everybody_who_consents_may_end_it_at_any_time(club: Club, by: str) -> None:
    duel = club.fixture("anna", "ben")
    club.hand_in(duel, "anna", "ben")
    seat = consent(club, propose(club), "anna", "carla")
    run_pending()
    assert end(club, seat, by).ended
    assert end(club, seat, by).ended
    run_pending()
    assert sides_of(duel)[1] == ("blue", club.people["ben"].pk, "")
    refused(lambda: consent(club, seat, "carla"), "program_seat_over")
    assert LogEntry.objects.filter(code="program_ended").count() == 1


def test_only_persons_with_a_stable_have_a_say(club: Club) -> None:
    seat = propose(club)
    for name in ("ben", "machines"):
        refused(lambda: consent(club, seat, name), "no_fixture_of_yours")  # noqa: B023
    refused(lambda: end(club, seat, "machines"), "no_fixture_of_yours")
    refused(lambda: propose(club, "machines"), "no_fixture_of_yours")


def test_a_program_has_an_account_of_its_own(club: Club) -> None:
    refused(lambda: propose(club, account="nobody"), "program_unknown")
    for account in ("anna", "ben"):
        refused(lambda: propose(club, account=account), "program_has_stable")  # noqa: B023
    propose(club, account="ROBOT")
    refused(lambda: propose(club, account="spectator"), "program_seat_taken")
    refused(lambda: propose(club, "anna"), "program_has_stable")
    assert ExternalSeat.objects.count() == 1


def test_after_it_ended_another_may_be_proposed(club: Club) -> None:
    end(club, propose(club))
    assert not propose(club).agreed
    Season.objects.filter(pk=club.season.pk).update(state="finished")
    refused(lambda: propose(club, "anna"), "appointment_over")


def test_a_hand_over_goes_before_the_program_and_bots_play_nobody_s_part_unasked(club: Club) -> None:
    duel = club.fixture("anna", "ben", mode="ai")
    consent(club, propose(club), "anna", "carla")
    club.hand_in(duel, "anna", "ben")
    run_pending()
    assert sides_of(duel) == [("red", club.people["anna"].pk, ""), ("blue", club.people["robot"].pk, "")]
    made = away(club)
    run_pending()
    assert sides_of(duel)[1] == ("blue", None, BOT)
    hand_overs.take_back(stable_id=club.stable_id("ben"), hand_over_id=made.pk)
    run_pending()
    assert sides_of(duel)[1] == ("blue", club.people["robot"].pk, "")


def test_at_a_table_the_owner_sits_himself(club: Club) -> None:
    duel = club.fixture("anna", "ben", mode="table")
    consent(club, propose(club), "anna", "carla")
    club.hand_in(duel, "anna", "ben")
    run_pending()
    duel.refresh_from_db()
    assert (duel.match, duel.state) == (None, "sealed")


@pytest.mark.django_db(transaction=True)
def test_the_last_two_consents_at_once_agree_once(club: Club) -> None:
    seat = propose(club)
    results = at_once([lambda: consent(club, seat, "anna"), lambda: consent(club, seat, "carla")])
    assert sorted(result.agreed for result in results) == [False, True]
    assert LogEntry.objects.filter(code="program_agreed").count() == 1


# --- the page ---------------------------------------------------------------------------------------------------------


def page(club: Club, name: str, stable: str = "ben", *more: Any) -> str:
    if name == "programs":
        return reverse("stables:programs", args=[club.season.slug])
    return reverse(f"stables:{name}", args=[club.season.slug, club.stables[stable].slug, *more])


@pytest.mark.parametrize(
    ("person", "forms"),
    [(None, 0), ("spectator", 0), ("organiser", 0), ("robot", 0), ("ben", 1), ("anna", 2), ("carla", 2)],
)
def test_everybody_may_look_and_those_concerned_get_forms(club: Club, person: str | None, forms: int) -> None:
    propose(club)
    shown = club.client(person).get(page(club, "programs"))
    assert shown.status_code == 200
    body = shown.content.decode()
    assert "robot" in body
    main = body[body.index("<main") : body.index("</main>")]
    assert main.count('method="post"') == forms


@pytest.mark.parametrize(("person", "status"), [(None, 401), ("carla", 403), ("organiser", 403), ("spectator", 403)])
def test_only_the_owner_of_a_stable_speaks_for_it(club: Club, person: str | None, status: int) -> None:
    seat = propose(club)
    client = club.client(person)
    for address, fields in (
        (page(club, "propose_program", "anna"), {"account": "spectator"}),
        (page(club, "answer_program", "anna", seat.seat_id), {"answer": "consent"}),
    ):
        assert client.post(address, fields, headers=JSON).status_code == status
        assert club.client("anna").get(address).status_code == 405
    assert ExternalSeat.objects.get().consents.count() == 0


def test_proposing_consenting_and_ending_with_plain_forms(club: Club) -> None:
    ben, anna, carla = club.client("ben"), club.client("anna"), club.client("carla")
    assert ben.post(page(club, "propose_program"), {"account": "robot"}).status_code == 302
    seat = ExternalSeat.objects.get()
    for name, client in (("anna", anna), ("carla", carla)):
        answer = client.post(page(club, "answer_program", name, seat.pk), {"answer": "consent"}, follow=True)
        assert "You consent" in answer.content.decode()
    seat.refresh_from_db()
    assert seat.agreed_at is not None
    duel = club.fixture("anna", "ben")
    assert "a program plays" in carla.get(club.address("fixture", duel)).content.decode()
    assert anna.post(page(club, "answer_program", "anna", seat.pk), {"answer": "end"}).status_code == 302
    assert "a program plays" not in carla.get(club.address("fixture", duel)).content.decode()


@pytest.mark.parametrize(
    ("name", "fields", "status", "code"),
    [
        ("answer_program", {"answer": "dance"}, 400, "bad_field"),
        ("answer_program", {}, 400, "bad_field"),
        ("propose_program", {"account": "nobody"}, 409, "program_unknown"),
        ("propose_program", {}, 409, "program_unknown"),
    ],
)
def test_bad_input_changes_nothing(club: Club, name: str, fields: dict[str, str], status: int, code: str) -> None:
    seat = propose(club)
    more = [seat.seat_id] if name == "answer_program" else []
    answer = club.client("anna").post(page(club, name, "anna", *more), fields, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert ExternalSeat.objects.get().agreed_at is None


def test_a_seat_of_another_season_is_nowhere_to_be_found(club: Club) -> None:
    address = page(club, "answer_program", "anna", 10**6)
    assert club.client("anna").post(address, {"answer": "consent"}).status_code == 404


def test_the_page_takes_few_queries(club: Club) -> None:
    client = club.client("anna")
    with CaptureQueriesContext(connection) as few:
        client.get(page(club, "programs"))
    for _ in range(3):
        end(club, propose(club))
    propose(club)
    with CaptureQueriesContext(connection) as many:
        client.get(page(club, "programs"))
    assert len(many) <= len(few) + 1 <= 15
