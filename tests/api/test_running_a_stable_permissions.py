"""Who may not: nobody but its owner runs a stable, and what is sealed stays sealed, whoever asks, wherever."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone

from stables.api.urls import stable as stable_urls
from stables.models import Basket, SavedLineUp, Stable
from stables.services.line_ups import line_ups
from tests.stables.market_goods import common_unit, goods
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db

SEASON = "seasons/running-season/"
OWN = f"{SEASON}stables/player-sons/"

LINE = {"kind": "unit", "key": "SOL002"}
CREW = {"unit": 1, "pilot": 2}
KIND = {"weight_class": "light", "format": "standard"}

BODIES: dict[str, list[Any]] = {
    "ready": [{"ready": "yes"}, {"ready": 1}, [], {"sure": True}, {"without_crew": "yes"}],
    "skip": [{}, {"cycle": "2"}, {"cycle": 0}, {"cycle": True}, {"cycle": 1.5}, {"cycle": 2, "skip": None}],
    "withdraw": [{}, {"sure": "yes"}, {"sure": None}],
    "buy": [{}, {"kind": "unit"}, {"kind": "house", "key": "x"}, {**LINE, "key": 5}, {**LINE, "key": "a b"}],
    "buy-crew": [{}, {"wares": []}, {"wares": [LINE] * 21}, {"wares": [{"kind": "unit"}]}, {"wares": {"unit": "x"}}],
    "sell": [{}, {"asset": "5"}, {"asset": 0}, {"asset": 2**63}, {"asset": 5, "confirmed": "yes"}, {"asset": 1.5}],
    "repair": [{}, {"asset": None}, {"asset": [1]}],
    "assign": [
        {"asset": 1},
        {"unit": 1},
        {"asset": 1, "unit": 2, "side": "left"},
        {"asset": 1, "unit": 2, "card": "x"},
    ],
    "unassign": [{}, {"asset": -1}],
    "line-up/": [
        {},
        {"crews": {}},
        {"crews": [5]},
        {"crews": [{"pilot": 1}]},
        {"crews": [{**CREW, "gear": "5"}]},
        {"crews": [{**CREW, "hand": [1, 2, 3, 4, 5, 6]}]},
        {"crews": [CREW], "tokens": ["T-001"] * 4},
        {"crews": [CREW], "tokens": "T-001 T-002"},
    ],
    "saved-line-ups/": [{"crews": []}, {**KIND, "crews": None}, {**KIND, "weight_class": "multi", "crews": []}],
    "programs": [{}, {"account": " "}, {"account": "a\0b"}, {"account": 5}],
    "hand-overs/": [{}, {"ends_at": None}],
}
"""Deed -> bodies that are not of the form described."""

BODIES_OF_ORGANISERS_TOO: dict[str, list[Any]] = {
    "stand-ins/": [
        {},
        {"account": 5, "reason": "x"},
        {"account": "rival", "fixture": "1", "reason": "x"},
    ],
}
"""The same of what organisers may do as well."""

PUT_BODIES: dict[str, list[Any]] = {
    "coming/": [{}, {"is_coming": "yes"}, {"is_coming": None}],
    "basket/": [{}, {"lines": {}}, {"lines": [5]}, {"lines": [{"kind": "unit"}]}, {"lines": [{**LINE, "price": 1}]}],
    "repair-order/": [{}, {"order": 5}, {"order": ["x"]}, {"order": [None]}, {"order": [1], "units": []}],
}

OWNERS = [
    ("get", "market/"),
    ("get", "basket/"),
    ("get", "garage/"),
    ("get", "repair-order/"),
    ("get", "line-up/"),
    ("get", "saved-line-ups/"),
    ("get", "hand-overs/"),
    ("get", "garage/advice/"),
    ("get", "market/advice/"),
    *(("post", deed) for deed in BODIES),
    *(("put", thing) for thing in PUT_BODIES),
    ("post", "ready/crew"),
    ("post", "basket/advice"),
    ("post", "basket/seal"),
    ("post", "basket/unseal"),
    ("post", "repair-all"),
    ("post", "line-up/nearest"),
    ("post", "line-up/decline"),
    ("post", "line-up/take-back"),
    ("delete", "saved-line-ups/light/standard/"),
]
"""What only the owner of a stable may ask for."""


@pytest.mark.parametrize(("method", "place"), OWNERS, ids=lambda value: str(value))
def test_only_the_owner_runs_a_stable(world: World, api: Any, method: str, place: str) -> None:
    stable = world.stable("running")
    before = (stable.capital, stable.ledger.count(), Stable.objects.get(pk=stable.pk).repair_priority)
    assert api("anonymous", method, OWN + place).json()["code"] == "log_in_needed"
    for role in ("spectator", "rival", "organiser", "helper", "referee", "staff"):
        answer = api(role, method, OWN + place)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), role
    for scopes in (("read",), ("organise",)):
        if method != "get":
            answer = api("player", method, OWN + place, scopes=scopes)
            assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
    stable.refresh_from_db()
    assert (stable.capital, stable.ledger.count(), stable.repair_priority) == before
    elsewhere = OWN.replace("running-season", "no-season") + place
    assert api("player", method, elsewhere).status_code == 404
    assert api("player", method, OWN.replace("player-sons", "no-stable") + place).status_code == 404


def test_every_address_of_a_stable_is_in_that_list() -> None:
    below = [str(each.pattern) for each in stable_urls.urlpatterns if str(each.pattern).startswith(stable_urls.STABLE)]
    known = {place for _, place in OWNERS}
    rest = {place.removeprefix(stable_urls.STABLE) for place in below} - known - set(BODIES_OF_ORGANISERS_TOO)
    assert rest == {
        "saved-line-ups/<slug:weight_class>/<slug:format_name>/",
        "hand-overs/<int:hand_over_id>/take-back",
        "programs/<int:seat_id>/answer",
        "stand-ins/<int:stand_in_id>/end",
    }, "a new address: who may use it?"


@pytest.mark.parametrize(
    ("method", "place", "body"),
    [
        *(("post", deed, body) for deed, bodies in (BODIES | BODIES_OF_ORGANISERS_TOO).items() for body in bodies),
        *(("put", thing, body) for thing, bodies in PUT_BODIES.items() for body in bodies),
    ],
)
def test_a_body_of_another_form_is_malformed(api: Any, method: str, place: str, body: Any) -> None:
    answer = api("player", method, OWN + place, body, key="malformed")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert answer.json()["parameters"]["errors"]


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\0b", "a\nb", None, 5])
def test_a_name_that_is_none(api: Any, name: Any) -> None:
    for place in ("seasons/recruiting-season/stables/found", "join/"):
        code = {"code": "x"} if place == "join/" else {}
        assert api("spectator", "post", place, {"name": name, **code}).json()["code"] == "invalid"


@pytest.mark.parametrize("query", ["kind=house", "weight_class=multi", "search=" + "x" * 61, "affordable=1", "page=0"])
def test_a_question_to_the_market_of_another_form(api: Any, query: str) -> None:
    answer = api("player", "get", f"{OWN}market/?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


# Secrets ----------------------------------------------------------------------------------------------------------

ADDRESSES = [str(each.pattern) for each in stable_urls.urlpatterns]


def everything(world: World, api: Any, role: str) -> str:
    """All that somebody is answered, whatever he reads of the player's stable and of its match, or of his own."""
    pages: dict[str, str] = {}
    for season, name in (("running", "running-season"), ("recruiting", "recruiting-season")):
        values = {
            "<slug:season_slug>": name,
            "<int:fixture_id>": str(world.fixtures["running"].pk),
            "<int:hand_over_id>": str(world.values["hand_over_id"]),
            "<int:seat_id>": str(world.values["seat_id"]),
            "<int:proposal_id>": "1",
            "<int:stand_in_id>": "1",
            "<slug:weight_class>": "light",
            "<slug:format_name>": "standard",
        }
        for owner in ("player-sons", "rival-sons"):
            for address in ADDRESSES:
                for part, value in {**values, "<slug:stable_slug>": owner}.items():
                    address = address.replace(part, value)
                if address in pages:
                    continue
                answer = api(role, "get", address)
                assert answer.status_code in (200, 401, 403, 404, 405), season
                pages[address] = answer.content.decode()
    return "\n".join(pages.values())


def test_baskets_saved_and_sealed_line_ups_are_their_owner_s_alone(world: World, api: Any) -> None:
    stable, open_market = world.stable("running"), world.stable("recruiting")
    wares = [{"kind": "gear", "key": goods(open_market.season, "gear")[3]["id"]}] * 2
    Basket.objects.create(
        stable=open_market, cycle=open_market.season.cycles.get(), lines=wares, sealed_at=timezone.now()
    )
    called = api("player", "get", f"{OWN}line-up/").json()["call"]["proposed"]
    SavedLineUp.objects.create(stable=stable, match_class="light", format="standard", document=called)
    line_ups.submit_nearest_legal(stable_id=stable.pk, fixture_id=world.fixtures["running"].pk)
    secrets = {
        "a line of the basket": json.dumps(wares[0])[1:-1].replace(": ", ":").replace(", ", ","),
        "its seal": '"is_sealed":true',
        "tokens of the line-up": json.dumps(called["tokens"]).replace(", ", ","),
    }
    own = everything(world, api, "player")
    for name, secret in secrets.items():
        assert secret in own, f"the owner reads {name}"
    for role in ("anonymous", "spectator", "rival", "organiser", "helper", "referee", "staff"):
        read = everything(world, api, role)
        for name, secret in secrets.items():
            assert secret not in read, f"{role} reads {name}"


def test_the_answer_to_a_line_up_says_nothing_of_the_rival_s(world: World, api: Any) -> None:
    stable = world.stable("running", "rival")
    sealed = line_ups.submit_nearest_legal(stable_id=stable.pk, fixture_id=world.fixtures["running"].pk)
    assert not sealed.fixture_is_sealed
    own = stable.assets.get(kind="unit")
    assert str(own.pk) not in {
        str(crew["unit"]) for crew in api("player", "get", f"{OWN}line-up/").json()["call"]["crews"]
    }
    answer = api("player", "post", f"{OWN}line-up/nearest").json()
    assert set(answer) == {"fixture", "forfeits", "fixture_is_sealed"}
    assert answer["fixture_is_sealed"]


def test_the_key_of_a_request_is_its_account_s_own(world: World, api: Any) -> None:
    """A rival who knows the key learns nothing by it."""
    key, unit = common_unit(world.seasons["recruiting"])["id"], "unit"
    place = "seasons/recruiting-season/stables/{}/buy"
    first = api("player", "post", place.format("player-sons"), {"kind": unit, "key": key}, key="shared")
    assert (
        api("rival", "post", place.format("player-sons"), {"kind": unit, "key": key}, key="shared").status_code == 403
    )
    second = api("rival", "post", place.format("rival-sons"), {"kind": unit, "key": key}, key="shared")
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["asset"] != second.json()["asset"]
