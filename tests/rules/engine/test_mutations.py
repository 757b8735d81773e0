"""The mutation run for equipment and heat effects: whatever is taken away, some scenario notices."""

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from rules.competition import heat, impact, pilots, resolving, rounds, scoring
from rules.competition.aftermath import ORDER_HEAT
from rules.competition.heat import EFFECTS, Effect
from rules.competition.impact import special_modifiers
from rules.competition.modifiers import RULE_OF, attack_modifiers
from rules.competition.roster import ROLLED_EFFECTS
from rules.core import equipment_hooks
from rules.core.equipment import EQUIPMENT
from rules.core.equipment_hooks import Modifier, disable, timings_of
from rules.core.words import HEAT_EFFECTS
from rules.scenario import play
from tests.rules.engine.board import Json, scenario_documents

BUILT = [key for key, row in EQUIPMENT.items() if not row.is_inert]
CONTINUOUS = ["ammunition_jam", "weapons_offline", "engine_overheat"]


def failing(documents: list[tuple[str, Json]]) -> list[str]:
    """The scenarios that differ now."""
    return [name for name, document in documents if play(document)[1] is not None]


def naming(word: str) -> list[tuple[str, Json]]:
    """The scenarios in whose units or tokens a word stands."""

    def stands_in(value: Any) -> bool:
        if isinstance(value, Mapping):
            return any(stands_in(key) or stands_in(entry) for key, entry in value.items())
        if isinstance(value, list):
            return any(map(stands_in, value))
        return bool(value == word)

    return [
        (name, document)
        for name, document in scenario_documents()
        if stands_in(document["units"]) or stands_in(document.get("tokens") or [])
    ]


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
    documents = naming(key)
    assert failing(documents) == []
    with without(key):
        assert timings_of(key) == []
        found = failing(documents)
    assert found, f"no scenario misses {key}"
    assert timings_of(key)
    assert failing(documents) == []


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
        found = failing(naming(key))
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
    documents = naming(key)
    monkeypatch.setattr(heat, "EFFECTS", {**EFFECTS, key: changed})
    assert failing(documents), f"no scenario notices {changed}"


@pytest.mark.parametrize("key", CONTINUOUS)
def test_some_scenario_fails_without_this_continuous_effect(key: str) -> None:
    """The effect taken off every heat dial: what it bars is open again."""
    documents = naming(key)
    assert failing(documents) == []
    stripped = copy.deepcopy(documents)
    for _, document in stripped:
        for unit in document["units"]:
            if not isinstance(unit["unit"], Mapping):
                continue
            for step in unit["unit"]["heat"]:
                step["effects"] = {place: effect for place, effect in step["effects"].items() if effect != key}
    assert failing(stripped), f"no scenario misses {key}"


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
    monkeypatch.setattr(resolving, "attack_modifiers", without_it(attack_modifiers))
    monkeypatch.setattr(impact, "special_modifiers", without_it(special_modifiers))
    found = failing(documents)
    assert len(found) == len(documents)


@pytest.mark.parametrize("name", ["turn_damage_dice", "gain_heat", "lose_heat"])
def test_some_scenario_fails_without_this_step_of_clean_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [(key, document) for key, document in scenario_documents() if document.get("until") == "round_end"]
    assert failing(documents) == []
    monkeypatch.setattr(rounds, name, lambda table: None)
    assert failing(documents)


@pytest.mark.parametrize("bit", ORDER_HEAT, ids=[name for name, _ in ORDER_HEAT.values()])
def test_some_scenario_fails_when_this_order_costs_other_heat(bit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    name, amount = ORDER_HEAT[bit]
    documents = [
        (key, document)
        for key, document in scenario_documents()
        if any(action.get("order") == name for action in document.get("actions") or [])
    ]
    assert failing(documents) == []
    for wrong in (amount - 1, amount + 1):
        monkeypatch.setitem(ORDER_HEAT, bit, (name, wrong))
        assert failing(documents)


@pytest.mark.parametrize("name", ["KILL_BELOW", "KILL_AT_LEAST", "SURRENDER_AWARD"])
def test_some_scenario_fails_when_this_award_changes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, name, getattr(scoring, name) + 1)
    assert failing([(key, document) for key, document in scenario_documents() if key.startswith("victory/")])


def test_some_scenario_fails_when_pilots_wake_on_another_number(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [(key, document) for key, document in scenario_documents() if key.startswith("unconscious/")]
    for wrong in (3, 5):
        monkeypatch.setattr(pilots, "REVIVE_AT", wrong)
        assert failing(documents)
