"""The preview of a link to a season or its match is in the season's language, where the one that asks names none."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from stables.models import Season
from tests.languages import finish, speak_with_marks

from .conftest import World

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture(autouse=True)
def finished(monkeypatch: pytest.MonkeyPatch) -> None:
    finish(monkeypatch, pl=["stables", "matches", "web", "people"], de=["stables", "matches", "web", "people"])
    speak_with_marks(monkeypatch)


@pytest.fixture
def season(world: World) -> Season:
    season = world.played
    season.language = "pl"
    season.save(update_fields=["language"])
    return season


@pytest.fixture
def match_address(season: Season, world: World) -> str:
    return world.finished.get_absolute_url()


def language_at(client: Client, address: str, **headers: str) -> str:
    answer = client.get(address, headers={name.replace("_", "-"): value for name, value in headers.items()})
    assert answer.status_code == 200
    language = answer.headers["Content-Language"]
    page = answer.content.decode()
    [about] = re.findall(r'<meta property="og:description" content="([^"]*)">', page)
    assert f'<html lang="{language}"' in page
    assert about.lower().startswith(f"{language}:") or language == "en"
    assert "not yet in" not in page
    return language


def test_whoever_names_no_language_reads_that_of_the_season(client: Client, season: Season, match_address: str) -> None:
    for address in (season.get_absolute_url(), match_address):
        assert language_at(client, address) == "pl"
        assert language_at(client, address, accept_language="*") == "pl"
        assert language_at(client, address, accept_language="de") == "de"
        assert language_at(client, address, accept_language="fr") == "en"
    assert client.get("/").headers["Content-Language"] == "en"


def test_a_season_without_a_language_speaks_that_of_its_organiser(client: Client, season: Season) -> None:
    Season.objects.update(language="")
    assert language_at(client, season.get_absolute_url()) == "en"
    season.organiser.language = "de"
    season.organiser.save(update_fields=["language"])
    assert language_at(client, season.get_absolute_url()) == "de"


def test_a_chosen_language_counts_in_the_season_too(client: Client, season: Season) -> None:
    client.cookies["django_language"] = "de"
    assert language_at(client, season.get_absolute_url()) == "de"


def test_programs_read_english_until_they_ask(client: Client, season: Season) -> None:
    answer = client.get(f"/api/v1/seasons/{season.slug}/")
    assert answer.headers["Content-Language"] == "en"


def test_the_picture_speaks_the_language_too_and_is_another_one(client: Client, match_address: str) -> None:
    tags = {
        client.get(f"{match_address}picture.png", headers=headers).headers["ETag"]
        for headers in ({}, {"accept-language": "pl"}, {"accept-language": "de"}, {"accept-language": "en"})
    }
    assert len(tags) == 3
