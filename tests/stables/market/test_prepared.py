"""The organiser sees who is prepared, is asked once more at the start, and may put the market off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jobs.models import Job
from people.models import Notice
from people.text.notices import notice_sentence
from rules.campaign.season.calendar import Calendar
from stables.feeds.calendar import OF_A_CYCLE
from stables.models import Season, Stable
from stables.services.market import baskets, readiness
from stables.services.season import putting_off, seasons
from stables.text.log import log_sentence
from tests.stables.market.test_market_endpoints import client_of, league, people
from tests.stables.market.test_ready import put
from tests.stables.market_goods import bought, common_pilot, common_unit, refused

__all__ = ["league", "people"]

pytestmark = pytest.mark.django_db

NOW = datetime(2099, 6, 13, 12, 0, tzinfo=UTC)
WEEKLY = Calendar.of_preset("weekly", time_zone="Europe/Berlin").to_json()


@pytest.fixture
def organiser(people: dict[str, Any]) -> Client:
    return client_of(people["organiser"])


@pytest.fixture
def first(league: Season) -> Stable:
    return league.stables.select_related("season").get(name="Stable of owner")


@pytest.fixture
def second(league: Season) -> Stable:
    return league.stables.select_related("season").get(name="Stable of rival")


def console(organiser: Client, season: Season) -> str:
    return organiser.get(reverse("stables:console", args=[season.slug])).content.decode()


def market(organiser: Client, season: Season) -> dict[str, tuple[str, bool, bool]]:
    """The market of the console, by stable, as a program reads it: state, sealed, without a crew."""
    rows = organiser.get(f"/api/v1/seasons/{season.slug}/organise/").json()["market"]
    return {row["stable"]: (row["state"], row["has_sealed_basket"], row["lacks_crew"]) for row in rows}


def with_crew(stable: Stable) -> None:
    bought(stable, "unit", common_unit(stable.season))
    bought(stable, "pilot", common_pilot(stable.season))


def test_the_console_says_of_each_stable_where_it_stands(
    league: Season, first: Stable, second: Stable, organiser: Client
) -> None:
    seasons.found_stable(season_id=league.pk, name="Machines")
    with_crew(first)
    put(second, "unit", "pilot")
    assert market(organiser, league) == {
        "stable-of-owner": ("shopping", False, False),
        "stable-of-rival": ("basket_open", False, True),
        "machines": ("ai", False, True),
    }
    page = console(organiser, league)
    assert "cannot field the coming match" in page
    assert "would not be bought" in page
    readiness.say_ready(stable_id=first.pk)
    baskets.seal(stable_id=second.pk)
    found = market(organiser, league)
    assert (found["stable-of-owner"], found["stable-of-rival"]) == (
        ("ready", False, False),
        ("basket_sealed", True, True),
    )
    assert "cannot field the coming match" not in console(organiser, league)
    readiness.say_ready(stable_id=second.pk)
    assert market(organiser, league)["stable-of-rival"] == ("ready", True, True)


def test_what_lies_in_a_sealed_basket_changes_nothing_that_the_organiser_reads(
    league: Season, first: Stable, second: Stable, organiser: Client
) -> None:
    """A crew, or a rally card alone with which the stable cannot fight: both read the same, and both may start."""
    with_crew(second)
    shown = []
    for lines in (("unit", "pilot"), ("rally_card",)):
        baskets.unseal(stable_id=first.pk)
        baskets.set_lines(stable_id=first.pk, lines=[])
        put(first, *lines)
        readiness.say_ready(stable_id=first.pk, without_crew=True)
        shown.append(market(organiser, league))
    assert shown[0] == shown[1]
    seasons.start_season(season_id=league.pk, is_sure=False)


# The start asks once more ---------------------------------------------------------------------------------------------


def test_the_start_of_a_season_names_who_is_not_prepared_and_asks_once(
    league: Season, first: Stable, second: Stable, organiser: Client
) -> None:
    put(second, "rally_card")
    seasons.found_stable(season_id=league.pk, name="Machines")
    address = reverse("stables:start_season", args=[league.slug])
    asked = organiser.post(address)
    assert asked.status_code == 409
    assert asked.context["without_crew"] == ["Stable of owner", "Stable of rival"]
    assert asked.context["unsealed"] == ["Stable of rival"]
    assert "Stable of owner" in asked.content.decode()
    assert Season.objects.get(pk=league.pk).state == "recruiting"
    assert organiser.post(address, {"sure": "yes"}).status_code == 302
    assert Season.objects.get(pk=league.pk).state == "running"


def test_nobody_is_asked_when_all_are_prepared(league: Season, first: Stable, second: Stable) -> None:
    with_crew(first)
    put(second, "unit", "pilot")
    problem = refused(seasons.start_season, season_id=league.pk, is_sure=False)
    assert (problem.code, problem.parameters["without_crew"]) == ("stables_unprepared", ["Stable of rival"])
    baskets.seal(stable_id=second.pk)
    seasons.start_season(season_id=league.pk, is_sure=False)
    assert Season.objects.get(pk=league.pk).state == "running"


def in_running_market(season: Season) -> None:
    """The market of a running season, with its deadline on a Friday."""
    Season.objects.filter(pk=season.pk).update(state="running", calendar=WEEKLY)
    season.cycles.update(market_closes_at=NOW + timedelta(days=4))


def test_the_start_of_a_cycle_asks_too_and_offers_to_put_the_market_off(
    league: Season, first: Stable, second: Stable, organiser: Client
) -> None:
    in_running_market(league)
    with_crew(first)
    address = reverse("stables:start_cycle", args=[league.slug])
    asked = organiser.post(address)
    assert (asked.status_code, asked.context["without_crew"]) == (409, ["Stable of rival"])
    assert reverse("stables:put_market_off", args=[league.slug]) in asked.content.decode()
    assert not Job.objects.filter(name="stables.start_cycle").exists()
    body = organiser.post(f"/api/v1/seasons/{league.slug}/start-cycle", {}, content_type="application/json").json()
    assert (body["code"], body["parameters"]) == (
        "stables_unprepared",
        {"without_crew": ["Stable of rival"], "unsealed": []},
    )
    assert organiser.post(address, {"sure": "yes"}).status_code == 302
    assert Job.objects.filter(name="stables.start_cycle").count() == 1


# The market put off ---------------------------------------------------------------------------------------------------


def test_the_market_is_put_off_by_days_and_everybody_reads_from_when_to_when(
    league: Season, organiser: Client, people: dict[str, Any]
) -> None:
    in_running_market(league)
    address = reverse("stables:put_market_off", args=[league.slug])
    assert address in console(organiser, league)
    assert organiser.post(address, {"amount": "2", "unit": "days", "reason": "agreed"}).status_code == 302
    cycle = league.cycles.get()
    assert cycle.market_closes_at == NOW + timedelta(days=6)
    assert Job.objects.filter(name="stables.chase", payload__what="market").count() == 1
    entry = league.log.get(code="deadline_market_put_off")
    sentence = log_sentence(entry.code, entry.parameters)
    assert "from Wed 17 Jun 2099, 12:00 (UTC) to Fri 19 Jun 2099, 12:00 (UTC). The reason: agreed" in sentence
    assert entry.code in OF_A_CYCLE, "the calendar feeds count the change"
    told = Notice.objects.filter(code="market_put_off")
    assert {notice.user.username for notice in told} == {"owner", "rival"}
    with timezone.override("Europe/Berlin"):
        said = notice_sentence(told[0].code, told[0].parameters)
    assert "to Fri 19 Jun 2099, 14:00 (Europe/Berlin). The reason: agreed" in said
    answer = organiser.post(
        f"/api/v1/seasons/{league.slug}/put-market-off", {"hours": 5}, content_type="application/json"
    )
    assert answer.json() == {"before": "2099-06-19T12:00:00Z", "at": "2099-06-19T17:00:00Z"}


@pytest.mark.parametrize(
    ("before", "days", "at"),
    [
        ("2027-10-30T20:00+02:00", 7, "2027-11-06T20:00+01:00"),
        ("2027-06-30T20:00+02:00", 1, "2027-07-21T20:00+02:00"),
    ],
    ids=["over a clock change", "over days off"],
)
def test_days_go_by_the_wall_clock_and_days_off_do_not_count(league: Season, before: str, days: int, at: str) -> None:
    in_running_market(league)
    days_off = [{"first": "2027-07-01", "last": "2027-07-20"}]
    Season.objects.filter(pk=league.pk).update(calendar={**WEEKLY, "days_off": days_off})
    closes = datetime.fromisoformat(before)
    league.cycles.update(market_closes_at=closes)
    made = putting_off.put_market_off(season_id=league.pk, hours=24 * days, now=closes - timedelta(days=1))
    assert made.at == league.cycles.get().market_closes_at == datetime.fromisoformat(at)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "not_a_number"),
        ({"amount": "0", "unit": "days"}, "bad_field"),
        ({"amount": "2", "unit": "weeks"}, "bad_field"),
        ({"amount": "91", "unit": "days"}, "bad_field"),
    ],
)
def test_a_time_that_is_none_is_refused(league: Season, organiser: Client, fields: dict[str, str], code: str) -> None:
    in_running_market(league)
    answer = organiser.post(reverse("stables:put_market_off", args=[league.slug]), fields)
    assert (answer.status_code, answer.context["code"]) == (400, code)
    assert not league.log.filter(code="deadline_market_put_off").exists()


def test_only_an_open_market_with_a_deadline_is_put_off(league: Season, people: dict[str, Any]) -> None:
    def put_off(hours: int = 24, now: datetime = NOW) -> str:
        return refused(putting_off.put_market_off, season_id=league.pk, hours=hours, now=now).code

    assert put_off() == "no_open_market", "it recruits"
    in_running_market(league)
    assert put_off(now=NOW + timedelta(days=30)) == "deadline_not_ahead"
    league.cycles.update(market_closes_at=None)
    assert put_off() == "no_market_deadline"
    in_running_market(league)
    seasons.start_cycle(season_id=league.pk)
    assert put_off() == "no_open_market", "its start is asked for"
    other = client_of(people["owner"]).post(reverse("stables:put_market_off", args=[league.slug]), {"amount": "1"})
    assert other.status_code == 403
