"""The pages of the organisers' hand: one form for each stable, a link that is confirmed, the old owner's open pages."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from stables.models import HandOver, Passing, Season, Stable
from stables.services.running import passing
from tests.stables.duels import Club, in_zone

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def manage(club: Club, act: str, of: str = "ben", by: str | None = "organiser", **fields: Any) -> Any:
    fields = {"act": act, "reason": "agreed", **fields}
    return club.client(by).post(address(club, "manage", of), fields)


def address(club: Club, name: str, of: str = "ben") -> str:
    return reverse(f"stables:{name}", args=[club.season.slug, club.stables[of].slug])


def of(club: Club, name: str = "ben") -> Stable:
    return Stable.objects.get(pk=club.stable_id(name))


# The form -------------------------------------------------------------------------------------------------------------


def test_the_console_has_a_form_for_each_stable_that_has_not_left(club: Club) -> None:
    Stable.objects.filter(pk=club.stable_id("carla")).update(left_in_cycle=1)
    html = club.client("organiser").get(reverse("stables:console", args=[club.season.slug])).content.decode()
    forms = [name for name in club.stables if f'action="{address(club, "manage", name)}"' in html]
    assert forms == ["anna", "ben", "machines"]
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(("of_whom", "acts"), [
    ("ben", {"hand_to_ai", "pass_to", "make_link", "withdraw"}),
    ("machines", {"pass_to", "make_link", "seat_guest", "withdraw"}),
])  # fmt: skip
def test_a_page_offers_what_can_be_done(club: Club, of_whom: str, acts: set[str]) -> None:
    html = club.client("organiser").get(address(club, "manage", of_whom)).content.decode()
    assert set(re.findall(r'name="act" value="(\w+)"', html)) == acts


def test_each_button_does_its_act(club: Club) -> None:
    until = in_zone(timezone.now() + timedelta(days=3))
    assert manage(club, "hand_to_ai", to=until, spending_limit="50").status_code == 302
    assert HandOver.objects.get(ended_at=None).spending_limit == 50
    assert 'value="take_back"' in club.client("organiser").get(address(club, "manage")).content.decode()
    assert manage(club, "take_back").status_code == 302
    assert not HandOver.objects.filter(ended_at=None).exists()
    assert manage(club, "pass_to", name="spectator").status_code == 302
    assert of(club).owner == club.people["spectator"]
    assert manage(club, "withdraw", sure="yes").status_code == 302
    assert of(club).left_in_cycle == 1
    assert "has left" in club.client("organiser").get(address(club, "manage")).content.decode()


@pytest.mark.parametrize(("fields", "status", "says"), [
    ({"act": "withdraw"}, 409, "Tick that you are sure"),
    ({"act": "withdraw", "reason": "a whim", "sure": "yes"}, 400, "Reason"),
    ({"act": "hand_to_ai", "to": ""}, 400, "Until"),
    ({"act": "pass_to", "name": "anna"}, 409, "owns a stable"),
    ({"act": "pass_to", "name": "nobody"}, 400, "There is no account"),
    ({"act": "eat"}, 400, "act"),
    ({"act": "remove", "sure": "yes"}, 409, "cannot be removed"),
])  # fmt: skip
def test_a_refused_form_is_shown_again_as_it_was_typed(
    club: Club, fields: dict[str, str], status: int, says: str
) -> None:
    answer = manage(club, **{"words": "kept & safe", **fields})
    html = answer.content.decode()
    assert (answer.status_code, says in html) == (status, True)
    assert 'value="kept &amp; safe"' in html
    assert (of(club).owner, of(club).left_in_cycle) == (club.people["ben"], None)


@pytest.mark.parametrize(("by", "status"), [(None, 302), ("ben", 403), ("spectator", 403)])
def test_only_organisers_manage(club: Club, by: str | None, status: int) -> None:
    assert manage(club, "withdraw", by=by, sure="yes").status_code == status
    assert club.client(by).get(address(club, "manage")).status_code == status
    assert of(club).left_in_cycle is None


def test_the_page_of_a_stable_leads_its_organisers_to_the_form(club: Club) -> None:
    page = address(club, "stable")
    shown = {name: address(club, "manage") in club.client(name).get(page).content.decode() for name in
             ("organiser", "ben", "anna", None)}  # fmt: skip
    assert shown == {"organiser": True, "ben": False, "anna": False, None: False}


# A link ---------------------------------------------------------------------------------------------------------------


def link_of(club: Club) -> str:
    found = re.search(r">http://testserver(/stable-links/[^<]+)</textarea>", manage(club, "make_link").content.decode())
    assert found is not None
    return found[1]


def test_a_link_is_shown_once_opened_and_confirmed(club: Club) -> None:
    link = link_of(club)
    assert link not in club.client("organiser").get(address(club, "manage")).content.decode()
    client = club.client("spectator")
    opening = client.get(link)
    assert (opening.status_code, opening["Location"]) == (302, "/stable-link/")
    assert (opening["Referrer-Policy"], "no-store" in opening["Cache-Control"]) == ("no-referrer", True)
    page = client.get("/stable-link/")
    assert ("Stable of ben" in page.content.decode(), "no-store" in page["Cache-Control"]) == (True, True)
    assert of(club).owner == club.people["ben"]
    assert client.post("/stable-link/")["Location"] == of(club).season.get_absolute_url() + "stables/stable-of-ben/"
    assert of(club).owner == club.people["spectator"]
    assert (client.get(link).status_code, client.get("/stable-link/").status_code) == (409, 400)


def test_a_visitor_logs_in_before_they_confirm(club: Club) -> None:
    link, client = link_of(club), Client()
    client.get(link)
    assert "log-in" in client.get("/stable-link/").content.decode()
    assert "next=/stable-link/" in client.post("/stable-link/")["Location"]
    client.force_login(club.people["spectator"])
    assert client.post("/stable-link/").status_code == 302
    assert of(club).owner == club.people["spectator"]


def test_nobody_confirms_a_link_that_they_did_not_open(club: Club) -> None:
    link_of(club)
    answer = club.client("spectator").post("/stable-link/", {"opened_link": Passing.objects.get().pk})
    assert (answer.status_code, answer.context["code"]) == (400, "unknown_passing")


def test_a_link_is_taken_back_on_the_page(club: Club) -> None:
    link, known = link_of(club), Passing.objects.get()
    assert club.client("ben").post(address(club, "revoke_link"), {"link": known.pk}).status_code == 403
    assert club.client("organiser").post(address(club, "revoke_link"), {"link": known.pk}).status_code == 302
    answer = club.client("spectator").get(link)
    assert (answer.status_code, answer.context["code"]) == (409, "link_revoked")


# The old owner's open pages -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_the_old_owner_reads_that_the_stable_has_passed_on(club: Club, visibility: str) -> None:
    Season.objects.filter(pk=club.season.pk).update(visibility=visibility)
    fixture, ben = club.fixture("anna", "ben"), club.client("ben")
    passing.pass_to(stable_id=club.stable_id("ben"), name="spectator", reason="left", user=club.people["organiser"])
    slugs = {"season_slug": club.season.slug}
    below = {**slugs, "stable_slug": club.stables["ben"].slug}
    for answer in (
        ben.post(reverse("stables:buy", kwargs=below), {"kind": "unit", "key": "SOL002"}),
        ben.post(reverse("stables:withdraw", kwargs=below), {"sure": "yes"}),
        ben.post(reverse("stables:propose_appointment", kwargs={**slugs, "fixture_id": fixture.pk}), {"mode": "ai"}),
    ):
        assert (answer.status_code, answer.context["code"]) == (409, "stable_passed_on")
    refused = ben.post(reverse("api:withdraw", kwargs=below), {"sure": True}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "stable_passed_on")
    # A rival, and a person who never owned it, are refused as ever.
    other = club.client("carla").post(reverse("stables:withdraw", kwargs=below), {"sure": "yes"})
    assert other.status_code == 403
    assert of(club).left_in_cycle is None
