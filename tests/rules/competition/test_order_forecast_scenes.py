"""Orders whose forecast once misled players: armor, tokens, charges, single use, dice already thrown."""

import random
from typing import Any

import pytest

from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.competition.order_forecast import OrderForecast, order_forecast
from rules.core.dice import ScriptedDice, SeededDice
from rules.measuring.self_play import random_setup
from tests.rules.board import Dropped, Json, duel, token, unit
from tests.rules.dealing import card

SHOT = {"unit": "a", "order": "ranged", "value": "secondary", "targets": ["b"]}


def seen_of(document: Json, action: Json) -> OrderForecast:
    seen = order_forecast(Dropped(document, 1).match, action)
    assert seen is not None
    return seen


def by_result(seen: OrderForecast) -> dict[str, Any]:
    return {each.result: each for each in seen.results}


def armed(equipment: Json, **keys: Any) -> Json:
    return {"unit": unit("b", click={"equipment": equipment}, **keys)}


@pytest.mark.parametrize("armor", [None, "reactive_armor"])
def test_r_sef_the_damage_of_a_hit_is_after_the_armor_of_its_target(armor: str | None) -> None:
    blue = armed({"defense": armor}) if armor else {}
    seen = seen_of(duel(blue=blue), {**SHOT, "value": "primary"})
    (struck,) = by_result(seen)["hit"].struck
    taken = sum(cut.amount for cut in struck.reductions)
    assert struck.scored == 3
    assert struck.damage == ((3 + taken, 1.0),)
    assert (taken < 0) is bool(armor)
    assert [cut.rule[:5] for cut in struck.reductions] == ["R-SEF"] * bool(armor)


def test_r_tgt_08_a_token_whose_armor_takes_all_stands_and_pays_nothing() -> None:
    turret = token("t1", armor="reactive_armor", hex="0608")
    seen = seen_of(duel(tokens=[turret]), {**SHOT, "value": "primary", "targets": ["t1"]})
    weak = duel(tokens=[turret], red={"unit": unit("a", click={"primary": 1})})
    stands = by_result(seen_of(weak, {**SHOT, "value": "primary", "targets": ["t1"]}))["hit"].struck[0]
    falls = by_result(seen)["hit"].struck[0]
    assert (falls.falls, falls.reputation) == (1.0, 10)
    assert (stands.falls, stands.reputation) == (0.0, 0)


@pytest.mark.parametrize(("value", "method", "earns"), [("primary", "ballistic", 10), ("secondary", "energy", 0)])
def test_r_tgt_09_what_a_token_pays_depends_on_the_method(value: str, method: str, earns: int) -> None:
    drone = token("t1", else_rp=0, hex="0608")
    seen = seen_of(duel(tokens=[drone]), {**SHOT, "value": value, "targets": ["t1"]})
    (worth,) = seen.tokens
    assert (worth.method, worth.rp, worth.else_rp, worth.used, worth.earns) == ("ballistic", 10, 0, method, earns)
    assert by_result(seen)["hit"].struck[0].reputation == earns


def test_r_crt_05_r_crt_06_the_critical_miss_is_in_the_odds_and_hurts_the_attacker() -> None:
    easy = {"unit": unit("b", click={"defense": 3})}
    results = by_result(seen_of(duel(blue=easy), SHOT))
    assert results["hit"].chance + results["critical_hit"].chance == pytest.approx(35 / 36)
    assert "miss" not in results
    missed = results["critical_miss"]
    assert missed.chance == pytest.approx(1 / 36)
    assert (missed.struck, missed.own_damage, missed.own_causes) == ((), ((1, 1.0),), ("critical_miss",))


def test_r_chg_11_a_charge_hurts_the_charger_and_says_when_it_falls() -> None:
    worn = {"clicks": 4}
    match = Dropped(duel(red={**worn, "hex": "0609"}, blue=worn, start={"round": 1, "phase": "initiative"}), 3).match
    while match.decision is not None and match.decision.kind != "special":
        match.play(match.default_action())
    seen = [order_forecast(match, action) for action in match.legal_actions() if action["order"] == "charge"]
    assert seen
    for forecast in seen:
        assert forecast is not None
        assert forecast.attacker is not None
        assert forecast.left[forecast.attacker] == 1
        for each in forecast.results:
            assert (each.own_damage[0][0] >= 2, each.own_falls, "charge" in each.own_causes) == (True, 1.0, True)


def test_r_seg_06_single_use_equipment_costs_its_target_a_click_and_is_named() -> None:
    circle = armed({"defense": {"key": "reactive_armor", "single_use": True}})
    (struck,) = by_result(seen_of(duel(blue=circle), {**SHOT, "value": "primary"}))["hit"].struck
    taken = sum(cut.amount for cut in struck.reductions)
    assert struck.spent == ("reactive_armor",)
    assert struck.damage == ((3 + taken + 1, 1.0),)


def test_r_end_06_a_hit_that_eliminates_says_so_with_its_reputation() -> None:
    results = by_result(seen_of(duel(blue={"clicks": 3}), SHOT))
    assert [(each.falls, each.reputation) for each in results["hit"].struck] == [(1.0, 80)]
    falling = {"clicks": 3, "damage_die": 2}
    (struck,) = by_result(seen_of(duel(blue=falling), SHOT))["hit"].struck
    assert (struck.falls, struck.reputation) == (1.0, 0), "somebody else has it already"
    own = Dropped(duel(blue={"clicks": 3}), 1).match
    own.table.note_damage(1, 2, "attack", 0)
    seen = order_forecast(own, SHOT)
    assert seen is not None
    assert [each.reputation for each in by_result(seen)["hit"].struck] == [0], "an earlier hit pays for it"


def test_r_clo_07_the_damage_says_how_it_comes_about() -> None:
    fists = unit("a", secondary={"type": "melee", "targets": 1, "range": [0, 0]})
    fists["dial"] = [{**click, "equipment": {"secondary": "brawling"}} for click in fists["dial"]]
    beside = duel(red={"hex": "0607", "unit": fists})
    seen = seen_of(beside, {"unit": "a", "order": "close", "value": "primary", "targets": ["b"]})
    assert seen.damage is not None
    (brawling,) = seen.damage.added
    value = 3 + brawling.amount
    assert (seen.damage.value, seen.damage.rule, seen.damage.amount) == (value, "R-CLO-07", (value + 1) // 2)
    assert brawling.rule.startswith("R-SE")


def test_dice_that_lie_are_read_and_each_die_that_could_be_rolled_again_has_its_own_chance() -> None:
    """R-SEA-04: whether the attack hits as it stands is known before a die is chosen."""
    red = {"unit": unit("a", click={"equipment": {"attack": "improved_targeting"}})}
    match = Dropped(duel(red=red), 1).match
    match.table.dice = ScriptedDice([4, 3, 4])
    match.play(SHOT)
    while match.decision is not None and match.decision.kind != "reroll":
        match.play(match.default_action())
    kept = order_forecast(match, {"unit": "a", "choose": "reroll", "die": None})
    again = order_forecast(match, {"unit": "a", "choose": "reroll", "die": 1})
    assert kept is not None
    assert again is not None
    assert {each.result: each.chance for each in kept.results} == {"hit": 1.0}
    assert {each.result: round(each.chance * 6) for each in again.results} == {
        "hit": 5,
        "miss": 1,
    }  # 4, x, 4 against 10


def test_r_ral_03_a_hand_that_nobody_sees_changes_nothing_that_is_said() -> None:
    """A rival who could play a card is asked before the dice; the forecast tells neither that nor what they hold."""
    plain = {**duel(blue={"clicks": 1}), "hands": {"blue": {"b": []}}}
    holds = {**plain, "hands": {"blue": {"b": [card("R-1")]}}}
    assert seen_of(holds, SHOT) == seen_of(plain, SHOT)
    match = Dropped(holds, 1).match
    match.play(SHOT)
    assert match.decision is not None
    assert match.decision.kind == "rally"


def test_forecasts_change_nothing_and_roll_nothing() -> None:
    rng = random.Random(2)
    match = Match.start(random_setup(load_builtin(), rng, "standard"), SeededDice(1))
    for _ in range(40):
        if match.decision is None:
            break
        before = (match.snapshot(), match.decision, len(match.events))
        order_forecast(match, match.sample_action(rng))
        assert (match.snapshot(), match.decision, len(match.events)) == before
        match.play(match.sample_action(rng))
