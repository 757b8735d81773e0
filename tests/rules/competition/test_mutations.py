"""The mutation run: whatever is taken away of equipment, heat, orders, modifiers and formats, something notices.

Abilities of pilots and effects of rally cards are taken away in test_cards_in_play.
"""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from rules.competition.attacks import arithmetic
from rules.competition.attacks.aftermath import ORDER_HEAT
from rules.competition.attacks.approaches import special_modifiers
from rules.competition.attacks.fixed_modifiers import RULE_OF
from rules.competition.attacks.modifiers import attack_modifiers
from rules.competition.formats import FORMATS
from rules.competition.formats.base import RulesOfCompetition
from rules.competition.phases import rounds
from rules.competition.state.match_format import MatchFormat
from rules.competition.state.roster import ROLLED_EFFECTS
from rules.competition.units import heat, revivals
from rules.competition.units.heat import EFFECTS, Effect
from rules.core import equipment_hooks
from rules.core.equipment import EQUIPMENT
from rules.core.equipment_hooks import Modifier, disable, timings_of
from rules.core.words import HEAT_EFFECTS
from rules.scenario.playing import play
from rules.solaris import rewards
from tests.rules.board import Json, scenario_documents, scenarios_naming
from tests.rules.competition.formats import test_formats

BUILT = [key for key, row in EQUIPMENT.items() if not row.is_inert]
CONTINUOUS = ["ammunition_jam", "weapons_offline", "engine_overheat"]


def is_noticed(documents: Iterable[tuple[str, Json]]) -> bool:
    """Whether any scenario differs now; that none does otherwise is what test_scenarios says."""
    return any(play(document)[1] is not None for _, document in documents)


@contextmanager
def without(key: str) -> Iterator[None]:
    restore = disable(key)
    try:
        yield
    finally:
        restore()


@pytest.mark.parametrize("key", BUILT)
def test_every_built_key_has_a_timing(key: str) -> None:
    assert timings_of(key), key


@pytest.mark.parametrize("key", BUILT)
def test_some_scenario_fails_without_this_equipment(key: str) -> None:
    with without(key):
        assert timings_of(key) == []
        found = is_noticed(scenarios_naming(key))
    assert found, f"no scenario misses {key}"
    assert timings_of(key)


@pytest.mark.parametrize(
    ("key", "timing"), [(key, timing) for key in BUILT for timing in timings_of(key)], ids=lambda value: str(value)
)
def test_some_scenario_fails_without_this_timing_of_it(key: str, timing: str) -> None:
    """Equipment that works at several timings is missed at each of them."""
    bit = EQUIPMENT[key].bit
    hooks, masks = equipment_hooks._HOOKS, equipment_hooks._MASKS
    before = list(hooks[timing])
    try:
        hooks[timing][:] = [(own, function) for own, function in before if own != bit]
        masks[timing] &= ~bit
        found = is_noticed(scenarios_naming(key))
    finally:
        hooks[timing][:] = before
        masks[timing] |= bit
    assert found, f"no scenario misses {key} at {timing}"


def test_equipment_is_put_back() -> None:
    timings = {key: timings_of(key) for key in BUILT}
    for key in BUILT:
        with without(key):
            pass
    assert {key: timings_of(key) for key in BUILT} == timings


# --- heat effects -----------------------------------------------------------------------------------------------


def test_every_heat_effect_of_the_vocabulary_is_rolled_or_continuous() -> None:
    known = {effect for family in HEAT_EFFECTS.values() for effect in family}
    assert set(EFFECTS) == set(ROLLED_EFFECTS)
    assert set(EFFECTS) | set(CONTINUOUS) == known


WEAKER: dict[str, Any] = {
    "never strikes": lambda effect: effect._replace(safe_from=1),
    "strikes one sooner": lambda effect: effect._replace(safe_from=effect.safe_from + 1),
    "strikes one later": lambda effect: effect._replace(safe_from=effect.safe_from - 1),
    "one more": lambda effect: effect._replace(amount=effect.amount + 1),
    "one less": lambda effect: effect._replace(amount=effect.amount - 1),
    "no restart": lambda effect: effect._replace(restart_from=7),
    "restarts one sooner": lambda effect: effect._replace(restart_from=effect.restart_from - 1),
    "restarts one later": lambda effect: effect._replace(restart_from=effect.restart_from + 1),
}


def mutations() -> Iterator[Any]:
    for key, effect in EFFECTS.items():
        for name, change in WEAKER.items():
            counts = not (name.startswith(("restarts", "no restart")) and effect.kind != "shutdown")
            counts = counts and not (name.startswith("one ") and effect.kind == "shutdown")
            if counts:
                yield pytest.param(key, change(effect), id=f"{key}: {name}")


@pytest.mark.parametrize(("key", "changed"), list(mutations()))
def test_some_scenario_fails_when_this_heat_effect_changes(
    key: str, changed: Effect, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = scenarios_naming(key)
    monkeypatch.setattr(heat, "EFFECTS", {**EFFECTS, key: changed})
    assert is_noticed(documents), f"no scenario notices {changed}"


@pytest.mark.parametrize("key", CONTINUOUS)
def test_some_scenario_fails_without_this_continuous_effect(key: str) -> None:
    """The effect taken off every heat dial: what it bars is open again."""
    documents = scenarios_naming(key)
    stripped = copy.deepcopy(documents)
    for _, document in stripped:
        for unit in document["units"]:
            if not isinstance(unit["unit"], Mapping):
                continue
            for step in unit["unit"]["heat"]:
                step["effects"] = {place: effect for place, effect in step["effects"].items() if effect != key}
    assert is_noticed(stripped), f"no scenario misses {key}"


# --- modifiers, steps and heat of orders ------------------------------------------------------------------------


def expecting(word: str) -> list[tuple[str, Json]]:
    """The scenarios that expect this modifier of some attack."""
    return [
        (name, document)
        for name, document in scenario_documents()
        if any(
            word in modifiers
            for attack in document["expect"].get("attacks") or []
            for modifiers in (attack.get("modifiers") or {}).values()
        )
    ]


@pytest.mark.parametrize("name", RULE_OF)
def test_some_scenario_fails_without_this_modifier(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_it(modifiers: Callable[..., list[Modifier]]) -> Callable[..., list[Modifier]]:
        return lambda *arguments: [modifier for modifier in modifiers(*arguments) if modifier[0] != name]

    documents = expecting(name)
    assert documents, f"no scenario expects {name}"
    monkeypatch.setattr(arithmetic, "attack_modifiers", without_it(attack_modifiers))
    monkeypatch.setattr(arithmetic, "special_modifiers", without_it(special_modifiers))
    assert [key for key, document in documents if play(document)[1] is None] == []


@pytest.mark.parametrize("name", ["turn_damage_dice", "gain_heat", "lose_heat"])
def test_some_scenario_fails_without_this_step_of_clean_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [(key, document) for key, document in scenario_documents() if document.get("until") == "round_end"]
    monkeypatch.setattr(rounds, name, lambda table: None)
    assert is_noticed(documents)


@pytest.mark.parametrize("bit", ORDER_HEAT, ids=[name for name, _ in ORDER_HEAT.values()])
def test_some_scenario_fails_when_this_order_costs_other_heat(bit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    name, amount = ORDER_HEAT[bit]
    documents = [
        (key, document)
        for key, document in scenario_documents()
        if any(action.get("order") == name for action in document.get("actions") or [])
    ]
    for wrong in (amount - 1, amount + 1):
        monkeypatch.setitem(ORDER_HEAT, bit, (name, wrong))
        assert is_noticed(documents)


@pytest.mark.parametrize("name", ["KILL_OF_LOWER", "KILL_OF_EQUAL_OR_HIGHER", "SURRENDER_AWARD"])
def test_some_scenario_fails_when_this_award_changes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewards, name, getattr(rewards, name) + 1)
    assert is_noticed([(key, document) for key, document in scenario_documents() if key.startswith("victory/")])


def test_some_scenario_fails_when_pilots_wake_on_another_number(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [(key, document) for key, document in scenario_documents() if key.startswith("unconscious/")]
    for wrong in (3, 5):
        monkeypatch.setattr(revivals, "REVIVE_AT", wrong)
        assert is_noticed(documents)


# --- formats ----------------------------------------------------------------------------------------------------

TAKES = test_formats.test_formats_say_how_many_sides_and_units_they_take
FLAGS_STAND = test_formats.test_r_fmt_13_r_fmt_14_flags_stand_in_the_c_hexes_and_no_token_is_drawn
TRIES_ARE_OFFERED = test_formats.test_r_fmt_15_every_move_that_can_try_for_a_flag_is_offered

WITNESSES: Mapping[tuple[str, str], Callable[[], None]] = {
    ("Team", "sides"): lambda: TAKES("team", (2, 2, 2), "format_sides"),
    ("Team", "units"): lambda: TAKES("team", (3, 2), "format_units"),
    ("Team", "start_hexes"): lambda: test_formats.test_r_arn_06_teams_start_in_a_pair_of_areas_each("team"),
    ("TagTeam", "setup_tasks"): test_formats.test_r_fmt_08_the_first_player_names_their_active_unit_first,
    ("CaptureTheFlag", "check"): test_formats.test_capture_the_flag_needs_an_area_for_each_flag,
    ("CaptureTheFlag", "setup_tasks"): FLAGS_STAND,
    ("CaptureTheFlag", "has_tokens"): FLAGS_STAND,
    ("CaptureTheFlag", "ways"): TRIES_ARE_OFFERED,
    ("CaptureTheFlag", "path_of"): TRIES_ARE_OFFERED,
    ("GrandMelee", "units"): lambda: TAKES("grand_melee", (2, 1, 1, 1), "format_units"),
    ("GrandMelee", "check"): lambda: TAKES("grand_melee", (1, 1, 1, 1, 1), "format_ground"),
}
"""The tests that miss what no scenario can show: what comes before the first round, and what is listed."""


def overrides() -> list[tuple[type[MatchFormat[Any]], str]]:
    """What each format brings of its own: every name of the base that it defines anew."""
    bases = (MatchFormat, RulesOfCompetition)
    classes = {one: vars(one) for key in FORMATS for one in type(FORMATS[key]).__mro__ if issubclass(one, bases[0])}
    base = {name for one in bases for name in classes.pop(one) if not name.startswith("_")} - {"key"}
    return [(one, name) for one, names in classes.items() for name in names if name in base]


def fails(test: Callable[[], None]) -> bool:
    """Whether a test fails now."""
    try:
        test()
    except (Exception, pytest.fail.Exception):
        return True
    return False


@pytest.mark.parametrize(
    ("owner", "name"),
    overrides(),
    ids=lambda value: getattr(value, "__name__", value),
)
def test_something_fails_without_this_hook_of_a_format(
    owner: type[MatchFormat[Any]], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The format plays as the Rules of Competition do at this point; a hook that changes nothing fails here too."""
    documents = [(key, document) for key, document in scenario_documents() if document.get("format") == owner.key]
    witness = WITNESSES.get((owner.__name__, name))
    assert witness is None or not fails(witness)
    monkeypatch.setattr(owner, name, getattr(RulesOfCompetition, name))
    assert fails(witness) if witness else is_noticed(documents), f"nothing misses {name} of {owner.__name__}"
