"""Acts that notices ask for fall out of the count by themselves, whoever did them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from jobs.models import Job
from jobs.services import run_pending
from matches.services.turns import tell_turn
from people.models import Notice
from people.services import acts
from people.services.accounts import notify
from stables.models import (
    Cycle,
    ExternalSeat,
    Fixture,
    FixtureSide,
    NoShowClaim,
    Round,
    Season,
    SeasonRole,
    Stable,
    SuddenDeath,
    WaitingPlace,
    Webhook,
)
from stables.services.base.news import call_for_line_ups, place_of
from stables.services.fixtures import no_shows, programs, taking_back
from stables.services.line_ups import appointments
from stables.services.results import reports
from stables.services.running import coming
from tests.stables.duels import Club

pytestmark = [pytest.mark.django_db, pytest.mark.database]

HOUR = timedelta(hours=1)
FAILED = {"name": "stables.pair_round", "state": Job.State.FAILED, "last_attempt": 5}


@pytest.fixture
def club(dated_club: Club) -> Club:
    Round.objects.filter(pk=dated_club.round.pk).update(play_due_at=None)
    Notice.objects.all().delete()
    return dated_club


def waits(club: Club, name: str) -> list[str]:
    """The codes of the acts that wait for a person, once the tick has looked."""
    acts.settle()
    return list(acts.open_acts().filter(user=club.people[name]).order_by("pk").values_list("code", flat=True))


def test_a_line_up_that_is_taken_back_is_asked_for_again_at_once(club: Club) -> None:
    duel, anna = club.fixture("anna", "ben"), club.stables["anna"]
    sides = FixtureSide.objects.filter(fixture=duel, stable=anna)
    sides.update(stand_in=club.people["spectator"])
    called = Round.objects.select_related("cycle__season").get(pk=club.round.pk)
    call_for_line_ups(called, sides.select_related("fixture", "stable"))
    club.hand_in(duel, "anna")
    assert (waits(club, "anna"), waits(club, "spectator")) == ([], [])
    taking_back.take_back(stable_id=anna.pk, fixture_id=duel.pk)
    asked = set(acts.open_acts().values_list("user__username", "code"))
    assert asked == {("anna", "line_up_due"), ("spectator", "line_up_due")}
    assert (waits(club, "anna"), waits(club, "spectator")) == (["line_up_due"], ["line_up_due"])


def test_a_call_for_a_line_up_is_done_with_the_line_up_or_a_forfeit(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    called = Round.objects.select_related("cycle__season").get(pk=club.round.pk)
    call_for_line_ups(called, FixtureSide.objects.filter(fixture=duel).select_related("fixture", "stable"))
    facts = {"season": "Test season", **place_of(duel, FixtureSide.objects.filter(fixture=duel))}
    notify([club.people["anna"]], "reminder_line_up", facts, duel.get_absolute_url())
    assert waits(club, "anna") == ["reminder_line_up"], "a call and its reminder are one act"
    assert waits(club, "ben") == ["line_up_due"]
    club.hand_in(duel, "anna")
    assert (waits(club, "anna"), waits(club, "ben")) == ([], ["line_up_due"])
    line_ups_of_ben = FixtureSide.objects.filter(fixture=duel, stable=club.stables["ben"])
    line_ups_of_ben.update(forfeits=FixtureSide.Forfeit.UNABLE)
    assert waits(club, "ben") == []


def test_a_proposal_is_done_with_its_answer(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    at = timezone.now() + 5 * HOUR
    made = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=duel.pk, at=at, mode="table")
    assert waits(club, "ben") == ["date_proposed", "mode_proposed"]
    appointments.decline(stable_id=club.stable_id("ben"), proposal_id=made.proposal_id)
    assert waits(club, "ben") == []


def test_a_match_is_played_with_a_report_reported_with_ones_own_and_done_with_its_result(club: Club) -> None:
    duel = club.fixture("anna", "ben", mode="table")
    club.hand_in(duel, "anna", "ben")
    assert waits(club, "anna") == waits(club, "ben") == ["match_ready"]
    red = {"winner": "red", "units": {"red-1": {"kills": 1}, "blue-1": {"eliminated": True}}}
    blue = {"winner": "blue", "units": {"blue-1": {"kills": 1}, "red-1": {"eliminated": True}}}
    _report(club, duel, "anna", red)
    assert (waits(club, "anna"), waits(club, "ben")) == ([], ["report_names_you"])
    _report(club, duel, "ben", blue)
    assert (waits(club, "anna"), waits(club, "ben")) == (["report_disputed"], ["report_disputed"])
    assert waits(club, "organiser") == ["ruling_wanted"], "who may decide hears of it at once"
    Fixture.objects.filter(pk=duel.pk).update(state=Fixture.State.SETTLED)
    assert [waits(club, name) for name in ("anna", "ben", "organiser")] == [[], [], []]


def _report(club: Club, duel: Fixture, name: str, document: dict[str, Any]) -> None:
    reports.file_report(
        fixture_id=duel.pk, stable_id=club.stable_id(name), document=document, user=club.people[name],
        now=timezone.now(),
    )  # fmt: skip


def test_a_claim_is_done_with_its_answer_and_a_choice_with_the_choice(club: Club) -> None:
    met = timezone.now() - 2 * HOUR
    duel = club.fixture("anna", "ben", scheduled_at=met)
    club.hand_in(duel, "anna", "ben")
    Notice.objects.all().delete()
    now = timezone.now()
    no_shows.claim(stable_id=club.stable_id("anna"), fixture_id=duel.pk, new_date=now + HOUR, now=now)
    assert waits(club, "ben") == ["no_show_claimed"]
    NoShowClaim.objects.update(state=NoShowClaim.State.CHOICE)
    notify([club.people["anna"]], "no_show_choice", {"season": "Test season"}, duel.get_absolute_url())
    assert waits(club, "anna") == ["no_show_choice"]
    NoShowClaim.objects.update(state=NoShowClaim.State.STAND_IN)
    assert waits(club, "anna") == waits(club, "ben") == []


def test_a_turn_is_done_once_it_is_played_or_the_match_is_over(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    club.hand_in(duel, "anna", "ben")
    run_pending()
    duel.refresh_from_db()
    Notice.objects.all().delete()
    match = duel.match
    assert match is not None
    for name in ("anna", "ben"):
        tell_turn(match.pk, club.people[name].pk)
    assert waits(club, "anna") == waits(club, "ben") == ["your_turn"]
    own = dict(match.seats.values_list("user", "side"))
    match.actions.create(sequence=match.last_sequence + 1, side=own[club.people["anna"].pk], action={}, events=[])
    assert (waits(club, "anna"), waits(club, "ben")) == ([], ["your_turn"])
    type(match).objects.filter(pk=match.pk).update(state=match.State.CLOSED, finished_at=timezone.now())
    assert waits(club, "ben") == []


def test_a_market_is_done_by_the_word_ready_and_when_it_closes(club: Club) -> None:
    cycle = Cycle.objects.get(season=club.season)
    Cycle.objects.filter(pk=cycle.pk).update(state=Cycle.State.MARKET)
    page = club.season.get_absolute_url()
    for name in ("anna", "ben"):
        notify([club.people[name]], "market_open", {"season": "Test season", "cycle": cycle.number}, page)
        notify([club.people[name]], "market_open", {"season": "Test season", "cycle": cycle.number + 1}, page)
        facts = {"season": "Test season", "cycle": cycle.number}
        notify([club.people[name]], "reminder_market", facts, club.stables[name].get_absolute_url())
    assert waits(club, "anna") == waits(club, "ben") == ["reminder_market"], "a market and its reminder are one act"
    Stable.objects.filter(pk=club.stable_id("anna")).update(ready_for=f"market:{cycle.number}")
    assert (waits(club, "anna"), waits(club, "ben")) == ([], ["reminder_market"])
    Cycle.objects.filter(pk=cycle.pk).update(state=Cycle.State.ROUNDS)
    assert waits(club, "ben") == []


def test_a_question_who_comes_is_done_with_the_answer(club: Club) -> None:
    coming.ask(season_id=club.season.pk, at=timezone.now() + 48 * HOUR, user=club.people["organiser"])
    assert waits(club, "anna") == waits(club, "ben") == ["who_comes"]
    token = Notice.objects.get(code="who_comes", user=club.people["anna"]).url.rstrip("/").rpartition("/")[2]
    coming.answer(token=token, is_coming=True)
    assert (waits(club, "anna"), waits(club, "ben")) == ([], ["who_comes"])


def test_a_program_waits_for_each_who_has_not_consented(club: Club) -> None:
    programs.propose(stable_id=club.stable_id("anna"), username="spectator")
    assert waits(club, "ben") == waits(club, "carla") == ["seat_proposed"]
    seat = ExternalSeat.objects.get()
    programs.consent(seat_id=seat.pk, stable_id=club.stable_id("ben"))
    assert (waits(club, "ben"), waits(club, "carla")) == ([], ["seat_proposed"])
    ExternalSeat.objects.update(ended_at=timezone.now())
    assert waits(club, "carla") == []


def test_an_offered_place_is_done_when_it_is_taken_or_gone(club: Club) -> None:
    until = timezone.now() + HOUR
    place = WaitingPlace.objects.create(season=club.season, user=club.people["spectator"], offered_until=until)
    notify([place.user], "place_offered", {"season": "Test season"}, f"/waiting/{place.pk}/")
    assert waits(club, "spectator") == ["place_offered"]
    place.delete()
    assert waits(club, "spectator") == []


def test_a_sudden_death_is_done_for_those_who_are_there(club: Club) -> None:
    contenders = [
        {"claim": f"stable:{club.stables[name].number}", "stable": club.stables[name].number}
        for name in ("anna", "ben")
    ]
    Season.objects.filter(pk=club.season.pk).update(state=Season.State.SUDDEN_DEATH)
    row = SuddenDeath.objects.create(season=club.season, kind="stable", contenders=contenders)
    address = f"{club.season.get_absolute_url()}#sudden-death"
    facts = {"season": "Test season", "title": "stable"}
    notify([club.people["anna"], club.people["ben"]], "sudden_death_called", facts, address)
    SuddenDeath.objects.filter(pk=row.pk).update(appeared=[contenders[0]["claim"]])
    assert (waits(club, "anna"), waits(club, "ben")) == ([], ["sudden_death_called"])
    Season.objects.filter(pk=club.season.pk).update(state=Season.State.CANCELLED)
    assert waits(club, "ben") == [], "a cancelled season leaves it undecided"


def test_a_sudden_death_is_done_when_it_is_decided(club: Club) -> None:
    contenders = [{"claim": "stable:1", "stable": club.stables["anna"].number}]
    Season.objects.filter(pk=club.season.pk).update(state=Season.State.SUDDEN_DEATH)
    SuddenDeath.objects.create(season=club.season, kind="stable", contenders=contenders)
    for code in ("sudden_death_called", "sudden_death_extended"):
        facts = {"season": "Test season", "title": "stable"}
        notify([club.people["anna"]], code, facts, f"{club.season.get_absolute_url()}#sudden-death")
    assert waits(club, "anna") == ["sudden_death_extended"], "the newer call stands for both"
    SuddenDeath.objects.create(season=club.season, kind="pilot", contenders=contenders)
    SuddenDeath.objects.filter(kind="stable").update(decided_at=timezone.now())
    assert waits(club, "anna") == [], "the one for the other title has not called yet"
    facts = {"season": "Test season", "title": "pilot"}
    notify([club.people["anna"]], "sudden_death_called", facts, f"{club.season.get_absolute_url()}#sudden-death")
    assert waits(club, "anna") == ["sudden_death_called"]


def test_what_an_organiser_starts_again_is_done(club: Club) -> None:
    hook = Webhook.objects.create(season=club.season, url="https://example.org/", disabled_at=timezone.now())
    job = Job.objects.create(**FAILED, payload={"season": club.season.pk})
    organiser = [club.people["organiser"]]
    notify(organiser, "webhook_gone", {}, f"/seasons/{club.season.slug}/webhooks/{hook.public_id}/")
    notify(organiser, "job_failed", {"season": "Test season", "number": job.pk}, _console(club))
    assert waits(club, "organiser") == ["webhook_gone", "job_failed"]
    Webhook.objects.update(disabled_at=None)
    assert waits(club, "organiser") == ["job_failed"]
    Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED)
    assert waits(club, "organiser") == []


def _console(club: Club) -> str:
    return reverse("stables:console", args=[club.season.slug])


def test_each_failed_job_counts_once_however_often_it_failed(club: Club) -> None:
    for number in [Job.objects.create(**FAILED, payload={"season": club.season.pk}).pk for _ in range(2)] * 2:
        notify([club.people["organiser"]], "job_failed", {"season": "Test season", "number": number}, _console(club))
    assert waits(club, "organiser") == ["job_failed", "job_failed"]


def test_reminders_of_a_match_count_once(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    for code in ("match_ready", "reminder_match", "match_near"):
        notify([club.people["anna"]], code, {"season": "Test season"}, duel.get_absolute_url())
    assert waits(club, "anna") == ["match_near"]


def test_a_report_and_its_reminders_count_once(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    for code in ("report_due", "report_names_you", "report_reminder"):
        notify([club.people["anna"]], code, {"season": "Test season"}, duel.get_absolute_url())
    assert waits(club, "anna") == ["report_reminder"]


def test_a_program_asks_nobody_in_a_season_that_is_over(club: Club) -> None:
    programs.propose(stable_id=club.stable_id("anna"), username="spectator")
    Season.objects.filter(pk=club.season.pk).update(state=Season.State.FINISHED)
    assert waits(club, "ben") == waits(club, "carla") == []


def test_a_program_asks_nobody_who_has_no_stable_any_more(club: Club) -> None:
    programs.propose(stable_id=club.stable_id("anna"), username="spectator")
    Stable.objects.filter(pk=club.stable_id("ben")).update(owner=None)
    Stable.objects.filter(pk=club.stable_id("carla")).update(left_in_cycle=1)
    assert waits(club, "ben") == waits(club, "carla") == []


def test_nothing_is_asked_of_people_who_have_no_office_any_more(club: Club) -> None:
    duel, person = club.fixture("anna", "ben"), club.people["spectator"]
    hook = Webhook.objects.create(season=club.season, url="https://example.org/", disabled_at=timezone.now())
    job = Job.objects.create(**FAILED, payload={"season": club.season.pk})
    role = SeasonRole.objects.create(season=club.season, user=person, role=SeasonRole.Role.CO_ORGANISER)
    for name in ("organiser", "spectator"):
        people = [club.people[name]]
        notify(people, "ruling_wanted", {"season": "Test season"}, duel.get_absolute_url())
        notify(people, "webhook_gone", {}, f"/seasons/{club.season.slug}/webhooks/{hook.public_id}/")
        notify(people, "job_failed", {"season": "Test season", "number": job.pk}, _console(club))
    everything = ["ruling_wanted", "webhook_gone", "job_failed"]
    assert waits(club, "spectator") == everything
    SeasonRole.objects.update(role=SeasonRole.Role.REFEREE)
    assert waits(club, "spectator") == ["ruling_wanted"]
    role.delete()
    assert (waits(club, "spectator"), waits(club, "organiser")) == ([], everything)


def test_nothing_is_asked_of_a_season_that_is_over(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    club.hand_in(duel, "anna", "ben")
    assert waits(club, "anna") == ["match_ready"]
    Season.objects.filter(pk=club.season.pk).update(state=Season.State.CANCELLED)
    assert waits(club, "anna") == []
