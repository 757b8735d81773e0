"""What leaves the site for many readers is in the season's language; a person's calendar is in their own."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from stables.models import Delivery, Season, Webhook
from stables.selectors.webhooks import deliveries_due
from stables.selectors.webhooks.messages import message_of
from stables.services.base import log
from stables.services.season import calendar_feeds
from tests.languages import finish, speak_with_marks
from tests.stables.duels import Club

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def finished(monkeypatch: pytest.MonkeyPatch) -> None:
    finish(monkeypatch, pl=["stables"], de=["stables", "people"])
    speak_with_marks(monkeypatch)


def organiser_reads(season: Season, language: str) -> Any:
    season.organiser.language = language
    season.organiser.save(update_fields=["language"])
    return season.organiser


def posted(season: Season, format: str) -> str:
    """The words of a line of the log, as a worker posts them while it happens to speak another language."""
    Webhook.objects.filter(season=season).delete()
    Webhook.objects.create(season=season, url="https://a.example/", format=format, secret="whsec_")
    log.record(season, "season_paused")
    delivery = Delivery.objects.select_related("webhook__season__organiser").latest("id")
    with translation.override("de"):
        document = json.loads(message_of([delivery]).body)
        assert translation.get_language() == "de"
    # Discord would read some signs as markup, so they have a backslash there.
    return str(document.get("content", document.get("sentence"))).replace("\\", "")


@pytest.mark.parametrize("format", Webhook.Format.values)
def test_news_leave_in_the_language_of_the_season_and_else_of_its_organiser(club: Club, format: str) -> None:
    season = club.season
    assert not posted(season, format).startswith(("pl:", "de:"))
    organiser_reads(season, "pl")
    assert posted(season, format).startswith("pl:")
    Season.objects.filter(pk=season.pk).update(language="de")
    assert posted(season, format).startswith("de:")
    Season.objects.filter(pk=season.pk).update(language="en")
    assert not posted(season, format).startswith(("pl:", "de:"))


def test_news_of_a_season_whose_room_is_unfinished_are_english(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(monkeypatch, pl=["people"])
    organiser_reads(club.season, "pl")
    assert not posted(club.season, Webhook.Format.GENERIC).startswith("pl:")


def test_a_worker_reads_the_language_with_the_delivery(club: Club) -> None:
    organiser_reads(club.season, "pl")
    posted(club.season, Webhook.Format.GENERIC)
    with CaptureQueriesContext(connection) as queries:
        delivery = deliveries_due.next_due([])
        assert delivery is not None
        message_of([delivery])
    assert len(queries) == 1


def test_an_organiser_chooses_the_language_on_the_page_of_webhooks(club: Club, client: Client) -> None:
    season = club.season
    organiser_reads(season, "de")
    client.force_login(season.organiser)
    address = f"{season.get_absolute_url()}webhooks/"
    assert 'name="language"' in client.get(address).content.decode()
    client.post(f"{address}language", {"language": "pl"})
    season.refresh_from_db()
    assert season.language == "pl"
    assert re.search(r'<option value="pl"[^>]* selected', client.get(address).content.decode())
    assert client.post(f"{address}language", {"language": "fr"}).status_code == 400
    season.refresh_from_db()
    assert season.language == "pl"


def test_a_program_chooses_the_language_too(club: Club, client: Client) -> None:
    season = club.season
    client.force_login(season.organiser)
    address = f"/api/v1{season.get_absolute_url()}language/"
    given = client.put(address, {"language": "pl"}, content_type="application/json")
    assert (given.status_code, given.json()) == (200, {"language": "pl"})
    season.refresh_from_db()
    assert season.language == "pl"
    refused = client.put(address, {"language": "fr"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")


def test_where_english_is_alone_nobody_is_asked(club: Club, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(monkeypatch)
    client.force_login(club.season.organiser)
    page = client.get(f"{club.season.get_absolute_url()}webhooks/").content.decode()
    assert "Language of what the season posts" not in page


def test_a_calendar_is_in_the_language_of_its_person(club: Club, client: Client) -> None:
    season = club.season
    person = organiser_reads(season, "pl")
    found, _ = calendar_feeds.make_feed(user=person, season=season)
    address = f"{season.get_absolute_url()}calendar/{found.key}.ics"
    assert "pl:" in client.get(address, headers={"accept-language": "de"}).content.decode()
    organiser_reads(season, "")
    assert "de:" in client.get(address, headers={"accept-language": "de"}).content.decode()
    assert "pl:" not in client.get(address).content.decode()
    Season.objects.filter(pk=season.pk).update(language="pl")
    assert "pl:" in client.get(address).content.decode(), "a program that names no language"
    person.browser_language = "de"
    person.save(update_fields=["browser_language"])
    assert "de:" in client.get(address).content.decode()
