"""What is legal and what is refused: random play-outs and random positions of 2 to 8 units on 2 to 8 sides."""

import json
import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given

from rules.competition.match import Match
from rules.competition.state.position import Position
from rules.core.dice import SeededDice
from rules.core.refusals import IllegalAction, Malformed
from tests.rules.board import Json
from tests.rules.play_outs import SHAPES, quickly, seeds, shapes, state, visited

# --- what is legal ----------------------------------------------------------------------------------------------


@given(seeds, shapes)
@quickly(24)
def test_every_listed_action_is_legal_distinct_and_playable(seed: int, shape: tuple[int, int]) -> None:
    for match in visited(seed, shape, 7, 3):
        before = state(match)
        listed = match.legal_actions()
        texts = [json.dumps(action, sort_keys=True) for action in listed]
        assert listed
        assert len(set(texts)) == len(texts)
        rng = random.Random(seed)
        for action in listed if len(listed) < 150 else rng.sample(listed, 150):
            assert match.check(action) == []
            assert json.loads(json.dumps(action)) == action
            match.copy(SeededDice(seed)).play(action)
        assert state(match) == before


def outcome_of(match: Match, action: Json) -> Position:
    twin = match.copy(SeededDice(11))
    twin.play(action)
    return twin.table.position


def ends(action: Json) -> tuple[Any, ...]:
    """What two ways to say the same have in common."""
    path = action.get("path") or [None]
    return (action.get("order"), path[-1], action.get("facing"), action.get("run"), str(action.get("attack")))


@given(seeds, shapes)
@quickly(24)
def test_sampled_actions_are_legal_and_listed_or_equal_to_a_listed_one(seed: int, shape: tuple[int, int]) -> None:
    rng = random.Random(seed)
    for match in visited(seed, shape, 6, 4):
        listed = match.legal_actions()
        for _ in range(6):
            sampled = match.sample_action(rng)
            assert match.check(sampled) == []
            if sampled not in listed:
                reached = outcome_of(match, sampled)
                twins = [action for action in listed if ends(action) == ends(sampled)]
                assert any(outcome_of(match, action) == reached for action in twins), sampled


def every_attack(match: Match, unit: str) -> Iterator[Json]:
    """Every close and ranged attack that can be written for one or two targets, most of them illegal."""
    roster = match.table.roster
    names = [fighter.name for fighter in roster.fighters] + list(match.snapshot()["tokens"])
    for value in ("primary", "secondary"):
        for name in names:
            yield {"unit": unit, "order": "close", "value": value, "targets": [name]}
        groups = [[name] for name in names] + [list(pair) for pair in combinations(names, 2)]
        for targets in groups:
            shot = {"unit": unit, "order": "ranged", "value": value, "targets": targets}
            yield shot
            yield {**shot, "indirect": True}
            yield {**shot, "ignore_friendly_fire": True}


@given(seeds, shapes)
@quickly(24)
def test_no_legal_attack_is_missing_from_the_list(seed: int, shape: tuple[int, int]) -> None:
    """All attacks that can be written, tried one by one: the legal ones are exactly those that are listed."""
    for match in visited(seed, shape, 3, 10):
        decision = match.decision
        assert decision is not None
        if decision.kind != "combat":
            continue
        listed = [action for action in match.legal_actions() if action["order"] in ("close", "ranged")]
        for attack in every_attack(match, decision.unit):
            if match.check(attack) == []:
                flush = {**attack, "path": []}
                if any({**action, "value": attack["value"]}.items() >= flush.items() for action in listed):
                    continue  # a Coolant Flush, which has no value; whoever names one means the same order
                plain = {key: value for key, value in attack.items() if key != "ignore_friendly_fire"}
                assert attack in listed or (attack != plain and plain in listed), attack
                if attack not in listed:  # declining a modifier that there is none of
                    assert outcome_of(match, attack) == outcome_of(match, plain)
            else:
                assert attack not in listed, attack


def walk(match: Match, unit: str, rng: random.Random) -> list[str]:
    """A random path of one to seven neighbouring hexes, legal or not."""
    table = match.table
    arena, lattice = table.roster.arena, table.roster.lattice
    place = table.position.hex[table.roster.unit_of[unit]]
    path = []
    for _ in range(rng.randrange(1, 8)):
        near = [other for other in lattice.hexes if lattice.distance(place, other) == 1]
        open_ones = [other for other in near if arena.passable >> other & 1]
        place = rng.choice(open_ones if open_ones and rng.random() < 0.9 else near)
        path.append(lattice.name(place))
    return path


@given(seeds, shapes)
@quickly(24)
def test_no_legal_path_leads_to_an_outcome_that_is_not_listed(seed: int, shape: tuple[int, int]) -> None:
    """Random walks: where one is legal, an action with the same end, facing and heat is listed."""
    rng = random.Random(seed)
    for match in visited(seed, shape, 2, 10):
        decision = match.decision
        assert decision is not None
        if decision.kind != "move":
            continue
        listed = match.legal_actions()
        start = match.snapshot()["units"][decision.unit]["hex"]
        for _ in range(12):
            path = walk(match, decision.unit, rng)
            action = {"unit": decision.unit, "order": "move", "path": path, "facing": rng.randrange(12)}
            if rng.random() < 0.4:
                action["run"] = True
            if path[-1] != start and match.check(action) == []:
                reached = outcome_of(match, action)
                twins = [one for one in listed if ends(one)[:4] == ends(action)[:4]]
                assert any(outcome_of(match, one) == reached for one in twins), action


def test_every_listed_action_is_sampled_sooner_or_later() -> None:
    """Where there are few: each of them comes up, for every kind of decision."""
    kinds = set()
    for seed in range(24):
        rng = random.Random(seed)
        for match in visited(seed, SHAPES[seed % 4], 3, 25):
            decision = match.decision
            assert decision is not None
            listed = match.legal_actions()
            if len(listed) > 14 or (decision.kind in kinds and seed % 4):
                continue
            kinds.add(decision.kind)
            texts = {json.dumps(action, sort_keys=True) for action in listed}
            for _ in range(2500):
                texts.discard(json.dumps(match.sample_action(rng), sort_keys=True))
                if not texts:
                    break
            assert not texts, decision
    assert {"combat", "react", "initiative", "free_spin", "token"} <= kinds


@given(seeds, shapes)
@quickly(12)
def test_the_default_action_is_legal(seed: int, shape: tuple[int, int]) -> None:
    for match in visited(seed, shape, 3, 12):
        assert match.check(match.default_action()) == []


@given(seeds, shapes)
@quickly(10)
def test_stages_lead_to_a_listed_action(seed: int, shape: tuple[int, int]) -> None:
    """Narrowing down step by step ends at an action of the whole list, whichever way is taken."""
    rng = random.Random(seed)
    for match in visited(seed, shape, 11, 2):
        listed = match.legal_actions()
        stage: Json = {}
        for _ in range(12):
            offered = match.legal_actions(stage)
            assert offered
            if len(offered) == 1:
                break
            for partial in offered:
                assert any(all(action.get(key) == value for key, value in partial.items()) for action in listed)
            stage = rng.choice(offered)
        assert len(match.legal_actions(stage)) == 1
        assert match.legal_actions(stage)[0] in listed


# --- what is refused --------------------------------------------------------------------------------------------

HEXES = [f"{column:02d}{row:02d}" for column in range(1, 12) for row in range(1, 16)]
REPLACEMENTS: list[Any] = [
    None,
    True,
    -1,
    12,
    99,
    "",
    "0000",
    "1299",
    [],
    {},
    ["0101"],
    "nobody",
    ["u0"],
    {"u0": 1},
    2.5,
]


def mutated(action: Json, rng: random.Random, units: list[str]) -> Json:
    """The action with one thing about it changed; now and then the change is harmless."""
    twin = json.loads(json.dumps(action))
    inner = twin["attack"] if isinstance(twin.get("attack"), dict) and rng.random() < 0.5 else twin
    way = rng.randrange(8)
    if way == 0:
        inner[rng.choice(list(inner))] = rng.choice(REPLACEMENTS)
    elif way == 1:
        inner.pop(rng.choice(list(inner)))
    elif way == 2:
        inner[rng.choice(["colour", "path", "facing", "run", "jump", "cancel", "indirect", "line"])] = rng.choice(
            REPLACEMENTS
        )
    elif way == 3:
        inner["unit"] = rng.choice(units)
    elif way == 4:
        inner["path"] = [*(inner.get("path") or []), rng.choice(HEXES)]
    elif way == 5:
        inner["targets"] = rng.sample([*units, "t1", "t2"], rng.randrange(1, 3))
    elif way == 6:
        inner["order"] = rng.choice(
            ["move", "ranged", "close", "assault", "dig_in", "defend", "dodge", "vent", "charge"]
        )
    else:
        inner["cancel"] = [rng.choice(["evade", "heavy_armor", "jump_jets", "pulse", "lunch"])]
    return twin  # type: ignore[no-any-return]


def refusal_of(match: Match, action: Json) -> str | None:
    """The code with which `check` refuses an action, None when it is legal."""
    try:
        problems = match.check(action)
    except Malformed as malformed:
        return malformed.code
    return problems[0].code if problems else None


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_refused_actions_change_nothing(shape: tuple[int, int]) -> None:
    """Position, agenda, open decision, dice, actions and events: all as before, and `check` and `play` say the same."""
    refused = 0
    for seed in range(4):
        rng = random.Random(seed)
        for match in visited(seed, shape, 3, 10):
            units = [fighter.name for fighter in match.table.roster.fighters]
            for _ in range(8):
                action = mutated(match.sample_action(rng), rng, units)
                before = state(match)
                code = refusal_of(match, action)
                if code is not None:
                    with pytest.raises((IllegalAction, Malformed)) as caught:
                        match.play(action)
                    assert caught.value.code == code
                    refused += 1
                assert state(match) == before
    assert refused > 100


def hopeless(match: Match) -> Iterator[Json]:
    """Actions that no rule allows at a move or combat decision, whatever the position."""
    decision = match.decision
    assert decision is not None
    snapshot, roster = match.snapshot(), match.table.roster
    me = decision.unit
    own = snapshot["units"][me]["side"]
    arena = roster.arena
    for other, unit in snapshot["units"].items():
        if other == me or unit["side"] == own or unit["hex"] is None:
            yield {"unit": me, "order": "ranged", "value": "primary", "targets": [other]}
            yield {"unit": me, "order": "close", "value": "primary", "targets": [other]}
        if other != me and unit["side"] != own:
            yield {"unit": other, "order": "pass"}
        if other != me and unit["hex"] is not None:
            yield {"unit": me, "order": "move", "path": [unit["hex"]], "facing": 0}
            yield {
                "unit": me,
                "order": "assault",
                "path": [unit["hex"]],
                "facing": 0,
                "attack": {"order": "close", "targets": ["t1"]},
            }
    for place in roster.lattice.hexes:
        if arena.blocking >> place & 1:
            yield {"unit": me, "order": "move", "path": [roster.lattice.name(place)], "facing": 0, "jump": True}
    yield {"unit": me, "order": "dodge"}
    yield {"unit": me, "order": "defend"}
    yield {"unit": me, "react": "dodge"}
    yield {"unit": me, "choose": "free_spin", "facing": 3}
    yield {"unit": me, "order": "move", "path": [], "facing": 0, "run": True, "jump": True}


@given(seeds, shapes)
@quickly(16)
def test_hopeless_actions_are_refused(seed: int, shape: tuple[int, int]) -> None:
    """Friends, oneself, the gone, occupied and blocking hexes, other people's units, reactions on one's own turn."""
    for match in visited(seed, shape, 5, 5):
        decision = match.decision
        assert decision is not None
        if decision.kind not in ("move", "combat"):
            continue
        for action in hopeless(match):
            before = state(match)
            with pytest.raises((IllegalAction, Malformed)):
                match.play(action)
            assert state(match) == before
