"""What an organiser does again and again fills nobody's notices: an organiser may make anybody an owner, unasked."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from people.models import Notice
from people.services.accounts import ALIKE
from people.text.notices import notice_sentence
from rules.campaign.season.calendar import Calendar
from rules.wording.isolation import bare
from stables.models import Round, Season, SeasonRole
from stables.services.fixtures import directing, excuses
from stables.services.running import calendars, passing, pauses
from stables.services.season import calendar, drafts
from tests.stables.duels import Club

pytestmark = pytest.mark.django_db

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
TIMES = 2 * ALIKE.times


def unread_of(club: Club, name: str = "ben") -> dict[str, int]:
    return dict(Counter(Notice.objects.filter(user=club.people[name], read_at=None).values_list("code", flat=True)))


def newest(club: Club, code: str) -> str:
    notice = Notice.objects.filter(user=club.people["ben"], code=code).latest("created_at", "pk")
    return bare(notice_sentence(notice.code, notice.parameters))


def test_pausing_and_resuming_leaves_one_notice_of_how_it_is_now(club: Club) -> None:
    Round.objects.filter(pk=club.round.pk).update(play_due_at=NOW + timedelta(hours=5))
    organiser = club.people["organiser"]
    for minute in range(0, 2 * TIMES, 2):
        pauses.pause(season_id=club.season.pk, actor=organiser, now=NOW + timedelta(minutes=minute))
        assert unread_of(club).get("season_paused") == 1
        pauses.resume(season_id=club.season.pk, actor=organiser, now=NOW + timedelta(minutes=minute + 1))
    assert unread_of(club) == {"season_resumed": 1, "deadline_moved": 1}
    assert f"17:{TIMES:02}" in newest(club, "deadline_moved"), "the last state"
    assert unread_of(club, "organiser") == {}


def test_a_season_that_is_renamed_again_and_again_leaves_one_notice_to_everybody_in_it(club: Club) -> None:
    Season.objects.filter(pk=club.season.pk).update(state=Season.State.RECRUITING)
    SeasonRole.objects.create(season=club.season, user=club.people["spectator"], role=SeasonRole.Role.REFEREE)
    for number in range(TIMES):
        drafts.rename_season(season_id=club.season.pk, name=f"Name {number}", actor=club.people["organiser"])
    assert unread_of(club) == unread_of(club, "spectator") == {"season_renamed": 1}
    assert f"Name {TIMES - 1}" in newest(club, "season_renamed")


def test_each_deadline_has_one_notice_however_often_it_moves(club: Club) -> None:
    due = {"line_ups_due_at": NOW + timedelta(days=1), "play_due_at": NOW + timedelta(days=30)}
    Round.objects.filter(pk=club.round.pk).update(**due)
    for number in range(TIMES):
        for what, days in (("line_ups", 1), ("play", 20)):
            at = NOW + timedelta(days=days, hours=number)
            calendar.move_deadline(season_id=club.season.pk, what=what, at=at, actor=club.people["organiser"], now=NOW)
    assert unread_of(club) == {"deadline_moved": 2}


def test_what_is_set_for_a_match_has_one_notice_each(club: Club) -> None:
    fixture, user = club.fixture("anna", "ben"), club.people["organiser"]
    Round.objects.filter(pk=club.round.pk).update(play_due_at=NOW + timedelta(days=2))
    until = NOW + timedelta(days=5)
    for number in range(TIMES):
        changes: dict[str, Any] = {"table": number + 1, "at": NOW + timedelta(hours=number + 1)}
        directing.direct(fixture_id=fixture.pk, changes=changes, user=user, now=NOW)
        excuses.excuse(
            fixture_id=fixture.pk, stable_id=club.stable_id("ben"), until=until, reason="ill", user=user, now=NOW
        )
        excuses.withdraw(fixture_id=fixture.pk, reason="well", user=user, now=NOW)
    assert unread_of(club) == {"fixture_date_set": 1, "fixture_table_set": 1, "fixture_excuse_withdrawn": 1}
    assert str(TIMES) in newest(club, "fixture_table_set")


def test_links_made_and_revoked_leave_one_notice(club: Club) -> None:
    organiser = club.people["organiser"]
    for _ in range(TIMES):
        made = passing.make_link(stable_id=club.stable_id("ben"), reason="has left", user=organiser, now=NOW)
        passing.revoke_link(season_id=club.season.pk, passing_id=made.passing_id, user=organiser, now=NOW)
    assert unread_of(club) == {"stable_offer_revoked": 1}


def test_changes_that_each_say_something_have_a_notice_each_up_to_a_limit(club: Club) -> None:
    for number in range(TIMES):
        changed = Calendar(market_hours=number + 1).to_json()
        calendars.change_calendar(season_id=club.season.pk, calendar=changed, actor=club.people["organiser"], now=NOW)
        if number == ALIKE.times - 1:
            assert unread_of(club) == {"calendar_changed": ALIKE.times}
    assert unread_of(club) == {"calendar_changed": 1}
    assert str(TIMES) in newest(club, "calendar_changed"), "the last state"
    Notice.objects.update(read_at=NOW)
    calendars.change_calendar(
        season_id=club.season.pk, calendar=Calendar().to_json(), actor=club.people["organiser"], now=NOW
    )
    assert unread_of(club) == {}, "nobody gets one more within the hour"
