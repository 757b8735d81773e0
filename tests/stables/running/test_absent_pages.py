"""The page of the stables that a season waits for: what it lists, and what it says after an act."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from stables.models import Asset, Fixture, LogEntry
from tests.stables.duels import Club
from tests.stables.shown_again import says

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(club: Club) -> Club:
    club.fixture("anna", "ben")
    club.fixture("carla", "machines")
    return club


def post(club: Club, act: str, *stables: str, by: str = "organiser", **fields: Any) -> Any:
    address = reverse("stables:absent", args=[club.season.slug])
    ids = [club.stable_id(name) for name in stables]
    return club.client(by).post(address, {"act": act, "stables": ids, **fields})


def said(answer: Any) -> list[str]:
    return [str(each) for each in get_messages(answer.wsgi_request)]


def test_the_page_lists_whom_the_season_waits_for_and_ticks_them(club: Club) -> None:
    shown = club.client("organiser").get(reverse("stables:absent", args=[club.season.slug])).content.decode()
    assert shown.count(" checked") == 3
    assert "Stable of machines" not in shown
    assert reverse("stables:organise_fixture", args=[club.season.slug, Fixture.objects.get(number=1).pk]) in shown
    Fixture.objects.update(state="settled")
    assert (
        "waits for nobody"
        in club.client("organiser").get(reverse("stables:absent", args=[club.season.slug])).content.decode()
    )


def test_after_an_act_the_page_names_those_it_was_done_for_and_why_not_for_others(club: Club) -> None:
    Asset.objects.filter(stable=club.stable_id("carla")).delete()
    answer = post(club, "line_up", "anna", "carla", reason="agreed")
    assert (answer.status_code, answer.url) == (302, reverse("stables:absent", args=[club.season.slug]))
    done, refused = said(answer)
    assert done == "A line-up is handed in for: Stable of anna."
    assert refused.startswith("Stable of carla: Stable of carla can field nobody.")


def test_a_refused_form_keeps_what_was_typed_and_changes_nothing(club: Club) -> None:
    answer = post(club, "extend", "ben", words=" ", until="2099-01-01T10:00")
    assert (answer.status_code, says(answer, "reason_missing")) == (400, True)
    shown = answer.content.decode()
    assert "2099-01-01T10:00" in shown
    assert shown.count(" checked") == 1
    assert says(post(club, "remind"), "nobody_chosen")
    gone = post(club, "remind", "machines")
    assert said(gone) == ["Stable of machines: The season does not wait for Stable of machines now."]
    address = reverse("stables:absent", args=[club.season.slug])
    for stranger in ("0", "x", "9" * 30):
        assert club.client("organiser").post(address, {"act": "remind", "stables": [stranger]}).status_code == 400
    assert not LogEntry.objects.filter(code__in=["fixture_excused", "stable_reminded"]).exists()
    assert post(club, "remind", "anna", by="anna").status_code == 403


def test_an_organiser_chooses_for_one_who_does_not_come(club: Club) -> None:
    address = reverse("stables:choose_for_absent", args=[club.season.slug])
    organiser = club.client("organiser")
    fields = {"stable": club.stable_id("anna"), "choice": "forfeit", "reason": "no_show"}
    refused = organiser.post(address, {**fields, "choice": "bye", "words": "ill today"})
    assert (refused.status_code, says(refused, "bye_not_due")) == (409, True)
    assert "ill today" in refused.content.decode()
    assert organiser.post(address, {**fields, "reason": ""}).status_code == 400
    away = organiser.post(address, {**fields, "stable": club.stable_id("machines")})
    assert (away.status_code, says(away, "stable_not_awaited")) == (409, True)
    assert club.client("ben").post(address, fields).status_code == 403
    assert organiser.post(address, fields).url == reverse("stables:absent", args=[club.season.slug])
    assert club.stables["anna"].fixture_sides.get().forfeits == "no_show"
