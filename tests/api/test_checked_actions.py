"""A check of an action says what it can bring before its dice, as the page of the match does."""

from __future__ import annotations

from typing import Any

import pytest

from matches.models import Match
from matches.presenters.previews import preview_of
from matches.services.answering import Seat
from people.models import User
from rules.competition.order_forecast import RESULTS, order_forecast
from tests.matches.playing import match_at
from tests.programs.askers import Asker, deciding

pytestmark = pytest.mark.django_db


def asked_at(kind: str) -> tuple[Match, Asker, Asker]:
    """A match of two people at a decision of this kind: the one who decides, and their rival."""
    seats = iter(User.objects.create_user(name, f"{name}@example.org", "-") for name in ("first", "second"))
    match = match_at(kind, lambda side: Seat(side, next(seats).pk))
    decision = deciding(match).decision
    assert decision is not None
    by_side = dict(match.seats.values_list("side", "user__username"))
    own = by_side.pop(decision.side)
    return match, Asker(own, match), Asker(next(iter(by_side.values())), match)


def checked(asker: Asker, action: Any) -> Any:
    answer = asker.post("actions/check/", {"action": action})
    assert answer.status_code == 200
    return answer.json()


def test_an_attack_has_its_odds_its_damage_by_result_and_target_and_its_heat_as_the_page_has_them() -> None:
    match, asker, _ = asked_at("answering")
    engine = deciding(match)
    action = next(each for each in engine.legal_actions() if each.get("order") == "ranged")
    outlook = checked(asker, action)["outlook"]
    whole, page = order_forecast(engine, action), preview_of(engine, action, {})
    assert whole is not None
    assert whole.attack is not None
    assert page.attack is not None
    [aim] = outlook["attack"]["targets"]
    assert round(100 * aim["chance"]) == page.attack.targets[0].chance
    assert (aim["target"], aim["needed"]) == (action["targets"][0], page.attack.targets[0].needed)
    assert [each["result"] for each in outlook["results"]] == [each.result for each in whole.results]
    assert {each["result"] for each in outlook["results"]} == set(RESULTS)
    assert sum(each["chance"] for each in outlook["results"]) == pytest.approx(1)
    for said, known in zip(outlook["results"], whole.results, strict=True):
        amounts = {each["target"]: [tuple(one.values()) for one in each["damage"]] for each in said["struck"]}
        assert amounts == {each.target: list(each.damage) for each in known.struck}
    assert outlook["left"] == dict(whole.left)
    assert whole.heat is not None
    assert [(way["added"], way["hottest"]) for way in outlook["heat"]["ways"]] == [
        (way.added, way.hottest) for way in whole.heat.ways
    ]
    assert deciding(match).decision == engine.decision


def test_a_rival_learns_nothing_of_what_an_action_can_bring() -> None:
    match, _, rival = asked_at("answering")
    engine = deciding(match)
    action = next(each for each in engine.legal_actions() if each.get("order") == "ranged")
    for asked in (action, {**action, "unit": next(iter(action["targets"]))}):
        document = checked(rival, asked)
        assert document["problems"]
        assert (document["outlook"], document["break_away"]) == (None, None)


def test_what_answers_no_question_brings_nothing() -> None:
    match, asker, rival = asked_at("answering")
    decision = deciding(match).decision
    assert decision is not None
    document = checked(asker, {"unit": decision.unit, "order": "surrender"})
    assert document == {"is_legal": True, "problems": [], "outlook": None, "break_away": None}
    theirs = next(name for name in deciding(match).snapshot()["units"] if not name.startswith(decision.side))
    agreed = checked(rival, {"unit": theirs, "order": "agree"})
    assert (agreed["is_legal"], agreed["outlook"]) == (True, None)
