"""Advice over the interface: for players against the AI, with scope play; for owners in market and garage."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import AskedAdvice, Match
from matches.services import advice
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from people.services.accounts import Limit
from stables.models import Stable
from tests.stables.market_goods import bought, common_pilot, common_unit, goods, hurt
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db
OWN = "seasons/recruiting-season/stables/player-sons/"
MOST_QUERIES = 20


@pytest.fixture
def match(world: World, api: Any) -> Match:
    seats = [Seat("red", world.people["player"].pk), Seat("blue", bot="greedy")]
    return create_match(demonstration_setup(), b"a seed that nobody may see early", None, seats)


def said(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def test_what_is_advised_is_legal_worded_and_can_be_played(api: Any, match: Match) -> None:
    answer = api("player", "get", f"matches/{match.public_id}/advice/")
    assert answer.status_code == 200
    document = answer.json()
    assert (document["waiting_for"], document["times"]) == ("red", 1)
    best = document["options"][0]
    assert best["told"]
    assert all(reason["detail"] and reason["code"] for reason in best["reasons"])
    for option in document["options"]:
        assert option["chance"] == round(option["chance"], 2), "as on the page"
        assert option["margin"] == round(option["margin"], 2) > 0
    checked = api("player", "post", f"matches/{match.public_id}/actions/check/", {"action": best["action"]})
    assert (checked.json()["is_legal"], checked.json()["problems"]) == (True, [])
    played = {"seen": document["seen"], "action": best["action"]}
    assert api("player", "post", f"matches/{match.public_id}/actions/", played).status_code == 200


def test_asked_again_it_is_the_same_and_counted_once(api: Any, match: Match) -> None:
    first, again = (api("player", "get", f"matches/{match.public_id}/advice/").json() for _ in range(2))
    assert first == again
    assert AskedAdvice.objects.count() == 1


def test_the_scope_is_that_of_playing(api: Any, match: Match) -> None:
    address = f"matches/{match.public_id}/advice/"
    assert said(api("player", "get", address, scopes=("read", "organise"))) == (403, "scope_missing")
    assert api("player", "get", address, scopes=("play",)).status_code == 200


@pytest.mark.parametrize("method", ["get", "head"])
def test_a_link_cannot_ask_in_the_name_of_those_who_open_it(api: Any, world: World, match: Match, method: str) -> None:
    """A session goes along with any link; a token only where a program sends it."""
    opened = getattr(world.clients["player"], method)(f"/api/v1/matches/{match.public_id}/advice/")
    assert opened.status_code == 403
    if method == "get":
        assert said(opened) == (403, "token_needed")
    assert not AskedAdvice.objects.exists()


def test_who_does_not_play_is_refused_and_against_people_there_is_none(api: Any, world: World, match: Match) -> None:
    address = f"matches/{match.public_id}/advice/"
    assert said(api("rival", "get", address)) == (403, "forbidden")
    assert api("", "get", address).status_code == 401
    assert said(api("player", "get", f"matches/{world.friendly.public_id}/advice/")) == (409, "advice_against_people")
    assert said(api("player", "get", f"matches/{world.duel.public_id}/advice/")) == (409, "advice_against_people")
    assert not AskedAdvice.objects.exists()


def test_who_asks_all_the_time_waits(api: Any, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "ADVICE_OF_A_PERSON", Limit("match_advice", 1))
    assert api("player", "get", f"matches/{match.public_id}/advice/").status_code == 200
    document = api("player", "get", f"matches/{match.public_id}/legal-actions/").json()
    played = {"seen": document["seen"], "action": document["legal_actions"][0]}
    api("player", "post", f"matches/{match.public_id}/actions/", played)
    answer = api("player", "get", f"matches/{match.public_id}/advice/")
    assert said(answer) == (429, "too_often")
    assert int(answer.headers["Retry-After"]) >= 60


def test_an_adviser_that_fails_is_a_refusal_and_no_error(
    api: Any, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(advice, "advise", failing)
    assert said(api("player", "get", f"matches/{match.public_id}/advice/")) == (409, "no_advice")


@pytest.fixture
def stable(world: World, api: Any) -> Stable:
    return world.stable("recruiting")


def test_the_market_hears_what_to_buy_and_a_program_can_do_it(api: Any, stable: Stable) -> None:
    document = api("player", "get", f"{OWN}market/advice/").json()
    assert document["capital"] == 1000
    buys = [each for each in document["suggestions"] if each["deed"] == "buy"]
    assert buys[0]["is_needed"]
    assert {each["deed"] for each in document["suggestions"]} <= {"buy", "sell", "hire", "save"}
    bought_one = api("player", "post", f"{OWN}buy", {"kind": buys[0]["kind"], "key": buys[0]["key"]})
    assert bought_one.json()["capital"] == buys[0]["left"]


def test_the_garage_hears_what_to_repair_and_a_program_can_do_it(api: Any, stable: Stable) -> None:
    unit = bought(stable, "unit", common_unit(stable.season))
    bought(stable, "pilot", common_pilot(stable.season))
    hurt(unit, clicks=3)
    document = api("player", "get", f"{OWN}garage/advice/").json()
    (repair,) = [each for each in document["suggestions"] if each["deed"] == "repair"]
    assert (repair["asset"], repair["key"], repair["stones"]) == (unit.pk, None, 50)
    restores = next(reason for reason in repair["reasons"] if reason["code"] == "restores")
    assert restores["parameters"]["values"]
    assert {each["deed"] for each in document["suggestions"]} <= {"repair", "wait", "mount", "keep"}
    assert api("player", "post", f"{OWN}repair", {"asset": repair["asset"]}).json()["capital"] == repair["left"]


SIGNS = {"sell": 1, "repair": -1, "hire": -1, "buy": -1}


def add_up(document: dict[str, Any]) -> None:
    """Hold that what is left after each suggestion follows from the answer alone."""
    for number, one in enumerate(document["suggestions"]):
        before = document["suggestions"][: number + 1] + one["after"]
        moved = sum(SIGNS.get(each["deed"], 0) * each["stones"] for each in before)
        assert one["left"] == document["capital"] - document["basket"] + moved, one
        is_spent = SIGNS.get(one["deed"], 0) < 0
        assert one["can_pay"] is (not is_spent or one["stones"] <= document["capital"])


def test_what_is_left_adds_up_in_each_place_with_what_the_other_says_first(api: Any, stable: Stable) -> None:
    unit = bought(stable, "unit", common_unit(stable.season))
    bought(stable, "pilot", common_pilot(stable.season))
    card = goods(stable.season, "rally_card")[0]
    copies = [bought(stable, "rally_card", card) for _ in range(2)]
    hurt(unit, clicks=3)
    garage, market = (api("player", "get", f"{OWN}{place}/advice/").json() for place in ("garage", "market"))
    add_up(garage)
    add_up(market)
    repair = next(each for each in garage["suggestions"] if each["deed"] == "repair")
    assert [(each["deed"], each["stones"]) for each in repair["after"]] == [("sell", 10)]
    assert repair["after"][0]["asset"] in [copy.pk for copy in copies]
    sale = next(each for each in market["suggestions"] if each["deed"] == "sell")
    assert (sale["after"], sale["told"]) == ([], repair["after"][0]["told"])
    assert any(each["deed"] == "repair" for one in market["suggestions"] for each in one["after"])


def test_what_lies_in_the_basket_is_shown_as_spent(api: Any, stable: Stable) -> None:
    unit = common_unit(stable.season)
    assert api("player", "put", f"{OWN}basket/", {"lines": [{"kind": "unit", "key": unit["id"]}]}).status_code == 200
    document = api("player", "get", f"{OWN}market/advice/").json()
    assert (document["capital"], document["basket"]) == (1000, unit["points"])
    add_up(document)


@pytest.mark.parametrize("place", ["market", "garage"])
def test_only_the_owner_is_advised_in_few_queries(api: Any, stable: Stable, place: str) -> None:
    address = f"{OWN}{place}/advice/"
    for role in ("rival", "organiser", "staff"):
        assert said(api(role, "get", address)) == (403, "forbidden")
    assert api("", "get", address).status_code == 401
    api("player", "get", address)
    with CaptureQueriesContext(connection) as queries:
        api("player", "get", address)
    assert len(queries) <= MOST_QUERIES
