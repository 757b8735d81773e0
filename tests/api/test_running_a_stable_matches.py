"""Line-ups, reports, dates and absent players over the interface: by the owner, and refused as the pages refuse."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from jobs.services import run_pending
from stables.models import Fixture, FixtureSide, LineUp, NoShowClaim, Proposal, Report, Result, SavedLineUp, Stable
from stables.services.line_ups import line_ups
from stables.services.results.reports import chase
from tests.stables.tabletop_matches import blue_wins, red_wins
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db

SEASON = "seasons/running-season/"
OWN = f"{SEASON}stables/player-sons/"
RIVAL = f"{SEASON}stables/rival-sons/"


def said(answer: Any) -> tuple[int, str]:
    """Status and code."""
    return answer.status_code, answer.json().get("code", "")


@pytest.fixture
def duel(world: World, api: Any) -> Fixture:
    """The match between player and rival whose line-ups are called for."""
    return world.fixtures["running"]


@pytest.fixture
def address(duel: Fixture) -> str:
    return f"{SEASON}fixtures/{duel.pk}/"


@pytest.fixture
def proposed(api: Any) -> dict[str, Any]:
    """A legal line-up of the player's."""
    found: dict[str, Any] = api("player", "get", f"{OWN}line-up/").json()["call"]["proposed"]
    return found


# Line-ups ---------------------------------------------------------------------------------------------------------


def test_the_call_says_who_may_be_fielded(world: World, duel: Fixture, api: Any) -> None:
    call = api("player", "get", f"{OWN}line-up/").json()["call"]
    own = world.stable("running").assets
    unit, pilot = own.get(kind="unit").pk, own.get(kind="pilot").pk
    assert (call["fixture"], call["units"], call["sealed"], call["may_decline"]) == (duel.pk, 1, None, False)
    assert [(crew["unit"], crew["pilot"], crew["gear"]) for crew in call["crews"]] == [(unit, pilot, [])]
    assert call["proposed"]["crews"] == [{"unit": unit, "pilot": pilot, "gear": [], "hand": []}]
    worth = {token["key"]: token["worth"] for token in call["known_tokens"]}
    assert sum(worth[key] for key in call["proposed"]["tokens"]) == call["token_pool"]
    assert api("player", "get", "seasons/recruiting-season/stables/player-sons/line-up/").json() == {"call": None}


def test_a_line_up_is_handed_in_once_and_shown_to_its_owner(duel: Fixture, proposed: dict[str, Any], api: Any) -> None:
    first = api("player", "post", f"{OWN}line-up/", proposed, key="line-up")
    assert first.json() == {"fixture": duel.pk, "forfeits": None, "fixture_is_sealed": False}
    assert api("player", "post", f"{OWN}line-up/", proposed, key="line-up").json() == first.json()
    assert said(api("player", "post", f"{OWN}line-up/", proposed)) == (409, "line_up_sealed")
    call = api("player", "get", f"{OWN}line-up/").json()["call"]
    assert (call["sealed"]["crews"], call["sealed"]["chosen_by"]) == (proposed["crews"], "owner")
    assert (call["crews"], call["proposed"]) == ([], None)
    assert LineUp.objects.get(side__fixture=duel).side.stable.slug == "player-sons"


def test_a_line_up_that_may_not_be_is_refused(duel: Fixture, proposed: dict[str, Any], api: Any) -> None:
    crew = proposed["crews"][0]
    for change, code in (
        ({"tokens": []}, "token_count"),
        ({"tokens": ["nothing"] * 3}, "unknown_catalogue_entry"),
        ({"crews": []}, "line_up_size"),
        ({"crews": [crew, crew]}, "unit_twice"),
        ({"crews": [{**crew, "unit": 2**60}]}, "unknown_asset"),
        ({"crews": [{**crew, "hand": [crew["unit"]]}]}, "unknown_asset"),
    ):
        answer = api("player", "post", f"{OWN}line-up/", {**proposed, **change})
        assert answer.status_code == 409, change
        assert code in (answer.json()["code"], "token_count"), answer.json()
    assert not LineUp.objects.filter(side__fixture=duel).exists()
    no_match = api("player", "post", "seasons/recruiting-season/stables/player-sons/line-up/", proposed)
    assert said(no_match) == (409, "no_open_fixture")


def test_what_stands_in_is_handed_in_on_request(duel: Fixture, api: Any) -> None:
    claimant = Stable.objects.get(season__slug="running-season", slug="rival-sons")
    absent = Stable.objects.get(season__slug="running-season", slug="player-sons")
    NoShowClaim.objects.create(fixture=duel, claimant=claimant, absent=absent, new_date=timezone.now())
    assert api("player", "post", f"{OWN}line-up/nearest").json()["forfeits"] is None
    assert LineUp.objects.get(side__fixture=duel).source == LineUp.Source.NEAREST
    assert NoShowClaim.objects.get(fixture=duel).state == NoShowClaim.State.WITHDRAWN, "who hands in is there"
    assert said(api("player", "post", f"{OWN}line-up/nearest")) == (409, "line_up_sealed")


def test_who_must_play_may_not_decline(world: World, duel: Fixture, api: Any) -> None:
    assert said(api("player", "post", f"{OWN}line-up/decline")) == (409, "duty_to_play")
    world.stable("running").assets.filter(kind="unit").update(is_eliminated=True)
    assert api("player", "get", f"{OWN}line-up/").json()["call"]["may_decline"]
    answer = api("player", "post", f"{OWN}line-up/decline")
    assert answer.json() == {"fixture": duel.pk, "forfeits": "unable", "fixture_is_sealed": False}


def test_line_ups_are_saved_and_deleted(duel: Fixture, proposed: dict[str, Any], api: Any) -> None:
    kind = {"weight_class": "light", "format": "standard"}
    shown = api("player", "get", f"{OWN}saved-line-ups/").json()["results"]
    assert shown == [{**kind, "line_up": None}, {**kind, "format": "team", "line_up": None}]
    saved = api("player", "post", f"{OWN}saved-line-ups/", {**kind, **proposed})
    assert (saved.status_code, saved.json()) == (200, {**kind, "line_up": proposed})
    assert api("player", "get", f"{OWN}saved-line-ups/").json()["results"][0] == saved.json()
    two = api("player", "post", f"{OWN}saved-line-ups/", {**kind, **proposed, "crews": proposed["crews"] * 2})
    assert said(two) == (409, "line_up_size")
    assert said(api("player", "post", f"{OWN}saved-line-ups/", {**proposed, **kind, "format": "x"})) == (400, "invalid")
    for _ in range(2):
        gone = api("player", "delete", f"{OWN}saved-line-ups/light/standard/")
        assert (gone.status_code, gone.json()) == (200, {**kind, "line_up": None})
    assert not SavedLineUp.objects.exists()
    assert api("player", "delete", f"{OWN}saved-line-ups/light/nothing/").status_code == 404


# Reports ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def table(world: World, duel: Fixture, api: Any) -> str:
    """The same match at a table, its line-ups in: the address of its reports."""
    Fixture.objects.filter(pk=duel.pk).update(mode=Fixture.Mode.TABLE)
    for side in duel.sides.all():
        line_ups.submit_nearest_legal(stable_id=side.stable_id, fixture_id=duel.pk)
    run_pending()
    return f"{SEASON}fixtures/{duel.pk}/reports/"


def test_a_report_is_filed_and_confirmed(duel: Fixture, table: str, api: Any) -> None:
    first = api("player", "post", table, red_wins(), key="report")
    assert (first.status_code, first.json()) == (201, {"number": 1, "settled": False, "differing": []})
    assert api("player", "post", table, red_wins(), key="report").json() == first.json()
    assert Report.objects.filter(fixture=duel).count() == 1
    shown = api("rival", "get", table).json()
    assert (shown["reporters"], shown["can_report"], shown["is_open"]) == (["player-sons"], True, True)
    assert parse_datetime(shown["confirm_due_at"]) is not None
    report = shown["reports"][0]
    assert (report["stable"], report["document"]["winner"]) == ("player-sons", "red")
    assert report["document"]["sides"]["red"]["tokens"] == 5
    assert said(api("rival", "post", f"{table}confirm", {"report": 2**40})) == (409, "report_not_newest")
    done = api("rival", "post", f"{table}confirm", {"report": report["report"]})
    assert (done.status_code, done.json()["settled"]) == (200, True)
    assert Result.objects.filter(fixture=duel).exists()
    assert said(api("player", "post", table, red_wins())) == (409, "fixture_settled")


def test_reports_that_differ_are_compared(table: str, api: Any) -> None:
    api("player", "post", table, red_wins())
    differing = api("rival", "post", table, blue_wins()).json()["differing"]
    assert "winner" in differing
    shown = api("referee", "get", table).json()
    assert len(shown["reports"]) == 2
    assert len(shown["differences"]) == len(differing)
    assert set(shown["differences"][0]["values"]) == {"player-sons", "rival-sons"}


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({}, "bad_field"),
        ({"winner": "teal", "units": {"red-1": {"clicks": 1}}}, "bad_field"),
        ({"units": {"red_1": {"eliminated": True}}}, "bad_field"),
        ({"sides": {"purple": {"tokens": 5}}}, "bad_field"),
        (red_wins(clicks=9999), "report_clicks_out_of_dial"),
        (
            {"winner": "blue", "units": {"red-1": {"kills": 1}, "blue-1": {"eliminated": True}}},
            "report_winner_unlikely",
        ),
    ],
)
def test_what_cannot_be_is_refused_not_malformed(table: str, api: Any, document: Any, code: str) -> None:
    assert said(api("player", "post", table, document)) == (409, code)
    assert not Report.objects.filter(fixture__round__cycle__season__slug="running-season").exists()


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ([], ""),
        ({"winner": 1}, "winner"),
        ({"winner": "purple"}, "winner"),
        ({"ended_by": "boredom"}, "ended_by"),
        ({"sides": []}, "sides"),
        ({"sides": {"red": {"tokens": "5"}}}, "sides.red.tokens"),
        ({"sides": {"red": {"tokens": -1}}}, "sides.red.tokens"),
        ({"units": {"red-1": {"kills": True}}}, "units.red-1.kills"),
        ({"units": {"red-1": {"colour": 1}}}, "units.red-1.colour"),
        ({"reason": "x"}, "reason"),
    ],
)
def test_a_report_of_another_form_is_malformed(table: str, api: Any, document: Any, field: str) -> None:
    answer = api("player", "post", table, document)
    assert said(answer) == (400, "invalid")
    assert answer.json()["parameters"]["errors"][0]["field"] == field


def test_what_was_reported_is_for_those_whom_it_concerns(table: str, api: Any) -> None:
    api("player", "post", table, red_wins())
    for role in ("anonymous", "spectator", "staff"):
        shown = api(role, "get", table).json()
        assert (shown["reporters"], shown["reports"], shown["differences"]) == (["player-sons"], None, None)
        assert not shown["can_report"]
    for role in ("rival", "organiser", "helper", "referee"):
        assert len(api(role, "get", table).json()["reports"]) == 1
    for role in ("spectator", "organiser", "referee"):
        assert api(role, "post", table, red_wins()).status_code == 403
        assert api(role, "post", f"{table}confirm", {"report": 1}).status_code == 403


def test_a_result_by_silence_is_opened_again_by_those_who_were_silent(duel: Fixture, table: str, api: Any) -> None:
    sent = {"reason": "typing_error", "words": "We stopped in round six."}
    assert said(api("rival", "post", f"{table}reopen", sent)) == (409, "reopen_not_silent")
    api("player", "post", table, red_wins())
    assert chase(fixture_id=duel.pk, now=timezone.now() + timedelta(days=9)) == "confirmed"
    assert api("rival", "get", table).json()["can_reopen"]
    assert said(api("player", "post", f"{table}reopen", sent)) == (409, "reopen_not_silent")
    answer = api("rival", "post", f"{table}reopen", sent)
    assert (answer.status_code, answer.json()["fixture"]) == (200, duel.pk)
    assert api("rival", "get", table).json()["is_open"]


# Dates and absent players -----------------------------------------------------------------------------------------


def test_a_date_is_proposed_and_accepted(duel: Fixture, address: str, api: Any) -> None:
    at = (timezone.now() + timedelta(days=2)).replace(microsecond=0)
    made = api("player", "post", f"{address}appointments/", {"at": at.isoformat()}, key="date")
    assert (made.status_code, made.json()["state"]) == (201, "open")
    assert api("player", "post", f"{address}appointments/", {"at": at.isoformat()}, key="date").json() == made.json()
    assert Proposal.objects.filter(fixture=duel).count() == 1
    shown = api("rival", "get", f"{address}appointments/").json()
    assert (shown["is_open"], shown["modes"]) == (True, ["ai", "browser", "table"])
    assert [(each["stable"], parse_datetime(each["at"]), each["mode"]) for each in shown["proposals"]] == [
        ("player-sons", at, None)
    ]
    answer = f"{address}appointments/{made.json()['proposal']}/answer"
    assert said(api("player", "post", answer, {"answer": "accept"})) == (409, "no_fixture_of_yours")
    assert api("rival", "post", answer, {"answer": "accept"}).json()["state"] == "accepted"
    assert said(api("rival", "post", answer, {"answer": "decline"})) == (409, "proposal_closed")
    duel.refresh_from_db()
    assert duel.scheduled_at == at


def test_a_mode_is_declined_or_withdrawn(duel: Fixture, address: str, api: Any) -> None:
    for role, word, state in (("rival", "decline", "declined"), ("player", "withdraw", "withdrawn")):
        made = api("player", "post", f"{address}appointments/", {"mode": "browser"}).json()["proposal"]
        answer = api(role, "post", f"{address}appointments/{made}/answer", {"answer": word})
        assert answer.json() == {"proposal": made, "state": state}


def test_proposals_that_cannot_be(address: str, api: Any) -> None:
    past = (timezone.now() - timedelta(days=1)).isoformat()
    assert said(api("player", "post", f"{address}appointments/", {"at": past})) == (409, "date_not_ahead")
    for far in ("2999-01-01T00:00:00Z", "9999-12-31T23:59:59Z"):
        assert said(api("player", "post", f"{address}appointments/", {"at": far})) == (409, "date_too_far")
    assert said(api("player", "post", f"{address}appointments/", {})) == (409, "bad_field")
    assert said(api("player", "post", f"{address}appointments/", {"mode": "ai"})) == (409, "nothing_to_change")
    for body in ({"at": "tomorrow"}, {"at": 5}, {"mode": "chess"}, {"at": "2030-01-01T10:00:00"}):
        assert said(api("player", "post", f"{address}appointments/", body)) == (400, "invalid")
    assert api("rival", "post", f"{address}appointments/1/answer", {"answer": "accept"}).status_code == 404
    assert api("rival", "post", f"{address}appointments/{10**30}/answer", {"answer": "accept"}).status_code == 404
    assert api("player", "get", f"{SEASON}fixtures/{10**30}/appointments/").status_code == 404


def test_proposals_are_for_those_who_play(address: str, api: Any) -> None:
    for role, status in (("", 401), ("spectator", 403), ("organiser", 403), ("staff", 403)):
        assert api(role, "get", f"{address}appointments/").status_code == status
        assert api(role, "post", f"{address}appointments/", {"mode": "browser"}).status_code == status


def test_who_came_claims_and_chooses(world: World, duel: Fixture, address: str, api: Any) -> None:
    line_ups.submit_nearest_legal(stable_id=world.stable("running").pk, fixture_id=duel.pk)
    assert said(api("player", "post", f"{address}no-show/", {})) == (409, "mode_needs_no_date")
    missed = timezone.now() - timedelta(hours=2)
    Fixture.objects.filter(pk=duel.pk).update(mode=Fixture.Mode.BROWSER, scheduled_at=missed)
    shown = api("player", "get", f"{address}no-show/").json()
    assert (shown["claim"], shown["may_claim"], shown["needs_new_date"]) == (None, ["rival-sons"], True)
    assert said(api("player", "post", f"{address}no-show/", {})) == (409, "bad_field")
    assert said(api("player", "post", f"{address}no-show/", {"absent": "nobody"})) == (409, "bad_field")
    new = (timezone.now() + timedelta(days=1)).replace(microsecond=0)
    made = api("player", "post", f"{address}no-show/", {"absent": "rival-sons", "new_date": new.isoformat()})
    assert (made.status_code, made.json()["state"], parse_datetime(made.json()["new_date"])) == (201, "new_date", new)
    shown = api("anonymous", "get", f"{address}no-show/").json()
    assert (shown["claim"]["claimant"], shown["claim"]["absent"]) == ("player-sons", "rival-sons")
    assert (shown["may_claim"], shown["may_answer"]) == ([], [])
    assert api("rival", "get", f"{address}no-show/").json()["may_answer"] == ["here"]
    assert said(api("rival", "post", f"{address}no-show/answer", {"answer": "withdraw"})) == (409, "claim_not_yours")
    NoShowClaim.objects.filter(fixture=duel).update(new_date=missed)
    Fixture.objects.filter(pk=duel.pk).update(scheduled_at=missed)
    assert api("player", "post", f"{address}no-show/", {}).json()["state"] == "choice"
    assert api("player", "get", f"{address}no-show/").json()["may_answer"] == ["withdraw", "forfeit", "stand_in"]
    assert api("player", "post", f"{address}no-show/answer", {"answer": "forfeit"}).json()["state"] == "forfeit"
    assert FixtureSide.objects.get(fixture=duel, stable__slug="rival-sons").forfeits == "no_show"


def test_who_is_there_says_so(world: World, duel: Fixture, address: str, api: Any) -> None:
    player, rival = world.stable("running"), world.stable("running", "rival")
    NoShowClaim.objects.create(fixture=duel, claimant=player, absent=rival, new_date=timezone.now())
    assert api("spectator", "post", f"{address}no-show/answer", {"answer": "here"}).status_code == 403
    assert api("rival", "post", f"{address}no-show/answer", {"answer": "here"}).json()["state"] == "withdrawn"
    assert said(api("rival", "post", f"{address}no-show/answer", {"answer": "here"})) == (409, "no_show_decided")
