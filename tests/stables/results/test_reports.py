"""Results from a table: reports, their comparison, silence, opening again, and referees."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django import forms
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from jobs.models import Job
from jobs.services import enqueue, run_job, run_pending
from people.models import Notice
from people.text.notices import notice_sentence
from rules.campaign.results.reports import MOST_POINTS
from rules.core.refusals import SeasonRefused
from stables.forms.report import SidePart, UnitPart
from stables.jobs.results import scan_for_unconfirmed_reports
from stables.models import Asset, Correction, Fixture, HandOver, LogEntry, Report, ReputationEntry, Result, Season
from stables.selectors.fixtures import pairing_of
from stables.services.fixtures import rounds
from stables.services.line_ups.match_setup import prepare_match
from stables.services.results import reports, rulings
from stables.services.running import pauses
from stables.services.standings import closing
from tests.stables.season_worlds import Enters
from tests.stables.tabletop_matches import NOON, blue_wins, fixture_of, person, red_wins, sides_of, tables
from web.moments import moment_words

pytestmark = pytest.mark.database


@pytest.fixture
def season(db: None, two_at_tables: Enters) -> Season:
    found: Season = two_at_tables()
    return found


@pytest.fixture
def fixture(season: Season) -> Fixture:
    return fixture_of(season)


def test_the_form_takes_every_number_that_the_rules_read() -> None:
    fields = [*UnitPart.base_fields.values(), *SidePart.base_fields.values()]
    assert {each.max_value for each in fields if isinstance(each, forms.IntegerField)} == {MOST_POINTS}


def file(fixture: Fixture, side: str, document: dict[str, Any], **when: Any) -> reports.Filed:
    stable = next(one.stable for one in sides_of(fixture) if one.side == side)
    return reports.file_report(
        fixture_id=fixture.pk, stable_id=stable.pk, document=document, user=stable.owner, now=when.get("now", NOON)
    )


def refused(code: str, function: Any, *arguments: Any, **named: Any) -> None:
    with pytest.raises(SeasonRefused) as caught:
        function(*arguments, **named)
    assert caught.value.code == code


def codes_of_notices() -> list[str]:
    """The codes of the notices since the line-ups came in."""
    return list(Notice.objects.exclude(code="match_ready").order_by("id").values_list("code", flat=True))


def books(fixture: Fixture) -> dict[tuple[str, str], tuple[int, ...]]:
    """The totals of everybody in the fixture, by name of the stable and code of the individual."""
    totals: dict[tuple[str, str], list[int]] = {}
    for entry in ReputationEntry.objects.filter(fixture=fixture).select_related("stable", "asset"):
        line = (entry.stable.name, "" if entry.asset is None else entry.asset.code)
        row = totals.setdefault(line, [0, 0, 0, 0])
        for place, amount in enumerate((entry.amount, entry.kills, entry.wins, entry.matches)):
            row[place] += amount
    return {line: tuple(row) for line, row in totals.items() if any(row)}


def test_two_equal_reports_settle_at_once(season: Season, fixture: Fixture) -> None:
    first = file(fixture, "red", red_wins())
    assert (first.settled, first.differing) == (False, ())
    assert Result.objects.count() == 0
    second = file(fixture, "blue", red_wins())
    assert second.settled
    result = Result.objects.get(fixture=fixture)
    assert (result.source, result.document["winner"], result.document["ended_by"]) == ("agreed", "red", "last_side")
    red, blue = sides_of(fixture)
    earned = result.document["sides"]["red"]["reputation"]
    assert earned in (75, 85)
    pilot = red.line_up.crews.get().pilot
    assert books(fixture) == {
        (red.stable.name, ""): (earned, 1, 1, 1),
        (red.stable.name, pilot.code): (earned, 1, 0, 0),
        (blue.stable.name, ""): (0, 0, 0, 1),
    }
    units = [side.line_up.crews.get().unit for side in (red, blue)]
    assert [(unit.damage, unit.is_eliminated) for unit in units] == [(2, False), (len_of(season, units[1]), True)]
    fixture.refresh_from_db()
    assert (fixture.state, fixture.confirm_due_at) == ("settled", None)
    refused("fixture_settled", file, fixture, "red", red_wins())


def len_of(season: Season, unit: Asset) -> int:
    from stables.selectors.definitions import definition_of

    return len(definition_of(season, unit)["dial"])


def test_reports_that_differ_show_the_fields_and_settle_nothing(fixture: Fixture) -> None:
    file(fixture, "red", red_wins(clicks=2))
    filed = file(fixture, "blue", red_wins(clicks=4))
    assert (filed.settled, filed.differing) == (False, ("units.red-1.clicks",))
    assert codes_of_notices() == ["report_names_you", *["report_disputed"] * 2, *["ruling_wanted"] * 2]
    assert Result.objects.count() == 0
    assert file(fixture, "red", red_wins(clicks=3)).differing
    assert LogEntry.objects.filter(code="report_disputed", fixture=fixture).count() == 1
    # The newest word of each counts: a corrected report agrees.
    assert file(fixture, "red", red_wins(clicks=4)).settled
    assert list(Report.objects.order_by("id").values_list("number", flat=True)) == [1, 1, 2, 3]
    assert Result.objects.get().document["units"]["red-1"]["clicks"] == 4


def test_i_confirm_theirs_says_the_same(fixture: Fixture) -> None:
    file(fixture, "red", red_wins())
    blue = sides_of(fixture)[1].stable
    report = Report.objects.get()
    refused(
        "report_not_newest", reports.confirm_report, fixture_id=fixture.pk, stable_id=blue.pk, report_id=report.pk + 1
    )
    filed = reports.confirm_report(fixture_id=fixture.pk, stable_id=blue.pk, report_id=report.pk, user=blue.owner)
    assert filed.settled
    refused("fixture_settled", reports.confirm_report, fixture_id=fixture.pk, stable_id=blue.pk, report_id=report.pk)
    assert Result.objects.count() == 1


def test_an_outdated_report_is_not_confirmed(fixture: Fixture) -> None:
    file(fixture, "red", red_wins())
    old = Report.objects.get()
    file(fixture, "red", red_wins(clicks=3))
    blue = sides_of(fixture)[1].stable
    refused("report_not_newest", reports.confirm_report, fixture_id=fixture.pk, stable_id=blue.pk, report_id=old.pk)


def test_what_cannot_be_is_refused_and_stored_nowhere(fixture: Fixture) -> None:
    refused("report_winner_unlikely", file, fixture, "red", {**red_wins(), "winner": "blue"})
    assert Report.objects.count() == 0
    assert codes_of_notices() == []


def test_only_matches_at_tables_whose_line_ups_are_in_are_reported(season: Season, fixture: Fixture) -> None:
    Fixture.objects.filter(pk=fixture.pk).update(state="line_ups")
    refused("report_too_early", file, fixture, "red", red_wins())
    Fixture.objects.filter(pk=fixture.pk).update(state="sealed", mode="browser")
    refused("report_not_at_table", file, fixture, "red", red_wins())


def test_a_reported_match_stays_one_at_a_table_when_an_owner_goes_away(fixture: Fixture) -> None:
    file(fixture, "red", red_wins())
    blue = sides_of(fixture)[1].stable
    HandOver.objects.create(
        stable=blue, starts_at=NOON - timedelta(days=4000), ends_at=NOON + timedelta(days=1), scope="play"
    )
    assert prepare_match(fixture_id=fixture.pk) == (None, {})
    assert file(fixture, "blue", red_wins()).settled


def test_a_passed_time_is_looked_at_though_nobody_asked(season: Season, fixture: Fixture) -> None:
    file(fixture, "red", red_wins())
    Job.objects.all().delete()
    Fixture.objects.filter(pk=fixture.pk).update(confirm_due_at=timezone.now() - timedelta(hours=1))
    Season.objects.filter(pk=season.pk).update(paused_at=NOON)
    scan_for_unconfirmed_reports()
    assert Job.objects.count() == 0
    Season.objects.filter(pk=season.pk).update(paused_at=None)
    scan_for_unconfirmed_reports()
    scan_for_unconfirmed_reports()
    assert Job.objects.filter(name="stables.confirm").count() == 1
    run_pending(limit=1)
    assert Result.objects.get().source == "silence"


def test_silence_confirms_after_a_day_and_two_reminders(fixture: Fixture) -> None:
    file(fixture, "red", red_wins())
    fixture.refresh_from_db()
    assert fixture.confirm_due_at == NOON + timedelta(hours=24)
    jobs = Job.objects.filter(name="stables.confirm").order_by("not_before")
    assert [job.not_before for job in jobs] == [NOON + timedelta(hours=hours) for hours in (8, 16, 24)]
    created = Report.objects.get().created_at
    Fixture.objects.filter(pk=fixture.pk).update(confirm_due_at=created + timedelta(hours=24))
    done = [
        reports.chase(fixture_id=fixture.pk, now=created + timedelta(hours=hours))
        for hours in (7, 8, 8, 16, 17, 24, 25)
    ]
    assert done == ["", "reminded", "", "reminded", "", "confirmed", ""]
    assert codes_of_notices() == ["report_names_you", "report_reminder", "report_reminder", "result_by_silence"]
    assert len(set(Notice.objects.exclude(code="match_ready").values_list("user", flat=True))) == 1
    for notice in Notice.objects.filter(code__in=["report_names_you", "report_reminder"]):
        until = moment_words(datetime.fromisoformat(notice.parameters["due"]))
        told = notice_sentence(notice.code, notice.parameters)
        assert told.startswith("Test season, round 1: ")
        assert f"the result of {pairing_of(sides_of(fixture))}. " in told
        assert f" the report counts from {until} on. Format: Standard. Arena: " in told
    result = Result.objects.get()
    assert (result.source, result.document["source"]) == ("silence", "silence")
    assert LogEntry.objects.filter(code="result_by_silence").count() == 1


def test_after_a_pause_the_silent_are_reminded_in_the_time_that_is_left(season: Season, fixture: Fixture) -> None:
    file(fixture, "red", red_wins())
    pauses.pause(season_id=season.pk, now=NOON + timedelta(hours=6))
    resumed = NOON + timedelta(hours=30)
    pauses.resume(season_id=season.pk, now=resumed)
    looks = Job.objects.filter(name="stables.confirm", not_before__gt=resumed).order_by("not_before")
    assert [job.not_before for job in looks] == [resumed + timedelta(hours=hours) for hours in (6, 12, 18)]


@pytest.mark.parametrize("how", ["paused", "cancelled"])
def test_a_season_that_does_not_go_on_confirms_nothing(season: Season, fixture: Fixture, how: str) -> None:
    file(fixture, "red", red_wins())
    change = {"paused_at": NOON} if how == "paused" else {"state": "cancelled"}
    Season.objects.filter(pk=season.pk).update(**change)
    assert reports.chase(fixture_id=fixture.pk, now=NOON + timedelta(days=3)) == ""
    assert Result.objects.count() == 0


def test_silence_does_not_decide_between_two_reports(fixture: Fixture) -> None:
    file(fixture, "red", red_wins())
    file(fixture, "blue", blue_wins())
    assert reports.chase(fixture_id=fixture.pk, now=NOON + timedelta(hours=25)) == "disputed"
    assert Result.objects.count() == 0
    wanted = Notice.objects.filter(code="ruling_wanted")
    assert {notice.user.username for notice in wanted} == {"organiser", "referee"}
    assert reports.chase(fixture_id=fixture.pk, now=NOON + timedelta(hours=26)) == ""


@pytest.mark.parametrize(
    ("calendar", "hours"),
    [({"preset": "correspondence", "confirm_hours": 48}, 48), ({"preset": "club_night", "confirm_minutes": 30}, 0.5)],
)
def test_the_calendar_says_how_long_silence_lasts(
    season: Season, fixture: Fixture, calendar: dict[str, Any], hours: float
) -> None:
    Season.objects.filter(pk=season.pk).update(calendar=calendar)
    file(fixture, "red", red_wins())
    fixture.refresh_from_db()
    assert fixture.confirm_due_at == NOON + timedelta(hours=hours)


def by_silence(fixture: Fixture) -> None:
    file(fixture, "red", red_wins(clicks=3))
    assert reports.chase(fixture_id=fixture.pk, now=NOON + timedelta(hours=24)) == "confirmed"


def reopen(fixture: Fixture, side: str = "blue") -> reports.Reopened:
    stable = next(one.stable for one in sides_of(fixture) if one.side == side)
    return reports.reopen(fixture_id=fixture.pk, stable_id=stable.pk, reason="I was away", user=stable.owner, now=NOON)


def test_the_silent_side_opens_it_again_once_and_all_is_taken_back(season: Season, fixture: Fixture) -> None:
    by_silence(fixture)
    refused("reopen_not_silent", reopen, fixture, "red")
    opened = reopen(fixture)
    assert opened.confirm_due_at == NOON + timedelta(hours=24)
    assert books(fixture) == {}
    units = [side.line_up.crews.get().unit for side in sides_of(fixture)]
    assert [(unit.damage, unit.is_eliminated) for unit in units] == [(0, False), (0, False)]
    correction = Correction.objects.get()
    assert (correction.kind, correction.reason) == ("reopen", "I was away")
    fixture.refresh_from_db()
    assert fixture.state == "sealed"
    refused("reopen_not_silent", reopen, fixture)
    assert file(fixture, "blue", blue_wins()).differing
    assert file(fixture, "red", blue_wins()).settled
    result = Result.objects.get()
    assert (result.source, result.current["source"], result.current["winner"]) == ("silence", "agreed", "blue")
    red, blue = sides_of(fixture)
    assert books(fixture)[blue.stable.name, ""][1:] == (1, 1, 1)
    assert books(fixture)[red.stable.name, ""] == (0, 0, 0, 1)
    assert Asset.objects.get(pk=red.line_up.crews.get().unit_id).is_eliminated


def test_the_close_of_a_cycle_leaves_time_to_open_again_what_silence_confirmed(
    season: Season, fixture: Fixture
) -> None:
    by_silence(fixture)
    cycle = fixture.round.cycle
    Fixture.objects.filter(round__cycle=cycle).update(state="settled")
    cycle.rounds.update(state="settled")
    cycle.rounds_planned = 1
    cycle.season = Season.objects.get(pk=season.pk)
    rounds.move_on(cycle)
    job = Job.objects.get(name="stables.close_cycle")
    assert job.not_before == Result.objects.get().settled_at + timedelta(hours=24)
    job.delete()
    reopen(fixture)
    rounds.move_on(cycle)
    assert Job.objects.get(name="stables.close_cycle").not_before is None


def test_opened_again_and_silent_once_more_it_holds(fixture: Fixture) -> None:
    by_silence(fixture)
    before = books(fixture)
    reopen(fixture)
    assert reports.chase(fixture_id=fixture.pk, now=NOON + timedelta(hours=24)) == "confirmed"
    assert books(fixture) == before
    refused("report_reopened_before", reopen, fixture)


def test_after_the_close_nothing_is_opened_again(season: Season, fixture: Fixture) -> None:
    by_silence(fixture)
    season.cycles.update(state="closed")
    refused("reopen_too_late", reopen, fixture)


def test_a_cycle_waits_for_a_result_that_was_opened_again(season: Season, fixture: Fixture) -> None:
    season.cycles.update(rounds_planned=1)
    by_silence(fixture)
    cycle = season.cycles.get()
    assert not closing.waits_for_a_result(cycle_id=cycle.pk)
    reopen(fixture)
    assert closing.waits_for_a_result(cycle_id=cycle.pk)
    refused("cycle_not_over", closing.decide_places, cycle_id=cycle.pk)
    enqueue("stables.close_cycle", {"season": season.pk, "cycle": cycle.pk})
    close = Job.objects.get(name="stables.close_cycle")
    run_job(close.pk, close.attempt)
    close.refresh_from_db()
    assert (close.state, season.cycles.get().state) == ("done", "rounds")
    close.delete()
    file(fixture, "blue", red_wins(clicks=3))
    assert Job.objects.filter(name="stables.close_cycle", payload__cycle=cycle.pk).count() == 1
    closing.close_cycle(cycle_id=cycle.pk)
    season.refresh_from_db()
    assert season.cycles.get().state == "closed"


# Referees --------------------------------------------------------------------------------------------------------


def decide(fixture: Fixture, who: str, document: dict[str, Any] | None = None) -> rulings.Decided:
    return rulings.decide(
        fixture_id=fixture.pk, user=person(who), document=document or red_wins(), reason="I saw the dials", now=NOON
    )


@pytest.mark.parametrize("who", ["organiser", "referee"])
def test_who_takes_no_part_decides_with_a_reason(season: Season, fixture: Fixture, who: str) -> None:
    file(fixture, "red", red_wins())
    file(fixture, "blue", blue_wins())
    decide(fixture, who)
    result = Result.objects.get()
    assert (result.source, result.document["winner"], fixture.ruling.reason) == ("referee", "red", "I saw the dials")
    assert Notice.objects.filter(code="result_decided").count() == 2
    refused("fixture_settled", decide, fixture, who)


def test_participants_and_strangers_do_not_decide(season: Season, fixture: Fixture) -> None:
    Season.objects.filter(pk=season.pk).update(organiser=person("ash"))
    refused("referee_takes_part", decide, fixture, "ash")
    for who in ("birch", "stranger"):
        with pytest.raises(PermissionDenied):
            decide(fixture, who)
    assert Result.objects.count() == 0


# More than two stables -------------------------------------------------------------------------------------------


def melee_document(**clicks: int) -> dict[str, Any]:
    return {
        "ended_by": "time_limit",
        "sides": {"red": {"tokens": 10}},
        "units": {f"{side}-1": {"clicks": amount} for side, amount in clicks.items()},
    }


def test_in_a_melee_each_owner_speaks_for_their_unit_and_most_for_the_rest(release: Any) -> None:
    season = tables(release, ["Ash", "Birch", "Cedar"], cycles=["grand_melee"])
    fixture = fixture_of(season)
    assert not file(fixture, "red", melee_document(red=1, blue=4, green=4)).settled
    assert not file(fixture, "blue", melee_document(red=4, blue=2, green=4)).settled
    wrong = {**melee_document(green=3), "sides": {"green": {"tokens": 10}}}
    assert file(fixture, "green", wrong).settled
    document = Result.objects.get().document
    assert {name: unit["clicks"] for name, unit in document["units"].items()} == {"red-1": 1, "blue-1": 2, "green-1": 3}
    assert (document["winner"], document["places"][0]) == ("red", "red")


def test_in_a_melee_silence_confirms_what_most_of_those_say_who_spoke(release: Any) -> None:
    season = tables(release, ["Ash", "Birch", "Cedar"], cycles=["grand_melee"])
    fixture = fixture_of(season)
    file(fixture, "red", melee_document(red=1))
    file(fixture, "blue", melee_document(blue=2))
    assert reports.chase(fixture_id=fixture.pk, now=NOON + timedelta(hours=24)) == "confirmed"
    assert Result.objects.get().document["units"]["blue-1"]["clicks"] == 2
