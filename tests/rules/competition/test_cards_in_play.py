"""Gear, abilities and rally cards in whole matches: setups, hidden hands, random play, bots, replay."""

import json
import random

import pytest

from rules import bots
from rules.catalogue import load_builtin
from rules.competition.match import Match, determinise
from rules.competition.replay import rebuild
from rules.competition.setups import read_setup, roster_of
from rules.competition.units import rally
from rules.core import card_hooks
from rules.core.card_hooks import disable
from rules.core.dice import SeededDice
from rules.core.pilot_hooks import ABILITIES
from rules.core.refusals import Malformed
from rules.solaris.building import build_problems
from rules.solaris.house_rules import HouseRules
from rules.solaris.rally_hooks import AT_ONCE, EFFECTS
from tests.rules.board import (
    Json,
    decisions,
    difference,
    duel_setup,
    happened,
    loadout,
    scenarios_naming,
)
from tests.rules.dealing import card, dealt, gear

CARDS = list(load_builtin().rally_cards.values())
GEAR = [
    {**card, "side": side} if side else card
    for card in load_builtin().gear.values()
    for side in (("primary", "secondary") if card["slot"] == "either" else (None,))
]
"""Every gear card, two-sided ones on either side."""


# --- setups -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        pytest.param({"gear": [gear(f"G-{n}", slot) for n, slot in enumerate(("speed", "attack", "defense"))]},
                     "too_many_cards", id="R-CEC-06"),
        pytest.param({"gear": [gear("G-1", "either")]}, "gear_side_missing", id="R-GER-05"),
        pytest.param({"gear": [gear("G-1", "speed"), gear("G-2", "speed")]}, "gear_on_same_value", id="R-GER-04"),
        pytest.param({"gear": [{"id": "G-1"}]}, "bad_gear", id="unreadable gear"),
        pytest.param({"hand": [card(f"R-{n}") for n in range(6)]}, "hand_too_large", id="R-RAL-01"),
        pytest.param({"hand": [card("R-1"), card("R-1")]}, "hand_copy", id="R-RAL-02 D-61"),
        pytest.param({"hand": [card("R-1", "win")]}, "unknown_rally_effect", id="effect"),
    ],
)  # fmt: skip
def test_setups_with_bad_cards_are_refused(keys: Json, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        duel_setup(sides={"red": [loadout("a", **keys)], "blue": [loadout("b")]})
    assert caught.value.code == code


def test_r_ral_02_q_148_two_units_share_one_hand_of_ten_without_copies() -> None:
    ten = [[card(f"R-{place}{n}") for n in range(5)] for place in range(2)]
    sides = {"red": [loadout("a", hand=ten[0]), loadout("b", hand=ten[1])], "blue": [loadout("c", hand=ten[0])]}
    setup = duel_setup(sides=sides)
    assert [len(hand) for hand in roster_of(setup).hands] == [10, 5]
    sides["red"][1]["hand"] = ten[0]
    with pytest.raises(Malformed, match="hand_copy"):
        duel_setup(sides=sides)


def test_r_cec_08_setups_keep_their_cards_through_json() -> None:
    setup = dealt(1)
    assert read_setup(json.loads(json.dumps(setup.to_json()))) == setup


def test_r_cec_01_cards_are_optional_and_a_match_without_them_never_asks() -> None:
    match = Match.start(duel_setup(), SeededDice(1))
    kinds = {found.decision.kind for found in decisions(match, random.Random(1)) if found.decision}
    assert not kinds & {"rally", "source"}


def test_r_ger_06_the_declared_side_is_open() -> None:
    side = [loadout("a", gear=[gear("G-1", "either", side="secondary")])]
    match = Match.start(duel_setup(sides={"red": side, "blue": [loadout("b")]}), SeededDice(1))
    for who in ("blue", None):
        assert match.observe(who).setup["sides"][0]["units"][0]["gear"][0]["side"] == "secondary"


# --- hidden hands -----------------------------------------------------------------------------------------------


def test_a_possible_whole_has_as_many_cards_and_goes_on_to_the_end() -> None:
    match = Match.start(dealt(3), SeededDice(3))
    for step, _ in enumerate(decisions(match, random.Random(3))):
        if step == 20:
            break
    twin = determinise(match.observe("s0"), random.Random(1))
    roster, own = twin.table.roster, match.table.roster
    assert [len(hand) for hand in roster.hands] == [len(hand) for hand in own.hands]
    assert roster.hands[0] == own.hands[0]
    assert set(roster.hands[1]) != set(own.hands[1])
    for _ in decisions(twin, random.Random(2)):
        pass
    assert twin.result is not None


def test_a_rally_decision_is_shown_to_its_owner_alone() -> None:
    for number in range(20):
        match = Match.start(dealt(number), SeededDice(number))
        for now in decisions(match, random.Random(number)):
            if now.decision is not None and now.decision.kind == "rally":
                assert now.decision.why["cards"]
                assert now.observe(now.decision.side).decision == now.decision.to_json()
                assert now.observe(None).decision is None
                return
    raise AssertionError("no card could be played")


# --- random play ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(12))
def test_r_ral_03_to_r_ral_07_a_hand_offers_just_the_cards_that_nothing_forbids(number: int) -> None:
    """What is looked at once for a whole hand says the same as what tells a player why one card may not be played."""
    match = Match.start(dealt(number, 2, 4, shared=number % 2 == 1), SeededDice(number))
    offered = kept = 0
    for now in decisions(match, random.Random(number)):
        table = now.table
        for unit in filter(table.is_in_play, range(len(table.roster.fighters))):
            hand = table.roster.hand_of(unit)
            free = [key for key in hand if not rally.problems_of(table, unit, key)]
            assert rally.playable(table, unit) == free
            offered += len(free)
            kept += len(hand) - len(free)
    assert offered
    assert kept


@pytest.mark.parametrize("number", range(24))
def test_random_matches_with_cards_keep_the_rules_of_cards(number: int) -> None:
    setup = dealt(number, *((2, 2), (2, 4), (3, 5))[number % 3])
    match = Match.start(setup, SeededDice(number))
    for now in decisions(match, random.Random(number)):
        if now.decision is not None and now.decision.kind in ("rally", "source"):
            for action in now.legal_actions():
                assert now.check(action) == []
    assert match.result is not None
    rallies = match.table.position.rallies
    assert len({(when, who) for when, who, _, _ in rallies}) == len(rallies), "R-RAL-04"
    assert len({(match.table.roster.side_of[who], name) for _, who, name, _ in rallies}) == len(rallies), "R-RAL-07"
    position = rebuild(match.table.roster, [event for batch in match.events for event in batch])
    assert position == match.table.position
    again = Match.replay(setup, SeededDice(number), json.loads(json.dumps(match.actions)))
    assert again.events == match.events


def test_random_play_uses_every_effect_and_both_sources() -> None:
    effects, sources = set(), set()
    for number in range(40):
        match = Match.start(dealt(number), SeededDice(number))
        for _ in decisions(match, random.Random(number)):
            pass
        effects |= {event["effect"] for event in happened(match, "rally_played")}
        sources |= {event["from"] for event in happened(match, "source_chosen")}
    assert sources == {"dial", "gear"}
    assert effects == set(EFFECTS)


def test_the_greedy_bot_plays_cards_when_they_help() -> None:
    played = 0
    for number in range(6):
        match = Match.start(dealt(number), SeededDice(number))
        greedy = bots.get("greedy")
        bots.play_out(match, {"s0": greedy, "s1": greedy}, random.Random(number))
        assert match.result is not None
        played += len(happened(match, "rally_played"))
    assert played


def fitting(pilot: Json | None, gear: Json) -> Json:
    """A unit of the catalogue that takes these cards, the pilot's preferred one if he has any."""
    units = list(load_builtin().units.values())
    preferred = (pilot or {}).get("alternative") or {}
    units.sort(key=lambda one: one["id"] != preferred.get("unit"))
    cards = [gear] if gear else []
    return next(one for one in units if not build_problems(one, pilot, one["class"], HouseRules(), cards))


@pytest.mark.parametrize("number", range(len(GEAR)))
def test_the_built_in_cards_play(number: int) -> None:
    """Every gear card, with a hand of the built-in rally cards, against every pilot in turn."""
    pilots = list(load_builtin().pilots.values())
    with_gear, with_pilot = fitting(None, GEAR[number]), fitting(pilots[number % len(pilots)], {})
    sides = {
        "red": [loadout("a", with_gear, gear=[GEAR[number]], hand=(CARDS * 2)[number % len(CARDS) :][:5], clicks=3)],
        "blue": [loadout("b", with_pilot, pilot=pilots[number % len(pilots)], hand=CARDS[:5], clicks=3)],
    }
    match = Match.start(duel_setup(sides=sides), SeededDice(number))
    for _ in decisions(match, random.Random(number)):
        pass
    assert match.result is not None


# --- nothing is there for show ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [*ABILITIES, *(effect for effect in EFFECTS if effect not in AT_ONCE)])
def test_some_scenario_fails_without_this_ability_or_effect(key: str) -> None:
    assert scenarios_naming(key), f"no scenario has {key}"
    restore = disable(key)
    try:
        assert any(difference(document) for _, document in scenarios_naming(key))
    finally:
        restore()
    assert card_hooks.timings_of(key)


@pytest.mark.parametrize("key", AT_ONCE)
def test_some_scenario_fails_without_this_act(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rally, "ACTS", {**rally.ACTS, key: lambda table, unit, card: None})
    assert any(difference(document) for _, document in scenarios_naming(key))
