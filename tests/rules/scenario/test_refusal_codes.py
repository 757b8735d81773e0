"""Every code of refusal is met by somebody: by a scenario that expects it, else by a test here that is named by it."""

import ast
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rules import bots
from rules.bots.preset_answers import read_answers
from rules.competition.formats.grand_melee import assemble
from rules.competition.match import Match
from rules.competition.setups import read_setup, roster_of
from rules.competition.state.encoding import EventCodec
from rules.competition.state.setup import MatchSetup
from rules.competition.verification import verify
from rules.core.inline import require
from rules.core.refusals import Malformed, Refusal, Refused
from rules.scenario.playing import load
from rules.solaris.building import Combatant, build_problems, team_problems
from rules.solaris.house_rules import HouseRules
from tests.rules.board import SCENARIOS, Json, duel_setup, pilot, scenario_files, scripted, unit
from tests.rules.competition.formats.test_formats import document_of
from tests.rules.competition.state.test_malformed_setups import CARD_FAULTS, GOOD, UNIT_FAULTS
from tests.rules.competition.units.test_token_replacements import at_replacement
from tests.rules.measuring.dying import run_over_which_all_die
from tests.rules.wording.codes_in_source import ROOT, Raised, raised_codes

OTHER_ROOMS = ("rules/campaign/", "rules/catalogue/")
"""Rooms whose codes no match can meet; their tests name them."""


@cache
def codes_raised() -> tuple[Raised, ...]:
    return tuple(found for found in raised_codes() if found.place.startswith("rules/"))


# --- what no scenario can say -------------------------------------------------------------------------------------

START_RED = {"unit": "a", "choose": "start", "hex": "0402", "facing": 6}
START_BLUE = {"unit": "b", "choose": "start", "hex": "0813", "facing": 0}
RED_FIRST = [6, 6, 6, 1, 1, 1]
RULES = HouseRules()


def at_the_start(*actions: Json) -> Match:
    """A duel before its first round; the first token is drawn with a 1."""
    return scripted(duel_setup(), [*RED_FIRST, 1], list(actions))


def gear(**keys: Any) -> Json:
    return {
        "id": "G-900", "name": "Thing", "points": 5, "slot": "primary", "requires": {"class": ["medium"]},
        "modifiers": {}, "equipment": None, **keys,
    }  # fmt: skip


def of_gear(**keys: Any) -> list[Refusal]:
    return build_problems(unit(), None, "medium", RULES, [gear(**keys)])


def of_setup(key: str, *sizes: int, **keys: Any) -> MatchSetup:
    return read_setup(document_of(key, *sizes, **keys))


Attempt = Callable[[], Any]
CASES: dict[str, Attempt] = {
    "unit_without_dial": lambda: require("units", {**unit(), "table_only": True}),
    "not_a_start": lambda: at_the_start().play({**START_RED, "hex": "0101"}),
    "nothing_to_take_back": lambda: at_the_start(START_RED).play({"unit": "b", "order": "take_back"}),
    "token_not_here": lambda: at_the_start(START_RED, START_BLUE).play({"unit": "b", "choose": "token", "hex": "0101"}),
    "token_not_a_corner": lambda: at_replacement([2]).play({"unit": "b", "choose": "token", "hex": "0607"}),
    "format_sides": lambda: of_setup("team", 2, 2, 2),
    "format_units": lambda: of_setup("team", 3, 2),
    "format_ground": lambda: of_setup("grand_melee", 1, 1, 1, 1, 1),
    "format_starts": lambda: of_setup("capture_the_flag", 2, 2, arena={"starts": {"A": ["0402", "0813"]}}),
    "ground_needs_four_maps": lambda: assemble([{}, {}, {}]),
    "unknown_schema": lambda: read_setup({**GOOD, "schema": 2}),
    "unknown_bot": lambda: bots.get("nobody"),
    "bad_standing_answer": lambda: read_answers({"spin": "sideways"}),
    "bad_event": lambda: EventCodec(roster_of(duel_setup())).decode({"event": "sneezed"}),
    "study_processes_died": run_over_which_all_die,
    "bad_replay": lambda: verify({"seed": "xyz"}),
    "wrong_class": lambda: build_problems(unit(), None, "light", RULES),
    "over_build_total": lambda: build_problems(unit(points=211), None, "medium", RULES),
    "team_over_build_total": lambda: team_problems(
        [Combatant(unit())], "medium", HouseRules(build_total=149, build_total_per="team")
    ),
    "unique_twice": lambda: team_problems([Combatant(unit(rank="unique"))] * 2, "medium", RULES),
    "no_cards_without_variant": lambda: build_problems(unit(variant=None, points=200), pilot(), "medium", RULES),
    "pilot_requirement": lambda: build_problems(unit(), {**pilot(), "requires": {"class": ["light"]}}, "medium", RULES),
    "gear_not_compatible": lambda: of_gear(name="R.I.S.C. Laser"),
    "gear_requires_class": lambda: of_gear(requires={"class": ["light"]}),
    "gear_requires_type": lambda: of_gear(requires={"class": ["medium"], "type": "melee"}),
}


def refused_with(attempt: Attempt) -> set[str]:
    """The codes that an attempt is refused with, raised or returned; empty when it is not."""
    try:
        found = attempt()
    except (Refused, Malformed) as refused:
        return {refused.code}
    return {one.code for one in found if isinstance(one, Refusal)} if isinstance(found, list) else set()


@pytest.mark.parametrize("code", CASES)
def test_what_is_refused_with(code: str) -> None:
    assert refused_with(CASES[code]) == {code}


def test_the_same_is_not_refused_when_it_is_right() -> None:
    """Beside each of the tests above stands a neighbour that only lacks the fault."""
    for attempt in (
        lambda: at_the_start().play(START_RED),
        lambda: scripted(duel_setup(), [*RED_FIRST, 1, 6, 6, 1, 1], [START_RED, START_BLUE]).play(
            {"unit": "b", "choose": "token", "hex": "0607"}
        ),
        lambda: of_setup("team", 2, 2),
        lambda: of_setup("grand_melee", 1, 1, 1, 1),
        lambda: assemble([{}] * 4)["hexes"],
        lambda: build_problems(unit(), pilot(), "medium", RULES),
        lambda: team_problems([Combatant(unit())] * 2, "medium", RULES),
        of_gear,
        lambda: read_answers({"spin": "keep"}),
    ):
        assert refused_with(attempt) == set()


# --- nothing is forgotten -----------------------------------------------------------------------------------------


def met_by_scenarios() -> set[str]:
    """The codes that some scenario expects; `tests/rules/scenario/test_scenarios.py` plays them all."""
    expected = {load(path)["expect"].get("error") for path in scenario_files()}
    return {code for code in expected if code is not None}


def met_by_tables() -> set[str]:
    """The problems inside bad_unit, bad_gear and so on, each with a row of `test_malformed_setups`."""
    return {str(row[-1]) for row in (*UNIT_FAULTS, *CARD_FAULTS)}


def test_every_code_of_the_engine_has_a_scenario_or_a_test_named_by_it() -> None:
    met = met_by_scenarios() | met_by_tables() | set(CASES)
    without = {
        f"{found.code} ({found.place})"
        for found in codes_raised()
        if not found.place.startswith((*OTHER_ROOMS, "rules/challenge/")) and found.code not in met
    }
    assert without == set(), "write a scenario with this expect.error, or a case of this test"


def test_no_scenario_and_no_case_is_for_a_code_that_nobody_raises() -> None:
    raised = {found.code for found in codes_raised()}
    assert (met_by_scenarios() | set(CASES)) - raised == set()


def test_every_code_of_the_challenge_has_a_scenario_that_expects_it() -> None:
    expected = {
        json.loads(path.read_text(encoding="utf-8"))["expect"].get("error")
        for path in (SCENARIOS / "challenge").rglob("*.json")
    }
    codes = {found.code for found in codes_raised() if found.place.startswith("rules/challenge/")}
    assert codes - expected == set()


def words_of(folders: Iterable[Path]) -> set[str]:
    """Every string that stands in a test."""
    return {
        node.value
        for folder in folders
        for path in folder.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@pytest.mark.parametrize("room", OTHER_ROOMS)
def test_every_code_of_the_campaign_and_the_catalogue_is_named_by_a_test(room: str) -> None:
    tests = ROOT / "tests"
    named = words_of((tests / "rules" / "campaign", tests / "rules" / "core", tests / "catalogue", tests / "stables"))
    codes = {found.code for found in codes_raised() if found.place.startswith(room)}
    assert len(codes) >= 15
    assert codes - named == set()
