"""Whom a reported or disputed match waits for, as the pages of players, referees and organisers say it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from people.models import Notice
from people.services.accounts import TooOften
from stables.models import Fixture, Season, SeasonRole, Stable
from stables.presenters.next_step import next_step
from stables.selectors.reports import reported_in
from stables.services.results import reports
from stables.services.running import roles
from tests.stables.season_worlds import Enters, inside
from tests.stables.tabletop_matches import fixture_of, person, red_wins, sides_of, tables

MOST = 15


@pytest.fixture(scope="module")
def seated(django_db_blocker: Any, two_at_tables: Enters) -> Iterator[Season]:
    """Line-ups are sealed once; every test plays from there."""
    with inside(django_db_blocker, two_at_tables) as made:
        yield made


@pytest.fixture
def season(db: None, seated: Season) -> Season:
    return Season.objects.get(pk=seated.pk)


@pytest.fixture
def fixture(season: Season) -> Fixture:
    return fixture_of(season)


def file(fixture: Fixture, side: str, **changes: Any) -> Stable:
    stable = next(one.stable for one in sides_of(fixture) if one.side == side)
    reports.file_report(fixture_id=fixture.pk, stable_id=stable.pk, document=red_wins(**changes), user=stable.owner)
    return stable


def dispute(fixture: Fixture) -> None:
    file(fixture, "red", clicks=2)
    file(fixture, "blue", clicks=4)


def other(fixture: Fixture, stable: Stable) -> Stable:
    return next(one.stable for one in sides_of(fixture) if one.stable_id != stable.pk)


def client_of(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text(html: str) -> str:
    return re.sub(r"\s+", " ", strip_tags(html.replace("</li>", "; ")))


def page(user: Any, address: str) -> tuple[str, str]:
    """The page as HTML and as text; it takes no more queries than any."""
    client = client_of(user)
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    assert answer.status_code == 200
    assert len(queries) <= MOST, [query["sql"][:90] for query in queries]
    return answer.content.decode(), text(answer.content.decode())


def own_page(stable: Stable) -> str:
    return reverse("stables:stable", args=[stable.season.slug, stable.slug])


def address_of(season: Season, fixture: Fixture) -> str:
    return reverse("stables:fixture", args=[season.slug, fixture.pk])


def console_of(season: Season) -> str:
    return reverse("stables:console", args=[season.slug])


def test_the_rival_is_asked_to_confirm_on_every_page_of_their(season: Season, fixture: Fixture) -> None:
    reporter = file(fixture, "red")
    rival = other(fixture, reporter)
    wanted = f"{reporter.name} has reported: confirm it or say otherwise."
    link = f'href="{address_of(season, fixture)}"'
    for address in ("/", season.get_absolute_url(), own_page(rival)):
        html, words = page(rival.owner, address)
        assert wanted in words, address
        assert link in html, address
        assert "your match is to be played" not in words
        assert "play your match at the table" not in words
    rival.season = season
    step = next_step(rival)
    assert (step.kind, step.address) == ("report", address_of(season, fixture))
    assert client_of(rival.owner).get(reverse("stables:season_next", args=[season.slug])).url == step.address


def test_before_any_report_the_match_is_to_be_played(season: Season, fixture: Fixture) -> None:
    owner = sides_of(fixture)[0].stable.owner
    assert "your match is to be played" in page(owner, "/")[1]
    assert "play your match at the table, then report it" in page(owner, season.get_absolute_url())[1]
    assert "has reported" not in page(owner, "/")[1]


def test_who_has_reported_waits_for_the_rival_and_has_no_task(season: Season, fixture: Fixture) -> None:
    reporter = file(fixture, "red")
    rival = other(fixture, reporter)
    client = client_of(reporter.owner)
    assert client.get("/").context["waiting"] == []
    assert client.get(season.get_absolute_url()).context["now"].tasks == []
    for address in ("/", season.get_absolute_url(), own_page(reporter)):
        assert f"your report waits for {rival.name}." in page(reporter.owner, address)[1], address
    # Everybody sees whom the season waits for.
    words = page(person("somebody"), season.get_absolute_url())[1]
    assert f"Still to confirm it: {rival.name}." in words
    assert f"Reported by: {reporter.name}." in words


def test_who_reports_again_alike_settles_it_and_nothing_waits(season: Season, fixture: Fixture) -> None:
    dispute(fixture)
    file(fixture, "red", clicks=4)
    assert reported_in([season.pk]) == {}
    for name in ("ash", "birch", "referee", "organiser"):
        words = page(person(name), "/")[1]
        assert "reports of your match differ" not in words
        assert "Decide the result" not in words


def test_while_reports_differ_both_players_are_shown(season: Season, fixture: Fixture) -> None:
    dispute(fixture)
    link = f'href="{address_of(season, fixture)}"'
    for side in sides_of(fixture):
        for address in ("/", season.get_absolute_url(), own_page(side.stable)):
            html, words = page(side.stable.owner, address)
            differ = "the reports of your match differ: look at both, or an organiser or referee decides."
            assert differ in words, address
            assert link in html
            assert "Decide the result" not in words


@pytest.mark.parametrize("name", ["referee", "organiser", "helper"])
def test_who_may_decide_has_the_task_without_a_stable(season: Season, fixture: Fixture, name: str) -> None:
    red, blue = (side.stable for side in sides_of(fixture))
    judge = person(name)
    if name == "helper":
        roles.give_role(season_id=season.pk, name=name, role=SeasonRole.Role.CO_ORGANISER)
    for address in ("/", season.get_absolute_url()):
        assert "Decide the result" not in page(judge, address)[1]
    assert "Nothing yet: found a stable" not in page(judge, "/")[1]
    assert season.name in [each.season.name for each in client_of(judge).get("/").context["offices"]]
    file(fixture, "red", clicks=2)
    assert "Decide the result" not in page(judge, "/")[1]
    file(fixture, "blue", clicks=4)
    for address in ("/", season.get_absolute_url()):
        html, words = page(judge, address)
        assert f"Decide the result of {red.name} against {blue.name}." in words, address
        assert f'href="{address_of(season, fixture)}"' in html
    assert client_of(judge).get(reverse("stables:decide_result", args=[season.slug, fixture.pk])).status_code == 200


def test_an_organiser_who_plays_in_the_match_does_not_decide_it(season: Season, fixture: Fixture) -> None:
    owner = sides_of(fixture)[0].stable.owner
    Season.objects.filter(pk=season.pk).update(organiser=owner)
    dispute(fixture)
    for address in ("/", season.get_absolute_url(), console_of(season)):
        assert "Decide the result" not in page(owner, address)[1], address


def test_a_role_that_is_given_later_comes_with_what_waits(season: Season, fixture: Fixture) -> None:
    dispute(fixture)
    late = person("late")
    assert "Nothing yet: found a stable" in page(late, "/")[1]
    roles.give_role(season_id=season.pk, name="late", role=SeasonRole.Role.REFEREE)
    notices = list(Notice.objects.filter(user=late).order_by("id").values_list("code", "url"))
    assert [code for code, _ in notices] == ["role_given", "ruling_wanted"]
    assert notices[1][1] == address_of(season, fixture)
    for address in ("/", season.get_absolute_url()):
        assert "Decide the result of" in page(late, address)[1]


def test_a_role_given_without_a_dispute_or_to_a_player_asks_for_no_ruling(season: Season, fixture: Fixture) -> None:
    file(fixture, "red")
    roles.give_role(season_id=season.pk, name=person("late").username, role=SeasonRole.Role.REFEREE)
    assert not Notice.objects.filter(code="ruling_wanted").exists()
    file(fixture, "blue", clicks=4)
    roles.give_role(season_id=season.pk, name="ash", role=SeasonRole.Role.REFEREE)
    asked = Notice.objects.filter(code="ruling_wanted").values_list("user__username", flat=True)
    assert sorted(asked) == ["late", "organiser", "referee"]


def test_who_helps_in_another_season_sees_nothing_of_this_one(release: Any, season: Season, fixture: Fixture) -> None:
    elsewhere = tables(release, ["Cedar", "Dogwood"])
    SeasonRole.objects.filter(season=elsewhere).delete()
    roles.give_role(season_id=elsewhere.pk, name=person("stranger").username, role=SeasonRole.Role.REFEREE)
    dispute(fixture)
    for address in ("/", season.get_absolute_url()):
        assert "Decide the result" not in page(person("stranger"), address)[1]


def test_the_console_says_where_each_match_stands(season: Season, fixture: Fixture) -> None:
    organiser = person("organiser")
    assert "Reported by" not in page(organiser, console_of(season))[1]
    reporter = file(fixture, "red", clicks=2)
    rival = other(fixture, reporter)
    words = page(organiser, console_of(season))[1]
    due = Fixture.objects.get(pk=fixture.pk).confirm_due_at
    assert due is not None
    until = timezone.localtime(due).strftime("%H:%M")
    assert (
        f"Reported by: {reporter.name}. Still to confirm it: {rival.name}. If nobody contradicts, it holds from"
        in words
    )
    assert until in words
    file(fixture, "blue", clicks=4)
    words = page(organiser, console_of(season))[1]
    assert "disputed Reported by:" in words
    assert f"Decide the result of {reporter.name} against {rival.name}." in words
    season_words = page(person("somebody"), season.get_absolute_url())[1]
    assert "Reports differ:" in season_words
    assert "waits for the players to agree, or for an organiser or a referee" in season_words


def test_silence_is_shown_also_where_nothing_has_a_deadline(season: Season, fixture: Fixture) -> None:
    sentence = "Nothing has a deadline, but a report that nobody contradicts counts after 24 hours."
    for user, address in ((person("ash"), season.get_absolute_url()), (person("organiser"), console_of(season))):
        assert sentence in page(user, address)[1]
    # On the console under the deadlines and under the calendar.
    assert page(person("organiser"), console_of(season))[1].count(sentence) == 2
    file(fixture, "red")
    for user, address in ((person("ash"), season.get_absolute_url()), (person("organiser"), console_of(season))):
        assert "Round 1: A report counts unless somebody contradicts it:" in page(user, address)[1]


def test_a_calendar_s_own_span_is_shown(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(calendar={"preset": "club_night", "confirm_minutes": 10})
    words = page(person("ash"), season.get_absolute_url())[1]
    assert "A report that nobody contradicts counts after 10 minutes." in words
    assert "Nothing has a deadline" not in words


def test_a_season_without_tables_says_nothing_of_reports(season: Season) -> None:
    Fixture.objects.update(mode=Fixture.Mode.AI)
    assert "nobody contradicts" not in page(person("ash"), season.get_absolute_url())[1]


def test_many_matches_take_no_more_queries_than_one(release: Any, season: Season, fixture: Fixture) -> None:
    def counts(of: Season) -> list[int]:
        mine = of.stables.select_related("season").order_by("number")[0]
        found = []
        for user, address in (
            (mine.owner, "/"),
            (mine.owner, of.get_absolute_url()),
            (mine.owner, own_page(mine)),
            (person("referee"), of.get_absolute_url()),
            (person("referee"), "/"),
            (person("organiser"), console_of(of)),
        ):
            client = client_of(user)
            client.get(address)
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            found.append(len(queries))
        return found

    dispute(fixture)
    few = counts(season)
    names = ["Cedar", "Dogwood", "Elm", "Fir", "Gorse", "Hazel"]
    large = tables(release, names, secret=b"u" * 32)
    for each in Fixture.objects.filter(round__cycle__season=large, kind="match"):
        dispute(each)
    assert len(reported_in([large.pk])) == 3
    assert counts(large) == few
    assert max(few) <= MOST


def test_a_rival_hears_of_reports_that_are_filed_again_no_more_than_so_often(fixture: Fixture) -> None:
    red, blue = sides_of(fixture)
    filed: dict[str, Any] = {"fixture_id": fixture.pk, "stable_id": red.stable_id, "user": red.stable.owner}
    most = reports.REPORTS_OF_A_STABLE.times
    for _ in range(most):
        reports.file_report(document=red_wins(), **filed)
    with pytest.raises(TooOften):
        reports.file_report(document=red_wins(), **filed)
    assert Notice.objects.filter(user=blue.stable.owner, code="report_names_you").count() == most
