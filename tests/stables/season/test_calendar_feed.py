"""A season's dates in a person's own calendar: what is in the file, who gets it, and when its address ends."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from icalendar import Calendar

from catalogue.services.releases import load_release
from solaris_site.log_records import OneLine, OneObject, Surroundings
from stables.middleware import DECIDES_VISIBILITY
from stables.models import CalendarFeed, Cycle, Fixture, Result, Round, Season, SeasonRole, Stable
from stables.services.line_ups import appointments
from stables.services.running import participation, pauses
from stables.services.season import calendar_feeds, endings
from stables.services.season.calendar import move_deadline
from tests.stables.duels import Club, open_club
from tests.stables.season_worlds import Enters, inside, world_of

HOUR = timedelta(hours=1)
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
DUE = NOW + 48 * HOUR


def open_with_dates() -> Club:
    made = open_club(load_release(), line_ups_due_at=NOW + 24 * HOUR, play_due_at=DUE, confirm_due_at=DUE + 24 * HOUR)
    Cycle.objects.filter(season=made.season).update(market_closes_at=NOW)
    return made


club_with_dates = world_of("club with all dates", open_with_dates)


@pytest.fixture(scope="module")
def opened(django_db_blocker: Any, club_with_dates: Enters) -> Iterator[Club]:
    with inside(django_db_blocker, club_with_dates) as made:
        yield made


@pytest.fixture
def club(db: None, opened: Club) -> Club:
    """The club as it was opened, whatever other tests did to it."""
    return deepcopy(opened)


@pytest.fixture
def duel(club: Club) -> Fixture:
    return club.fixture("anna", "ben", scheduled_at=NOW + 30 * HOUR)


def address_of(club: Club, name: str = "anna") -> str:
    found, _ = calendar_feeds.make_feed(user=club.people[name], season=club.season)
    return reverse("stables:calendar_feed", args=[club.season.slug, found.key])


def fetched(address: str) -> Any:
    return Client().get(address)


def events(club: Club, name: str = "anna") -> dict[str, Any]:
    """The entries of somebody's file, parsed, by the part of the UID before the host and behind the season."""
    answer = fetched(address_of(club, name))
    assert answer.status_code == 200
    calendar = Calendar.from_ical(answer.content)
    listed = calendar.walk("VEVENT")
    found = {str(event["uid"]).partition("@")[0].removeprefix(f"{club.season.slug}-"): event for event in listed}
    assert len(found) == len(listed), "every UID once"
    return found


MATCH = "cycle-1-round-1-match-1"
PLAY = "cycle-1-round-1-play"


# What is in it ---------------------------------------------------------------------------------------------------


def test_the_file_is_a_published_calendar(club: Club, duel: Fixture) -> None:
    answer = fetched(address_of(club))
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8; method=PUBLISH"
    calendar = Calendar.from_ical(answer.content)
    assert (calendar["method"], calendar["version"]) == ("PUBLISH", "2.0")
    assert calendar["prodid"]
    assert calendar["x-wr-calname"] == club.season.name
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n" in answer.content
    assert b"X-PUBLISHED-TTL:PT1H\r\n" in answer.content
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n"))
    assert b"\n" not in answer.content.replace(b"\r\n", b"")


def test_an_agreed_date_of_ones_own_says_all(club: Club, duel: Fixture) -> None:
    event = events(club)[MATCH]
    assert event["summary"] == "Stable of anna – Stable of ben"
    assert event["url"] == f"http://testserver{club.address('fixture', duel)}"
    assert event["dtstart"].dt == duel.scheduled_at
    assert event["dtstart"].to_ical() == b"20261121T180000Z", "in UTC"
    assert event["dtend"].dt - event["dtstart"].dt == timedelta(minutes=20)
    assert (event["status"], event["transp"]) == ("CONFIRMED", "OPAQUE")
    assert event["categories"].cats == ["Yours"]
    assert "location" not in event
    assert str(event["uid"]) == f"{club.season.slug}-{MATCH}@localhost"


def test_a_name_from_the_right_turns_no_summary_around(club: Club, duel: Fixture) -> None:
    Stable.objects.filter(pk=club.stable_id("anna")).update(name="\u05e9\u05dc")
    assert events(club)[MATCH]["summary"] == "\u2068\u05e9\u05dc\u2069 – Stable of ben"


def test_a_season_without_any_date_is_a_valid_calendar_all_the_same(club: Club) -> None:
    """RFC 5545, 3.6: a calendar has at least one component. The entry stays when there are others."""
    club.season.cycles.all().delete()
    found = events(club)
    assert set(found) == {"season"}
    opened = found["season"]
    assert (opened["summary"], opened["url"]) == (
        club.season.name,
        f"http://testserver{club.season.get_absolute_url()}",
    )
    assert opened["dtstart"].dt == opened["dtstamp"].dt == club.season.created_at.replace(microsecond=0)
    assert (opened["status"], opened["transp"], opened["sequence"], "dtend" in opened) == (
        "CONFIRMED",
        "TRANSPARENT",
        0,
        False,
    )


def test_others_dates_are_there_but_take_no_time(club: Club, duel: Fixture) -> None:
    club.fixture("carla", "machines", scheduled_at=NOW + 31 * HOUR)
    event = events(club)["cycle-1-round-1-match-2"]
    assert (event["summary"], event["transp"]) == ("Stable of carla – Stable of machines", "TRANSPARENT")
    assert event["categories"].cats == ["Others"]
    assert events(club, "organiser")[MATCH]["transp"] == "TRANSPARENT"


def test_without_a_date_there_is_no_entry_of_a_match(club: Club, duel: Fixture) -> None:
    Fixture.objects.filter(pk=duel.pk).update(scheduled_at=None)
    assert MATCH not in events(club)


def test_deadlines_of_market_and_rounds(club: Club, duel: Fixture) -> None:
    found = events(club)
    assert set(found) == {
        "season",
        "cycle-1-market",
        "cycle-1-round-1-line-ups",
        PLAY,
        "cycle-1-round-1-confirm",
        MATCH,
    }
    assert found["cycle-1-market"]["summary"] == "Cycle 1: The market closes"
    assert found["cycle-1-market"]["dtstart"].dt == NOW
    own = found["cycle-1-round-1-line-ups"]
    assert own["summary"] == "Cycle 1, round 1: Line-ups are due: Stable of anna – Stable of ben"
    assert own["url"].endswith(club.address("fixture", duel))
    assert (own["dtstart"].dt, "dtend" in own, own["transp"]) == (NOW + 24 * HOUR, False, "TRANSPARENT")
    others = events(club, "carla")["cycle-1-round-1-line-ups"]
    assert others["summary"] == "Cycle 1, round 1: Line-ups are due"
    assert others["url"].endswith(club.season.get_absolute_url())


def reminders(found: dict[str, Any]) -> dict[str, timedelta]:
    """How long before each entry a calendar reminds its person, of those with a reminder."""
    return {name: -alarm["trigger"].dt for name, event in found.items() for alarm in event.walk("VALARM")}


def test_o_m10_a_calendar_reminds_of_ones_own_match_and_deadlines(club: Club, duel: Fixture) -> None:
    Fixture.objects.filter(pk=duel.pk).update(scheduled_at=datetime(2999, 1, 1, tzinfo=UTC))
    found = events(club)
    assert reminders(found) == {MATCH: HOUR, PLAY: 24 * HOUR, "cycle-1-round-1-line-ups": 24 * HOUR}
    [alarm] = found[MATCH].walk("VALARM")
    assert (alarm["action"], alarm["description"]) == ("DISPLAY", found[MATCH]["summary"])
    assert reminders(events(club, "carla")) == {}, "the matches of others"
    settle(duel)
    assert reminders(events(club)) == {}


def test_nobody_is_reminded_of_what_is_cancelled(club: Club, duel: Fixture) -> None:
    Fixture.objects.filter(pk=duel.pk).update(scheduled_at=datetime(2999, 1, 1, tzinfo=UTC))
    endings.cancel_season(season_id=club.season.pk, is_sure=True)
    assert MATCH not in reminders(events(club))


def test_texts_are_escaped_and_folded_and_come_back(club: Club, duel: Fixture) -> None:
    name = "Ünïcode; Iron, Dogs \\ & “Sons”\x07 " + "of the Long Name " * 2
    anna = club.stables["anna"]
    type(anna).objects.filter(pk=anna.pk).update(name=name[:60])
    answer = fetched(address_of(club))
    assert b"\\; Iron\\, Dogs \\\\" in answer.content.replace(b"\r\n ", b"")
    assert b"\x07" not in answer.content
    assert events(club)[MATCH]["summary"] == f"{name[:60]} – Stable of ben".replace("\x07", " ")


def test_a_moved_date_is_the_same_entry_with_a_higher_number(club: Club, duel: Fixture) -> None:
    before = events(club)[MATCH]
    proposed = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=duel.pk, at=NOW + 36 * HOUR, now=NOW)
    appointments.accept(stable_id=club.stable_id("ben"), proposal_id=proposed.proposal_id, now=NOW)
    after = events(club)[MATCH]
    assert after["uid"] == before["uid"]
    assert after["sequence"] > before["sequence"]
    assert after["last-modified"].dt >= before["last-modified"].dt
    assert after["dtstart"].dt == NOW + 36 * HOUR


def test_a_moved_deadline_is_the_same_entry_with_a_higher_number(club: Club, duel: Fixture) -> None:
    before = events(club)[PLAY]
    move_deadline(season_id=club.season.pk, what="play", at=DUE + HOUR, now=NOW)
    after = events(club)[PLAY]
    assert (after["uid"], after["dtstart"].dt) == (before["uid"], DUE + HOUR)
    assert after["sequence"] > before["sequence"]


def test_asked_again_the_file_is_the_same(club: Club, duel: Fixture) -> None:
    address = address_of(club)
    assert fetched(address).content == fetched(address).content


def settle(fixture: Fixture) -> None:
    """Settle it now, with a result that nobody played."""
    Fixture.objects.filter(pk=fixture.pk).update(state=Fixture.State.SETTLED)
    document = {"winner": "blue", "ended_by": "reported", "tie_break": None, "rounds": 5, "sides": {}}
    Result.objects.create(fixture=fixture, document=document, source="agreed")


def test_a_match_that_was_played_says_who_won(club: Club, duel: Fixture) -> None:
    Fixture.objects.filter(pk=duel.pk).update(scheduled_at=datetime(2020, 1, 1, tzinfo=UTC))
    settle(duel)
    event = events(club)[MATCH]
    assert event["status"] == "CONFIRMED"
    assert event["description"] == "Cycle 1, round 1, match 1. Stable of ben won."


def test_what_was_settled_before_its_date_is_cancelled(club: Club, duel: Fixture) -> None:
    ahead = datetime(2999, 1, 1, tzinfo=UTC)
    Fixture.objects.filter(pk=duel.pk).update(scheduled_at=ahead)
    Round.objects.filter(pk=club.round.pk).update(state=Round.State.SETTLED, play_due_at=ahead, confirm_due_at=ahead)
    settle(duel)
    found = events(club)
    assert (found[MATCH]["status"], found[MATCH]["transp"]) == ("CANCELLED", "TRANSPARENT")
    assert found["cycle-1-round-1-confirm"]["status"] == "CANCELLED"
    assert found[PLAY]["status"] == "CANCELLED"


def test_the_dates_of_a_cancelled_season_are_cancelled(club: Club, duel: Fixture) -> None:
    ahead = datetime(2999, 1, 1, tzinfo=UTC)
    Fixture.objects.filter(pk=duel.pk).update(scheduled_at=ahead)
    before = events(club)[MATCH]
    endings.cancel_season(season_id=club.season.pk, is_sure=True)
    after = events(club)[MATCH]
    assert (before["status"], after["status"]) == ("CONFIRMED", "CANCELLED")
    assert after["sequence"] > before["sequence"]


def test_while_a_season_pauses_its_dates_are_uncertain(club: Club, duel: Fixture) -> None:
    pauses.pause(season_id=club.season.pk, now=NOW)
    found = events(club)
    assert found[PLAY]["status"] == found[MATCH]["status"] == "TENTATIVE"
    pauses.resume(season_id=club.season.pk, now=NOW + HOUR)
    resumed = events(club)[PLAY]
    assert (resumed["status"], resumed["dtstart"].dt) == ("CONFIRMED", DUE + HOUR)
    assert resumed["sequence"] > found[PLAY]["sequence"]


def test_a_file_takes_as_many_queries_for_many_matches(club: Club, duel: Fixture) -> None:
    address = address_of(club)

    def taken() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert fetched(address).status_code == 200
        return len(queries)

    few = taken()
    for _ in range(5):
        club.fixture("carla", "machines", scheduled_at=NOW + 31 * HOUR)
    again = Round.objects.create(cycle=club.round.cycle, number=2, play_due_at=DUE + 99 * HOUR)
    Fixture.objects.create(round=again, number=1, arena_key="factory", scheduled_at=DUE + 50 * HOUR)
    assert taken() == few <= 10


# Who gets it -----------------------------------------------------------------------------------------------------


def test_the_address_works_without_log_in_and_is_kept_out_of_sight(club: Club, duel: Fixture) -> None:
    answer = fetched(address_of(club))
    assert answer.headers["Cache-Control"] == "no-store, private"
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert not answer.cookies


@pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
def test_a_private_season_opens_to_the_key_alone(club: Club, duel: Fixture, visibility: str) -> None:
    Season.objects.filter(pk=club.season.pk).update(visibility=visibility)
    assert fetched(address_of(club)).status_code == 200
    others = {fetched(reverse("stables:calendar_feed", args=[club.season.slug, key])).status_code for key in WRONG}
    assert others == {404}


WRONG = ("k" * 43, "k" * 42, "k" * 44, "é" * 43, "a b")


def test_a_wrong_key_tells_nothing_of_what_there_is(club: Club, duel: Fixture) -> None:
    Season.objects.filter(pk=club.season.pk).update(visibility="private")
    right = calendar_feeds.make_feed(user=club.people["anna"], season=club.season)[0].key
    Season.objects.create(
        name="Other", slug="other", state="running", settings=club.season.settings, release=club.season.release
    )
    addresses = [
        reverse("stables:calendar_feed", args=[slug, key])
        for slug, key in [(club.season.slug, "k" * 43), ("nothing-here", "k" * 43), ("other", right)]
    ]
    for method in ("get", "post", "put"):
        answers = [getattr(Client(), method)(address, headers={"Accept": "text/html"}) for address in addresses]
        assert {answer.status_code for answer in answers} == {404}
        pages = {
            answer.content.decode().replace(address, "").replace(club.season.slug, "").replace("other", "")
            for answer, address in zip(answers, addresses, strict=True)
        }
        assert "Test season" not in "".join(pages)
    address = reverse("stables:calendar_feed", args=[club.season.slug, right])
    assert Client().post(address).status_code == 405, "who has the key may know"


def test_a_revoked_key_ends_and_the_next_one_is_another(club: Club, duel: Fixture) -> None:
    first = address_of(club)
    assert calendar_feeds.revoke_feed(user=club.people["anna"], season=club.season)
    assert fetched(first).status_code == 404
    second = address_of(club)
    assert second != first
    assert fetched(second).status_code == 200
    assert address_of(club) == second, "asked for again it is the same"
    assert CalendarFeed.objects.count() == 1


def test_a_person_who_left_has_no_calendar(club: Club, duel: Fixture) -> None:
    address = address_of(club)
    participation.withdraw(stable_id=club.stable_id("anna"))
    assert fetched(address).status_code == 404
    with pytest.raises(PermissionDenied):
        calendar_feeds.make_feed(user=club.people["anna"], season=club.season)
    SeasonRole.objects.create(season=club.season, user=club.people["anna"], role=SeasonRole.Role.REFEREE)
    assert fetched(address).status_code == 200, "who helps goes on reading"


def test_a_role_that_is_taken_back_takes_the_calendar_too(club: Club, duel: Fixture) -> None:
    role = SeasonRole.objects.create(season=club.season, user=club.people["spectator"], role=SeasonRole.Role.REFEREE)
    address = address_of(club, "spectator")
    assert fetched(address).status_code == 200
    role.delete()
    assert fetched(address).status_code == 404


def test_an_account_that_is_closed_has_no_calendar(club: Club, duel: Fixture) -> None:
    address = address_of(club)
    type(club.people["anna"]).objects.filter(pk=club.people["anna"].pk).update(is_active=False)
    assert fetched(address).status_code == 404


def test_a_draft_is_its_organisers_alone(club: Club, duel: Fixture) -> None:
    anna, organiser = address_of(club), address_of(club, "organiser")
    Season.objects.filter(pk=club.season.pk).update(state=Season.State.DRAFT)
    assert (fetched(anna).status_code, fetched(organiser).status_code) == (404, 200)


def test_only_the_calendar_decides_its_visibility_itself() -> None:
    def views(resolver: URLResolver) -> list[str]:
        found = []
        for each in resolver.url_patterns:
            if isinstance(each, URLResolver):
                found += views(each)
            elif isinstance(each, URLPattern) and getattr(each.callback, DECIDES_VISIBILITY, False):
                found.append(str(each.name))
        return found

    assert views(get_resolver()) == ["calendar_feed"]


def test_the_key_is_in_no_line_of_the_log(club: Club, duel: Fixture, caplog: pytest.LogCaptureFixture) -> None:
    address = address_of(club)
    key = address.rpartition("/")[2].removesuffix(".ics")
    with caplog.at_level(logging.DEBUG):
        fetched(address)
        fetched(f"{address}?key={key}")
        fetched(address.replace(club.season.slug, "elsewhere"))
        fetched(address.replace(".ics", ""))
    lines = []
    for record in caplog.records:
        Surroundings().filter(record)
        lines += [OneLine().format(record), OneObject().format(record)]
    assert any("calendar_feed" in line for line in lines)
    assert not [line for line in lines if key in line and "django.db" not in line]
