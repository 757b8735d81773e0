"""The address of a calendar on its page and by the interface."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.http import Http404
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from people.services.tokens import SCOPES, make_token
from stables.models import CalendarFeed, Fixture
from stables.services.season import calendar_feeds
from stables.views.reading.calendar import show
from tests.stables.duels import Club
from tests.stables.season.test_calendar_feed import address_of, club, club_with_dates, duel, fetched, opened

__all__ = ["club", "club_with_dates", "duel", "opened"]


# The page and the interface --------------------------------------------------------------------------------------


def test_the_page_makes_shows_and_takes_back_the_address(club: Club, duel: Fixture) -> None:
    client, page = club.client("anna"), club.season.get_absolute_url()
    assert reverse("stables:make_calendar_feed", args=[club.season.slug]) in client.get(page).content.decode()
    answer = client.post(reverse("stables:make_calendar_feed", args=[club.season.slug]))
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{page}#calendar-feed")
    address = f"http://testserver{address_of(club)}"
    shown = client.get(page).content.decode()
    assert f'value="{address}"' in shown
    assert address not in club.client("ben").get(page).content.decode()
    assert address not in club.client("organiser").get(page).content.decode()
    client.post(reverse("stables:revoke_calendar_feed", args=[club.season.slug]))
    assert not CalendarFeed.objects.exists()
    assert address not in client.get(page).content.decode()


@pytest.mark.parametrize("name", ["spectator", None])
def test_who_takes_no_part_is_offered_nothing(club: Club, duel: Fixture, name: str | None) -> None:
    client = club.client(name)
    address = reverse("stables:make_calendar_feed", args=[club.season.slug])
    assert address not in client.get(club.season.get_absolute_url()).content.decode()
    assert client.post(address).status_code == (403 if name else 302)
    assert not CalendarFeed.objects.exists()


def asks(club: Club, name: str, method: str, **headers: str) -> Any:
    text = make_token(user=club.people[name], name=f"{method} {len(headers)}", scopes=list(SCOPES)).text
    sent = {"Authorization": f"Bearer {text}", **headers}
    address = f"/api/v1/seasons/{club.season.slug}/calendar-feed/"
    return getattr(Client(), method)(address, headers=sent, content_type="application/json")


def test_programs_make_read_and_revoke_the_address(club: Club, duel: Fixture) -> None:
    empty = asks(club, "anna", "get")
    assert (empty.status_code, empty.json()) == (200, {"address": None, "made_at": None})
    made = asks(club, "anna", "post")
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store, private"
    address = made.json()["address"]
    assert address == f"http://testserver{address_of(club)}"
    assert fetched(address.removeprefix("http://testserver")).status_code == 200
    again = asks(club, "anna", "post", **{"Idempotency-Key": "once"})
    assert (again.status_code, again.json()) == (200, made.json())
    gone = asks(club, "anna", "delete")
    assert (gone.status_code, gone.content) == (204, b"")
    assert fetched(address.removeprefix("http://testserver")).status_code == 404
    assert asks(club, "ben", "delete").status_code == 204


@pytest.mark.parametrize("method", ["get", "post"])
def test_programs_of_others_get_no_address(club: Club, duel: Fixture, method: str) -> None:
    answer = asks(club, "spectator", method)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_a_key_of_nobody_is_looked_for_nowhere(club: Club) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert calendar_feeds.open_feed(club.season.slug, "x" * 9) is None
    assert len(queries) == 0
    request = RequestFactory().get("/")
    with pytest.raises(Http404):
        show(request, club.season.slug, "x" * 43)
