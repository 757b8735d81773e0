"""People who stand in for an owner, and an excuse that is withdrawn, over the interface."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from stables.models import Fixture, FixtureSide, Round, StandIn
from tests.api.test_running_a_stable_seats import BROWSER, OWN, RIVAL, said
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def side(world: World) -> FixtureSide:
    """The player's side of a match that is still to be played."""
    sides = FixtureSide.objects.filter(stable=world.stable("browser")).exclude(fixture__state="settled")
    found = sides.select_related("fixture").first()
    assert found is not None
    return found


def test_an_owner_names_who_plays_one_match_and_ends_it(side: FixtureSide, api: Any) -> None:
    sent = {"account": "Spectator", "fixture": side.fixture_id, "reason": "Ill."}
    made = api("player", "post", f"{OWN}stand-ins/", sent, key="ill")
    assert (made.status_code, made.json()["account"], made.json()["until"]) == (201, "spectator", None)
    assert api("player", "post", f"{OWN}stand-ins/", sent, key="ill").json() == made.json()
    side.refresh_from_db()
    assert side.stand_in is not None
    listed = api("organiser", "get", f"{OWN}stand-ins/").json()["stand_ins"]
    assert listed == [made.json()]
    number = made.json()["stand_in"]
    assert api("rival", "get", f"{OWN}stand-ins/").status_code == 403
    assert api("rival", "post", f"{OWN}stand-ins/{number}/end").status_code == 403
    assert said(api("rival", "post", f"{RIVAL}stand-ins/{number}/end")) == (409, "bad_field")
    assert api("spectator", "post", f"{OWN}stand-ins/{number}/end").status_code == 204
    assert StandIn.objects.get().ended_at is not None


def test_who_stands_in_reads_the_line_up_of_their_match_alone(side: FixtureSide, api: Any) -> None:
    assert api("spectator", "get", f"{OWN}line-up/").status_code == 403
    sent = {"account": "spectator", "fixture": side.fixture_id, "reason": "Ill."}
    assert api("player", "post", f"{OWN}stand-ins/", sent).status_code == 201
    read = api("spectator", "get", f"{OWN}line-up/")
    assert read.json()["call"]["fixture"] == side.fixture_id
    assert api("spectator", "get", f"{OWN}garage/").status_code == 403
    assert api("spectator", "post", f"{OWN}line-up/nearest").status_code == 403


def test_a_match_or_an_evening_and_nothing_between(side: FixtureSide, api: Any) -> None:
    until = (timezone.now() + timedelta(hours=5)).isoformat()
    both = {"account": "spectator", "fixture": side.fixture_id, "until": until, "reason": "Ill."}
    assert said(api("player", "post", f"{OWN}stand-ins/", both)) == (409, "bad_field")
    neither = {"account": "spectator", "reason": "agreed"}
    assert said(api("player", "post", f"{OWN}stand-ins/", neither)) == (409, "bad_field")
    silent = {"account": "spectator", "until": until}
    assert said(api("player", "post", f"{OWN}stand-ins/", silent)) == (409, "reason_missing")
    assert api("player", "post", f"{OWN}stand-ins/", {**neither, "until": until}).status_code == 201


def test_an_excuse_is_withdrawn(side: FixtureSide, api: Any) -> None:
    address = f"{BROWSER}fixtures/{side.fixture_id}/excuse/withdraw"
    assert said(api("organiser", "post", address, {"reason": "Well again."})) == (409, "excuse_unknown")
    Fixture.objects.filter(pk=side.fixture_id).update(excused_until=timezone.now() + timedelta(days=9))
    Round.objects.update(line_ups_due_at=None, play_due_at=None, confirm_due_at=None)
    assert api("player", "post", address, {"reason": "Well again."}).status_code == 403
    taken = api("organiser", "post", address, {"reason": "agreed", "words": "Well again."})
    assert (taken.status_code, taken.json()["play_due_at"]) == (200, None)
