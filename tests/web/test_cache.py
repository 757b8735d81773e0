"""The shared cache: a site whose cache is away goes on without it, and keeps its limits."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache, caches
from django.test import Client

from solaris_site import shared_cache
from solaris_site.environment import Environment
from tests.services.processes import free_port
from tests.web.log_lines import lines_of


@pytest.fixture
def away(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A site whose cache is at an address where nobody listens."""
    address = f"redis://:hunter2@127.0.0.1:{free_port()}/1"
    monkeypatch.setattr(shared_cache, "away_until", {})
    settings.CACHES = {"default": Environment({"CACHE_URL": address}).cache("CACHE_URL")}
    yield address
    cache.clear()


def test_every_way_to_ask_a_cache_that_is_away_answers_as_an_empty_one(away: str) -> None:
    with lines_of("solaris_site.cache") as lines:
        assert cache.get("a", "nothing") == "nothing"
        assert cache.get_or_set("a", lambda: 1, 60) == 1
        cache.set_many({"b": [2], "c": "3"}, 60)
        assert cache.get_many(["a", "b", "none"]) == {"a": 1, "b": [2]}
        assert cache.incr("a", 4) == 5
        assert (cache.add("a", 9), cache.has_key("c"), cache.touch("c", 5), cache.delete("b")) == (False, 1, 1, 1)
        cache.delete_many(["a", "c"])
        assert cache.get_many(["a", "b", "c"]) == {}
    # One line until somebody asks again, and no password in it.
    assert len(lines()) == 1
    assert "hunter2" not in str(lines())


def test_a_server_that_is_away_is_asked_again_after_a_pause(away: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(shared_cache.time, "monotonic", lambda: now[0])
    cache.set("a", 1)
    shared: Any = caches["default"]
    monkeypatch.setattr(shared._cache.shared, "get", lambda key, default: "of the server")
    assert cache.get("a") == 1
    now[0] += shared_cache.REST_SECONDS
    assert cache.get("a") == "of the server"


@pytest.mark.django_db
def test_without_its_cache_the_interface_answers_and_keeps_its_rates(away: str, client: Client, settings: Any) -> None:
    settings.API_RATES = {"reads": "", "writes": "", "strangers": "2/hour"}
    assert [client.get("/api/v1/champions/").status_code for _ in range(3)] == [200, 200, 429]
