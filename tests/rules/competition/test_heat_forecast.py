"""What is said of heat before an action is what the heat die and the heat dial do."""

from __future__ import annotations

import random
from typing import Any

from rules.catalogue import load_builtin
from rules.competition.heat_forecast import HeatForecast
from rules.competition.match import Match
from rules.competition.order_forecast import order_forecast
from rules.competition.units.heat import EFFECTS
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup
from tests.rules.board import STEP, Dropped, duel, unit

OWN = ("run", "charge", "dig_in", "close", "ranged", "assault")


def heat_forecast(match: Match, action: dict[str, Any]) -> HeatForecast | None:
    seen = order_forecast(match, action)
    return None if seen is None else seen.heat


def until_the_turn_is_over(match: Match, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Let nobody react until the next unit's turn or phase; all events."""
    found = list(events)
    while match.decision is not None and match.decision.kind not in ("move", "special", "combat", "token"):
        if any(event["event"] == "phase_began" for event in found):
            break
        found += match.play(match.default_action())
    return found


def test_r_cln_03_the_dial_turns_to_the_step_that_was_said() -> None:
    """The last forecast of a unit before the clean-up holds, where nothing came on its die after it."""
    rng = random.Random(12)
    turned = 0
    for seed in range(12):
        match = Match.start(random_setup(load_builtin(), rng, "standard", 2), SeededDice(seed))
        said: dict[str, HeatForecast] = {}
        for _ in range(300):
            if match.decision is None:
                break
            action = match.sample_action(rng)
            unit, seen = match.decision.unit, heat_forecast(match, action)
            later = match.play(action)
            if seen is not None:
                # What its own attack costs is in the forecast; where dice decide, the least of it.
                events = until_the_turn_is_over(match, later)
                is_alone = all(event.get("cause") in OWN for event in noted_for(unit, events))
                said = {**said, unit: seen} if is_alone else {name: said[name] for name in said if name != unit}
                later = [event for event in events if event.get("unit") != unit or event["event"] != "heat_noted"]
            for who in {event["unit"] for event in later if event["event"] == "heat_noted"}:
                said.pop(who, None)
            for event in later:
                if event["event"] == "heat_dial_turned" and event["cause"] == "heat_die" and event["unit"] in said:
                    assert event["to"] == said[event["unit"]].ways[0].hottest
                    turned += 1
    assert turned > 60


def noted_for(unit: str, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == "heat_noted" and event["unit"] == unit]


def test_r_hef_02_to_09_each_step_has_the_effects_of_its_squares_and_a_unit_without_an_order_cools_by_one() -> None:
    rng = random.Random(3)
    match = Match.start(random_setup(load_builtin(), rng, "standard", 2), SeededDice(1))
    while match.decision is not None and match.decision.kind != "combat":
        match.play(match.default_action())
    assert match.table.open is not None
    table, unit = match.table, match.table.open[1]
    sums = []
    for step in range(table.fighter(unit).steps):
        table.position.heat[unit], table.position.orders[unit] = step, 0
        rests = heat_forecast(match, {"order": "pass"})
        digs_in = heat_forecast(match, {"order": "dig_in"})
        assert rests is not None
        assert digs_in is not None
        wet = 1 if table.stands_in_water(unit) else 0
        (rest,), (dug_in,) = rests.ways, digs_in.ways
        assert (rest.hottest, rest.risks, rest.last) == (step, (), max(0, step - 1 - wet))
        assert (dug_in.hottest, dug_in.last) == (step + 1, step + 1 - wet)
        assert (dug_in.shutdown == 1) is (step + 1 == digs_in.top)
        shown = {key: EFFECTS[key].safe_from - 1 for _, key in table.fighter(unit).effects[step + 1]}
        assert {risk.key: risk.faces for risk in dug_in.risks} == shown
        assert {risk.rule for risk in dug_in.risks} == {EFFECTS[key].rule for key in shown}
        sums.append(len(shown))
    assert any(sums)


def test_r_hef_09_the_chance_of_a_shutdown_counts_every_roll_of_the_clean_up() -> None:
    """A shot takes the dial to Avoid Shutdown, which strikes on 1 and 2. The next step is the radiation symbols."""
    hot = {**STEP, "effects": {"speed": "avoid_shutdown"}}
    attacker = {"unit": unit("a", heat=[{**STEP, "effects": {}}, hot])}
    match = Dropped(duel(red=attacker), 1).match
    seen = heat_forecast(match, {"order": "ranged", "targets": ["b"]})
    assert seen is not None
    (way,) = seen.ways
    assert (way.added, way.hottest, [risk.faces for risk in way.risks], way.shutdown) == (1, 1, [2], 2 / 6)
    match.table.position.heat_die[0] = 1
    seen = heat_forecast(match, {"order": "ranged", "targets": ["b"]})
    assert seen is not None
    assert (seen.ways[0].hottest, seen.top, seen.shutdown) == (2, 2, 1.0)
