"""Documents and archives of seasons take a processor for a while: a stranger has few made, and gets kept ones."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.core.cache import cache

from people.services.accounts import Limit
from stables.api import base
from stables.api.reading import exports
from stables.models import LogEntry, Season

EXPORT = "seasons/played-season/export/"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many documents were made."""
    cache.clear()
    count: Counter[str] = Counter()
    real = exports.written_file

    def write(season: Season) -> Any:
        count["documents"] += 1
        return real(season)

    monkeypatch.setattr(exports, "written_file", write)
    return count


def test_strangers_share_a_document_until_the_season_goes_on(api: Any, made: Counter[str]) -> None:
    first, again = api("", "get", EXPORT), api("", "get", EXPORT)
    text = first.getvalue()
    assert text == again.getvalue() != b""
    assert first.headers["ETag"] == again.headers["ETag"]
    tagged = api("", "get", EXPORT, headers={"If-None-Match": first.headers["ETag"]})
    assert (tagged.status_code, made["documents"]) == (304, 1)
    known = api("player", "get", EXPORT)
    assert (known.getvalue(), known.headers["ETag"], made["documents"]) == (text, first.headers["ETag"], 2)
    LogEntry.objects.create(season=Season.objects.get(slug="played-season"), code="season_started")
    assert api("", "get", EXPORT).headers["ETag"] != first.headers["ETag"]
    assert made["documents"] == 3


@pytest.mark.parametrize("address", [EXPORT, "seasons/played-season/replays.zip"])
def test_a_place_without_an_account_has_few_files_made(
    api: Any, made: Counter[str], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(base, "FILES_OF_A_PLACE", Limit("season_file", 1))
    assert api("", "get", address).status_code == 200
    cache.clear()
    refused = api("", "get", address)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_often")
    assert int(refused.headers["Retry-After"]) > 0
    assert api("player", "get", address).status_code == 200
