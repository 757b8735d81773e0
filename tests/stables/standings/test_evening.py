"""A round on the wall and on the projector: what stands there, the time that is left, and codes for phones (O-M6)."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import segno
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from stables.models import Fixture, Round, Season
from stables.presenters.printing.evening import Countdown, Meeting, evening_of
from stables.services.results import settlement
from stables.services.season import invitations
from tests.stables.seasons import first_round, type_in
from tests.stables.tabletop_matches import at_a_table, person
from web.qr import qr_code

pytestmark = pytest.mark.django_db

NOW = datetime(2030, 1, 1, 20, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def shown(name: str, season: Season, client: Client | None = None, **asked: Any) -> Any:
    return (client or Client()).get(reverse(f"stables:{name}", args=[season.slug]), asked)


def words_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def modules(picture: str) -> str:
    """The path that draws the dark modules of a code."""
    return re.findall(r' d="([^"]+)"', picture)[-1]


def code_of(address: str) -> str:
    made = segno.make_qr(address, error="m")
    return modules(made.svg_inline(border=4, dark="#000", light="#fff", omitsize=True))


def settle(fixture: Fixture, **result: Any) -> None:
    type_in(fixture, **result)
    settlement.settle_fixture(fixture_id=fixture.pk)


@pytest.fixture
def paired(sealed: Season) -> list[Fixture]:
    """The round of a season of four stables, its second match at table 1 and its first at table 2."""
    found = first_round(sealed)
    for fixture, table in zip(found, (2, 1), strict=True):
        Fixture.objects.filter(pk=fixture.pk).update(table_number=table)
    return found


# What is there -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["evening", "print_round"])
def test_o_m6_the_round_is_listed_by_tables_with_pairings_and_arenas(
    stocked: Season, paired: list[Fixture], page: str
) -> None:
    evening = shown(page, stocked).context["evening"]
    assert [meeting.fixture.pk for meeting in evening.meetings] == [paired[1].pk, paired[0].pk]
    text = words_of(shown(page, stocked))
    for meeting in evening.meetings:
        assert all(stable.name in text for side in meeting.sides for stable in side)
        assert meeting.arenas
        assert meeting.arenas in text
    assert "Cycle 1, round 1" in text


def test_results_stand_beside_their_match_as_they_come(stocked: Season, paired: list[Fixture]) -> None:
    before = shown("evening", stocked).context["evening"]
    assert not before.is_over
    changes = shown("evening_changes", stocked, version=before.version)
    assert (changes.status_code, changes.content) == (204, b"")
    settle(paired[0], winner="red", reputation=(95, 20))
    changes = shown("evening_changes", stocked, version=before.version)
    assert changes.status_code == 200
    after = shown("evening", stocked).context["evening"]
    assert changes.json() == {"version": after.version}
    [settled] = [meeting for meeting in after.meetings if meeting.is_over]
    assert (settled.fixture.pk, settled.score) == (paired[0].pk, (95, 20))
    assert f"✓ {settled.winner} won" in words_of(shown("evening", stocked))
    settle(paired[1])
    assert "All matches of the round are settled." in words_of(shown("evening", stocked))


@pytest.mark.parametrize(
    "change", [{"table_number": 7}, {"arena_key": "plaza"}, {"scheduled_at": NOW}, {"state": "line_ups"}]
)
def test_every_change_of_a_match_changes_the_page_and_time_alone_does_not(
    stocked: Season, paired: list[Fixture], change: dict[str, Any]
) -> None:
    Fixture.objects.filter(pk=paired[0].pk).update(arena_key="factory")
    before = evening_of(stocked, NOW).version
    assert evening_of(stocked, NOW + timedelta(seconds=1)).version == before
    Fixture.objects.filter(pk=paired[0].pk).update(**change)
    assert evening_of(stocked, NOW).version != before


def test_before_the_first_round_and_after_it_the_pages_say_so(season: Season) -> None:
    for page in ("evening", "print_round"):
        assert "No round is paired yet." in words_of(shown(page, season))
    assert "No match of the round is open at a table." in words_of(shown("print_tables", season))


@pytest.mark.parametrize(("count", "size"), [(4, "few"), (8, "many"), (16, "crowd"), (17, "throng")])
def test_more_matches_stand_in_more_columns(season: Season, count: int, size: str) -> None:
    evening = evening_of(season, NOW)
    meeting = Meeting(Fixture(), (), (), "", "", ())
    assert replace(evening, meetings=(meeting,) * count).size == size


def test_an_older_round_is_printed_by_its_numbers(stocked: Season, paired: list[Fixture]) -> None:
    cycle = stocked.cycles.get()
    Round.objects.create(cycle=cycle, number=2)
    assert shown("print_round", stocked).context["evening"].round.number == 2
    older = shown("print_round", stocked, cycle=1, round=1).context["evening"]
    assert len(older.meetings) == len(paired)
    for asked in ({"cycle": 1, "round": 9}, {"cycle": 1, "round": "x"}, {"cycle": 0, "round": 1}):
        assert shown("print_round", stocked, **asked).status_code == 404


def test_a_private_season_is_shown_to_nobody_else(stocked: Season, paired: list[Fixture]) -> None:
    Season.objects.filter(pk=stocked.pk).update(visibility=Season.Visibility.PRIVATE)
    for page in ("evening", "evening_changes", "print_round", "print_tables"):
        assert shown(page, stocked).status_code == 404


def test_a_larger_round_takes_no_more_queries(stocked: Season, paired: list[Fixture]) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            evening_of(stocked, NOW)
        return len(found)

    evening_of(stocked, NOW)
    many = queries()
    paired[1].delete()
    assert queries() == many <= 5


# The time that is left -----------------------------------------------------------------------------------------


def countdown_of(season: Season, state: str = "sealed", **times: datetime) -> Countdown | None:
    """The countdown of a round with these deadlines, whose matches are in this state."""
    season.refresh_from_db()
    Round.objects.filter(cycle__season=season).update(**{f"{what}_due_at": at for what, at in times.items()})
    Fixture.objects.filter(round__cycle__season=season).update(state=state)
    return evening_of(season, NOW).countdown


@pytest.mark.parametrize(
    ("state", "label"), [("line_ups", "Line-ups are due"), ("sealed", "Matches are due"), ("settled", None)]
)
def test_the_next_deadline_of_open_matches_is_counted_down(
    stocked: Season, paired: list[Fixture], state: str, label: str | None
) -> None:
    times = {"line_ups": NOW + 30 * MINUTE, "play": NOW + 90 * MINUTE, "confirm": NOW + 99 * MINUTE}
    countdown = countdown_of(stocked, state, **times)
    assert (None if countdown is None else countdown.label) == label
    later = countdown_of(stocked, state, **times | {"line_ups": NOW - MINUTE, "play": NOW})
    assert (None if later is None else later.label) == ("Results are due" if label else None)


def test_the_time_until_a_market_closes_is_counted_down(season: Season) -> None:
    season.cycles.update(market_closes_at=NOW + 90 * MINUTE)
    countdown = evening_of(season, NOW).countdown
    assert countdown is not None
    assert (countdown.label, countdown.minutes) == ("The market closes", 90)


@pytest.mark.parametrize(("left", "is_near"), [(5 * MINUTE, True), (5 * MINUTE + timedelta(seconds=1), False)])
def test_five_minutes_before_the_end_there_is_a_sign_in_words(
    stocked: Season, paired: list[Fixture], left: timedelta, is_near: bool
) -> None:
    countdown = countdown_of(stocked, play=NOW + left)
    shown_as = render_to_string("stables/evening_countdown.html", {"countdown": countdown})
    assert ("<span data-near>⚠ Less than five minutes</span>" in shown_as) == is_near
    assert f"{5 if is_near else 6} minutes" in shown_as


@pytest.mark.parametrize(("left", "is_far"), [(12 * 60 * MINUTE, False), (12 * 60 * MINUTE + MINUTE, True)])
def test_a_deadline_that_is_not_this_evening_names_its_day(
    stocked: Season, paired: list[Fixture], left: timedelta, is_far: bool
) -> None:
    countdown = countdown_of(stocked, play=NOW + left)
    shown_as = render_to_string("stables/evening_countdown.html", {"countdown": countdown})
    assert ("2 Jan 2030" in shown_as) == is_far


def test_the_sheet_has_a_column_for_dates_once_a_match_has_one(stocked: Season, paired: list[Fixture]) -> None:
    column = '<th scope="col">Date</th>'
    assert column not in shown("print_round", stocked).text
    Fixture.objects.filter(pk=paired[0].pk).update(scheduled_at=NOW)
    assert column in shown("print_round", stocked).text


def test_no_time_runs_in_a_pause(stocked: Season, paired: list[Fixture]) -> None:
    assert countdown_of(stocked, play=NOW + MINUTE) is not None
    Season.objects.filter(pk=stocked.pk).update(paused_at=NOW)
    assert countdown_of(stocked) is None
    assert "The season is paused" in words_of(shown("evening", stocked))


def test_without_script_the_page_loads_again_and_with_it_asks(stocked: Season, paired: list[Fixture]) -> None:
    page = shown("evening", stocked).content.decode()
    head = page.split("<body>")[0]
    assert re.search(r'<noscript>\s*<meta http-equiv="refresh" content="20">\s*</noscript>', head)
    assert f'data-changes="{reverse("stables:evening_changes", args=[stocked.slug])}"' in page
    assert re.search(r'<script src="[^"]*evening[^"]*js"', page)


# Codes for phones ----------------------------------------------------------------------------------------------


def test_o_m10_a_code_holds_its_address_and_says_where_it_leads() -> None:
    made = qr_code("https://club.example/seasons/gold/", 'To "gold"')
    assert modules(made) == code_of("https://club.example/seasons/gold/") != code_of("https://club.example/")
    assert 'role="img" aria-label="To &quot;gold&quot;"' in made
    assert "style" not in made
    assert "<script" not in made


@pytest.mark.parametrize("page", ["evening", "print_round"])
def test_o_m10_the_wall_shows_the_code_of_the_season(stocked: Season, paired: list[Fixture], page: str) -> None:
    assert code_of(f"http://testserver{stocked.get_absolute_url()}") in shown(page, stocked).content.decode()


def test_o_m10_each_open_table_has_a_sign_with_the_code_of_its_page(stocked: Season, paired: list[Fixture]) -> None:
    at_a_table(stocked)
    addresses = [f"http://testserver{reverse('stables:table', args=[stocked.slug, one.pk])}" for one in paired]
    signs = shown("print_tables", stocked).content.decode()
    assert all(code_of(address) in signs for address in addresses)
    assert signs.index("Table 1") < signs.index("Table 2")
    Fixture.objects.filter(pk=paired[0].pk).update(mode=Fixture.Mode.BROWSER)
    signs = shown("print_tables", stocked).content.decode()
    assert [code_of(address) in signs for address in addresses] == [False, True]


def test_o_m10_an_invitation_has_its_code_until_it_is_taken_back(stocked: Season) -> None:
    organiser = person("organiser")
    Season.objects.filter(pk=stocked.pk).update(organiser=organiser)
    client = Client()
    client.force_login(organiser)
    made = invitations.invite(season_id=stocked.pk, actor=organiser)
    console = shown("console", stocked, client).content.decode()
    link = re.search(r"http://testserver/join/[^<>\"\s]+", console)
    assert link is not None
    assert urlsplit(link[0]).path == reverse("stables:join", args=[made.code])
    assert code_of(link[0]) in console
    invitations.revoke(season_id=stocked.pk, invitation_id=made.invitation_id, actor=organiser)
    assert code_of(link[0]) not in shown("console", stocked, client).content.decode()


def test_a_phone_that_counts_stays_awake_and_the_match_has_the_code_of_its_table(
    stocked: Season, paired: list[Fixture]
) -> None:
    at_a_table(stocked)
    fixture = paired[0]
    owner = Client()
    owner.force_login(fixture.sides.select_related("stable__owner").order_by("id")[0].stable.owner)
    address = reverse("stables:table", args=[stocked.slug, fixture.pk])
    page = owner.get(address).content.decode()
    assert re.search(r'<script src="[^"]*awake[^"]*js"', page)
    assert re.search(r'<p id="awake"[^>]* hidden>', page)
    assert code_of(f"http://testserver{address}") in owner.get(fixture.get_absolute_url()).content.decode()
    referee = Client()
    referee.force_login(person("referee"))
    assert "awake" not in referee.get(address).content.decode()
