"""The season after one that is over."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from people.models import Notice
from rules.core.refusals import SeasonRefused
from stables.models import Invitation, LogEntry, Season, SeasonRole, Stable
from stables.services.season import seasons
from stables.services.season.next_season import next_name, open_next_season
from tests.stables.conftest import open_with

pytestmark = [pytest.mark.django_db, pytest.mark.database]

CALENDAR = {"preset": "weekly", "weekday": 2, "at": "20:30", "ends_on": "2026-06-30"}


@pytest.fixture
def people(db: None) -> dict[str, Any]:
    names = ("organiser", "player", "referee", "gone")
    return {name: get_user_model().objects.create_user(name, f"{name}@example.org") for name in names}


@pytest.fixture
def over(release: Any, people: dict[str, Any]) -> Season:
    """A finished season of two persons and two stables of the AI."""
    season = open_with(release, ["Ash", "Birch"], cycles=["standard", "team"], loser_keeps_reputation=True)
    Stable.objects.filter(season=season, name="Ash").update(character="reckless", bot="random")
    for name in ("player", "organiser"):
        seasons.found_stable(season_id=season.pk, name=f"Stable of {name}", owner=people[name])
    SeasonRole.objects.create(season=season, user=people["referee"], role="referee")
    values = {"state": Season.State.FINISHED, "organiser": people["organiser"], "calendar": CALENDAR}
    Season.objects.filter(pk=season.pk).update(**values, pending_settings={"absence_pays": 5})
    return Season.objects.get(pk=season.pk)


def again(season: Season, organiser: Any, **changes: Any) -> Season:
    return Season.objects.get(pk=open_next_season(season_id=season.pk, organiser=organiser, **changes).season_id)


def test_again_copies_settings_calendar_stables_of_the_ai_and_roles(over: Season, people: dict[str, Any]) -> None:
    new = again(over, people["organiser"])
    assert (new.state, new.copied_from, new.name) == (Season.State.RECRUITING, over, "Test season 2")
    assert new.settings == {**over.settings, "absence_pays": 5}
    assert [new.calendar[key] for key in ("preset", "weekday", "at")] == ["weekly", 2, "20:30"]
    assert new.calendar.get("ends_on", "") == ""
    assert (new.release, bytes(new.secret) != bytes(over.secret)) == (over.release, True)
    stables = list(new.stables.order_by("number"))
    assert [(stable.name, stable.character, stable.bot) for stable in stables] == [
        ("Ash", "reckless", "random"),
        ("Birch", "balanced", "greedy"),
    ]
    assert all(stable.capital == new.rules.capital for stable in stables)
    assert [stable.identity for stable in stables] == [
        stable.identity for stable in over.stables.filter(is_ai=True).order_by("number")
    ]
    assert list(new.roles.values_list("user__username", "role")) == [("referee", "referee")]
    assert LogEntry.objects.filter(season=over, code="season_followed").count() == 1


def test_those_who_played_are_invited_once(over: Season, people: dict[str, Any]) -> None:
    new = again(over, people["organiser"])
    assert again(over, people["organiser"]) == new
    [notice] = Notice.objects.filter(code="season_invites_again")
    assert (notice.user, notice.url) == (people["player"], new.get_absolute_url())


def test_where_one_joins_by_invitation_the_notice_brings_one(over: Season, people: dict[str, Any]) -> None:
    Season.objects.filter(pk=over.pk).update(joining="invited")
    new = again(over, people["organiser"])
    code = Invitation.objects.get(season=new).code
    assert Notice.objects.get(code="season_invites_again").url == reverse("stables:join", args=[code])


def test_a_co_organiser_takes_over_and_the_organiser_helps(over: Season, people: dict[str, Any]) -> None:
    Season.objects.filter(pk=over.pk).update(state=Season.State.CANCELLED, language="de")
    new = again(over, people["referee"], name="  The   return ")
    assert (new.name, new.organiser, new.language) == ("The return", people["referee"], "de")
    assert list(new.roles.values_list("user__username", "role")) == [("organiser", "co_organiser")]


@pytest.mark.parametrize("state", ["recruiting", "running", "sudden_death"])
def test_a_season_that_goes_on_is_not_followed(over: Season, people: dict[str, Any], state: str) -> None:
    Season.objects.filter(pk=over.pk).update(state=state)
    with pytest.raises(SeasonRefused) as caught:
        again(over, people["organiser"])
    assert caught.value.code == "season_not_over"
    assert Season.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "following"),
    [
        ("Winter", "Winter 2"),
        ("Winter 2", "Winter 3"),
        ("Winter 9", "Winter 10"),
        ("7", "7 2"),
        ("W" * 80, "W" * 78 + " 2"),
        ("\u2068\u05e9 2\u2069", "\u05e9 3"),
    ],
)
def test_names_are_counted_on(name: str, following: str) -> None:
    assert next_name(name) == following


def test_only_an_organiser_opens_it_again(over: Season, people: dict[str, Any]) -> None:
    address = reverse("stables:again", args=[over.slug])
    for who, status in ((None, 302), ("player", 403), ("referee", 403)):
        client = Client()
        if who:
            client.force_login(people[who])
        assert client.post(address).status_code == status
    client = Client()
    client.force_login(people["organiser"])
    assert "Again" in client.get(over.get_absolute_url()).content.decode()
    assert client.get(address).status_code == 405
    assert client.post("/seasons/no-such/again").status_code == 404
    long = client.post(address, {"name": "x" * 81})
    assert (long.status_code, long.context["code"]) == (400, "season_name_missing")
    assert client.post(address, {"name": "Summer"}).status_code == 302
    assert client.post(address).status_code == 302
    assert Season.objects.filter(copied_from=over).count() == 1


def test_somebody_who_comes_back_is_offered_their_stable(over: Season, people: dict[str, Any]) -> None:
    new = again(over, people["organiser"])
    client = Client()
    client.force_login(people["player"])
    assert '<option value="Stable of player">' in client.get(new.get_absolute_url()).content.decode()
