"""A season that is saved as a draft: its organisers prepare it alone, and publish it when it is ready."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from rules.core.refusals import SeasonRefused
from stables.models import LogEntry, Season, SeasonRole
from stables.services.season import opening, seasons
from stables.services.season.settings import change_settings
from web.bounds import MOST_RECRUITING

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def client_of(name: str) -> Client:
    client = Client()
    people = get_user_model().objects
    client.force_login(people.filter(username=name).first() or people.create_user(name, f"{name}@example.org", "-"))
    return client


@pytest.fixture
def keeper(release: Any) -> Client:
    return client_of("keeper")


@pytest.fixture
def draft(keeper: Client) -> Season:
    fields = {"name": "Quiet plans", "weight_class": "light", "ai_stables": "2", "draft": "yes"}
    answer = keeper.post("/open-a-season/", fields)
    season = Season.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, season.get_absolute_url())
    return season


def test_a_draft_is_seen_by_its_organisers_alone(keeper: Client, draft: Season) -> None:
    assert draft.state == Season.State.DRAFT
    page = keeper.get(draft.get_absolute_url())
    assert reverse("stables:publish_season", args=[draft.slug]) in page.content.decode()
    assert draft.get_absolute_url() in keeper.get("/open-a-season/").content.decode()
    assert keeper.get(reverse("stables:console", args=[draft.slug])).status_code == 200
    helper, referee, staff = client_of("helper"), client_of("referee"), client_of("staff")
    get_user_model().objects.filter(username="staff").update(is_staff=True, is_superuser=True)
    people = {user.username: user for user in get_user_model().objects.all()}
    SeasonRole.objects.create(season=draft, user=people["helper"], role=SeasonRole.Role.CO_ORGANISER)
    SeasonRole.objects.create(season=draft, user=people["referee"], role=SeasonRole.Role.REFEREE)
    assert helper.get(draft.get_absolute_url()).status_code == 200
    for other in (Client(), client_of("other"), referee, staff):
        assert other.get(draft.get_absolute_url()).status_code == 404
        assert other.post(reverse("stables:publish_season", args=[draft.slug])).status_code == 404


def test_nobody_joins_a_draft_and_it_does_not_start(keeper: Client, draft: Season) -> None:
    founded = keeper.post(reverse("stables:found_stable", args=[draft.slug]), {"name": "Early"})
    assert (founded.status_code, founded.context["code"]) == (409, "season_closed_to_newcomers")
    with pytest.raises(SeasonRefused, match="season_not_recruiting"):
        seasons.start_season(season_id=draft.pk)
    assert draft.stables.count() == 2


def test_a_drafts_settings_may_still_be_changed(draft: Season) -> None:
    change_settings(season_id=draft.pk, changes={"places": 5})
    assert Season.objects.get().rules.places == 5


def test_a_published_draft_recruits_once(keeper: Client, draft: Season) -> None:
    address = reverse("stables:publish_season", args=[draft.slug])
    assert keeper.post(address).status_code == 302
    assert Season.objects.get().state == Season.State.RECRUITING
    assert Client().get(draft.get_absolute_url()).status_code == 200
    assert LogEntry.objects.filter(season=draft, code="season_published", actor__username="keeper").count() == 1
    again = keeper.post(address)
    assert (again.status_code, again.context["code"]) == (409, "season_no_draft")
    assert LogEntry.objects.filter(season=draft, code="season_published").count() == 1


def test_drafts_count_among_the_seasons_that_one_may_prepare(draft: Season) -> None:
    Season.objects.filter(pk=draft.pk).update(state=Season.State.DRAFT)
    for number in range(MOST_RECRUITING - 1):
        opening.open_for_people(name=f"More {number}", ai_stables=0, organiser=draft.organiser, weight_class="light")
    with pytest.raises(SeasonRefused, match="too_many_seasons_recruiting"):
        opening.open_for_people(name="One more", ai_stables=0, organiser=draft.organiser, weight_class="light")
