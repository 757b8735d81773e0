"""Advice on an order says what the forecast of the order says; on other attacks, its glance says the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from rules.bots.advice.attacks import Blow, blow_at_a_glance, blow_of
from rules.competition.match import Match
from rules.competition.order_forecast import OrderForecast, order_forecast
from rules.core.equipment_hooks import mask_of
from tests.rules.board import decisions, unit
from tests.rules.bots.advice.advised import SHOT, at_combat, reasons
from tests.rules.crowded import crowded

SECOND, INTERCEPTED = mask_of("follows_up"), mask_of("intercepts")
"""Equipment for a second attack or against missiles, at which a glance does not look, as its docstring says."""


def attacks(seed: int, phase: str) -> Iterator[tuple[Match, OrderForecast]]:
    """Attacks on opponents, and answers to them, in a crowded position without pilots and rally cards."""
    match, rng = crowded(seed, phase, with_cards=False), random.Random(seed)
    for _ in decisions(match, rng, 12):
        seen = order_forecast(match, match.sample_action(rng))
        if seen is not None and seen.attack is not None and not seen.attack.aid:
            yield match, seen


@pytest.mark.parametrize("phase", ["combat", "initiative", "move"])
def test_a_glance_at_an_attack_says_what_its_forecast_says(phase: str) -> None:
    compared = 0
    for seed in range(14):
        for match, seen in attacks(seed, phase):
            assert seen.attack is not None
            assert seen.attacker is not None
            attacker = match.table.roster.unit_of[seen.attacker]
            for each in seen.attack.targets:
                found = next((way for way in seen.results if way.result == "hit" and each.target in way.hit), None)
                if found is None or seen.attack.heat or each.target not in seen.left:
                    continue
                struck = next(struck for struck in found.struck if struck.target == each.target)
                if struck.spent or seen.attack.equipment & SECOND or each.equipment & INTERCEPTED:
                    continue
                target = match.table.roster.target_of(each.target)
                glance = blow_at_a_glance(match.table, attacker, seen.attack, target)
                assert dealt(glance) == dealt(blow_of(seen, each.target)), (seed, seen.attack)
                compared += 1
    assert compared > 10


def dealt(blow: Blow) -> list[tuple[int, float]]:
    return [(amount, round(chance, 9)) for amount, chance in blow.dealt_by_chance]


def spending(key: str, **keys: Any) -> dict[str, Any]:
    return unit("b", click={"equipment": {"defense": {"key": key, "single_use": True}}}, **keys)


def test_r_seg_06_a_single_use_item_of_the_target_counts_in_the_damage_that_is_advised() -> None:
    lasting = at_combat(blue={"unit": unit("b", click={"equipment": {"defense": "heavy_armor"}})})
    single = at_combat(blue={"unit": spending("heavy_armor")})
    assert reasons(lasting, SHOT)["hits_for"]["damage"] == 2
    assert reasons(single, SHOT)["hits_for"]["damage"] == 3


def test_r_seg_06_a_single_use_item_of_the_attacker_costs_it_a_click_and_is_said() -> None:
    circled = {"primary": {"key": "armor_piercing", "single_use": True}}
    red, blue = unit("a", click={"equipment": circled}), unit("b", click={"equipment": {"defense": "heavy_armor"}})
    assert reasons(at_combat(red={"unit": red}, blue={"unit": blue}), SHOT)["hurts_itself_either"] == {
        "hit": 1,
        "miss": 0,
    }
