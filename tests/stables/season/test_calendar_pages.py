"""Calendars on pages: the form of days off, what an invitation says of rules and times, and zones beside times."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar as Parsed

from rules.campaign.season.calendar import Calendar
from rules.campaign.season.clock import MOST_DAYS_OFF
from stables.forms.season import ChangeCalendarForm
from stables.models import Fixture, Season
from stables.services.fixtures import pairing
from stables.services.running.calendars import change_calendar
from stables.services.season import calendar_feeds, invitations
from tests.markup import closed_up
from tests.stables.season.test_organising import address, client_of, league, people, post, run
from tests.stables.shown_again import as_it_stands, says

__all__ = ["league", "people"]
pytestmark = pytest.mark.django_db

WEEKLY = {"calendar_preset": "weekly", "calendar_time_zone": "Europe/Berlin"}
YEAR = 2126
CHRISTMAS = {"first": f"{YEAR}-12-24", "last": f"{YEAR}-12-26", "word": "Christmas"}


def row(number: int, span: dict[str, str]) -> dict[str, str]:
    return {f"off_{name}_{number}": value for name, value in span.items()}


def shown(client: Client, where: str) -> str:
    answer = client.get(where)
    assert answer.status_code == 200
    return closed_up(answer.content.decode())


# Days off -------------------------------------------------------------------------------------------------------------


def test_an_organiser_names_days_off_and_takes_them_away(league: Season, people: dict[str, Any]) -> None:
    one_day = {"first": f"{YEAR}-12-31", "last": "", "word": ""}
    sent = {**WEEKLY, **row(1, one_day), **row(5, {**CHRISTMAS, "word": "  Christ\u200dmas  \u202e "})}
    assert post(league, people["organiser"], "change_calendar", **sent).status_code == 302
    league.refresh_from_db()
    new_year = {"first": f"{YEAR}-12-31", "last": f"{YEAR}-12-31", "word": ""}
    assert league.calendar["days_off"] == [CHRISTMAS, new_year]
    for client, where in (
        (client_of(people["organiser"]), address(league, "console")),
        (client_of(people["player"]), league.get_absolute_url()),
        (Client(), league.get_absolute_url()),
    ):
        html = shown(client, where)
        assert f"24 Dec {YEAR} to " in html
        assert "(Christmas)</li>" in html
    form = client_of(people["organiser"]).get(address(league, "console")).context["calendar"]
    assert [[each.value() for each in line] for line in form.days_off_rows[:2]] == [
        list(CHRISTMAS.values()),
        list(new_year.values()),
    ]
    # What the page shows is what it sends, and an empty row takes days off away.
    again = as_it_stands(form)
    assert post(league, people["organiser"], "change_calendar", **again).status_code == 302
    assert Season.objects.get(pk=league.pk).calendar == league.calendar
    without = {name: value for name, value in again.items() if not name.endswith("_2")}
    assert post(league, people["organiser"], "change_calendar", **without).status_code == 302
    assert Season.objects.get(pk=league.pk).calendar["days_off"] == [CHRISTMAS]


def test_days_off_that_are_over_are_no_news(league: Season, people: dict[str, Any]) -> None:
    past = {"first": "2020-12-24", "last": "2020-12-26", "word": "Long ago"}
    change_calendar(season_id=league.pk, calendar={"preset": "weekly", "days_off": [past]})
    assert "Long ago" not in shown(Client(), league.get_absolute_url()).split('id="log', 1)[0].split("Log", 1)[0]


@pytest.mark.parametrize(
    ("rows", "field"),
    [
        (row(2, {"first": "soon"}), "off_first_2"),
        (row(2, {"first": "2026-13-01"}), "off_first_2"),
        (row(2, {"last": "2026-12-26"}), "off_first_2"),
        (row(2, {"word": "Christmas"}), "off_first_2"),
        (row(2, {"first": "2026-12-26", "last": "2026-12-24"}), "off_last_2"),
        (row(2, {"first": "2026-12-26", "word": "x" * 41}), "off_word_2"),
        (row(2, {"first": "2026-12-26", "word": "\u200b"}), "off_word_2"),
        (row(2, {"first": "2026-01-01", "last": "2026-12-31"}), "off_first_1"),
        (row(2, {"first": "9999-12-31"}), "off_first_1"),
    ],
)
def test_bad_days_off_change_nothing_and_lose_nothing_that_was_typed(
    league: Season, people: dict[str, Any], rows: dict[str, str], field: str
) -> None:
    before = league.calendar
    sent = {**WEEKLY, **row(1, CHRISTMAS), **rows, "calendar_at": "18:45", "moves_deadlines": "on"}
    answer = post(league, people["organiser"], "change_calendar", **sent)
    assert (answer.status_code, says(answer, "setting_out_of_range")) == (400, True)
    assert Season.objects.get(pk=league.pk).calendar == before
    form = answer.context["calendar"]
    assert list(form.errors) == [field]
    assert {name: str(form[name].value()) for name in sent if name != "moves_deadlines"} == {
        name: value for name, value in sent.items() if name != "moves_deadlines"
    }
    html = answer.content.decode()
    assert re.search(rf'<input[^>]* name="{field}"[^>]* aria-invalid="true"', html)


def test_a_form_has_rows_for_all_days_off_that_a_calendar_may_have() -> None:
    spans = [{"first": f"2026-{month:02}-01", "last": f"2026-{month:02}-02"} for month in range(1, MOST_DAYS_OFF + 1)]
    for count, rows in ((0, 2), (1, 3), (MOST_DAYS_OFF - 1, MOST_DAYS_OFF), (MOST_DAYS_OFF, MOST_DAYS_OFF)):
        calendar = Calendar.of_preset("weekly", days_off=spans[:count])
        form = ChangeCalendarForm.showing(calendar)
        assert (len(form.days_off_rows), form.has_days_off) == (rows, count > 0)
        assert ChangeCalendarForm(as_it_stands(form)).calendar() == calendar.to_json()


def test_deadlines_that_are_set_move_when_the_box_is_ticked(league: Season, people: dict[str, Any]) -> None:
    run(league)
    cycle = league.cycles.get()
    due = datetime(YEAR, 12, 25, 12, tzinfo=UTC)
    cycle.market_closes_at = due
    cycle.save()
    sent = {"calendar_preset": "correspondence", **row(1, CHRISTMAS)}
    assert post(league, people["organiser"], "change_calendar", **sent).status_code == 302
    cycle.refresh_from_db()
    assert cycle.market_closes_at == due
    post(league, people["organiser"], "change_calendar", calendar_preset="correspondence")
    answer = client_of(people["organiser"]).post(
        address(league, "change_calendar"), {**sent, "moves_deadlines": "on"}, follow=True
    )
    assert "1 deadline has moved." in answer.content.decode()
    cycle.refresh_from_db()
    assert cycle.market_closes_at == due + timedelta(days=3)


def test_days_off_stand_in_the_calendar_of_a_person_and_are_cancelled_when_they_are_dropped(
    league: Season, people: dict[str, Any]
) -> None:
    calendar = {"preset": "weekly", "days_off": [CHRISTMAS]}
    change_calendar(season_id=league.pk, calendar=calendar)
    found = calendar_feeds.make_feed(user=people["player"], season=league)[0]

    def entry() -> Any:
        file = Client().get(reverse("stables:calendar_feed", args=[league.slug, found.key])).content
        [event] = [each for each in Parsed.from_ical(file).walk("VEVENT") if "days-off" in each["uid"]]
        return event

    event = entry()
    assert event["summary"] == "Test season: days off (Christmas)"
    assert (event["dtstart"].dt, event["dtend"].dt) == (date(YEAR, 12, 24), date(YEAR, 12, 27))
    assert event["dtstart"].params["VALUE"] == "DATE"
    assert (event["status"], event["transp"]) == ("CONFIRMED", "TRANSPARENT")
    change_calendar(season_id=league.pk, calendar={"preset": "weekly"})
    dropped = entry()
    assert (dropped["uid"], dropped["status"]) == (event["uid"], "CANCELLED")
    assert dropped["sequence"] > event["sequence"]
    renamed = {**CHRISTMAS, "word": "Yule"}
    change_calendar(season_id=league.pk, calendar={"preset": "weekly", "days_off": [renamed]})
    again = entry()
    assert (again["uid"], again["status"], again["summary"]) == (
        event["uid"],
        "CONFIRMED",
        "Test season: days off (Yule)",
    )
    assert again["sequence"] > dropped["sequence"]


# Opening, invitations, zones ------------------------------------------------------------------------------------------


def test_o_s1_the_form_of_a_new_season_begins_for_a_group_and_solo_is_one_press_away(
    release: Any, people: dict[str, Any]
) -> None:
    client = client_of(people["organiser"])
    page = client.get("/open-a-season/")
    form = page.context["form"]
    begins = {name: form[name].value() for name in ("calendar_preset", "calendar_mode", "ai_stables")}
    assert begins == {"calendar_preset": "weekly", "calendar_mode": "browser", "ai_stables": 0}
    [link] = re.findall(r'href="(/open-a-season/\?for=alone)"', page.content.decode())
    sent = as_it_stands(form) | {"name": "Friends", "weight_class": "light"}
    answer = client.post("/open-a-season/", sent)
    assert answer.status_code == 302, answer.context["problem"]
    season = Season.objects.get(name="Friends")
    calendar = Calendar.from_json(season.calendar)
    assert (calendar.preset, calendar.mode, season.stables.count()) == ("weekly", "browser", 0)
    alone = client.get(link).context["form"]
    assert client.post(link, as_it_stands(alone) | {"name": "Alone", "weight_class": "light"}).status_code == 302
    season = Season.objects.get(name="Alone")
    assert (season.calendar["preset"], season.calendar["mode"], season.stables.count()) == ("solo", "ai", 3)


def test_o_s15_an_invitation_names_house_rules_and_calendar(league: Season, people: dict[str, Any]) -> None:
    league.settings = {**league.settings, "absence_pays": 0, "house_rules": {"pilot_death": True}}
    league.visibility = "private"
    league.calendar = Calendar.of_preset(
        "weekly", time_zone="Europe/Berlin", mode="table", days_off=[CHRISTMAS]
    ).to_json()
    league.save()
    link = reverse("stables:join", args=[invitations.invite(season_id=league.pk).code])
    people["spectator"].time_zone = "America/New_York"
    people["spectator"].save()
    html = shown(client_of(people["spectator"]), link)
    rules = html[html.index('id="terms-rules"') :]
    assert re.search(r"<dt>Reputation for a stable that does not appear</dt><dd>\s*0\b.*?in the book: 30", rules)
    assert re.search(r"<dt>Pilots of eliminated units may die</dt><dd>\s*yes\b.*?in the book: no", rules)
    assert "Target tokens" not in rules
    assert "each round ends on Sunday at 20:00 (Europe/Berlin)" in html
    assert "People play their matches at a table." in html
    assert "(Christmas)" in html
    assert "If it began now, at the latest:" in html
    closes, ends = re.findall(r"<time [^>]*>(.*?)</time>", html)
    assert all(
        re.search(r'<abbr title="America/New York" translate="no">E[SD]T</abbr>$', each) for each in (closes, ends)
    )


@pytest.mark.parametrize(
    ("preset", "says_so"),
    [
        ("solo", "Solo: nothing has a deadline."),
        ("club_night", "Friday at 19:00 (UTC), for 240 minutes"),
        ("correspondence", "96 hours for line-ups, 240 to play"),
    ],
)
def test_o_s15_an_invitation_to_a_season_by_the_book_says_that_too(league: Season, preset: str, says_so: str) -> None:
    league.calendar = Calendar.of_preset(preset).to_json()
    league.save()
    html = shown(Client(), reverse("stables:join", args=[invitations.invite(season_id=league.pk).code]))
    assert "None: this season is played by the book." in html
    assert says_so in html
    assert ("If it began now" in html) == (preset != "solo")
    assert ("48 hours to think" in html) == (preset == "correspondence")


def test_o_s5_times_of_fixture_console_and_season_name_the_zone_of_the_reader(
    league: Season, people: dict[str, Any]
) -> None:
    change_calendar(season_id=league.pk, calendar=Calendar.of_preset("weekly", time_zone="Asia/Tokyo").to_json())
    run(league)
    now = datetime(YEAR, 1, 10, 12, tzinfo=UTC)
    pairing.pair_round(cycle_id=league.cycles.get().pk, number=1, now=now)
    Fixture.objects.update(scheduled_at=now + timedelta(days=2))
    fixture = Fixture.objects.order_by("number")[0]
    people["organiser"].time_zone = "Asia/Kathmandu"
    people["organiser"].save()
    client = client_of(people["organiser"])
    for where in (
        address(league, "console"),
        league.get_absolute_url(),
        reverse("stables:fixture", args=[league.slug, fixture.pk]),
    ):
        html = shown(client, where)
        times = re.findall(r"<time [^>]*>(.*?)</time>", html)
        assert len(times) >= 3
        for each in times:
            assert each.endswith('<abbr title="Asia/Kathmandu" translate="no">UTC+5:45</abbr>')
        # No time of day stands outside of such an element.
        bare = re.sub(r"<time .*?</time>|<select.*?</select>|<input[^>]*>", "", html)
        assert not re.search(rf"\b{YEAR}, \d\d:\d\d", bare)
