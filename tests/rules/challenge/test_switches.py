"""Each switch of money and the off-board cycle changes the outcome of a scenario: taken back, the scenario fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.challenge.scenario.playing import played
from rules.challenge.switches import Switches
from rules.scenario.comparing import compared

SCENARIOS = Path(__file__).parents[1] / "scenarios" / "challenge"
OF_MONEY = (
    "table_printing", "round_proceeds", "repair_round", "fame_floor", "reset_period", "max_abilities", "warner_round",
    "suspend_dependents", "specialist_block", "strict_tier4_order", "prison_save", "loan_model",
    "loan_erased_above_zero", "stablemate_loan_blocks_all", "stack", "weapon_crit_unit", "ejected_on", "clan_base",
    "larzellier_book", "bromley_pays", "equipment_rows", "effective_class_limits", "sale_capped_at_paid",
    "cycle_approval", "stable_drop", "minimum_after_rejoining", "off_board_turns", "team_deposits_leave",
    "partial_loads",
)  # fmt: skip


def scenarios_that_turn(name: str) -> Iterator[dict[str, Any]]:
    for path in sorted(SCENARIOS.rglob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        turned = document.get("event", {}).get("switches", {})
        if turned.get(name, getattr(Switches(), name)) != getattr(Switches(), name):
            yield document


@pytest.mark.parametrize("name", OF_MONEY)
def test_a_switch_changes_the_outcome_of_a_scenario(name: str) -> None:
    def fails_without(document: dict[str, Any]) -> bool:
        switches = {key: value for key, value in document["event"]["switches"].items() if key != name}
        outcome, problem = played({**document, "event": {**document["event"], "switches": switches}})
        return problem is not None or any(compared(document["expect"], outcome, "scenario"))

    assert any(fails_without(document) for document in scenarios_that_turn(name))
