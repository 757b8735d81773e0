"""The organisers' hand on stables, the waiting list and copies of a season, asked for by programs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from people.models import Notice
from stables.models import Season, Stable, WaitingPlace
from tests.api.test_running_a_season_opening import code_of
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db


def of(world: World, season: str = "running", owner: str = "rival") -> Stable:
    return world.stable(season, owner)


def manage(api: Any, stable: Stable, act: str, role: str = "organiser", method: str = "post", **sent: Any) -> Any:
    return api(role, method, f"seasons/{stable.season.slug}/stables/{stable.slug}/manage/{act}", sent or None)


def test_a_program_removes_a_stable_before_the_season(world: World, api: Any) -> None:
    stable = of(world, "recruiting")
    assert code_of(manage(api, stable, "remove", sure=True)) == (409, "reason_missing")
    assert code_of(manage(api, stable, "remove", sure=False, reason="left")) == (409, "stable_goes_for_good")
    assert code_of(manage(api, of(world), "remove", sure=True, reason="left")) == (409, "stable_stays")
    assert manage(api, stable, "remove", sure=True, reason="left", words="A second account.").status_code == 204
    assert not Stable.objects.filter(pk=stable.pk).exists()
    told = Notice.objects.get(code="stable_removed")
    assert (told.user, told.parameters["reason"]) == (world.people["rival"], "#left: A second account.")


def test_a_program_hands_a_stable_to_the_ai_and_back_and_withdraws_it(world: World, api: Any) -> None:
    stable = of(world)
    answer = manage(api, stable, "hand-to-ai", reason="no_show", ends_at="2999-01-01T00:00:00Z")
    assert code_of(answer) == (409, "hand_over_too_long")
    soon = (timezone.now() + timedelta(days=2)).isoformat()
    made = manage(api, stable, "hand-to-ai", reason="no_show", ends_at=soon)
    assert (made.status_code, made.json()["is_away"]) == (200, True)
    assert manage(api, stable, "take-back", reason="agreed").json()["is_away"] is False
    left = manage(api, stable, "withdraw", reason="left", sure=True)
    assert left.json() == {"stable": stable.slug, "owner": "rival", "is_away": False, "left_in_cycle": 1}


def test_a_program_passes_a_stable_on_by_name_and_by_a_link(world: World, api: Any) -> None:
    stable = of(world)
    assert code_of(manage(api, stable, "pass-to", reason="left", name="player")) == (409, "taker_has_stable")
    assert manage(api, stable, "pass-to", reason="left", name="staff").json()["owner"] == "staff"
    made = manage(api, stable, "links/", reason="agreed").json()
    assert made["link"].endswith(f"/stable-links/{made['code']}/")
    listed = manage(api, stable, "links/", method="get").json()["results"]
    seen = [(each["id"], each["code"], each["link"], each["reason"]) for each in listed]
    assert seen == [(made["id"], None, None, "agreed")], "in words, not as it is stored"
    taken = api("spectator", "post", "stable-link", {"code": made["code"]})
    assert taken.json() == {"season": stable.season.slug, "stable": stable.slug}
    assert code_of(api("helper", "post", "stable-link", {"code": made["code"]})) == (409, "link_used")
    assert code_of(api("staff", "post", f"seasons/{stable.season.slug}/stables/{stable.slug}/ready")) == (
        409,
        "stable_passed_on",
    )


def test_the_secrets_of_a_link_are_given_once(world: World, api: Any) -> None:
    stable = of(world)
    address = f"seasons/{stable.season.slug}/stables/{stable.slug}/manage/links/"
    first, again = (api("organiser", "post", address, {"reason": "agreed"}, key="once") for _ in range(2))
    assert (first.json()["id"], again.json()["code"]) == (again.json()["id"], None)
    assert manage(api, stable, f"links/{first.json()['id']}/", method="delete").status_code == 204
    assert code_of(api("spectator", "post", "stable-link", {"code": first.json()["code"]})) == (409, "link_revoked")
    assert manage(api, stable, "links/999999/", method="delete").status_code == 404


def test_a_program_waits_for_a_place_and_leaves(world: World, api: Any) -> None:
    season = world.seasons["recruiting"]
    own = f"seasons/{season.slug}/waiting-place/"
    assert code_of(api("staff", "put", own)) == (409, "place_is_free")
    Season.objects.filter(pk=season.pk).update(settings={**season.settings, "places": 3})
    assert api("staff", "put", own).json() == {"season": season.slug, "before": 1, "offered_until": None}
    assert api("staff", "get", own).json()["before"] == 1
    listed = api("organiser", "get", f"seasons/{season.slug}/waiting-list/").json()["results"]
    assert [each["name"] for each in listed] == ["spectator", "staff"]
    over = f"seasons/{season.slug}/waiting-list/{listed[0]['id']}/pass-over"
    assert api("organiser", "post", over, {"words": "Plays elsewhere."}).status_code == 204
    assert api("organiser", "post", over, {"reason": "agreed"}).status_code == 404
    assert api("staff", "delete", own).status_code == 204
    assert api("staff", "get", own).status_code == 404


def test_a_program_waits_by_an_invitation(world: World, api: Any) -> None:
    season, code = world.seasons["recruiting"], world.values["code"]
    changes = {"settings": {**season.settings, "places": 3}, "joining": "invited", "visibility": "private"}
    Season.objects.filter(pk=season.pk).update(**changes)
    assert api("staff", "post", "waiting-place", {"code": code}).status_code == 201
    assert WaitingPlace.objects.get(user=world.people["staff"]).invitation.code == code
    assert code_of(api("staff", "post", "waiting-place", {"code": "guessed"})) == (409, "unknown_invitation")


def test_a_program_copies_a_season_and_changes_the_draft(world: World, api: Any) -> None:
    made = api("organiser", "post", f"seasons/{world.seasons['played'].slug}/copy", {"name": "Next one"})
    assert (made.status_code, made.json()["state"]) == (201, "draft")
    draft = f"seasons/{made.json()['slug']}"
    assert api("organiser", "put", f"{draft}/name/", {"name": "Right one"}).json()["name"] == "Right one"
    assert code_of(api("organiser", "put", f"{draft}/name/", {"name": "Right one"})) == (409, "name_unchanged")
    assert api("organiser", "put", f"{draft}/class/", {"weight_class": "heavy"}).status_code == 200
    assert Season.objects.get(slug=made.json()["slug"]).rules.weight_class == "heavy"
    refused = api("organiser", "put", f"seasons/{world.seasons['recruiting'].slug}/class/", {"weight_class": "heavy"})
    assert code_of(refused) == (409, "setting_fixed")


def test_a_program_founds_a_stable_for_a_guest_and_reads_its_link_once(world: World, api: Any) -> None:
    season = world.seasons["recruiting"]
    address, asked = f"seasons/{season.slug}/found-for-guest", {"name": "Walk-Ins"}
    first, again = (api("organiser", "post", address, asked, key="once") for _ in range(2))
    made = first.json()
    assert (first.status_code, made["slug"], made["capital"]) == (201, "walk-ins", season.rules.capital)
    assert made["link"].endswith(f"/stable-links/{made['code']}/")
    assert again.json() == {**made, "code": None, "link": None}
    assert season.stables.get(slug="walk-ins").owner.is_guest
    taken = api("spectator", "post", "stable-link", {"code": made["code"]})
    assert taken.json() == {"season": season.slug, "stable": "walk-ins"}
    assert code_of(api("organiser", "post", address, {"name": " "})) == (400, "invalid")
    assert code_of(api("organiser", "post", address, asked)) == (409, "stable_name_taken")


def test_a_program_makes_a_link_for_a_guest(world: World, api: Any) -> None:
    asked = {"reason": "agreed", "for_guest": True}
    assert code_of(manage(api, of(world), "links/", **asked)) == (409, "seat_has_owner")
    machines = world.seasons["recruiting"].stables.select_related("season").get(is_ai=True)
    made = manage(api, machines, "links/", **asked)
    assert (made.status_code, made.json()["for_guest"]) == (201, True)
    listed = manage(api, machines, "links/", method="get").json()["results"]
    assert [(each["for_guest"], each["code"]) for each in listed] == [(True, None)]
