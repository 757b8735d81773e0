"""A stable is founded for a guest who has no account, with the link that they open: in one step, by an organiser."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from people.models import Notice, User
from stables.models import LogEntry, Season, SeasonRole, Stable
from stables.services.running import guests, passing
from tests.stables.leagues import people_named
from tests.stables.running.test_hand_on_stables import code_of
from tests.stables.season.test_organising import client_of, run
from tests.stables.seasons import open_with

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def people(db: None) -> dict[str, Any]:
    return people_named("organiser", "helper", "referee", "player", "spectator")


@pytest.fixture
def season(release: Any, people: dict[str, Any]) -> Season:
    """A recruiting season with a stable of the AI, an organiser and a co-organiser."""
    season = open_with(release, ["Machines"])
    season.organiser = people["organiser"]
    season.save()
    SeasonRole.objects.create(season=season, user=people["helper"], role="co_organiser")
    return season


def found(season: Season, user: Any, name: str = "Walk-Ins") -> guests.AwaitedGuest:
    return guests.found_for_guest(season_id=season.pk, name=name, user=user)


def address(season: Season) -> str:
    return reverse("stables:found_for_guest", args=[season.slug])


def test_the_stable_waits_for_its_guest_and_the_ai_never_has_it(season: Season, people: dict[str, Any]) -> None:
    made = found(season, people["helper"])
    stable = Stable.objects.select_related("owner").get(pk=made.founded.stable_id)
    guest = stable.owner
    assert guest is not None
    assert (guest.is_guest, stable.is_ai, stable.capital) == (True, False, season.rules.capital)
    assert Notice.objects.get(code="stable_joined").user == people["organiser"], "the helper did it"
    assert guests.take_seat(passing_id=passing.find(made.link.code).pk) == guest
    assert code_of(passing.find, code=made.link.code) == "link_used"
    lines = LogEntry.objects.exclude(actor=None).order_by("pk").values_list("code", "actor")
    helper = people["helper"].pk
    assert list(lines) == [("stable_founded", helper), ("guest_awaited", helper), ("guest_arrived", guest.pk)]


def test_a_guest_who_was_never_here_gets_messages_in_the_language_of_the_season(
    season: Season, people: dict[str, Any]
) -> None:
    Season.objects.update(language="pl")
    found(season, people["organiser"])
    guest = User.objects.get(is_guest=True)
    assert (guest.language, guest.browser_language) == ("", "pl")


def test_another_link_is_for_the_same_guest(season: Season, people: dict[str, Any]) -> None:
    made = found(season, people["organiser"])
    again = guests.make_seat_link(stable_id=made.founded.stable_id, reason="lost", user=people["organiser"])
    assert code_of(passing.find, code=made.link.code) == "link_revoked"
    guest = guests.take_seat(passing_id=passing.find(again.code).pk)
    assert guest == User.objects.get(is_guest=True)


def test_a_refused_stable_leaves_no_account(
    season: Season, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert code_of(found, season=season, user=people["organiser"], name="Machines") == "stable_name_taken"
    assert code_of(found, season=season, user=people["organiser"], name=" ") == "stable_name_missing"
    with pytest.raises(PermissionDenied):
        found(season, people["player"])
    monkeypatch.setattr(guests, "MOST_GUESTS", 0)
    assert code_of(found, season=season, user=people["organiser"]) == "too_many_guests"
    assert (User.objects.filter(is_guest=True).count(), season.stables.count()) == (0, 1)


def test_an_organiser_who_plays_in_the_running_season_founds_none(season: Season, people: dict[str, Any]) -> None:
    season.stables.update(owner=people["helper"], is_ai=False)
    run(season)
    assert code_of(found, season=season, user=people["helper"]) == "organiser_takes_part"
    assert found(season, people["organiser"]).founded.number == 2


def test_the_page_shows_the_link_once_and_a_phone_opens_it(season: Season, people: dict[str, Any]) -> None:
    organiser = client_of(people["organiser"])
    assert 'name="name"' in organiser.get(address(season)).content.decode()
    answer = organiser.post(address(season), {"name": "Walk-Ins"})
    page = answer.content.decode()
    assert (answer.status_code, "no-store" in answer["Cache-Control"]) == (200, True)
    assert "<svg" in page.split("link-heading")[-1], "there is a code to scan"
    assert answer.context["link"] in page
    waits = "its guest has not come yet"
    console = reverse("stables:console", args=[season.slug])
    assert waits in organiser.get(console).content.decode()
    phone = Client()
    phone.get(answer.context["link"])
    phone.post(reverse("stables:take_over"), {"as": "guest"})
    assert phone.get(season.stables.get(name="Walk-Ins").get_absolute_url() + "market/").status_code == 200
    assert waits not in organiser.get(console).content.decode()
    again = organiser.post(address(season), {"name": "Walk-Ins"})
    assert (again.status_code, 'value="Walk-Ins"' in again.content.decode()) == (409, True)


def test_a_season_that_is_closed_to_newcomers_offers_no_form(season: Season, people: dict[str, Any]) -> None:
    Season.objects.filter(pk=season.pk).update(state="finished")
    organiser = client_of(people["organiser"])
    assert 'name="name"' not in organiser.get(address(season)).content.decode()
    refused = organiser.post(address(season), {"name": "Walk-Ins"})
    assert (refused.status_code, User.objects.filter(is_guest=True).count()) == (409, 0)


def test_a_guests_desk_has_no_link_that_is_refused_to_guests(season: Season, people: dict[str, Any]) -> None:
    guest = Stable.objects.get(pk=found(season, people["organiser"]).founded.stable_id).owner
    assert guest is not None
    client = Client()
    refused = {reverse(f"stables:{name}") for name in ("open_season", "solo")}
    for user, links in ((people["player"], refused), (guest, set())):
        client.force_login(user)
        page = client.get("/").content.decode()
        assert {link for link in refused if f'href="{link}"' in page} == links
    season.visibility = Season.Visibility.PRIVATE
    season.save()
    Stable.objects.filter(owner=guest).update(owner=None)
    assert "manage.py" not in client.get("/").content.decode()
