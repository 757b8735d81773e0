"""What a stand-in hears of the matches that they play, and until when it counts as something to do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from people.models import Notice
from people.services import acts
from people.text import notices
from stables.models import Fixture, FixtureSide, Round, Season, StandIn
from stables.selectors.fixtures import look_at_fixture, sides_with_owners
from stables.selectors.seating import people_at
from stables.services.base.deadlines import Moved
from stables.services.base.news import call_for_line_ups, tell_people
from stables.services.base.standing_in import take_up
from stables.services.fixtures import reminders, taking_back
from stables.services.results import reports
from stables.services.running import absent, overdue, standing_in
from stables.services.season.moved_deadlines import tell_moved
from tests.languages import MadeUp
from tests.stables.duels import Club
from tests.stables.tabletop_matches import red_wins

pytestmark = [pytest.mark.django_db, pytest.mark.database]
HOUR = timedelta(hours=1)


@pytest.fixture
def club(dated_club: Club) -> Club:
    Notice.objects.all().delete()
    return dated_club


def name(club: Club, match: Fixture | None) -> StandIn:
    when: dict[str, Any] = {"until": timezone.now() + 6 * HOUR} if match is None else {"fixture_id": match.pk}
    return standing_in.name_person(
        stable_id=club.stable_id("anna"), name="spectator", reason="ill", user=club.people["organiser"], **when
    )


def waits(club: Club, who: str = "spectator") -> list[str]:
    """The codes of the acts that wait for a person, once the tick has looked."""
    acts.settle()
    return list(acts.open_acts().filter(user=club.people[who]).order_by("pk").values_list("code", flat=True))


def test_reports_wait_for_the_stand_in_as_for_the_owner(club: Club) -> None:
    match = club.fixture("anna", "ben", mode="table")
    name(club, match)
    club.hand_in(match, "anna", "ben")
    Notice.objects.all().delete()
    reports.file_report(fixture_id=match.pk, stable_id=club.stable_id("ben"), document=red_wins())
    assert waits(club) == waits(club, "anna") == ["report_names_you"]
    differs = {"winner": "blue", "units": {"blue-1": {"kills": 1}, "red-1": {"eliminated": True}}}
    reports.file_report(fixture_id=match.pk, stable_id=club.stable_id("anna"), document=differs)
    assert waits(club) == ["report_disputed"]
    Fixture.objects.filter(pk=match.pk).update(state="settled")
    assert waits(club) == []


def test_the_desk_lists_each_step_of_a_match_of_somebody_else(club: Club) -> None:
    match = club.fixture("anna", "ben", mode="table")
    page, spectator = club.address("fixture", match), club.client("spectator")

    def listed(where: str = "waiting") -> list[tuple[str, str, str]]:
        found = spectator.get("/").context[where]
        return [(each.stable.name, strip_tags(each.task.sentence), each.task.address) for each in found]

    assert listed() == []
    name(club, match)
    anna = "Stable of anna"
    assert listed() == [(anna, "Round 1: hand in the line-up.", page)]
    club.hand_in(match, "anna", "ben")
    assert listed() == [(anna, "Round 1: your match is to be played.", page)]
    reports.file_report(fixture_id=match.pk, stable_id=club.stable_id("anna"), document=red_wins())
    assert (listed(), listed("awaited")) == ([], [(anna, "Round 1: your report waits for Stable of ben.", page)])
    reports.file_report(fixture_id=match.pk, stable_id=club.stable_id("ben"), document=red_wins(clicks=4))
    differ = "Round 1: the reports of your match differ: look at both, or an organiser or referee decides."
    assert (listed(), listed("awaited")) == ([(anna, differ, page)], [])


def test_one_match_asks_with_its_deadline_until_it_is_over(club: Club) -> None:
    match = club.fixture("anna", "ben", mode="table")
    due = timezone.now() + 3 * HOUR
    Round.objects.filter(pk=club.round.pk).update(line_ups_due_at=due)
    row = name(club, match)
    assert waits(club) == ["stand_in_yours"]
    told = Notice.objects.get(code="stand_in_yours")
    assert told.due_at == due
    assert "Stable of anna – Stable of ben" in notices.notice_sentence(told.code, told.parameters)
    standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=club.people["organiser"])
    assert waits(club) == []


def test_an_evening_asks_until_it_is_over(club: Club) -> None:
    row = name(club, None)
    assert waits(club) == ["stand_in_yours"]
    match = club.fixture("anna", "ben", mode="table")
    take_up(list(match.sides.select_related("stable")))
    StandIn.objects.filter(pk=row.pk).update(until=timezone.now() - HOUR)
    assert waits(club) == ["stand_in_yours"], "a match of the evening is still to be played"
    Fixture.objects.filter(pk=match.pk).update(state="settled")
    assert waits(club) == []


def test_the_stand_in_of_an_evening_hears_of_each_step(club: Club) -> None:
    name(club, None)
    match = club.fixture("anna", "ben", mode="table")
    take_up(list(match.sides.select_related("stable")))
    called = Round.objects.select_related("cycle__season").get(pk=club.round.pk)
    Notice.objects.all().delete()
    call_for_line_ups(called, FixtureSide.objects.filter(fixture=match).select_related("fixture", "stable"))
    absent.act_for(
        season_id=club.season.pk, act=absent.REMIND, stable_ids=[club.stable_id("anna")], user=club.people["organiser"]
    )
    assert waits(club) == waits(club, "anna") == ["reminder_line_up"]
    club.hand_in(match, "anna")
    assert waits(club) == []
    taking_back.reopen(
        fixture_id=match.pk, stable_id=club.stable_id("anna"), reason="wrong", user=club.people["organiser"]
    )
    assert waits(club) == ["fixture_line_up_reopened"]
    absent.act_for(
        season_id=club.season.pk, act=absent.REMIND, stable_ids=[club.stable_id("anna")], user=club.people["organiser"]
    )
    assert waits(club) == ["reminder_line_up"], "it is the same line-up"
    club.hand_in(match, "anna", "ben")
    assert waits(club) == ["match_ready"]
    now = timezone.now()
    Fixture.objects.filter(pk=match.pk).update(scheduled_at=now + HOUR / 2)
    reminders.tell_near(fixture_id=match.pk, now=now)
    assert waits(club) == ["match_near"]
    Fixture.objects.filter(pk=match.pk).update(scheduled_at=None)
    Round.objects.filter(pk=club.round.pk).update(play_due_at=now - HOUR, confirm_due_at=now + HOUR)
    overdue.end_unplayed(fixture_id=match.pk, now=now)
    assert waits(club) == waits(club, "anna") == ["match_near", "report_due"]


def test_what_others_chose_is_quoted_to_a_stand_in_and_not_to_an_owner(club: Club) -> None:
    name(club, None)
    match = club.fixture("anna", "ben", mode="table")
    take_up(list(match.sides.select_related("stable")))
    Season.objects.filter(pk=club.season.pk).update(name="Go to bad.example.org")
    Notice.objects.all().delete()
    called = Round.objects.select_related("cycle__season").get(pk=club.round.pk)
    call_for_line_ups(called, FixtureSide.objects.filter(fixture=match).select_related("fixture", "stable"))
    now = timezone.now()
    Fixture.objects.filter(pk=match.pk).update(scheduled_at=now + HOUR / 2)
    reminders.tell_near(fixture_id=match.pk, now=now)
    row = look_at_fixture(match.pk)
    for field in ("scheduled_at", "confirm_due_at"):
        tell_moved(row.round.cycle.season, [Moved(row, field, now, now + HOUR)])
    told = {
        who: {each.code: notices.notice_sentence(each.code, each.parameters) for each in club.people[who].notices.all()}
        for who in ("anna", "spectator")
    }
    codes = {"line_up_due", "match_near", "fixture_date_moved", "deadline_moved"}
    assert set(told["anna"]) == set(told["spectator"]) == codes
    assert all("Go to bad.example.org, " in said and "“" not in said for said in told["anna"].values())
    for said in told["spectator"].values():
        assert "“Go to …”, " in said
        assert "“Stable of anna – Stable of ben”" in said


def test_a_reason_and_words_with_names_hold_no_link_for_a_stand_in(club: Club) -> None:
    name(club, None)
    match = club.fixture("anna", "ben", mode="table")
    take_up(list(match.sides.select_related("stable")))
    Notice.objects.all().delete()
    facts = {"season": "Cup", "pairing": "A – B", "round": 1, "stable": "Ash", "reason": "see bad.example.org”"}
    tell_people(people_at(sides_with_owners(match)), "result_reopened", facts, "/")
    told = Notice.objects.get(user=club.people["spectator"])
    said = notices.notice_sentence(told.code, told.parameters)
    assert said == "“Cup”, round 1: “Ash” opened the result of “A – B” again. “see …”"


def test_what_strangers_chose_stands_between_the_marks_of_the_readers_language() -> None:
    german = MadeUp(lambda text: text.replace("“", "„").replace("”", "“"))
    facts = {"season": "Cup", "reason": "late", notices.UNASKED: True}
    said = notices.notice_sentence("deadline_moved", facts, german)
    assert said.endswith("The reason: „late“")
    assert "„Cup“" in said
    assert "”" not in said


def test_a_reason_cannot_end_its_own_quotation() -> None:
    """The deadline's sentence goes on with the reason, which has no place in its template."""
    facts = {"season": "Cup", "reason": "x” and “y", notices.UNASKED: True}
    assert notices.notice_sentence("deadline_moved", facts).endswith("The reason: “x and y”")
