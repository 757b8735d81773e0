"""What organisers do with an open match by the interface, and a line-up that its owner takes back."""

from __future__ import annotations

from typing import Any

import pytest

from stables.models import Fixture, FixtureSide, LineUp, LogEntry, SeasonRole
from stables.services.line_ups import line_ups
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db

SEASON = "seasons/running-season/"


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.fixture
def duel(world: World) -> Fixture:
    """An open match of the running season, without a line-up."""
    found = Fixture.objects.get(pk=world.fixtures["running"].pk)
    LineUp.objects.filter(side__fixture=found).delete()
    return found


def address(duel: Fixture, act: str) -> str:
    return f"{SEASON}fixtures/{duel.pk}/{act}"


def numbers(duel: Fixture) -> list[int]:
    return list(duel.sides.order_by("id").values_list("stable__number", flat=True))


def test_a_match_is_set_and_read_again(duel: Fixture, api: Any) -> None:
    acts = api("organiser", "get", address(duel, "organise/")).json()
    arena = next(each["key"] for each in acts["arenas"] if each["key"] != duel.arena_key)
    sent = {"at": "2030-03-09T18:00:00Z", "arenas": [arena], "table": 7}
    assert code_of(api("organiser", "post", address(duel, "direct"), sent)) == (409, "date_too_far")
    answer = api("organiser", "post", address(duel, "direct"), {"arenas": [arena], "table": 7}, key="set")
    assert answer.status_code == 200, answer.content
    assert [each["what"] for each in answer.json()["changes"]] == ["arenas", "table"]
    assert (
        api("organiser", "post", address(duel, "direct"), {"arenas": [arena], "table": 7}, key="set").json()
        == answer.json()
    )
    found = api("spectator", "get", address(duel, "")).json()
    assert (found["table"], found["arenas"]) == (7, [arena])
    assert code_of(api("organiser", "post", address(duel, "direct"), {"table": 7})) == (409, "nothing_to_change")
    assert code_of(api("organiser", "post", address(duel, "direct"), {"arenas": ["moon"]})) == (
        409, "unknown_catalogue_entry",
    )  # fmt: skip


def test_how_a_match_is_played_is_set_and_answered_in_the_words_of_the_log(duel: Fixture, api: Any) -> None:
    sent = {"mode": "table", "reason": "agreed", "words": "by phone"}
    made = api("organiser", "post", address(duel, "direct"), sent).json()["changes"]
    assert LogEntry.objects.get(code="fixture_mode_set").parameters["reason"] == "#agreed: by phone"
    assert made == [{"what": "mode", "before": "ai", "after": "table"}]


def test_an_excused_stable_has_more_time(duel: Fixture, api: Any) -> None:
    one, _ = numbers(duel)
    answer = api("organiser", "post", address(duel, "excuse"), {"stable": one, "reason": "Ill"})
    assert answer.json()["fixture"] == duel.pk
    assert code_of(api("organiser", "post", address(duel, "excuse"), {"stable": 99, "reason": "Ill"})) == (
        409, "bad_field",
    )  # fmt: skip
    assert code_of(api("organiser", "post", address(duel, "excuse"), {"stable": one})) == (409, "reason_missing")
    assert LogEntry.objects.get(code="fixture_excused").parameters["reason"] == "Ill"


def test_a_declared_forfeit_decides_a_duel(duel: Fixture, api: Any) -> None:
    one, _ = numbers(duel)
    answer = api("organiser", "post", address(duel, "forfeit"), {"stables": [one], "why": "late"})
    assert answer.json() == {"fixture": duel.pk, "is_decided": True}
    assert FixtureSide.objects.get(fixture=duel, stable__number=one).forfeits == "late"
    again = api("organiser", "post", address(duel, "forfeit"), {"stables": [one], "why": "late"})
    assert code_of(again) == (409, "bad_field")
    assert code_of(api("organiser", "post", address(duel, "forfeit"), {"stables": [one], "why": "lazy"})) == (
        400, "invalid",
    )  # fmt: skip


def test_a_line_up_is_taken_back_by_its_owner_or_opened_by_an_organiser(world: World, duel: Fixture, api: Any) -> None:
    side = duel.sides.select_related("stable").get(stable__owner=world.people["player"])
    own = f"{SEASON}stables/{side.stable.slug}/line-up/"
    line_ups.submit_nearest_legal(stable_id=side.stable_id, fixture_id=duel.pk)
    answer = api("player", "post", f"{own}take-back")
    assert answer.status_code == 200, answer.content
    assert answer.json()["call"]["sealed"] is None
    assert code_of(api("player", "post", f"{own}take-back")) == (409, "line_up_not_in")
    assert code_of(api("rival", "post", f"{own}take-back")) == (403, "forbidden")
    line_ups.submit_nearest_legal(stable_id=side.stable_id, fixture_id=duel.pk)
    sent = {"stable": side.stable.number, "reason": "typing_error", "words": "A wrong tap"}
    assert api("organiser", "post", address(duel, "line-up/reopen"), sent).json() == {
        "fixture": duel.pk, "stable": side.stable.number,
    }  # fmt: skip
    assert LogEntry.objects.get(code="fixture_line_up_reopened").parameters["reason"] == "#typing_error: A wrong tap"
    assert not LineUp.objects.filter(side__fixture=duel).exists()
    assert code_of(api("organiser", "post", address(duel, "line-up/reopen"), sent)) == (409, "line_up_not_in")


def test_an_exchange_is_offered_and_made(duel: Fixture, api: Any) -> None:
    other = Fixture.objects.create(round=duel.round, number=90, kind="bye", state="settled")
    resting = duel.round.cycle.season.stables.exclude(fixture_sides__fixture__round=duel.round).first()
    if resting is None:
        resting = duel.round.cycle.season.stables.create(name="Resting", slug="resting", number=90, is_ai=True)
    FixtureSide.objects.create(fixture=other, stable=resting, side="red")
    offered = api("organiser", "get", address(duel, "organise/")).json()["swaps"]
    assert {(each["fixture"], each["comes"]["slug"]) for each in offered} >= {(other.pk, resting.slug)}
    one, _ = numbers(duel)
    sent = {"stable": one, "other": resting.number, "reason": "agreed"}
    assert api("organiser", "post", address(duel, "swap"), sent).json()["fixtures"] == [duel.pk, other.pk]
    assert LogEntry.objects.get(code="round_pairing_swapped").parameters["reason"] == "#agreed"
    assert code_of(api("organiser", "post", address(duel, "swap"), {**sent, "other": one})) == (409, "bad_field")


@pytest.mark.parametrize(
    ("act", "body"),
    [
        ("direct", {"mode": "table"}),
        ("excuse", {"stable": 1, "reason": "Ill"}),
        ("forfeit", {"stables": [1], "why": "late"}),
        ("line-up/reopen", {"stable": 1, "reason": "A wrong tap"}),
        ("swap", {"stable": 1, "other": 2, "reason": "Agreed"}),
    ],
)
def test_others_and_organisers_who_play_in_it_do_none_of_it(
    world: World, duel: Fixture, api: Any, act: str, body: dict[str, Any]
) -> None:
    assert code_of(api("anonymous", "post", address(duel, act), body)) == (401, "log_in_needed")
    assert code_of(api("player", "post", address(duel, act), body)) == (403, "forbidden")
    assert code_of(api("organiser", "post", address(duel, act), body, scopes=("read", "play"))) == (
        403,
        "scope_missing",
    )
    if act == "swap":
        return
    SeasonRole.objects.create(season=world.seasons["running"], user=world.people["player"], role="co_organiser")
    body = {**body, **({"stable": numbers(duel)[0]} if "stable" in body else {})}
    body = {**body, **({"stables": numbers(duel)[:1]} if "stables" in body else {})}
    assert code_of(api("player", "post", address(duel, act), body)) == (409, "organiser_owns_side")
