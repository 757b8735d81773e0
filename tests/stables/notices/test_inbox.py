"""The organisers hear of what happens in their season, and find what only they can settle in one place."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone
from django.utils.html import strip_tags

from jobs.models import Job
from jobs.services import run_pending
from people.models import Notice, User
from people.services import mails
from people.text.notices import notice_sentence
from rules.campaign.season.calendar import Calendar
from stables.jobs.reminders import scan_for_failed_jobs
from stables.models import Cycle, Fixture, Round, Season, SeasonRole, WaitingPlace
from stables.services.fixtures import no_shows, programs
from stables.services.line_ups import appointments
from stables.services.results import reports, rulings
from stables.services.running import overdue, participation, waiting_list
from stables.services.season import seasons
from tests.stables.duels import Club

pytestmark = [pytest.mark.django_db, pytest.mark.database]

HOUR = timedelta(hours=1)
WHO = "Stable of anna – Stable of ben"


@pytest.fixture
def club(dated_club: Club) -> Club:
    """Spectator is the referee; nobody has a notice yet."""
    Round.objects.filter(pk=dated_club.round.pk).update(play_due_at=None)
    referee = dated_club.people["spectator"]
    SeasonRole.objects.create(season=dated_club.season, user=referee, role=SeasonRole.Role.REFEREE)
    Notice.objects.all().delete()
    return dated_club


def heard(club: Club, name: str) -> list[str]:
    notices = Notice.objects.filter(user=club.people[name]).order_by("pk")
    return [notice_sentence(each.code, each.parameters) for each in notices]


def inbox(club: Club, name: str) -> str:
    page = club.client(name).get("/inbox/").content.decode()
    return re.sub(r"\s+", " ", strip_tags(page[page.index("<main") : page.index("</main>")]))


def dispute(club: Club, stand_in: str | None = None) -> Fixture:
    """Let anna and ben report differently; `stand_in` stands in for anna."""
    duel = club.fixture("anna", "ben", mode="table")
    club.hand_in(duel, "anna", "ben")
    if stand_in is not None:
        duel.sides.filter(stable=club.stable_id("anna")).update(stand_in=club.people[stand_in])
    told = {"red": ("red-1", "blue-1"), "blue": ("blue-1", "red-1")}
    for name, winner in (("anna", "red"), ("ben", "blue")):
        document = {"winner": winner, "units": {told[winner][0]: {"kills": 1}, told[winner][1]: {"eliminated": True}}}
        reports.file_report(
            fixture_id=duel.pk, stable_id=club.stable_id(name), document=document, user=club.people[name],
            now=timezone.now(),
        )  # fmt: skip
    return duel


# News -----------------------------------------------------------------------------------------------------------------


def test_organisers_hear_who_joins_and_who_leaves(club: Club) -> None:
    Season.objects.filter(pk=club.season.pk).update(state=Season.State.RECRUITING)
    Cycle.objects.filter(season=club.season).update(state=Cycle.State.MARKET)
    late = User.objects.create_user("late", "late@example.org", "-")
    seasons.found_stable(season_id=club.season.pk, name="Late Works", owner=late)
    seasons.found_stable(season_id=club.season.pk, name="Machines too")
    seasons.found_stable(season_id=club.season.pk, name="Own Works", owner=club.people["organiser"])
    Season.objects.filter(pk=club.season.pk).update(state=Season.State.RUNNING)
    participation.withdraw(stable_id=club.stable_id("carla"), actor=club.people["carla"])
    assert heard(club, "organiser") == [
        "The stable “Late Works” of “late” has joined the season “Test season” and takes part from cycle 1 on.",
        "Stable of carla has left Test season.",
    ]
    assert heard(club, "spectator") == [], "a referee decides disputes and nothing else"


def test_organisers_hear_who_waits_for_a_place(club: Club) -> None:
    Season.objects.filter(pk=club.season.pk).update(
        state=Season.State.RECRUITING, settings={**club.season.settings, "places": 4}
    )
    late = User.objects.create_user("late", "late@example.org", "-")
    waiting_list.wait(season_id=club.season.pk, user=late)
    waiting_list.wait(season_id=club.season.pk, user=late)
    assert heard(club, "organiser") == ["“late” waits for a place in the season “Test season”."]
    assert "Waiting list Waits for a place: late" in inbox(club, "organiser")


def test_organisers_hear_of_a_no_show_and_players_of_the_match_only_their_own_notice(club: Club) -> None:
    SeasonRole.objects.create(season=club.season, user=club.people["anna"], role=SeasonRole.Role.CO_ORGANISER)
    duel = club.fixture("anna", "ben", scheduled_at=timezone.now() - 2 * HOUR)
    club.hand_in(duel, "anna", "ben")
    Notice.objects.all().delete()
    now = timezone.now()
    no_shows.claim(stable_id=club.stable_id("anna"), fixture_id=duel.pk, new_date=now + HOUR, now=now)
    said = f"The season “Test season”, round 1: “Stable of anna” says that “Stable of ben” did not come to “{WHO}”."
    assert (heard(club, "organiser"), heard(club, "anna")) == ([said], [])
    words = inbox(club, "organiser")
    assert f"Somebody did not come Round 1: Stable of anna says that Stable of ben did not come. {WHO}" in words


def test_who_may_decide_hears_of_a_dispute_once_and_by_mail_at_once(club: Club) -> None:
    duel = dispute(club)
    wait = "is disputed and waits for an organiser or a referee to decide it."
    said = f"The result of “{WHO}” in round 1 of the season “Test season” {wait}"
    assert heard(club, "organiser") == heard(club, "spectator") == [said]
    differ = f"Test season, round 1: the reports of {WHO} differ in "
    for name in ("anna", "ben"):
        assert heard(club, name)[-1].startswith(differ)
        assert " See them side by side. Format: Standard. Arena: " in heard(club, name)[-1]
    reports.chase(fixture_id=duel.pk, now=timezone.now() + 25 * HOUR)
    assert heard(club, "organiser") == heard(club, "spectator") == [said]
    waiting = {person for person, _newest in mails.waiting_now()}
    assert {club.people["organiser"].pk, club.people["spectator"].pk} <= waiting
    User.objects.filter(pk=club.people["spectator"].pk).update(mail_organising=False)
    assert club.people["spectator"].pk not in {person for person, _newest in mails.waiting_now()}


def test_organisers_hear_of_a_late_match_until_when_it_may_be_played(club: Club) -> None:
    now = timezone.now().replace(microsecond=0)
    Season.objects.filter(pk=club.season.pk).update(calendar=Calendar.of_preset("weekly", mode="table").to_json())
    Round.objects.filter(pk=club.round.pk).update(play_due_at=now - HOUR, confirm_due_at=now + HOUR)
    duel = club.fixture("anna", "ben", mode="table")
    club.hand_in(duel, "anna", "ben")
    Notice.objects.all().delete()
    assert overdue.end_unplayed(fixture_id=duel.pk, now=now) == "wait"
    [late] = Notice.objects.filter(code="match_late")
    assert (late.user, late.parameters["pairing"]) == (club.people["organiser"], WHO)
    assert late.parameters["at"] == (now + HOUR).isoformat()
    assert f"Late matches Round 1: the time to play is over. {WHO}" in inbox(club, "organiser")
    assert overdue.end_unplayed(fixture_id=duel.pk, now=now + HOUR) == "forfeit"
    run_pending()
    [unplayed] = Notice.objects.filter(code="match_unplayed")
    assert unplayed.user == club.people["organiser"]
    assert "Late matches" not in inbox(club, "organiser")


def test_organisers_hear_of_a_failed_job_once(club: Club) -> None:
    now = timezone.now()
    failed = {"state": Job.State.FAILED, "finished_at": now, "last_attempt": 5}
    Job.objects.create(name="stables.pair_round", payload={"season": club.season.pk}, **failed)
    Job.objects.create(name="people.mail_digest", payload={"person": 1}, **failed)
    for _ in range(2):
        scan_for_failed_jobs()
        run_pending()
    assert heard(club, "organiser") == [
        "The season “Test season” cannot go on: this failed, “pairing a round”. Start it again."
    ]
    assert "Failed The season waits until this is started again: pairing a round" in inbox(club, "organiser")


# The page -------------------------------------------------------------------------------------------------------------


def test_everything_that_waits_stands_together_with_its_page(club: Club, django_assert_max_num_queries: Any) -> None:
    duel = dispute(club)
    other = club.fixture("anna", "carla")
    at = timezone.now() + 5 * HOUR
    appointments.propose(stable_id=club.stable_id("anna"), fixture_id=other.pk, at=at)
    programs.propose(stable_id=club.stable_id("anna"), username="spectator")
    WaitingPlace.objects.create(season=club.season, user=club.people["spectator"], offered_until=at)
    client = club.client("organiser")
    client.get("/inbox/")
    with django_assert_max_num_queries(20):
        page = client.get("/inbox/").content.decode()
    for address in (
        club.address("fixture", duel),
        club.address("organise_fixture", other),
        f"/seasons/{club.season.slug}/programs/",
        f"/seasons/{club.season.slug}/waiting-list/",
        f"/seasons/{club.season.slug}/organise/",
    ):
        assert f'href="{address}"' in page, address
    words = inbox(club, "organiser")
    order = ["Disputed results", "Proposals that wait for an answer", "Programs that wait", "Waiting list", "lately"]
    assert [words.index(each) for each in order] == sorted(words.index(each) for each in order)
    assert "Round 1: the reports differ. Decide the result." in words


def test_a_referee_reads_of_disputes_alone_and_others_of_nothing(club: Club) -> None:
    dispute(club)
    WaitingPlace.objects.create(season=club.season, user=club.people["carla"])
    words = inbox(club, "spectator")
    assert "Decide the result." in words
    assert "Waiting list" not in words
    assert "You help to run no season that goes on." in inbox(club, "ben")
    assert club.client(None).get("/inbox/").status_code == 302


def test_who_plays_in_a_disputed_match_reads_that_another_decides(club: Club) -> None:
    SeasonRole.objects.create(season=club.season, user=club.people["anna"], role=SeasonRole.Role.CO_ORGANISER)
    dispute(club)
    assert "You play in this match, so somebody else decides." in inbox(club, "anna")
    assert not Notice.objects.filter(code="ruling_wanted", user=club.people["anna"]).exists()


def test_who_stands_in_in_a_disputed_match_is_not_asked_to_decide(club: Club) -> None:
    duel = dispute(club, stand_in="spectator")
    assert "You play in this match, so somebody else decides." in inbox(club, "spectator")
    asked = Notice.objects.filter(code="ruling_wanted", url=duel.get_absolute_url())
    assert [each.user.username for each in asked] == ["organiser"]
    assert rulings.takes_part(club.people["spectator"], duel), "their decision would be refused"


def test_the_digest_of_an_organiser_has_their_seasons_first_topic(club: Club) -> None:
    dispute(club)
    assert mails.send_digest(club.people["organiser"].pk)
    body = mail.outbox[0].body
    assert "== Test season ==" in body
    assert "1 notice for those who run the season:" in body


def test_desk_and_console_lead_to_the_inbox(club: Club) -> None:
    for address in ("/", f"/seasons/{club.season.slug}/organise/"):
        assert 'href="/inbox/' in club.client("organiser").get(address).content.decode(), address


def test_late_means_that_no_date_and_no_excuse_is_ahead(club: Club) -> None:
    now = timezone.now()
    Round.objects.filter(pk=club.round.pk).update(play_due_at=now - HOUR)
    duel = club.fixture("anna", "ben", scheduled_at=now + HOUR)
    assert "Late matches" not in inbox(club, "organiser")
    Fixture.objects.filter(pk=duel.pk).update(scheduled_at=None)
    assert "Late matches" in inbox(club, "organiser")
    Season.objects.filter(pk=club.season.pk).update(paused_at=now)
    assert "Late matches" not in inbox(club, "organiser")
