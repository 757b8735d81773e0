"""Provisional champions on pages, in the interface, in calendars and in documents."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from jobs.services import run_pending
from stables.api.reading.replays import named_matches
from stables.documents.columns import FULL, REDACTED
from stables.documents.document import open_contents
from stables.documents.reading import SeasonText
from stables.documents.storing import import_season
from stables.feeds.calendar import feed
from stables.models import Season, Title
from stables.selectors import honours
from stables.services.standings import sudden_deaths
from tests.stables.documents.conftest import exported, require_form
from tests.stables.results.test_corrections import correct
from tests.stables.standings.test_open_results import (
    LOSES,
    TIES,
    WINS,
    again,
    come,
    played,
    run_out,
    season,
    shown,
    winner,
)
from tests.stables.tabletop_matches import fixture_of, person

__all__ = ["played", "season", "shown"]

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def client_of(name: str) -> Client:
    client = Client()
    if name:
        client.force_login(person(name))
    return client


def page(name: str, address: str) -> str:
    return client_of(name).get(address).content.decode()


def asked(address: str, name: str = "") -> Any:
    return client_of(name).get(f"/api/v1/{address}").json()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("stables:season", "Results become final"),
        ("stables:standings", "Results become final"),
        ("stables:news", "provisionally"),
        ("stables:stable", "provisional until the season closes"),
    ],
)
def test_pages_say_that_the_champions_are_provisional(shown: Season, name: str, words: str) -> None:
    stable = winner(shown, 2)
    more = [stable.slug] if name == "stables:stable" else []
    address = reverse(name, args=[shown.slug, *more])
    assert words in page(stable.owner.username, address)
    run_out(shown)
    assert words not in page(stable.owner.username, address)


def test_the_organiser_closes_the_season_on_its_pages(shown: Season) -> None:
    address = reverse("stables:close_season", args=[shown.slug])
    for place in (shown.get_absolute_url(), reverse("stables:console", args=[shown.slug])):
        assert address in page("organiser", place)
        assert "Results become final" in page("organiser", place)
    assert address not in page("ash", shown.get_absolute_url())
    assert reverse("stables:again", args=[shown.slug]) in page("organiser", shown.get_absolute_url())
    assert client_of("ash").post(address).status_code == 403
    assert client_of("organiser").post(address).status_code == 302
    assert again(shown).state == "finished"
    refused = client_of("organiser").post(address)
    assert (refused.status_code, refused.context["code"]) == (409, "season_not_to_close")


def test_a_pause_is_said_instead_of_a_time(shown: Season) -> None:
    client_of("organiser").post(reverse("stables:pause", args=[shown.slug]))
    assert "the time for that does not pass" in page("", shown.get_absolute_url())


def test_the_hall_marks_them_and_the_records_wait_for_the_end(shown: Season) -> None:
    hall = page("", reverse("stables:champions"))
    assert winner(shown, 2).get_absolute_url() in hall
    assert '<span class="tag">provisional</span>' in hall
    assert honours.records(person("ash")) == []
    assert asked("champions/")["results"] == []
    run_out(shown)
    assert '<span class="tag">provisional</span>' not in page("", reverse("stables:champions"))
    assert honours.records(person("ash"))
    assert len(asked("champions/")["results"]) == 1


def test_the_interface_says_until_when_and_marks_the_titles(shown: Season) -> None:
    address = f"seasons/{shown.slug}/"
    found = asked(address)
    assert shown.closes_at is not None
    at = shown.closes_at.isoformat().replace("+00:00", "Z")
    assert (found["state"], found["closes_at"]) == ("provisional", at)
    assert found["deadlines"] == [{"what": "closing", "round": None, "at": at}]
    titles = asked(f"{address}champions/")["results"]
    assert [(title["kind"], title["is_provisional"]) for title in titles] == [("stable", True), ("pilot", True)]
    assert not any(row["is_champion"] for row in asked(f"{address}standings/")["stables"])
    refused = client_of("ash").post(f"/api/v1/{address}close")
    assert refused.status_code == 403
    course = client_of("organiser").post(f"/api/v1/{address}close").json()
    assert (course["state"], course["closes_at"]) == ("finished", None)
    titles = asked(f"{address}champions/")["results"]
    assert [title["is_provisional"] for title in titles] == [False, False]
    assert asked(address)["closes_at"] is None


def test_the_plan_says_when_results_become_final(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(calendar={"preset": "weekly"}, state=Season.State.RECRUITING)
    season.cycles.update(state="market")
    found = asked(f"seasons/{season.slug}/organise/", "organiser")
    ends = found["plan"][-1]["ends"]
    assert found["plan_closes_at"][:10] > ends[:10]
    assert "Results become final" in page("organiser", reverse("stables:console", args=[season.slug]))


def entry(season: Season) -> Any:
    document = Calendar.from_ical(feed(again(season), person("ash").pk, lambda path: f"http://x{path}"))
    return next((each for each in document.walk("VEVENT") if each["summary"] == "Results become final"), None)


def test_a_calendar_has_the_end_and_cancels_it_when_it_comes_early(shown: Season) -> None:
    before = entry(shown)
    assert (before["dtstart"].dt, before["status"]) == (shown.closes_at.replace(microsecond=0), "CONFIRMED")
    correct(fixture_of(shown), WINS)
    run_pending()
    later = entry(shown)
    assert (later["uid"], later["status"]) == (before["uid"], "CONFIRMED")
    assert later["sequence"] > before["sequence"]
    client_of("organiser").post(reverse("stables:close_season", args=[shown.slug]))
    after = entry(shown)
    assert (after["uid"], after["status"]) == (before["uid"], "CANCELLED")
    assert after["sequence"] > later["sequence"]


def test_a_document_is_redacted_until_the_season_is_closed(shown: Season) -> None:
    assert open_contents(shown) == REDACTED
    document = json.loads(exported(shown, REDACTED))
    assert (document["season"]["state"], document["season"]["secret"], document["titles"]) == ("provisional", None, [])


def test_r_sud_04_a_season_with_two_sudden_deaths_for_a_title_moves_elsewhere(shown: Season) -> None:
    correct(fixture_of(shown), TIES)
    run_pending()
    for number in (1, 2):
        sudden_deaths.appear(stable_id=winner(shown, number).pk, plays="owner")
    run_pending()
    correct(fixture_of(shown), LOSES)
    run_pending()
    correct(fixture_of(shown), TIES)
    come(shown)
    closed = run_out(shown)
    names = sorted(name for _, name in named_matches(closed))
    assert names == ["sudden-death-pilot-2.json", "sudden-death-stable.json"]
    document = json.loads(exported(closed, FULL))
    require_form(document)
    assert {match["of"] for match in document["matches"]} == {"title:pilot", "title:pilot:2", "title:stable"}
    [title] = Title.objects.filter(kind="pilot")
    moved = import_season(SeasonText(json.dumps(document)), slug="moved")
    copied = Title.objects.get(season=moved.season_id, kind="pilot")
    assert copied.match is not None
    assert copied.match.fixture_key == f"season:{moved.season_id}:title:pilot:2"
    assert (copied.reputation, copied.decided_by) == (title.reputation, "sudden_death")
