"""Log lines and notices say what changed: which setting, which deadline, which match, from what to what, and when."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.models import Notice
from people.text.notices import notice_sentence
from stables.models import LogEntry, Round, Season
from stables.selectors.webhooks.documents import facts_of
from stables.services.base.log import record
from stables.services.running.calendars import change_calendar
from stables.services.season import calendar, seasons, settings
from stables.text import discord
from stables.text.log import log_sentence
from tests.markup import closed_up
from tests.stables.conftest import open_with

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
PAYS = "“Reputation for a stable that does not appear”: 7 instead of 30"


@pytest.fixture
def player(db: None) -> Any:
    return get_user_model().objects.create_user("player", "player@example.org", "-", time_zone="Europe/Berlin")


@pytest.fixture
def league(release: Any, player: Any) -> Season:
    """A running season in its first market, with a player's stable and one of the AI."""
    season = open_with(release, ["Machines"], cycles=["standard", "weapons_dead"])
    seasons.found_stable(season_id=season.pk, name="Own Works", owner=player)
    Season.objects.filter(pk=season.pk).update(
        state="running", organiser=get_user_model().objects.create_user("organiser", "organiser@example.org", "-")
    )
    return Season.objects.get(pk=season.pk)


def lines(code: str) -> list[str]:
    return [log_sentence(one.code, one.parameters) for one in LogEntry.objects.filter(code=code).order_by("id")]


def notices(code: str) -> list[str]:
    found = Notice.objects.filter(code=code).order_by("id")
    return [notice_sentence(one.code, one.parameters) for one in found]


def page_of(person: Any, address: str) -> str:
    client = Client()
    client.force_login(person)
    return closed_up(client.get(address).content.decode())


# Settings -------------------------------------------------------------------------------------------------------------


def test_announced_settings_are_named_from_what_to_what_in_the_words_of_the_form(league: Season, player: Any) -> None:
    changes = {"absence_pays": 7, "house_rules": {"target_tokens": False}}
    settings.change_settings(season_id=league.pk, changes=changes)
    told = f"{PAYS}; “Target tokens”: no instead of yes."
    assert lines("settings_announced") == [f"From cycle 2 on other settings hold: {told}"]
    assert notices("settings_announced") == [f"{league.name}: from cycle 2 on other settings hold: {told}"]
    address = Notice.objects.get().url
    assert f'id="{address.partition("#")[2]}"' in page_of(player, address)
    seasons.open_cycle(Season.objects.get(pk=league.pk), 2)
    assert lines("settings_hold") == [f"From cycle 2 on the announced settings hold: {told}"]
    assert LogEntry.objects.get(code="settings_hold").parameters["settings"] == "absence_pays, house_rules"


@pytest.mark.parametrize("by_change", [True, False])
def test_settings_that_are_taken_back_are_named_too(league: Season, by_change: bool) -> None:
    settings.change_settings(season_id=league.pk, changes={"absence_pays": 7})
    if by_change:
        settings.change_settings(season_id=league.pk, changes={"absence_pays": 30})
    else:
        settings.take_back(season_id=league.pk)
    assert lines("settings_taken_back") == [
        f"The change of settings that was announced for cycle 2 was taken back: {PAYS}."
    ]
    assert notices("settings_taken_back") == [
        f"{league.name}: the change of settings announced for cycle 2 is off: {PAYS}."
    ]


@pytest.mark.parametrize(
    ("pending", "text"),
    [
        ({"cycles": ["standard", "team"]}, "“Cycles”: Standard, Team instead of Standard, Weapons Dead"),
        ({"house_rules": {"target_tokens": False}}, "“Target tokens”: no instead of yes"),
        ({"house_rules": {"dig_in_target_modifier": -1}}, "rolled at the unit by”: -1 instead of +1"),
        ({"sponsor_grant": True}, "“A sponsor helps a stable that could field nobody”: yes instead of no"),
        ({"matches_per_cycle": 5}, "“Matches of each cycle”: 5 instead of as the book has it"),
        ({"emergency_hire": False}, "“Hiring a common pilot between matches”: no instead of when pilots can die"),
        ({"absence_pays": 7}, PAYS),
        ({"unplayed": "ai"}, "“A match that is not played in time”: the AI plays it instead of the absent forfeit it"),
    ],
)
def test_console_and_season_say_what_is_announced(league: Season, pending: dict[str, Any], text: str) -> None:
    Season.objects.filter(pk=league.pk).update(pending_settings=pending)
    page = page_of(league.organiser, reverse("stables:console", args=[league.slug]))
    [announced] = re.findall(r"From the next cycle on:</p><ul><li>(.*?)</li></ul>", page)
    assert announced.endswith(text)
    page = closed_up(Client().get(league.get_absolute_url()).content.decode())
    assert f"{text}</li></ul>" in page.split('id="announced-settings"')[1]


def test_a_season_that_announces_nonsense_is_shown_all_the_same(league: Season) -> None:
    """A document of a season may hold anything there."""
    Season.objects.filter(pk=league.pk).update(pending_settings={"absence_pays": {}, "x": []})
    assert Client().get(league.get_absolute_url()).status_code == 200


# Calendar and deadlines -----------------------------------------------------------------------------------------------


def test_a_changed_calendar_says_what_is_different(league: Season) -> None:
    known = {"preset": "weekly", "time_zone": "Europe/Berlin", "weekday": 3}
    Season.objects.filter(pk=league.pk).update(calendar=known)
    change_calendar(season_id=league.pk, calendar={**known, "weekday": 6, "at": "20:00", "hours_a_round": 24})
    told = (
        "“Day of the week”: Sunday instead of Thursday; “Time of day”: 20:00 instead of 19:00; "
        "“Time for each round of a match in the browser”: 24 hours instead of no limit."
    )
    assert lines("calendar_changed") == [f"The calendar was changed for what opens from now on: {told}"]
    assert notices("calendar_changed") == [
        f"{league.name}: the calendar was changed for what opens from now on: {told}"
    ]


def test_new_days_off_are_named_in_words(league: Season) -> None:
    Season.objects.filter(pk=league.pk).update(calendar={"preset": "weekly"})
    span = {"first": "2027-03-25", "last": "2027-03-29", "word": "Easter"}
    change_calendar(season_id=league.pk, calendar={"preset": "weekly", "days_off": [span]})
    days = "Thu 25 Mar 2027 to Mon 29 Mar 2027 (Easter)"
    assert lines("calendar_changed") == [], "days off have a line of their own"
    assert lines("calendar_days_off") == [f"Days off: {days}. Nothing that opens from now on is due then."]


def test_a_moved_market_names_its_cycle_and_both_times(league: Season, player: Any) -> None:
    first, second = NOW + timedelta(days=2), NOW + timedelta(days=30)
    for at in (first, second):
        calendar.move_deadline(season_id=league.pk, what="market", at=at, now=NOW)
    with timezone.override(BERLIN):
        assert lines("deadline_moved") == [
            "Cycle 1: the deadline for the market was set to Wed 3 Mar 2027, 13:00 (Europe/Berlin). It had none.",
            # The clocks go forward between the two.
            "Cycle 1: the deadline for the market was moved to Wed 31 Mar 2027, 14:00 (Europe/Berlin). "
            "Before, it was Wed 3 Mar 2027, 13:00 (Europe/Berlin).",
        ]
    [address] = Notice.objects.order_by("id").values_list("url", flat=True)
    assert f'id="{address.partition("#")[2]}"' in page_of(player, address)
    page = page_of(player, reverse("people:notices"))
    assert "Wed 31 Mar 2027, 14:00 (Europe/Berlin)" in page
    assert second.isoformat() not in page


def test_every_deadline_of_a_round_that_moves_is_named(league: Season) -> None:
    due = {"line_ups_due_at": NOW + timedelta(hours=5), "play_due_at": NOW + timedelta(hours=7)}
    Round.objects.create(cycle=league.cycles.get(), number=1, **due)
    calendar.move_deadline(season_id=league.pk, what="line_ups", at=NOW + timedelta(hours=9), now=NOW)
    moved = "was moved to Mon 1 Mar 2027, 21:00 (UTC). Before, it was"
    assert lines("deadline_moved") == [
        f"Cycle 1, round 1: the deadline for line-ups {moved} Mon 1 Mar 2027, 17:00 (UTC).",
        f"Cycle 1, round 1: the deadline for playing {moved} Mon 1 Mar 2027, 19:00 (UTC).",
    ]
    assert notices("deadline_moved")[0] == (
        f"{league.name}, cycle 1, round 1: the deadline for line-ups {moved} Mon 1 Mar 2027, 17:00 (UTC)."
    )


def test_o_8_2_deadlines_that_days_off_move_are_named_and_the_calendar_says_so(league: Season) -> None:
    Season.objects.filter(pk=league.pk).update(calendar={"preset": "weekly"})
    Round.objects.create(cycle=league.cycles.get(), number=1, play_due_at=NOW + timedelta(days=2))
    span = {"first": "2027-03-03", "last": "2027-03-03", "word": "Fair"}
    sent: dict[str, Any] = {"calendar": {"preset": "weekly", "days_off": [span]}, "moves_deadlines": True}
    assert change_calendar(season_id=league.pk, now=NOW, **sent) == 1
    told = (
        "ycle 1, round 1: the deadline for playing was moved to Wed 10 Mar 2027, 12:00 (UTC). Before, it was "
        "Wed 3 Mar 2027, 12:00 (UTC)."
    )
    assert lines("deadline_moved") == [f"C{told}"]
    assert notices("deadline_moved") == [f"{league.name}, c{told}"]
    assert notices("calendar_changed") == [
        f"{league.name}: the calendar was changed: “Days off”: Wed 3 Mar 2027 (Fair) instead of –. "
        "Deadlines that were set moved too: 1."
    ]


def test_the_log_names_the_readers_zone(league: Season, player: Any) -> None:
    record(league, "date_agreed", {"date": "2027-03-30T17:00:00+00:00", "round": 2, "pairing": "Ash – Birch"})
    address = reverse("stables:log", args=[league.slug])
    told = "Round 2, Ash – Birch: a date was agreed, Tue 30 Mar 2027, {} ({})."
    page = page_of(player, address)
    assert told.format("19:00", "Europe/Berlin") in page
    assert "Times are in the time zone Europe/Berlin." in page
    assert told.format("17:00", "UTC") in Client().get(address).content.decode()


# Corrections ----------------------------------------------------------------------------------------------------------

OF_ASH = {"stable": 1, "individual": "", "stable_name": "Ash"}
PURSE = {**OF_ASH, "what": "purse", "cycle": 1, "amount": -40}
OWED = {**OF_ASH, "what": "owed", "amount": 15}
PILOT = {**OF_ASH, "what": "reputation", "individual": "pilot:x:1", "name": "Kim", "amount": -5}
WORN = {"clicks": 2, "eliminated": False}
DAMAGE = {**OF_ASH, "what": "damage", "individual": "unit:x:1", "name": "Atlas", "before": WORN,
          "after": {"clicks": 0, "eliminated": False}}  # fmt: skip
OF_MATCH = {"round": 1, "match": 2, "pairing": "Ash – Birch", "reason": "#typing_error"}
PURSE_TOLD = "Ash: −40 Stones, the difference of the purses of cycle 1."
TOLD = f"Ash owes 15 Stones: there is no more to take. {PURSE_TOLD}"


@pytest.mark.parametrize("kind", ["voided", "replaced", "corrected"])
def test_a_correction_says_what_it_changes_and_what_is_owed(league: Season, kind: str) -> None:
    """In the log, on its page, in the interface and on Discord, whose messages are cut behind the reason."""
    parameters = {**OF_MATCH, "effects": [PURSE, PILOT, OWED]}
    entry = record(league, f"result_{kind}", parameters)
    told = f"Round 1, Ash – Birch: the result was {kind}. The reason: “typing error”. What it changes: {TOLD}"
    assert lines(f"result_{kind}") == [told]
    assert told in closed_up(Client().get(reverse("stables:log", args=[league.slug])).content.decode())
    found = Client().get(f"/api/v1/seasons/{league.slug}/log/", {"code": f"result_{kind}"}).json()["results"]
    assert [row["sentence"] for row in found] == [told]
    facts = facts_of(entry)
    assert "".join(discord.news(entry.code, facts["parameters"])) == "".join(discord.pieces_of(told))


@pytest.mark.parametrize(
    ("effects", "told"),
    [
        ([DAMAGE], "Atlas (Ash): undamaged, before 2 clicks of damage."),
        ([PILOT, DAMAGE], "Kim (Ash): −5 reputation. Atlas (Ash): undamaged, before 2 clicks of damage."),
        ([], "nothing in the books."),
        # The document of a season may hold anything here.
        (
            [{"what": "owed"}, {"what": []}, 3, {"what": "damage", "name": "x", "stable_name": "y"}, PURSE],
            PURSE_TOLD,
        ),
        ([{"what": "place"}], "nothing in the books."),
    ],
)
def test_a_correction_that_costs_nobody_anything_says_so(effects: Any, told: str) -> None:
    said = log_sentence("result_corrected", {**OF_MATCH, "effects": effects})
    assert said.endswith(f"the result was corrected. The reason: “typing error”. What it changes: {told}")


# Older lines ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "parameters", "sentence"),
    [
        (
            "deadline_moved",
            {"date": "2026-11-25T17:09:51+00:00"},
            "A deadline was moved to Wed 25 Nov 2026, 18:09 (Europe/Berlin).",
        ),
        ("date_agreed", {"date": "2026-11-26 19:30 UTC"}, "A date was agreed: Thu 26 Nov 2026, 20:30 (Europe/Berlin)."),
        ("mode_agreed_table", {}, "It was agreed to play this match at a table."),
        (
            "sudden_death_extended",
            {"title": "x", "date": "2026-11-26 19:30+00:00"},
            "The sudden death for the title “x” has one last date: Thu 26 Nov 2026, 20:30 (Europe/Berlin).",
        ),
        (
            "settings_announced",
            {"settings": "sponsor_grant", "cycle": 3},
            "From cycle 3 on other settings hold: sponsor_grant.",
        ),
        (
            "result_corrected",
            {"round": 1, "match": 2, "reason": "typo"},
            "The result of match 2 of round 1 was corrected: typo",
        ),
        (
            "result_corrected",
            {"round": 1, "match": 2, "pairing": "A – B", "reason": "typo"},
            "Round 1, A – B: the result was corrected. typo",
        ),
        ("date_agreed", {"date": "soon"}, "A date was agreed: soon."),
        (
            "date_agreed",
            {"date": "9999-12-31T23:59:00-12:00"},
            "A date was agreed: Fri 31 Dec 9999, 23:59 (UTC-12:00).",
        ),
        ("date_agreed", {"date": {"a": 1}, "pairing": ["x"], "round": None}, "A date was agreed: {'a': 1}."),
        (
            "settings_hold",
            {"changes": [{"setting": "unplayed", "before": {}, "after": []}, 3], "cycle": 1},
            "From cycle 1 on the announced settings hold: “A match that is not played in time”: – instead of {}.",
        ),
        (
            "settings_hold",
            {"changes": [{}], "cycle": 1},
            "From cycle 1 on the announced settings hold: “…”: as the book has it instead of as the book has it.",
        ),
    ],
)
def test_lines_of_earlier_versions_and_of_documents_read_well(
    code: str, parameters: dict[str, Any], sentence: str
) -> None:
    with timezone.override(BERLIN):
        assert log_sentence(code, parameters) == sentence


@pytest.mark.parametrize(
    ("code", "parameters", "sentence"),
    [
        ("deadline_moved", {"season": "Winter"}, "A deadline of Winter was moved; see when it is now."),
        (
            "date_proposed",
            {"season": "Winter", "stable": "Ash", "at": "2026-11-26 19:30 UTC"},
            "Ash proposes a date for your match in Winter: Thu 26 Nov 2026, 20:30 (Europe/Berlin).",
        ),
        (
            "line_up_due",
            {"season": "Winter", "cycle": 1, "round": 2},
            "Winter, cycle 1, round 2: your line-up is called for.",
        ),
        ("correction_made", {"season": "Winter", "reason": "typo"}, "A result of Winter was corrected: typo"),
        (
            "token_made",
            {"name": "laptop", "until": "2027-02-01"},
            "A token named laptop was made for your account, good until Mon 1 Feb 2027. If it was not you, "
            "revoke it and change your password.",
        ),
    ],
)
def test_notices_of_earlier_versions_read_well(code: str, parameters: dict[str, Any], sentence: str) -> None:
    with timezone.override(BERLIN):
        assert notice_sentence(code, parameters) == sentence


def test_a_time_that_the_clock_shows_twice_says_which_one_it_is() -> None:
    with timezone.override(BERLIN):
        told = [log_sentence("date_agreed", {"date": f"2026-10-25T0{hour}:30:00+00:00"}) for hour in (0, 1)]
    assert told == [
        "A date was agreed: Sun 25 Oct 2026, 02:30 (Europe/Berlin, UTC+0200).",
        "A date was agreed: Sun 25 Oct 2026, 02:30 (Europe/Berlin, UTC+0100).",
    ]


def test_a_time_can_be_written_as_another_program_wants_it() -> None:
    """Discord shows each reader their own time."""
    told = log_sentence(
        "date_agreed", {"date": "2026-11-26 19:30 UTC"}, moment=lambda at: f"<t:{at.timestamp():.0f}:f>"
    )
    assert told == "A date was agreed: <t:1795721400:f>."
