"""The organisers' console and the ways into a season: who may, what is refused, that a refusal changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from people.models import Notice
from rules.campaign.season.calendar import Calendar
from rules.campaign.season.settings import SeasonSettings, check_changes
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Cycle, LogEntry, Season, SeasonRole, Stable
from stables.services.fixtures import pairing
from stables.services.running import participation
from stables.services.season import invitations, seasons, settings
from stables.services.standings import closing
from tests.stables.leagues import League
from tests.stables.shown_again import says

FORMS = {
    "start_season": {},
    "start_cycle": {},
    "call_time": {},
    "pair_ready": {},
    "pause": {},
    "resume": {},
    "cancel": {"sure": "yes"},
    "invite": {},
    "revoke_invitation": {"invitation": 1},
    "give_role": {"name": "spectator", "role": "referee"},
    "take_role": {"role": 1},
    "found_ai_stable": {},
    "change_settings": {"absence_pays": 7},
    "take_settings_back": {},
    "change_calendar": {"calendar_preset": "weekly"},
    "move_deadline": {"what": "market", "at": "2099-01-01T10:00"},
}

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def people(of_invitation: League) -> dict[str, Any]:
    return of_invitation.people


@pytest.fixture
def league(of_invitation: League) -> Season:
    return of_invitation.season


def client_of(person: Any) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def address(season: Season, name: str) -> str:
    return reverse(f"stables:{name}", args=[season.slug])


def post(season: Season, person: Any, name: str, /, **fields: Any) -> Any:
    return client_of(person).post(address(season, name), fields)


def run(season: Season, cycle: int = 1) -> None:
    Season.objects.filter(pk=season.pk).update(state="running")
    if cycle > 1:
        season.cycles.update(state="closed", started_with=2, rounds_planned=1)
        season.refresh_from_db()
        seasons.open_cycle(season, cycle)
    season.refresh_from_db()


# Who may --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(FORMS))
@pytest.mark.parametrize(("person", "status"), [(None, 302), ("player", 403), ("referee", 403), ("spectator", 403)])
def test_only_organisers_organise(
    league: Season, people: dict[str, Any], name: str, person: str | None, status: int
) -> None:
    before = (LogEntry.objects.count(), SeasonRole.objects.count(), Stable.objects.count())
    assert post(league, people.get(str(person)), name, **FORMS[name]).status_code == status
    assert (LogEntry.objects.count(), SeasonRole.objects.count(), Stable.objects.count()) == before
    league.refresh_from_db()
    assert (league.state, league.paused_at) == ("recruiting", None)


@pytest.mark.parametrize("name", sorted(FORMS))
def test_forms_are_posted_to_seasons_that_exist(league: Season, people: dict[str, Any], name: str) -> None:
    organiser = client_of(people["organiser"])
    assert organiser.get(address(league, name)).status_code == 405
    assert organiser.post(reverse(f"stables:{name}", args=["none"]), FORMS[name]).status_code == 404


@pytest.mark.parametrize(
    ("person", "status"), [(None, 302), ("player", 403), ("referee", 403), ("helper", 200), ("organiser", 200)]
)
def test_the_console_is_for_organisers(league: Season, people: dict[str, Any], person: str | None, status: int) -> None:
    client = client_of(people.get(str(person)))
    assert client.get(address(league, "console")).status_code == status
    assert client.post(address(league, "console")).status_code == 405


def test_the_console_takes_few_queries_whatever_it_shows(release: Any, league: Season, people: dict[str, Any]) -> None:
    client = client_of(people["organiser"])
    client.get(address(league, "console"))
    counts = []
    for round_of_more in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address(league, "console")).status_code == 200
        counts.append(len(queries))
        for number in range(3):
            invitations.invite(season_id=league.pk)
            seasons.found_stable(season_id=league.pk, name=f"More {round_of_more}{number}")
        run(league)
        pairing.pair_round(cycle_id=league.cycles.get().pk, number=1)
        Season.objects.filter(pk=league.pk).update(state="recruiting")
        Cycle.objects.update(state="market")
        league.cycles.get().rounds.all().delete()
    assert counts[0] == counts[1]
    Season.objects.filter(pk=league.pk).update(state="running", calendar=Calendar.of_preset("weekly").to_json())
    pairing.pair_round(cycle_id=league.cycles.get().pk, number=1)
    with CaptureQueriesContext(connection) as queries:
        shown = client.get(address(league, "console")).content.decode()
    assert len(queries) <= 15
    assert "Own Works" in shown


# Settings -------------------------------------------------------------------------------------------------------------


def test_settings_of_a_running_season_change_from_the_next_cycle_on_after_notice(
    league: Season, people: dict[str, Any]
) -> None:
    run(league)
    answer = post(league, people["helper"], "change_settings", absence_pays=7, rule_target_tokens="no")
    assert answer.status_code == 302
    league = Season.objects.get(pk=league.pk)
    assert league.pending_settings == {"absence_pays": 7, "house_rules": {"target_tokens": False}}
    assert league.rules.absence_pays == 30
    notice = Notice.objects.get(code="settings_announced")
    assert (notice.user, notice.parameters["cycle"]) == (people["player"], 2)
    again = post(league, people["organiser"], "change_settings", absence_pays=7)
    assert (again.status_code, again.context["code"]) == (409, "settings_unchanged")
    seasons.open_cycle(league, 2)
    league = Season.objects.get(pk=league.pk)
    assert (league.rules.absence_pays, league.rules.house_rules) == (7, {"target_tokens": False})
    assert league.pending_settings == {}
    # A second opening of the cycle does nothing.
    settings.take_effect(league, 2)
    assert LogEntry.objects.filter(code="settings_hold").count() == 1


def test_announced_settings_are_taken_back_until_the_cycle_opens(league: Season, people: dict[str, Any]) -> None:
    run(league)
    assert post(league, people["organiser"], "take_settings_back").context["code"] == "nothing_announced"
    post(league, people["organiser"], "change_settings", absence_pays=7)
    assert post(league, people["organiser"], "take_settings_back").status_code == 302
    league = Season.objects.get(pk=league.pk)
    assert league.pending_settings == {}
    post(league, people["organiser"], "change_settings", absence_pays=7)
    # Set to what holds it is no change any more.
    assert post(league, people["organiser"], "change_settings", absence_pays=30).status_code == 302
    assert Season.objects.get(pk=league.pk).pending_settings == {}


def test_a_recruiting_season_changes_at_once_and_its_first_cycle_follows(
    league: Season, people: dict[str, Any]
) -> None:
    answer = post(league, people["organiser"], "change_settings", absence_pays=7, format_weapons_dead="yes")
    assert answer.status_code == 302
    league = Season.objects.get(pk=league.pk)
    assert (league.rules.absence_pays, league.rules.cycles) == (7, ("weapons_dead",))
    assert league.cycles.get().format == "weapons_dead"
    assert Notice.objects.filter(code="settings_announced", user=people["player"]).exists()


@pytest.mark.parametrize(
    ("state", "fields", "status", "code"),
    [
        ("recruiting", {"dials": "printed"}, 409, "setting_fixed"),
        ("running", {"places": 4}, 409, "setting_fixed"),
        ("running", {"format_weapons_dead": "yes"}, 409, "setting_fixed"),
        ("running", {"absence_pays": 31}, 400, "setting_out_of_range"),
        ("running", {"absence_pays": "much"}, 400, "not_a_number"),
        ("running", {"rule_target_tokens": "perhaps"}, 400, "setting_out_of_range"),
        ("running", {"unplayed": "chess"}, 400, "setting_out_of_range"),
        ("finished", {"absence_pays": 7}, 409, "season_not_running"),
    ],
)
def test_settings_that_may_not_change(
    league: Season, people: dict[str, Any], state: str, fields: dict[str, Any], status: int, code: str
) -> None:
    Season.objects.filter(pk=league.pk).update(state=state)
    answer = post(league, people["organiser"], "change_settings", **fields)
    assert (answer.status_code, answer.context["code"]) == (status, code)
    assert Season.objects.get(pk=league.pk).pending_settings == {}
    assert not Notice.objects.exclude(code="stable_joined").exists()


def test_r_cyc_04_cycles_to_come_may_be_dropped_and_those_begun_not() -> None:
    now = SeasonSettings(weight_class="light")
    shorter = SeasonSettings(weight_class="light", cycles=now.cycles[:3])
    assert check_changes(now, shorter, True, has_stables=True, begun=3) == []
    (problem,) = check_changes(now, shorter, True, has_stables=True, begun=4)
    assert (problem.code, problem.parameters) == ("setting_fixed", {"setting": "cycles"})
    other_class = SeasonSettings(weight_class="heavy")
    assert check_changes(now, other_class, False, has_stables=False, begun=1) == []
    assert [each.code for each in check_changes(now, other_class, False, has_stables=True, begun=1)] == [
        "setting_fixed"
    ]


def test_a_season_whose_cycles_to_come_are_dropped_has_no_change_to_come(
    league: Season, people: dict[str, Any]
) -> None:
    run(league, cycle=3)
    answer = post(league, people["organiser"], "change_settings", absence_pays=7, closing_hours=48)
    assert answer.context["code"] == "no_cycle_to_come"


def test_how_long_results_stay_open_may_still_change_in_the_last_cycle(league: Season, people: dict[str, Any]) -> None:
    run(league, cycle=3)
    assert post(league, people["organiser"], "change_settings", closing_hours=48).status_code == 302
    league = Season.objects.get(pk=league.pk)
    assert (league.rules.closing_hours, league.pending_settings) == (48, {})
    assert Notice.objects.get(code="settings_announced").parameters["cycle"] == 3


def test_r_cyc_04_a_season_ends_early_when_its_last_cycles_were_dropped_by_notice(
    league: Season, people: dict[str, Any]
) -> None:
    run(league, cycle=2)
    dropped = {"format_standard": "yes", "format_weapons_dead": "yes"}
    assert post(league, people["organiser"], "change_settings", **dropped).status_code == 302
    cycle = league.cycles.get(number=2)
    Cycle.objects.filter(pk=cycle.pk).update(state="closing", started_with=2, rounds_planned=1)
    for _ in range(2):
        assert closing.finish_cycle(cycle_id=cycle.pk) is None
    league.refresh_from_db()
    assert (league.state, league.settings["cycles"]) == ("sudden_death", ["standard", "weapons_dead"])
    assert not league.cycles.filter(number=3).exists()


# Calendar and deadlines -----------------------------------------------------------------------------------------------


def test_the_calendar_changes_for_what_opens_next(league: Season, people: dict[str, Any]) -> None:
    fields = {"calendar_preset": "correspondence", "calendar_play_hours": "12", "calendar_time_zone": "Asia/Tokyo"}
    assert post(league, people["organiser"], "change_calendar", **fields).status_code == 302
    league.refresh_from_db()
    assert (league.calendar["play_hours"], league.calendar["market_hours"]) == (12, 168)
    shown = client_of(people["organiser"]).get(address(league, "console")).content.decode()
    assert "more time to wait than to play" in shown
    bad = post(league, people["organiser"], "change_calendar", calendar_preset="weekly", calendar_time_zone="Nowhere")
    assert (bad.status_code, says(bad, "setting_out_of_range")) == (400, True)


def test_a_deadline_is_moved_and_its_neighbours_do_not_pass_it(league: Season, people: dict[str, Any]) -> None:
    assert post(league, people["organiser"], "move_deadline", **FORMS["move_deadline"]).context["code"] == "no_deadline"
    run(league)
    fields: dict[str, str] = {**FORMS["move_deadline"], "reason": "agreed", "words": "by phone"}
    assert post(league, people["organiser"], "move_deadline", **fields).status_code == 302
    assert league.log.get(code="deadline_moved").parameters["reason"] == "#agreed: by phone"
    assert league.cycles.get().market_closes_at.year == 2099
    past = post(league, people["organiser"], "move_deadline", what="market", at="2001-01-01T10:00")
    assert (past.status_code, past.context["code"]) == (409, "deadline_not_ahead")
    for fields in ({"what": "moon", "at": "2099-01-01"}, {"what": "market", "at": "soon"}):
        assert post(league, people["organiser"], "move_deadline", **fields).context["code"] == "bad_field"
    pairing.pair_round(cycle_id=league.cycles.get().pk, number=1)
    for what, day in (("play", 10), ("line_ups", 20), ("confirm", 5)):
        post(league, people["organiser"], "move_deadline", what=what, at=f"2099-01-{day:02d}T10:00")
    called = league.cycles.get().rounds.get()
    assert {called.line_ups_due_at, called.play_due_at, called.confirm_due_at} == {called.confirm_due_at}


def test_a_season_is_opened_with_every_setting_by_form(release: Any, people: dict[str, Any]) -> None:
    client = client_of(people["organiser"])
    fields = {
        "name": "Everything",
        "weight_class": "multi",
        "ai_stables": 3,
        "joining": "invited",
        "format_standard": "yes",
        "format_team": "yes",
        "places": 4,
        "unplayed": "extend",
        "matches_per_cycle": 2,
        "rule_token_pool_rp": 45,
        "rule_dig_in_target_modifier": "-1",
        "calendar_preset": "weekly",
        "calendar_weekday": "2",
        "calendar_at": "18:30",
        "calendar_time_zone": "Europe/Madrid",
        "calendar_mode": "table",
    }
    answer = client.post("/open-a-season/", fields)
    assert answer.status_code == 302, answer.content
    season = Season.objects.latest("pk")
    rules = season.rules
    assert (rules.cycles, rules.places, rules.unplayed, rules.matches_per_cycle) == (
        ("standard", "team"),
        4,
        "extend",
        2,
    )
    assert rules.house_rules == {"token_pool_rp": 45, "dig_in_target_modifier": -1}
    assert (season.joining, season.calendar["weekday"], season.calendar["mode"]) == ("invited", 2, "table")
    # the order was drawn when the season was opened, and everybody can read it.
    assert len(rules.multi_class_order) == 2
    assert set(season.stables.values_list("character", flat=True)) == {"thrifty", "balanced", "reckless"}
    shown = Client().get(season.get_absolute_url()).content.decode()
    assert "The classes of the cycles, in order:" in shown
    given = {**fields, "name": "Given", "class_1": "heavy", "class_2": "light"}
    assert client.post("/open-a-season/", given).status_code == 302
    assert Season.objects.latest("pk").rules.multi_class_order == ("heavy", "light")
    for change in ({"class_1": "heavy"}, {"calendar_preset": "moon"}, {"joining": "nobody"}, {"places": 9}):
        bad = client.post("/open-a-season/", {**fields, "name": "Bad", **change})
        assert (bad.status_code, says(bad, "setting_out_of_range")) == (400, True), change


def test_services_refuse_what_views_do_not_ask(league: Season) -> None:
    with pytest.raises(Malformed):
        invitations.find("nothing")
    run(league, cycle=2)
    Season.objects.filter(pk=league.pk).update(state="finished")
    with pytest.raises(SeasonRefused) as refused:
        invitations.invite(season_id=league.pk)
    assert refused.value.code == "season_not_running"


@pytest.mark.parametrize("person", ["player", "helper", "spectator"])
@pytest.mark.parametrize("state", ["recruiting", "market", "rounds"])
def test_the_season_page_takes_few_queries_in_every_state(
    league: Season, people: dict[str, Any], person: str, state: str
) -> None:
    def prepare() -> None:
        if state != "recruiting":
            run(league)
        if state == "rounds":
            pairing.pair_round(cycle_id=league.cycles.get().pk, number=1)

    counts = []
    client = client_of(people[person])
    prepare()
    client.get(league.get_absolute_url())
    for more in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(league.get_absolute_url()).status_code == 200
        counts.append(len(queries))
        Season.objects.filter(pk=league.pk).update(state="recruiting")
        Cycle.objects.update(state="market")
        league.cycles.get().rounds.all().delete()
        for number in range(3 * (1 - more)):
            founded = seasons.found_stable(season_id=league.pk, name=f"More {number}")
            participation.skip_cycle(stable_id=founded.stable_id, number=2)
        prepare()
    assert counts[0] == counts[1]
    assert counts[0] <= 15
