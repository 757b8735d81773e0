"""The list of one's matches, beginning one, what a match tells of itself, and who sits in it."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Match
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.beginning.friendly import BOTS_OFFERED, Wishes, start_friendly
from matches.services.matches import create_match
from rules.measuring.self_play import random_setup
from tests.web.roles.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture(autouse=True)
def _forgetful() -> None:
    """What is remembered of a step belongs to the test before, which was taken back."""
    cache.clear()


ROLES = ("anonymous", "spectator", "player", "rival", "organiser", "staff")
OTHERS = ("anonymous", "spectator", "organiser", "staff")


def of(match: Match, part: str = "") -> str:
    return f"matches/{match.public_id}/{part}"


def decider(match: Match) -> str:
    decision = rebuild(match).decision
    assert decision is not None
    return {"red": "player", "blue": "rival"}[decision.side]


def test_the_list_has_ones_own_matches_and_says_which_wait(world: World, api: Any) -> None:
    asked = decider(world.friendly)
    other = {"player": "rival", "rival": "player"}[asked]
    for role in (asked, other):
        rows = {row["public_id"]: row for row in api(role, "get", "matches/").json()["results"]}
        row = rows[str(world.friendly.public_id)]
        assert (row["state"], row["format"], row["is_in_season"]) == ("waiting", "standard", False)
        assert [side["name"] for side in row["sides"]] == ["player", "rival"]
        assert row["own_sides"] == [{"player": "red", "rival": "blue"}[role]]
        assert row["waits_for_me"] is (role == asked)
        waiting = api(role, "get", "matches/?waiting_for_me=true").json()
        ids = {each["public_id"] for each in waiting["results"]}
        assert (str(world.friendly.public_id) in ids) is (role == asked)
        rest = api(role, "get", "matches/?waiting_for_me=false").json()["count"]
        assert waiting["count"] + rest == len(rows)
    assert api("spectator", "get", "matches/").json()["count"] == 0
    assert api("anonymous", "get", "matches/").status_code == 401


def test_in_a_season_the_list_calls_sides_by_their_stables_and_no_accounts(world: World, api: Any) -> None:
    rows = api("player", "get", "matches/").json()["results"]
    row = next(row for row in rows if row["public_id"] == str(world.duel.public_id))
    assert row["is_in_season"]
    assert not {"player", "rival"} & {side["name"] for side in row["sides"]}


def test_the_list_by_state(world: World, api: Any) -> None:
    Match.objects.filter(pk=world.friendly.pk).update(state="playing")
    playing = api("player", "get", "matches/?state=playing").json()
    assert [row["public_id"] for row in playing["results"]] == [str(world.friendly.public_id)]
    assert api("player", "get", "matches/?state=over").status_code == 400


@pytest.mark.parametrize("query", ["", "?waiting_for_me=true", "?waiting_for_me=false"])
def test_the_list_takes_as_many_queries_for_many_as_for_one(world: World, api: Any, query: str) -> None:
    api("player", "get", f"matches/{query}")
    with CaptureQueriesContext(connection) as few:
        before = api("player", "get", f"matches/{query}").json()["count"]
    for _ in range(4):
        start_friendly(world.people["player"], Wishes())
    with CaptureQueriesContext(connection) as many:
        after = api("player", "get", f"matches/{query}").json()["count"]
    assert after >= before
    # The answers of those that are new are not remembered yet: one query for all of them.
    assert len(many) <= len(few) + 1


def test_a_match_tells_who_sits_where_and_keeps_its_seed(world: World, api: Any) -> None:
    match = world.friendly
    for role in ROLES:
        document = api(role, "get", of(match)).json()
        assert document["state"] == "waiting"
        assert document["url"] == match.get_absolute_url()
        assert document["arena"]["name"]
        assert document["seed_commitment"] == match.seed_commitment
        assert document["seed"] is None
        assert document["result"] is None
        assert document["waiting_for"] == {"player": "red", "rival": "blue"}[decider(match)]
        assert [side["seat"] for side in document["sides"]] == [
            {"kind": "person", "account": "player", "bot": None},
            {"kind": "person", "account": "rival", "bot": None},
        ]
        assert document["sides"][0]["units"][0]["id"] == "red-1"
        assert (document["sharing"] is not None) is (role in ("player", "rival", "staff"))
        assert document["waits_for_me"] is (role == decider(match))


def test_a_finished_match_shows_seed_and_result(world: World, api: Any) -> None:
    document = api("anonymous", "get", of(world.finished)).json()
    assert document["seed"] == bytes(world.finished.seed).hex()
    assert document["result"] == world.finished.result
    assert document["waiting_for"] is None
    assert {side["seat"]["kind"] for side in document["sides"]} <= {"bot", "nobody"}
    assert {side["name"] for side in document["sides"]} == {"Old Machines 1", "Old Machines 2"}
    assert sum(side["won"] for side in document["sides"]) <= 1


def test_a_match_of_a_private_season_is_not_there_for_others(world: World, api: Any) -> None:
    Match.objects.filter(pk=world.finished.pk).update(
        fixture_key=f"fixture:{world.fixtures['private'].pk}", share_key=None
    )
    paths = ("", "decision/", "legal-actions/", "observation/", "events/", "live/", "replay/", "verify/")
    for role, status in (("anonymous", 404), ("spectator", 404), ("player", 200)):
        assert {api(role, "get", of(world.finished, path)).status_code for path in paths} == {status}
    missing = "matches/00000000-0000-4000-8000-000000000000/"
    assert api("player", "get", missing).json() == api("spectator", "get", of(world.finished)).json()


def test_the_address_that_is_shared_is_for_those_who_may_share(world: World, api: Any) -> None:
    Match.objects.filter(pk=world.friendly.pk).update(share_key="s" * 43)
    for role in ROLES:
        text = api(role, "get", of(world.friendly)).content.decode()
        assert ("s" * 43 in text) is (role in ("player", "rival", "staff"))


# Beginning one -------------------------------------------------------------------------------------------------------


def test_a_match_against_the_ai_is_begun(world: World, api: Any) -> None:
    answer = api("spectator", "post", "matches/", {"format": "team", "opponent": "random", "hours_a_round": 24})
    assert answer.status_code == 201
    document = answer.json()
    match = Match.objects.get(public_id=document["public_id"])
    assert answer.headers["Location"] == f"/api/v1/matches/{match.public_id}/"
    assert (document["format"], document["own_sides"], match.seconds_a_round) == ("team", ["red"], 24 * 3600)
    assert document["sides"][1]["seat"] == {"kind": "bot", "account": None, "bot": "random"}
    assert document["may_finish"] is True


@pytest.mark.parametrize("bot", BOTS_OFFERED)
def test_every_bot_that_the_form_offers_can_be_named(world: World, api: Any, bot: str) -> None:
    document = api("player", "post", "matches/", {"opponent": bot}).json()
    assert document["sides"][1]["seat"]["bot"] == bot


def test_a_match_that_a_program_begins_asks_it_everything(world: World, api: Any) -> None:
    document = api("player", "post", "matches/", {"opponent": "random"}).json()
    units = api("player", "get", f"matches/{document['public_id']}/standing/").json()["units"]
    assert units
    assert all(each["answers"] == {} for each in units)


def test_a_match_is_begun_once_for_a_key(world: World, api: Any) -> None:
    first = api("player", "post", "matches/", {}, key="begin")
    again = api("player", "post", "matches/", {}, key="begin")
    assert (again.status_code, again.json(), again.headers["Location"]) == (
        201,
        first.json(),
        first.headers["Location"],
    )
    assert api("player", "post", "matches/", {"opponent": "random"}, key="begin").status_code == 422


def test_against_oneself_one_plays_both_sides(world: World, api: Any) -> None:
    assert api("player", "post", "matches/", {"opponent": "self"}).json()["own_sides"] == ["red", "blue"]


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"opponent": "nobody"}, 400, "invalid"),
        ({"format": 1}, 400, "invalid"),
        ({"hours_a_round": 7}, 400, "invalid"),
        ({"hours_a_round": "6"}, 400, "invalid"),
        ({"unit": "SOL 1"}, 400, "invalid"),
        ({"colour": "red"}, 400, "invalid"),
        ([], 400, "invalid"),
        ({"unit": "SOL999"}, 409, "not_built_in"),
        ({"pilot": "P-999"}, 409, "not_built_in"),
        ({"unit": "SOL002", "weight_class": "assault"}, 409, "wished_class_differs"),
        ({"unit": "SOL002", "pilot": "HEAVY"}, 409, "wished_pilot_differs"),
    ],
)
def test_what_cannot_be_had_begins_nothing(world: World, api: Any, sent: Any, status: int, code: str) -> None:
    from rules.catalogue import load_builtin

    if isinstance(sent, dict) and sent.get("pilot") == "HEAVY":
        pilots = load_builtin().pilots.items()
        needs = (key for key, each in pilots if each.get("requires", {}).get("class") == ["assault"])
        sent["pilot"] = next(needs)
    before = Match.objects.count()
    answer = api("player", "post", "matches/", sent)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert Match.objects.count() == before


def test_too_many_matches_an_hour_are_too_many(world: World, api: Any) -> None:
    from matches.services.beginning.friendly import FRIENDLY_MATCHES
    from people.services.accounts import TooOften, count_attempt

    with contextlib.suppress(TooOften):
        for _ in range(FRIENDLY_MATCHES.times + 1):
            count_attempt(FRIENDLY_MATCHES, str(world.people["rival"].pk))
    answer = api("rival", "post", "matches/", {})
    assert (answer.status_code, answer.json()["code"]) == (429, "too_often")
    assert int(answer.headers["Retry-After"]) >= 60


# Who sits there ------------------------------------------------------------------------------------------------------


def test_a_free_seat_is_taken_once(world: World, api: Any) -> None:
    made = api("player", "post", "matches/", {"opponent": "link"}).json()
    address = f"matches/{made['public_id']}/"
    assert made["sides"][1]["seat"]["kind"] == "open"
    assert not made["waits_for_me"]
    waiting = api("player", "get", "matches/?waiting_for_me=true").json()["results"]
    assert made["public_id"] not in {row["public_id"] for row in waiting}
    turn = api("player", "get", f"{address}legal-actions/").json()
    if turn["legal_actions"]:
        body = {"seen": turn["seen"], "action": turn["legal_actions"][0]}
        refused = api("player", "post", f"{address}actions/", body)
        assert (refused.status_code, refused.json()["code"]) == (409, "seat_open")
    taken = api("rival", "post", f"{address}seat/")
    assert (taken.status_code, taken.json()["own_sides"]) == (200, ["blue"])
    assert taken.json()["sides"][1]["seat"] == {"kind": "person", "account": "rival", "bot": None}
    assert api("rival", "post", f"{address}seat/").status_code == 200, "who sits there stays"
    refused = api("spectator", "post", f"{address}seat/")
    assert (refused.status_code, refused.json()["code"]) == (409, "seat_taken")
    assert api("anonymous", "post", f"{address}seat/").status_code == 401


def test_a_free_seat_is_given_to_the_ai_by_those_who_play(world: World, api: Any) -> None:
    address = f"matches/{api('player', 'post', 'matches/', {'opponent': 'link'}).json()['public_id']}/"
    assert api("rival", "post", f"{address}seat/ai/").status_code == 403
    given = api("player", "post", f"{address}seat/ai/")
    assert (given.status_code, given.json()["sides"][1]["seat"]["kind"]) == (200, "bot")
    assert api("player", "post", f"{address}seat/ai/").json()["code"] == "seat_taken"


def test_the_rest_is_given_to_the_ai_where_nobody_else_plays(world: World, api: Any) -> None:
    made = api("player", "post", "matches/", {}).json()
    done = api("player", "post", f"matches/{made['public_id']}/finish/", key="end").json()
    assert (done["state"], done["may_finish"], done["waiting_for"]) == ("finished", False, None)
    assert api("player", "post", of(world.friendly, "finish/")).status_code == 403
    assert api("spectator", "post", of(world.friendly, "finish/")).status_code == 403


def test_coming_back_and_a_rival_away(world: World, api: Any) -> None:
    match = world.friendly
    assert api("player", "post", of(match, "come-back/")).status_code == 200
    assert api("spectator", "post", of(match, "come-back/")).status_code == 403
    refused = api("player", "post", of(match, "rival-away/"), {"what": "end"})
    assert (refused.status_code, refused.json()["code"]) == (409, "time_not_run_out")
    assert api("player", "post", of(match, "rival-away/"), {"what": "wait"}).status_code == 400
    Match.objects.filter(pk=match.pk).update(seconds_a_round=3600)
    seats = {"player": "red", "rival": "blue"}
    waiting = decider(match)
    other = {"player": "rival", "rival": "player"}[waiting]
    match.seats.filter(side=seats[waiting]).update(expiries=3)
    ended = api(other, "post", of(match, "rival-away/"), {"what": "end"})
    assert (ended.status_code, ended.json()["state"]) == (200, "finished")


def test_one_match_takes_as_many_queries_whatever_happened(world: World, api: Any) -> None:
    import random

    from rules.catalogue import load_builtin

    counts = []
    for format_name in ("standard", "grand_melee"):
        setup = random_setup(load_builtin(), random.Random(1), format_name, 4).to_json()
        seats = [Seat(side["id"], world.people["player"].pk) for side in setup["sides"]]
        match = create_match(setup, b"a seed of 32 bytes, for queries.", None, seats)
        api("player", "get", of(match))
        with CaptureQueriesContext(connection) as found:
            assert api("player", "get", of(match)).status_code == 200
        counts.append(len(found))
    assert counts[0] == counts[1] <= 15
