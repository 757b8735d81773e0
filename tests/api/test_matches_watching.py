"""Watching over the interface: observation, events in parts, and the whole match when it is over."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from django.core.cache import cache

from matches.models import Match
from matches.presenters.replaying.verifying import finding_on
from matches.selectors.matches import find_match, rebuild, replay_document, stored_steps
from rules.competition.verification import Outcome, verify
from tests.web.roles.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture(autouse=True)
def _forgetful() -> None:
    """What is remembered of a step belongs to the test before, which was taken back."""
    cache.clear()


def address(match: Match, part: str) -> str:
    return f"matches/{match.public_id}/{part}"


@pytest.mark.parametrize(("role", "side"), [("player", "red"), ("rival", "blue"), ("spectator", None)])
def test_everybody_observes_as_the_engine_lets_them(world: World, api: Any, role: str, side: str | None) -> None:
    document = api(role, "get", address(world.friendly, "observation/")).json()
    assert document["side"] == side
    assert document["observation"] == json.loads(json.dumps(rebuild(world.friendly).observe(side).to_json()))
    again = api(role, "get", address(world.friendly, "live/"), {"after": document["cursor"]})
    assert again.status_code == 204, "the stream goes on from the observation"


def test_nobody_looks_through_anothers_eyes(world: World, api: Any) -> None:
    for role, side, status in (
        ("player", "red", 200),
        ("player", "blue", 403),
        ("spectator", "red", 403),
        ("anonymous", "red", 401),
        ("staff", "red", 403),
        ("player", "purple", 403),
        ("player", "RED", 400),
    ):
        assert api(role, "get", address(world.friendly, "observation/"), {"side": side}).status_code == status
    world.friendly.seats.update(user=world.people["player"])
    for side in ("red", "blue"):
        document = api("player", "get", address(world.friendly, "observation/"), {"side": side}).json()
        assert (document["side"], document["observation"]["side"]) == (side, side)


def test_events_come_in_parts(world: World, api: Any) -> None:
    found: list[Any] = []
    after: int | None = 0
    while after is not None:
        page = api("anonymous", "get", address(world.finished, "events/"), {"after": after, "limit": 13}).json()
        assert len(page["results"]) <= 13
        found += page["results"]
        after = page["next"]
    stored = [event for step in stored_steps(world.finished) for event in step.events]
    assert [each["facts"] for each in found] == stored
    assert page["count"] == len(stored)
    beyond = api("anonymous", "get", address(world.finished, "events/"), {"after": 999_999}).json()
    assert (beyond["results"], beyond["next"]) == ([], None)
    for query in ({"after": -1}, {"limit": 0}, {"limit": 501}, {"after": "x"}):
        assert api("anonymous", "get", address(world.finished, "events/"), query).status_code == 400


def test_a_finished_match_is_given_whole_and_can_be_verified_at_home(world: World, api: Any) -> None:
    answer = api("anonymous", "get", address(world.finished, "replay/"))
    document = answer.json()
    match = find_match(world.finished.public_id)
    assert document == json.loads(json.dumps(replay_document(match, stored_steps(match))))
    assert verify(document).outcome is Outcome.OK
    assert "Content-Disposition" not in answer.headers
    file = api("anonymous", "get", address(world.finished, "replay/"), {"file": "true"})
    assert file.headers["Content-Disposition"] == f'attachment; filename="match-{match.public_id}.json"'
    assert file.json() == document


def test_who_has_the_replay_already_is_not_sent_it_again(world: World, api: Any) -> None:
    tag = api("player", "get", address(world.finished, "replay/")).headers["ETag"]
    again = api("player", "get", address(world.finished, "replay/"), headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    other = api("player", "get", address(world.finished, "replay/"), headers={"If-None-Match": '"other"'})
    assert other.status_code == 200


@pytest.mark.parametrize("part", ["replay/", "verify/"])
@pytest.mark.parametrize("role", ["anonymous", "spectator", "player", "organiser", "staff"])
def test_before_the_end_there_is_no_replay_for_anybody(world: World, api: Any, role: str, part: str) -> None:
    answer = api(role, "get", address(world.friendly, part))
    assert (answer.status_code, answer.json()["code"]) == (409, "match_not_finished")


def test_the_site_says_whether_a_match_is_as_it_was_played(world: World, api: Any) -> None:
    document = api("anonymous", "get", address(world.finished, "verify/")).json()
    assert document == asdict(finding_on(find_match(world.finished.public_id)))
    assert (document["outcome"], document["is_promised_seed"]) == ("ok", True)


def test_an_address_without_a_match_is_not_found(api: Any) -> None:
    root = "matches/00000000-0000-4000-8000-000000000000/"
    reads = ("", "decision/", "legal-actions/", "observation/", "events/", "live/", "standing/", "replay/", "verify/")
    writes = (
        "seat/",
        "seat/ai/",
        "finish/",
        "come-back/",
        "rival-away/",
        "legal-actions/",
        "actions/",
        "actions/check/",
    )
    for part in reads:
        assert api("player", "get", f"{root}{part}").status_code == 404
    for part in writes:
        assert api("player", "post", f"{root}{part}", {}).status_code == 404
    assert api("player", "get", "matches/7/").status_code == 404


def test_every_write_needs_the_scope_that_plays(world: World, api: Any) -> None:
    for part in ("seat/", "seat/ai/", "finish/", "come-back/", "rival-away/", "actions/"):
        answer = api("player", "post", address(world.friendly, part), {}, scopes=("read", "organise"))
        assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
    for part in ("legal-actions/", "actions/check/"):  # these only look
        assert api("player", "post", address(world.friendly, part), {}, scopes=("read",)).status_code == 400
        assert api("player", "post", address(world.friendly, part), {}, scopes=("play",)).status_code == 403


def test_a_match_that_is_closed_is_news(world: World, api: Any) -> None:
    cursor = api("player", "get", address(world.friendly, "live/")).json()["cursor"]
    Match.objects.filter(pk=world.friendly.pk).update(state=Match.State.CLOSED, finished_at=world.friendly.created_at)
    answer = api("player", "get", address(world.friendly, "live/"), {"after": cursor})
    assert (answer.status_code, answer.json()["waits_for_me"]) == (200, False)
