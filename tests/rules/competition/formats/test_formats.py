"""The match formats: how many take part, how they begin, random matches of each, and how their reputation is shown."""

import json
import random
from typing import Any

import pytest

from rules import bots
from rules.catalogue import load_builtin
from rules.competition.formats import FORMATS
from rules.competition.ground.hexes import bits
from rules.competition.match import Match
from rules.competition.replay import rebuild
from rules.competition.setups import read_setup
from rules.competition.state.setup import MatchSetup
from rules.core.dice import ScriptedDice, SeededDice
from rules.core.refusals import IllegalAction, Malformed
from rules.measuring.self_play import random_setup
from tests.rules.board import (
    Json,
    decisions,
    flat,
    happened,
    loadout,
    setup_document,
    token,
)
from tests.rules.competition.test_whole_matches import check_invariants, through_text

KEYS = ("standard", "team", "weapons_dead", "tag_team", "capture_the_flag", "grand_melee")


def setup_of(key: str, seed: int, **house_rules: Any) -> MatchSetup:
    """A random match of the catalogue; every third one of two sides has a single unit on one of them (Q-154)."""
    rng = random.Random(f"{key}/{seed}")
    document = random_setup(load_builtin(), rng, key).to_json()
    document["house_rules"] = {"pilot_death": seed % 2 == 0, **house_rules}
    if seed % 3 == 0 and len(document["sides"][0]["units"]) == 2:
        del document["sides"][seed % 2]["units"][1]
    for side in document["sides"]:
        for entry in side["units"]:
            entry["clicks"] = rng.choice((0, 0, len(entry["unit"]["dial"]) // 2))
    return read_setup(document)


def played(key: str, seed: int, **house_rules: Any) -> Match:
    match = Match.start(setup_of(key, seed, **house_rules), SeededDice(seed))
    for _ in decisions(match, random.Random(seed)):
        pass
    return match


def sides_of(*sizes: int) -> dict[str, list[Json]]:
    return {f"s{side}": [loadout(f"u{side}{n}") for n in range(size)] for side, size in enumerate(sizes)}


def document_of(key: str, *sizes: int, **keys: Any) -> Json:
    return {**setup_document(sides_of(*sizes), **keys), "format": key}


# --- who takes part ---------------------------------------------------------------------------------------------


def test_all_six_formats_are_built() -> None:
    assert tuple(FORMATS) == KEYS


@pytest.mark.parametrize(
    ("key", "sizes", "code"),
    [
        ("standard", (1, 1), None),
        ("standard", (2, 2), None),
        ("standard", (1, 1, 1, 1), None),
        ("weapons_dead", (1, 1), None),
        pytest.param("team", (2, 2), None, id="R-FMT-02"),
        pytest.param("team", (2, 1), None, id="R-FMT-24"),
        ("team", (3, 2), "format_units"),
        ("team", (2, 2, 2), "format_sides"),
        ("tag_team", (2, 2), None),
        ("tag_team", (1, 2), None),
        ("tag_team", (1, 3), "format_units"),
        pytest.param("capture_the_flag", (2, 2), None, id="R-FMT-13"),
        ("capture_the_flag", (2, 2, 2), "format_sides"),
        pytest.param("grand_melee", (1, 1, 1, 1), None, id="R-FMT-20"),
        ("grand_melee", (1, 1), None),
        pytest.param("grand_melee", (1, 1, 1, 1, 1), "format_ground", id="R-FMT-21 five on one map"),
        ("grand_melee", (2, 1, 1, 1), "format_units"),
        ("poker", (1, 1), "unknown_format"),
    ],
)
def test_formats_say_how_many_sides_and_units_they_take(key: str, sizes: tuple[int, ...], code: str | None) -> None:
    document = document_of(key, *sizes)
    if code is None:
        assert read_setup(document).format == key
        return
    with pytest.raises(Malformed) as caught:
        read_setup(document)
    assert caught.value.code == code


def test_capture_the_flag_needs_an_area_for_each_flag() -> None:
    document = document_of("capture_the_flag", 2, 2, arena={"starts": {"A": ["0402", "0813"], "B": ["0602", "0613"]}})
    with pytest.raises(Malformed, match="format_starts"):
        read_setup(document)


# --- how they begin ---------------------------------------------------------------------------------------------


def begun(key: str, dice: list[int], *sizes: int, **keys: Any) -> Match:
    return Match.start(read_setup(document_of(key, *sizes, **keys)), ScriptedDice(dice))


def place_all(match: Match) -> None:
    while match.decision is not None and match.decision.kind == "start":
        match.play(match.default_action())


@pytest.mark.parametrize("key", ["team", "tag_team", "capture_the_flag"])
def test_r_arn_06_teams_start_in_a_pair_of_areas_each(key: str) -> None:
    """Also the only unit of a stable that has no second one (Q-154, Q-173)."""
    match = begun(key, [6, 6, 6, 1, 1, 1, *[1] * 8], 1, 2)
    assert match.decision is not None
    assert match.decision.why["hexes"] == ["0402", "0602", "0813", "0613"]
    match.play({"unit": "u00", "choose": "start", "hex": "0813", "facing": 0})
    assert match.decision.why["hexes"] == ["0402", "0602"]


def test_r_fmt_08_the_first_player_names_their_active_unit_first() -> None:
    match = begun("tag_team", [1, 1, 1, 6, 6, 6, 0, 0], 2, 2, house_rules={"target_tokens": False})
    place_all(match)
    decision = match.decision
    assert decision is not None
    assert (decision.kind, decision.side, decision.why) == ("active", "s1", {"units": ["u10", "u11"]})
    with pytest.raises(Malformed, match="unknown_unit"):
        match.play({"unit": "u10", "choose": "active", "active": "u00"})
    match.play({"unit": "u11", "choose": "active", "active": "u11"})  # in the name of any unit of the side
    assert match.decision is not None
    assert match.decision.side == "s0"
    snapshot = match.snapshot()["units"]
    assert [snapshot[name]["active"] for name in ("u10", "u11")] == [False, True]
    assert snapshot["u10"]["hex"] is not None


def test_q_154_the_only_unit_of_a_stable_is_active_without_a_question() -> None:
    match = begun("tag_team", [6, 6, 6, 1, 1, 1, 5, 5, 1, 1], 1, 2, house_rules={"target_tokens": False})
    place_all(match)
    assert match.decision is not None
    assert (match.decision.kind, match.decision.side) == ("active", "s1")
    match.play({"unit": "u10", "choose": "active", "active": "u11"})
    assert {name: unit["active"] for name, unit in match.snapshot()["units"].items()} == {
        "u00": True, "u10": False, "u11": True,
    }  # fmt: skip


def test_r_fmt_07_only_the_active_units_act() -> None:
    match = played("tag_team", 1)
    units = match.snapshot()["units"]
    for order in happened(match, "turn_order"):
        sides = [units[name]["side"] for name in order["order"]]
        assert len(sides) == len(set(sides))


def test_r_fmt_13_r_fmt_14_flags_stand_in_the_c_hexes_and_no_token_is_drawn() -> None:
    match = begun("capture_the_flag", [6, 6, 6, 1, 1, 1, *[3, 4, 5, 6, 1, 2, 3, 5] * 2], 2, 2)
    match.play({"unit": "u00", "choose": "start", "hex": "0813", "facing": 0})
    place_all(match)
    flags = match.snapshot()["flags"]
    assert {side: flag["home"] for side, flag in flags.items()} == {"s0": "0314", "s1": "0902"}
    assert all(flag["hex"] == flag["home"] and flag["carrier"] is None for flag in flags.values())
    assert happened(match, "token_drawn") == []
    assert match.snapshot()["pool"] == 0


def test_r_fmt_13_no_capture_the_flag_match_ever_pays_for_a_token() -> None:
    for seed in range(6):
        document = setup_of("capture_the_flag", seed).to_json()
        for side in document["sides"]:
            side["tokens"] = [token(f"T{n}") for n in range(3)]
        match = Match.start(read_setup(document), SeededDice(seed))
        for _ in decisions(match, random.Random(seed)):
            assert match.snapshot()["tokens"] == {}


# --- random matches of every format -----------------------------------------------------------------------------


def check_format(match: Match) -> None:
    """What holds besides the invariants of every match."""
    position, roster = match.table.position, match.table.roster
    waiting = dict(position.waiting)
    assert all(position.hex[unit] == -1 for unit in waiting)
    assert not any(roster.arena.blocking >> place & 1 for place in waiting.values())
    for units in roster.side_units:
        if position.waiting and position.round:
            assert sum(position.hex[unit] >= 0 for unit in units) <= 1
    filled = [place for place in position.hex if place >= 0] + list(waiting.values())
    assert len(filled) == len(set(filled))
    for home, place, carrier in position.flags:
        assert home >= 0
        assert (place >= 0) != (carrier >= 0)
        if carrier >= 0:
            assert match.table.is_in_play(carrier)
        else:
            assert roster.arena.passable >> place & 1
            assert place not in position.hex or not match.table.is_in_play(position.hex.index(place))
    assert bool(position.flags) <= (roster.format.key == "capture_the_flag")


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("key", KEYS)
def test_random_matches_keep_the_invariants_and_replay(key: str, seed: int) -> None:
    setup = setup_of(key, seed)
    match = Match.start(setup, SeededDice(seed))
    for number, _ in enumerate(decisions(match, random.Random(seed))):
        check_invariants(match)
        check_format(match)
        if number % 11 == 0:
            assert rebuild(match.table.roster, through_text(flat(match))) == match.table.position
    assert match.result is not None
    assert rebuild(match.table.roster, through_text(flat(match))) == match.table.position
    again = Match.replay(read_setup(through_text(setup.to_json())), SeededDice(seed), through_text(match.actions))
    assert again.events == match.events
    assert again.result == match.result
    silent = Match.start(setup, SeededDice(seed), recording=False)
    for _ in decisions(silent, random.Random(seed)):
        pass
    assert silent.table.position == match.table.position


@pytest.mark.parametrize("key", KEYS)
def test_listed_and_sampled_actions_are_legal(key: str) -> None:
    for seed in range(3):
        match = Match.start(setup_of(key, seed), SeededDice(seed))
        rng = random.Random(seed)
        for number, _ in enumerate(decisions(match, rng)):
            if number % 9 == seed:
                listed = match.legal_actions()
                texts = {json.dumps(action, sort_keys=True) for action in listed}
                assert len(texts) == len(listed)
                for action in listed if len(listed) < 60 else rng.sample(listed, 60):
                    assert match.check(action) == []
                    match.copy(SeededDice(seed)).play(action)
            assert match.check(match.sample_action(rng)) == []


@pytest.mark.parametrize("key", KEYS)
def test_bots_play_every_format(key: str) -> None:
    """Greedy against random; what the greedy bot does is legal and recorded."""
    for seed in range(2):
        setup = setup_of(key, seed, time_limit_rounds=6)
        match = Match.start(setup, SeededDice(seed))
        seats = {side.key: bots.get(("greedy", "random")[number % 2]) for number, side in enumerate(setup.sides)}
        bots.play_out(match, seats, random.Random(seed))
        assert match.result is not None
        assert Match.replay(setup, SeededDice(seed), match.actions).events == match.events


def test_random_matches_reach_what_the_formats_bring() -> None:
    kinds = {
        event["event"] for key in ("tag_team", "capture_the_flag", "grand_melee") for seed in range(8)
        for event in flat(played(key, seed))
    }  # fmt: skip
    assert {"active_named", "tagged", "activated", "repaired", "flag_placed", "flag_tried", "flag_captured"} <= kinds
    assert {"flag_shaken", "flag_dropped", "places", "pilot_fate"} <= kinds


def test_r_fmt_06_no_weapons_dead_match_has_a_ranged_attack() -> None:
    for seed in range(8):
        for event in happened(played("weapons_dead", seed), "attack_resolved"):
            assert event["why"]["ranged"] is False


def test_r_fmt_11_nobody_targets_or_harms_a_waiting_unit() -> None:
    for seed in range(6):
        match = Match.start(setup_of("tag_team", seed), SeededDice(seed))
        for _ in decisions(match, random.Random(seed)):
            position = match.table.position
            for waiting, _ in position.waiting:
                assert position.damage_die(waiting) == 0
                assert not position.orders[waiting] & ~(1 << 15)


# --- flags ------------------------------------------------------------------------------------------------------


def test_r_fmt_15_every_move_that_can_try_for_a_flag_is_offered() -> None:
    """The tries listed are those that the checker allows, from every hex beside the flag in reach."""
    match = begun(
        "capture_the_flag", [6, 6, 6, 1, 1, 1, *[6, 6, 1, 1, 2, 2, 3, 3]], 2, 2, house_rules={"target_tokens": False}
    )
    place_all(match)
    table = match.table
    while match.decision is not None and match.decision.kind != "move":
        match.play(match.default_action())
    assert match.decision is not None
    unit_number = table.roster.unit_of[match.decision.unit]
    home, _, _ = table.position.flags[1 - table.roster.side_of[unit_number]]
    beside = next(bits(table.roster.arena.adjacent[home]))
    table.position.hex[unit_number] = beside
    listed = [action for action in match.legal_actions() if table.roster.lattice.name(home) in action.get("path", ())]
    assert listed
    assert all(match.check(action) == [] for action in listed)
    assert {action["path"][0] for action in listed} >= {table.roster.lattice.name(home)}
    refused = {"unit": match.decision.unit, "order": "move", "path": [table.roster.lattice.name(home)] * 2, "facing": 0}
    with pytest.raises(IllegalAction, match="flag_tried_already"):
        match.play(refused)


def test_flags_and_waiting_partners_are_in_every_observation() -> None:
    for key in ("tag_team", "capture_the_flag"):
        match = Match.start(setup_of(key, 1), SeededDice(1))
        for number, _ in enumerate(decisions(match, random.Random(1))):
            if number % 20 == 0:
                for side in (None, *match.table.roster.sides):
                    seen = match.observe(side).to_json()["snapshot"]
                    assert seen == match.snapshot()
