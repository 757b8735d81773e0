"""The button that commits an answer names the act, with the chance to hit of an attack."""

from __future__ import annotations

import re
from math import dist

import pytest

from catalogue.presenters.arena_picture import centre
from matches.presenters.acts import line_of
from matches.presenters.board import UNIT_RADIUS
from matches.presenters.choosing import Choosing, choosing_of
from matches.presenters.overlay import SPOKE_RADIUS
from matches.selectors.sides import names_in
from rules.competition.match import Match
from rules.competition.narrowing import describe
from tests.matches.playing import KINDS, engine_at
from tests.rules.board import CLICK, duel, placed, scenario_documents, unit
from tests.rules.bots.deciding import asked

MOST_ACTIONS = 30


def chosen(kind: str, answers: dict[str, str]) -> Choosing:
    return chosen_in(engine_at(kind)[2], answers)


def chosen_in(engine: Match, answers: dict[str, str]) -> Choosing:
    assert engine.decision is not None
    observed = engine.observe(engine.decision.side)
    return choosing_of(engine, observed, names_in(observed.setup), answers, "-")


def answers_of(kind: str) -> list[dict[str, str]]:
    """Return some of the legal actions as answers, taken from all of them."""
    engine = engine_at(kind)[2]
    assert engine.decision is not None
    origin = engine.snapshot()["units"][engine.decision.unit]["hex"] or ""
    actions = engine.legal_actions()
    return [describe(action, origin) for action in actions[:: max(1, len(actions) // MOST_ACTIONS)]]


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_an_act_in_words(kind: str) -> None:
    complete = [found for answers in answers_of(kind) if (found := chosen(kind, answers)).preview]
    assert complete
    for found in complete:
        assert re.match(r"[A-Z0-9“\"’]", found.act), found.act
        assert not re.search(r"%\(|\bnone\b", found.act), found.act


def test_an_attack_is_named_with_its_target_and_chance_and_a_move_with_its_hex() -> None:
    acts = {}
    for kind in ("combat", "answering", "move"):
        for answers in answers_of(kind):
            found = chosen(kind, answers)
            assert found.preview is not None
            acts[answers["order"]] = found.act
            if found.preview.attack:
                target = found.preview.attack.targets[0]
                assert f"{target.name}, {target.chance} %" in found.act
    assert re.fullmatch(r"(Walk|Run|Jump) to \d{4}|Turn to \d+ o’clock", acts["move"])
    assert acts["pass"] == "Pass"
    assert acts.keys() & {"ranged", "close", "assault"}


@pytest.mark.parametrize(
    ("friend", "item", "act"),
    [
        (False, {}, r"Strike .+, \d+ %"),
        (True, {"attack": "repair"}, r"Repair .+, \d+ %"),
        (True, {"attack": "coolant_flush"}, r"Coolant Flush for .+, \d+ %"),
    ],
)
def test_r_sea_01_help_is_named_as_what_it_is_and_a_weapon_without_damage_strikes(
    friend: bool, item: dict[str, str], act: str
) -> None:
    melee = {"type": "melee", "targets": 1, "range": [0, 0]}
    actor = unit("actor", primary=melee, click={**CLICK, "primary": 0, "equipment": item})
    near = placed("near", "red" if friend else "blue", "0609", 6, clicks=2)
    units = [placed("a", "red", "0610", 0, actor), near, placed("b", "blue", "0601", 6)]
    start = {"round": 1, "phase": "combat", "order": ["a", "near", "b"]}
    match = asked(duel(format="team", units=units, start=start), "a", "combat")
    action = next(each for each in match.legal_actions() if each["order"] == "close" and each["targets"] == ["near"])
    found = chosen_in(match, describe(action, "0610"))
    assert found.preview is not None
    assert found.preview.forecast is not None
    assert found.preview.forecast.damage == 0
    assert re.fullmatch(act, found.act)


def test_a_click_on_an_enemy_begins_an_attack_and_one_on_a_hex_a_move() -> None:
    aimed = chosen("answering", {}).overlay.aimed
    assert aimed
    assert all(re.search(r"order=(ranged|close)&target=", target.url) for target in aimed)
    picks = chosen("move", {}).overlay.picks
    assert picks
    assert all("order=move&hex=" in pick.url for pick in picks)


def test_r_pin_02_a_pin_names_its_target() -> None:
    engine = asked(dict(scenario_documents())["pin/no_contact_rule_does_not_bind.json"], "a", "special")
    action = next(each for each in engine.legal_actions() if each.get("order") == "pin")
    found = chosen_in(engine, describe(action, ""))
    assert re.fullmatch(r"Pin \w.+", found.act)
    assert found.preview is not None
    assert found.preview.short.startswith("succeeds without a roll")


def test_no_facing_covers_the_hex_in_which_a_unit_at_the_rim_will_stand() -> None:
    units = [placed("a", "red", "0408"), placed("b", "blue", "0210", 6)]
    start = {"round": 1, "phase": "move", "order": ["a", "b"]}
    match = asked(duel(units=units, start=start), "a", "move")
    action = next(each for each in match.legal_actions() if (each.get("path") or [""])[-1] == "0110")
    wheel = chosen_in(match, describe(action, "0408")).overlay.wheel
    assert len(wheel) == 12
    for place in ("0110", "0210"):
        assert min(dist((spoke.x, spoke.y), centre(place)) for spoke in wheel) >= SPOKE_RADIUS + UNIT_RADIUS


@pytest.mark.parametrize(("friends", "act"), [((), "Strike Raven with primary damage"), (("near",), "Help Raven")])
def test_r_atk_07_an_attack_on_a_friend_is_help(friends: tuple[str, ...], act: str) -> None:
    given = {"unit": "a", "order": "close", "value": "primary", "targets": ["near"]}
    assert line_of(given, "0610", {}, {"near": "Raven"}, friends) == act
