"""Deciding, correcting and waiving by the interface: who may, what is foreseen, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from rules.wording.isolation import bare
from stables.models import Correction, Fixture, LogEntry, Result, Ruling, SeasonRole, Stable
from tests.stables.tabletop_matches import blue_wins, red_wins
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db

TABLE = "seasons/table-season/"


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.fixture
def fixture(world: World) -> str:
    """The address of the match whose reports differ."""
    return f"{TABLE}fixtures/{world.fixtures['table'].pk}/"


def ruling(**more: Any) -> dict[str, Any]:
    return {"result": red_wins(), "reason": "Both sheets show it.", **more}


@pytest.fixture
def settled(fixture: str, api: Any) -> str:
    """The same match, decided for red."""
    assert api("referee", "post", f"{fixture}decide", ruling()).status_code == 200
    return fixture


# Disputes ------------------------------------------------------------------------------------------------------------


def test_the_console_names_the_dispute(world: World, fixture: str, api: Any) -> None:
    [said] = api("organiser", "get", f"{TABLE}organise/").json()["reported"]
    assert (said["fixture"], said["differs"], said["may_decide"]) == (world.fixtures["table"].pk, True, True)
    assert set(said["stables"]) == set(said["reported"]) == {"player-sons", "rival-sons"}
    assert said["waits_for"] == []


@pytest.mark.parametrize("role", ["referee", "organiser", "helper"])
def test_a_dispute_is_decided_by_those_who_take_no_part(fixture: str, api: Any, role: str) -> None:
    case = api(role, "get", f"{fixture}decide").json()
    assert (case["format"], case["sides"]) == ("standard", ["red", "blue"])
    assert {unit["name"] for unit in case["units"]} == {"red-1", "blue-1"}
    foreseen = api(role, "post", f"{fixture}decide/foresee", red_wins())
    assert {"reputation", "kills", "wins"} <= {effect["what"] for effect in foreseen.json()["effects"]}
    assert not Ruling.objects.exists()
    answer = api(role, "post", f"{fixture}decide", ruling(), key="ruling")
    assert (answer.status_code, answer.json()) == (200, {"fixture": case["fixture"]})
    assert api(role, "post", f"{fixture}decide", ruling(), key="ruling").json() == answer.json()
    result = Result.objects.get(fixture=case["fixture"])
    assert (result.source, result.current["winner"]) == ("referee", "red")
    assert Ruling.objects.get().reason == "Both sheets show it."
    assert code_of(api(role, "post", f"{fixture}decide", ruling())) == (409, "fixture_settled")
    assert code_of(api(role, "post", f"{fixture}decide/foresee", red_wins())) == (409, "fixture_settled")


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ({"reason": "ruling"}, "#ruling"),
        ({"reason": "ruling", "words": "Both  sheets."}, "#ruling: Both sheets."),
        ({"words": "Both sheets."}, "Both sheets."),
        ({"reason": "x" * 1000}, "x" * 1000),
    ],
    ids=["a key", "key and words", "words", "a text of an old program"],
)
def test_a_reason_is_a_key_or_words_or_both(fixture: str, api: Any, sent: dict[str, str], stored: str) -> None:
    assert api("referee", "post", f"{fixture}decide", {"result": red_wins(), **sent}).status_code == 200
    assert Ruling.objects.get().reason == stored


@pytest.mark.parametrize(
    ("sent", "code"),
    [({}, "reason_missing"), ({"words": " "}, "reason_missing"), ({"reason": "so", "words": "x"}, "bad_field")],
)
def test_a_reason_that_is_none_or_two_texts_is_refused(fixture: str, api: Any, sent: dict[str, str], code: str) -> None:
    assert code_of(api("referee", "post", f"{fixture}decide", {"result": red_wins(), **sent})) == (409, code)
    assert not Ruling.objects.exists()


def test_others_do_not_decide(world: World, fixture: str, api: Any) -> None:
    for method, body in (("get", None), ("post", ruling())):
        assert code_of(api("anonymous", method, f"{fixture}decide", body)) == (401, "log_in_needed")
        for role in ("player", "spectator", "staff"):
            assert code_of(api(role, method, f"{fixture}decide", body)) == (403, "forbidden")
    lacking = api("referee", "post", f"{fixture}decide", ruling(), scopes=("read", "play"))
    assert code_of(lacking) == (403, "scope_missing")
    SeasonRole.objects.create(season=world.seasons["table"], user=world.people["rival"], role="referee")
    for method, body in (("get", None), ("post", ruling())):
        assert code_of(api("rival", method, f"{fixture}decide", body)) == (409, "referee_takes_part")
    assert code_of(api("rival", "post", f"{fixture}decide/foresee", red_wins())) == (409, "referee_takes_part")


@pytest.mark.parametrize(
    ("result", "code"),
    [
        ({}, "bad_field"),
        ({"units": {"green-7": {"kills": 1}}}, "bad_field"),
        ({"sides": {"green": {"tokens": 5}}}, "bad_field"),
        ({**red_wins(), "winner": "green"}, "bad_field"),
        (red_wins(clicks=99), "report_clicks_out_of_dial"),
        ({**red_wins(), "winner": "blue"}, "report_winner_unlikely"),
    ],
)
def test_rulings_that_cannot_be(fixture: str, api: Any, result: dict[str, Any], code: str) -> None:
    assert code_of(api("referee", "post", f"{fixture}decide", ruling(result=result))) == (409, code)
    assert code_of(api("referee", "post", f"{fixture}decide/foresee", result)) == (409, code)
    assert not Ruling.objects.exists()


@pytest.mark.parametrize(
    "more",
    [
        {"reason": ""},
        {"reason": "  "},
        {"reason": "x" * 1001},
        {"reason": None},
        {"result": []},
        {"result": {"winner": "black"}},
        {"result": {"units": {"red-1": {"clicks": -1}}}},
        {"result": {"units": {"red-1": {"clicks": "2"}}}},
        {"result": {"units": {"red-1": {"luck": 1}}}},
        {"result": {"sides": {"red": {"surrendered": "no"}}}},
    ],
)
def test_rulings_of_another_form(fixture: str, api: Any, more: dict[str, Any]) -> None:
    assert code_of(api("referee", "post", f"{fixture}decide", ruling(**more))) == (400, "invalid")


def test_a_match_whose_line_ups_are_not_in_is_no_case_and_shows_none(world: World, api: Any) -> None:
    address = f"seasons/running-season/fixtures/{world.fixtures['running'].pk}/decide"
    assert code_of(api("organiser", "get", address)) == (409, "report_too_early")
    assert code_of(api("organiser", "post", address, ruling())) == (409, "report_too_early")


def test_fixtures_of_other_seasons_are_not_there(world: World, api: Any) -> None:
    for number in (world.fixtures["running"].pk, 0, 10**30):
        for last in ("decide", "correct"):
            address = f"{TABLE}fixtures/{number}/{last}"
            query = {"kind": "void"} if last == "correct" else None
            assert code_of(api("organiser", "get", address, query)) == (404, "not_found")


# Corrections ---------------------------------------------------------------------------------------------------------


def test_a_result_is_corrected_as_it_was_foreseen(settled: str, api: Any) -> None:
    wanted = {"kind": "correct", "result": blue_wins()}
    foreseen = api("organiser", "post", f"{settled}correct/foresee", wanted).json()
    assert foreseen["effects"]
    assert not Correction.objects.exists()
    sent = {**wanted, "reason": "typing_error", "words": "The sheets were swapped.", "seal": foreseen["seal"]}
    made = api("organiser", "post", f"{settled}correct", sent, key="swap")
    assert (made.status_code, made.json()["number"]) == (200, 1)
    assert made.json()["effects"] == foreseen["effects"]
    assert api("organiser", "post", f"{settled}correct", sent, key="swap").json() == made.json()
    assert Correction.objects.get().reason == "#typing_error: The sheets were swapped."
    [told] = api("spectator", "get", settled).json()["corrections"]
    assert bare(told["reason"]) == "typing error: The sheets were swapped."
    assert Result.objects.get(fixture=settled.split("/")[-2]).current["winner"] == "blue"
    assert LogEntry.objects.filter(code="result_corrected").count() == 1
    assert code_of(api("organiser", "post", f"{settled}correct", sent)) == (409, "correction_changed")


def test_void_results_and_forfeits_are_foreseen_without_a_body(world: World, settled: str, api: Any) -> None:
    void = api("organiser", "get", f"{settled}correct", {"kind": "void"}).json()
    assert void == api("organiser", "post", f"{settled}correct/foresee", {"kind": "void"}).json()
    number = world.stable("table").number
    lost = api("organiser", "get", f"{settled}correct", {"kind": "replace", "forfeits": str(number)}).json()
    asked = {"kind": "replace", "forfeits": [number]}
    assert lost == api("organiser", "post", f"{settled}correct/foresee", asked).json()
    assert lost["seal"] != void["seal"]
    assert not Correction.objects.exists()
    for kind in ("void", "correct"):
        meaningless = api("organiser", "post", f"{settled}correct/foresee", {"kind": kind, "forfeits": [number]})
        assert code_of(meaningless) == (409, "bad_field"), kind
    nobody = api("organiser", "get", f"{settled}correct", {"kind": "replace", "forfeits": "99"})
    assert code_of(nobody) == (409, "forfeit_of_nobody")
    for query in ({}, {"kind": "correct"}, {"kind": "replace", "forfeits": "one"}, {"kind": "void", "why": "x"}):
        assert code_of(api("organiser", "get", f"{settled}correct", query)) == (400, "invalid")
    sent = {"kind": "void", "reason": "Nobody was there.", "seal": void["seal"]}
    assert api("helper", "post", f"{settled}correct", sent).status_code == 200
    held = Result.objects.get(fixture=settled.split("/")[-2]).current
    assert held["ended_by"] == "void"


def test_corrections_are_for_organisers(settled: str, api: Any) -> None:
    body = {"kind": "void", "reason": "so", "seal": "x"}
    for role, expected in (("anonymous", 401), ("player", 403), ("referee", 403), ("staff", 403)):
        assert api(role, "post", f"{settled}correct", body).status_code == expected
        assert api(role, "post", f"{settled}correct/foresee", {"kind": "void"}).status_code == expected
        assert api(role, "get", f"{settled}correct", {"kind": "void"}).status_code == expected


def test_corrections_that_cannot_be(fixture: str, api: Any) -> None:
    body = {"kind": "void", "reason": "so", "seal": "x"}
    assert code_of(api("organiser", "post", f"{fixture}correct", body)) == (409, "result_not_settled")
    assert code_of(api("organiser", "get", f"{fixture}correct", {"kind": "void"})) == (409, "result_not_settled")
    assert api("referee", "post", f"{fixture}decide", ruling()).status_code == 200
    assert code_of(api("organiser", "post", f"{fixture}correct", body)) == (409, "correction_changed")
    empty = {"kind": "correct"}
    assert code_of(api("organiser", "post", f"{fixture}correct/foresee", empty)) == (409, "bad_field")
    unknown = {"kind": "correct", "result": {"units": {"red-9": {"kills": 1}}}}
    assert code_of(api("organiser", "post", f"{fixture}correct/foresee", unknown)) == (409, "bad_field")
    for more in ({"kind": "undo"}, {"reason": " "}, {"seal": ""}, {"forfeits": "1"}, {"forfeits": [0]}):
        assert code_of(api("organiser", "post", f"{fixture}correct", {**body, **more})) == (400, "invalid"), more


def test_the_results_of_a_season_that_is_over_stand(world: World, api: Any) -> None:
    number = Fixture.objects.filter(round__cycle__season=world.seasons["played"])[0].pk
    address = f"seasons/played-season/fixtures/{number}/correct"
    assert code_of(api("organiser", "get", address, {"kind": "void"})) == (409, "results_are_final")


def test_a_debt_is_waived_with_a_reason(world: World, api: Any) -> None:
    address = f"{TABLE}stables/player-sons/waive-debt"
    body = {"reason": "typing_error", "words": "The error was ours."}
    assert code_of(api("organiser", "post", address, body)) == (409, "nothing_owed")
    Stable.objects.filter(pk=world.stable("table").pk).update(owed=40)
    answer = api("organiser", "post", address, body, key="ours")
    assert answer.json() == {"stable": "player-sons", "amount": 40}
    assert api("organiser", "post", address, body, key="ours").json() == answer.json()
    assert world.stable("table").owed == 0
    assert LogEntry.objects.get(code="debt_waived").parameters["reason"] == "#typing_error: The error was ours."
    assert code_of(api("organiser", "post", address, {})) == (409, "reason_missing")
    assert code_of(api("organiser", "post", f"{TABLE}stables/nobody/waive-debt", body)) == (404, "not_found")
