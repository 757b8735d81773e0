"""What a notice asks for is due when its deadline is now, whoever moved it: on the desk, in mails, in its sentence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from people.models import Notice, User
from people.services import acts, mails
from people.services.accounts import notify
from people.text.notices import notice_sentence, templates
from rules.wording.filling import placeholders
from stables.models import Cycle, Fixture, FixtureSide, NoShowClaim, Round, Season, SuddenDeath
from stables.selectors.notices.deadlines import due_in_matches
from stables.services.base.news import call_for_line_ups, place_of, stored
from stables.services.running import pauses
from stables.text.notice_topics import ASKS
from tests.stables.duels import Club

pytestmark = [pytest.mark.django_db, pytest.mark.database]

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
BEFORE, AFTER = NOW + 2 * HOUR, NOW + 9 * DAY


@pytest.fixture
def club(dated_club: Club) -> Club:
    times = {"line_ups_due_at": BEFORE, "play_due_at": BEFORE, "confirm_due_at": BEFORE}
    Round.objects.filter(pk=dated_club.round.pk).update(**times)
    Notice.objects.all().delete()
    return dated_club


def called_for(club: Club, duel: Fixture) -> Notice:
    called = Round.objects.select_related("cycle__season").get(pk=club.round.pk)
    sides = FixtureSide.objects.filter(fixture=duel, stable=club.stables["anna"])
    call_for_line_ups(called, sides.select_related("fixture", "stable"))
    return Notice.objects.get(code="line_up_due")


def asked(club: Club, code: str, name: str, url: str, **facts: Any) -> Notice:
    values = {"season": "Test season", name: stored(BEFORE), **facts}
    [notice] = notify([club.people["anna"]], code, values, url)
    assert notice.due_at == BEFORE
    return notice


def due_now(notice: Notice) -> tuple[datetime | None, str]:
    acts.settle()
    notice.refresh_from_db()
    assert notice.done_at is None
    return notice.due_at, notice_sentence(notice.code, notice.parameters)


def test_a_call_for_a_line_up_is_due_when_its_round_is_after_a_pause(club: Club) -> None:
    notice = called_for(club, club.fixture("anna", "ben"))
    assert notice.due_at == BEFORE
    pauses.pause(season_id=club.season.pk, now=NOW)
    pauses.resume(season_id=club.season.pk, now=NOW + DAY)
    due, said = due_now(notice)
    assert due == BEFORE + DAY
    assert "2 Mar 2027, 14:00" in said


def test_it_is_due_when_the_excused_match_is(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    notice = called_for(club, duel)
    Fixture.objects.filter(pk=duel.pk).update(excused_until=BEFORE + 3 * DAY)
    assert due_now(notice)[0] == BEFORE + 3 * DAY


@pytest.mark.parametrize(
    ("code", "name", "fixture", "called"),
    [
        ("reminder_line_up", "due", {"state": "line_ups"}, {"line_ups_due_at": AFTER}),
        ("match_ready", "due", {}, {"play_due_at": AFTER}),
        ("match_ready", "due", {"scheduled_at": AFTER}, {}),
        ("reminder_match", "due", {"scheduled_at": AFTER}, {}),
        ("match_near", "at", {"scheduled_at": AFTER}, {}),
        ("report_due", "at", {}, {"confirm_due_at": AFTER}),
        ("report_names_you", "due", {"confirm_due_at": AFTER}, {}),
        ("report_reminder", "due", {"confirm_due_at": AFTER}, {}),
    ],
)
def test_notices_of_a_match_are_due_when_it_is(
    club: Club, code: str, name: str, fixture: dict[str, Any], called: dict[str, Any]
) -> None:
    duel = club.fixture("anna", "ben")
    notice = asked(club, code, name, duel.get_absolute_url(), **place_of(duel, duel.sides.select_related("stable")))
    Fixture.objects.filter(pk=duel.pk).update(**{"state": "sealed", **fixture})
    Round.objects.filter(pk=club.round.pk).update(**called)
    assert due_now(notice)[0] == AFTER


def test_a_claim_is_due_by_its_new_date(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    notice = asked(club, "no_show_claimed", "date", duel.get_absolute_url())
    sides = {"claimant": club.stables["ben"], "absent": club.stables["anna"]}
    NoShowClaim.objects.create(fixture=duel, **sides, state="new_date", new_date=AFTER)
    assert due_now(notice)[0] == AFTER


@pytest.mark.parametrize("code", ["market_open", "reminder_market", "ready_ended"])
def test_a_market_is_due_when_it_closes(club: Club, code: str) -> None:
    cycle = Cycle.objects.get(season=club.season)
    Cycle.objects.filter(pk=cycle.pk).update(state=Cycle.State.MARKET, market_closes_at=AFTER)
    notice = asked(club, code, "due", club.season.get_absolute_url(), cycle=cycle.number)
    assert due_now(notice)[0] == AFTER
    Cycle.objects.filter(pk=cycle.pk).update(market_closes_at=None)
    assert due_now(notice)[0] is None


def test_a_sudden_death_is_due_at_its_date(club: Club) -> None:
    Season.objects.filter(pk=club.season.pk).update(state=Season.State.SUDDEN_DEATH)
    number = club.stables["anna"].number
    contenders = [{"claim": f"stable:{number}", "stable": number}]
    SuddenDeath.objects.create(season=club.season, kind="stable", contenders=contenders, due_at=AFTER)
    address = f"{club.season.get_absolute_url()}#sudden-death"
    assert due_now(asked(club, "sudden_death_called", "at", address, title="stable"))[0] == AFTER


def test_a_deadline_that_has_moved_away_mails_nobody_within_the_hour(club: Club) -> None:
    now = timezone.now()
    Round.objects.filter(pk=club.round.pk).update(line_ups_due_at=now + HOUR)
    anna = club.people["anna"]
    User.objects.filter(pk=anna.pk).update(last_mail_at=now)
    called_for(club, club.fixture("anna", "ben"))
    Round.objects.filter(pk=club.round.pk).update(line_ups_due_at=now + 9 * DAY)
    acts.settle(now)
    assert not mails.send_waiting(anna.pk, now)
    Round.objects.filter(pk=club.round.pk).update(line_ups_due_at=now + HOUR)
    acts.settle(now)
    assert mails.send_waiting(anna.pk, now)
    assert len(mail.outbox) == 1


def test_nothing_is_written_where_nothing_has_moved(club: Club, django_assert_num_queries: Any) -> None:
    called_for(club, club.fixture("anna", "ben"))
    # The notices, the line-ups that are missing, and the matches with their times.
    with django_assert_num_queries(3):
        acts.settle()


@pytest.mark.parametrize("code", ["match_near", "report_due", "reminder_match", "line_up_due", "sudden_death_ends"])
def test_a_notice_whose_deadline_is_gone_names_none(code: str) -> None:
    """A swap takes the date of a match away."""
    known = {name for template in templates(code) for name in placeholders(template)}
    assert "–" not in notice_sentence(code, {**dict.fromkeys(known, "x"), ASKS[code]: None})


def test_a_call_reads_the_match_that_it_names_alone(club: Club) -> None:
    notice = called_for(club, club.fixture("anna", "ben"))
    other = Round.objects.create(cycle=club.round.cycle, number=club.round.number + 1)
    for called in (club.round, other):
        Fixture.objects.create(round=called, number=7, kind="match")
    with CaptureQueriesContext(connection) as asked:
        assert due_in_matches([notice]) == {notice.pk: BEFORE}
    [query] = asked.captured_queries
    with connection.cursor() as cursor:
        cursor.execute(query["sql"])
        assert len(cursor.fetchall()) == 1
