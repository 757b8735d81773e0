"""A sudden death by the interface: who is there, who fights, until when."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.dateparse import parse_datetime

from stables.models import Season, Stable, SuddenDeath
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db

RUNNING, TABLE = (f"seasons/{name}-season/" for name in ("running", "table"))


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.fixture
def tied(world: World, api: Any) -> Stable:
    """The stable of the player, tied with that of the rival for the title of the stables."""
    own = world.seasons["running"]
    Season.objects.filter(pk=own.pk).update(state=Season.State.SUDDEN_DEATH)
    numbers = [world.stable("running", owner).number for owner in ("player", "rival")]
    SuddenDeath.objects.create(
        season=own,
        kind="stable",
        contenders=[
            {"claim": f"0{number}", "stable": number, "asset": None, "names": "", "side": "", "plays": "bot"}
            for number in numbers
        ],
    )
    return world.stable("running")


def test_a_tied_stable_says_that_it_is_there(tied: Stable, api: Any) -> None:
    shown = api("anonymous", "get", f"{RUNNING}sudden-death/").json()
    assert (shown["title"], shown["due_at"], shown["has_begun"]) == ("stable", None, False)
    assert [each["is_there"] for each in shown["contenders"]] == [False, False]
    address = f"{RUNNING}stables/{tied.slug}/sudden-death"
    fighter = tied.assets.filter(kind="pilot").first()
    assert fighter is not None
    named = {"fighter": fighter.pk, "plays": "owner"}
    answer = api("player", "post", address, named)
    assert (answer.status_code, answer.json()["plays"], answer.json()["title"]) == (200, "owner", "stable")
    shown = api("anonymous", "get", f"{RUNNING}sudden-death/").json()
    assert [each["is_there"] for each in shown["contenders"]] == [True, False]
    assert shown["contenders"][0]["fighter"] == answer.json()["fighter"]


def test_who_cannot_be_named(tied: Stable, api: Any) -> None:
    address = f"{RUNNING}stables/{tied.slug}/sudden-death"
    assert code_of(api("player", "post", address, {"fighter": 2**63 - 1})) == (409, "unknown_asset")
    for body in ({"fighter": "best"}, {"fighter": 2**63}, {"plays": "mother"}):
        assert code_of(api("player", "post", address, body)) == (400, "invalid")
    assert code_of(api("rival", "post", address)) == (403, "forbidden")
    assert code_of(api("anonymous", "post", address)) == (401, "log_in_needed")
    assert code_of(api("player", "post", address, scopes=("read", "organise"))) == (403, "scope_missing")
    elsewhere = f"{TABLE}stables/player-sons/sudden-death"
    assert code_of(api("player", "post", elsewhere)) == (409, "no_sudden_death")


def test_a_last_date_for_a_sudden_death(tied: Stable, api: Any) -> None:
    answer = api("organiser", "post", f"{RUNNING}last-call")
    assert parse_datetime(answer.json()["at"]) == SuddenDeath.objects.get(season=tied.season).due_at
    assert code_of(api("organiser", "post", f"{RUNNING}last-call")) == (409, "sudden_death_has_date")
    assert code_of(api("organiser", "post", f"{TABLE}last-call")) == (409, "no_sudden_death")


def test_no_sudden_death_is_none(api: Any) -> None:
    shown = api("anonymous", "get", f"{TABLE}sudden-death/").json()
    assert shown == {"title": None, "due_at": None, "has_begun": False, "contenders": []}
