"""Line-ups as a season has them: legal, in every format, with gear, hands and damage, and the same again."""

from __future__ import annotations

import random

import pytest

from rules.campaign.classes import FORMATS, units_a_side
from rules.catalogue import load_builtin
from rules.competition import formats
from rules.competition.state.setup import MatchSetup
from rules.solaris.building import Combatant, class_of, team_problems
from rules.solaris.house_rules import HouseRules
from rules.tools.season_setups import season_setup


def dealt(format_key: str) -> list[MatchSetup]:
    return [season_setup(load_builtin(), random.Random(f"setups/{number}"), format_key) for number in range(12)]


def test_every_format_of_a_season_is_dealt() -> None:
    assert set(FORMATS) == set(formats.FORMATS)


@pytest.mark.parametrize("format_key", FORMATS)
def test_all_line_ups_are_legal(format_key: str) -> None:
    for setup in dealt(format_key):
        classes = {class_of(loadout.unit) for side in setup.sides for loadout in side.units}
        assert len(classes) == 1
        for side in setup.sides:
            assert len(side.units) == units_a_side(format_key)
            team = [Combatant(each.unit, each.pilot, each.gear) for each in side.units]
            assert team_problems(team, *classes, HouseRules()) == []


@pytest.mark.parametrize("format_key", FORMATS)
def test_gear_hands_and_damage_come_and_stay_away(format_key: str) -> None:
    units = [loadout for setup in dealt(format_key) for side in setup.sides for loadout in side.units]
    for part in ("pilot", "gear", "hand", "clicks"):
        assert {bool(getattr(each, part)) for each in units} == {True, False}, part


def test_the_same_chance_deals_the_same() -> None:
    assert [each.to_json() for each in dealt("grand_melee")] == [each.to_json() for each in dealt("grand_melee")]
    assert {len(each.sides) for each in dealt("grand_melee")} > {4, 8}
