"""What must hold in every match: random play-outs and random positions of 2 to 8 units on 2 to 8 sides."""

import json
import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.competition.encoding import EventCodec
from rules.competition.match import Match
from rules.competition.position import Position
from rules.competition.replay import frames, rebuild
from rules.competition.roster import Roster
from rules.competition.setup import MatchSetup
from rules.core.dice import SeededDice
from rules.core.refusals import IllegalAction, Malformed
from tests.rules.engine.board import Json, decisions, flat, random_match, random_position, random_setup

SHAPES = [(2, 2), (2, 3), (3, 3), (2, 4), (4, 4), (3, 6), (2, 8), (8, 8)]
"""Sides and units."""

seeds = st.integers(0, 10**6)
shapes = st.sampled_from(SHAPES)


def quickly(examples: int) -> Any:
    """The same examples every time; the random parts are in the seeds."""
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None)


def some_match(seed: int, shape: tuple[int, int]) -> Match:
    """A whole match for even seeds, a position dropped into the middle of one for odd ones."""
    make = random_position if seed % 2 else random_match
    return make(seed, sides=shape[0], units=shape[1])


def finished(seed: int, shape: tuple[int, int]) -> Match:
    """A match played at random to its end."""
    match = some_match(seed, shape)
    for _ in decisions(match, random.Random(seed)):
        pass
    assert match.decision is None
    return match


def dice_state(match: Match) -> tuple[Any, ...]:
    dice = match.table.dice
    assert isinstance(dice, SeededDice)
    return tuple(getattr(dice, name) for name in SeededDice.__slots__)


def state(match: Match) -> tuple[Any, ...]:
    """Everything that a refused action must leave alone."""
    table = match.table
    counts = len(match.actions), len(table.log or ())
    return table.position.copy(), list(table.agenda), table.open, dice_state(match), counts


def visited(seed: int, shape: tuple[int, int], step: int, limit: int) -> Iterator[Match]:
    """Some of the decisions of a match."""
    match = some_match(seed, shape)
    for number, _ in enumerate(decisions(match, random.Random(seed))):
        if number % step == seed % step:
            yield match
            limit -= 1
            if not limit:
                return


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


# --- what holds at every moment ---------------------------------------------------------------------------------


def check_invariants(match: Match) -> None:
    table = match.table
    position, roster = table.position, table.roster
    standing = [place for place in position.hex if place >= 0]
    lying = [place for _, place in position.tokens]
    assert len(set(standing)) == len(standing), "two units in one hex"
    assert not set(standing) & set(lying), "a unit on a token"
    assert len(lying) <= 1, "R-TGT-04"
    for place in standing + lying:
        assert roster.arena.passable >> place & 1, "blocking terrain is occupied"
    numbers = [token for token, _ in position.tokens]
    assert not set(numbers) & set(position.pool), "a token in play and in the pool"
    assert len(numbers) + len(position.pool) + sum(position.tokens_won) <= len(roster.tokens)
    for unit, fighter in enumerate(roster.fighters):
        status = position.status[unit]
        assert 0 <= position.clicks[unit] <= fighter.clicks
        assert 0 <= position.heat[unit] <= fighter.steps
        assert position.heat_die[unit] >= 0
        assert position.damage_die(unit) >= 0
        assert 0 <= position.facing[unit] < 12
        assert (position.clicks[unit] == fighter.clicks) == bool(status & 4), "R-ELM-01"
        if status & 12:
            assert position.hex[unit] == -1
            assert position.heat_die[unit] == position.damage_die(unit) == 0
        if position.heat[unit] == fighter.steps and not status & 12:
            assert status & 1, "R-SHD-01: three radiation symbols and not shut down"
        assert table.damage(unit, 0) >= 0 if not status & 12 else True
    assert all(reputation >= 0 for reputation in position.reputation)
    assert 0 <= position.round <= roster.last_round


@given(seeds, shapes)
@quickly(24)
def test_invariants_hold_at_every_decision(seed: int, shape: tuple[int, int]) -> None:
    match = some_match(seed, shape)
    for _ in decisions(match, random.Random(seed)):
        check_invariants(match)
        decision = match.decision
        assert decision is not None
        snapshot = match.snapshot()["units"][decision.unit]
        assert snapshot["side"] == decision.side
        if decision.kind in ("move", "combat"):
            assert not snapshot["unconscious"]
            assert not snapshot["shutdown"]
    check_invariants(match)


@given(seeds, shapes)
@quickly(6)
def test_invariants_hold_after_every_event(seed: int, shape: tuple[int, int]) -> None:
    """What a replay steps through is in order too: dials and heat in range, one unit a hex, reputation not negative."""
    match = random_match(seed, sides=shape[0], units=shape[1])
    for _ in decisions(match, random.Random(seed)):
        pass
    for _, snapshot in frames(match.setup, flat(match)):
        places = [unit["hex"] for unit in snapshot["units"].values() if unit["hex"]]
        assert len(set(places)) == len(places)
        assert len(snapshot["tokens"]) <= 1
        assert min(snapshot["reputation"].values()) >= 0
        assert all(unit["heat"] >= 0 and unit["heat_die"] >= 0 for unit in snapshot["units"].values())


@given(seeds, shapes)
@quickly(24)
def test_r_end_11_every_match_ends_by_the_round_limit_with_one_winner(seed: int, shape: tuple[int, int]) -> None:
    match = finished(seed, shape)
    result = match.result
    assert result is not None
    assert result.rounds <= match.table.roster.last_round
    assert result.winner in result.sides
    assert result.ended_by in ("last_side", "time_limit")
    most = max(side["reputation"] for side in result.sides.values())
    assert result.sides[result.winner]["reputation"] == most
    leaders = [side for side in result.sides.values() if side["reputation"] == most]
    assert (result.tie_break is None) == (len(leaders) == 1)
    assert sum(side["kills"] for side in result.sides.values()) == sum(unit["kills"] for unit in result.units.values())
    with pytest.raises(IllegalAction, match="match_over"):
        match.play({"unit": "u0", "order": "pass"})
    assert match.legal_actions() == []


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_r_end_03_the_round_limit_can_be_chosen(limit: int) -> None:
    for seed in range(6):
        match = random_match(seed, time_limit_rounds=limit)
        for _ in decisions(match, random.Random(seed)):
            pass
        assert match.result is not None
        assert match.result.rounds <= limit


# --- replay and JSON --------------------------------------------------------------------------------------------


def through_text(document: Any) -> Any:
    return json.loads(json.dumps(document))


@given(seeds, shapes)
@quickly(16)
def test_setup_seed_and_actions_give_the_same_events(seed: int, shape: tuple[int, int]) -> None:
    match = random_match(seed, sides=shape[0], units=shape[1])
    for _ in decisions(match, random.Random(seed)):
        pass
    setup = MatchSetup.from_json(through_text(match.setup.to_json()))
    again = Match.replay(setup, SeededDice(seed), through_text(match.actions))
    assert again.events == match.events
    assert again.actions == match.actions
    assert again.table.position == match.table.position
    assert match.result is not None
    assert again.result is not None
    assert again.result.to_json() == match.result.to_json() == through_text(match.result.to_json())


@given(seeds, shapes)
@quickly(20)
def test_events_rebuild_the_position(seed: int, shape: tuple[int, int]) -> None:
    match = some_match(seed, shape)
    for number, _ in enumerate(decisions(match, random.Random(seed))):
        if number % 9 == 0:
            assert rebuild(match.table.roster, through_text(flat(match))) == match.table.position
    assert rebuild(match.table.roster, through_text(flat(match))) == match.table.position


@given(seeds, shapes)
@quickly(16)
def test_events_round_trip_and_say_who_may_see_them(seed: int, shape: tuple[int, int]) -> None:
    match = finished(seed, shape)
    codec = EventCodec(match.table.roster)
    found = flat(match)
    text = through_text(found)
    assert all(event["see"] == "all" for event in found)
    assert [codec.encode(codec.decode(event)) for event in text] == text


@given(seeds, shapes)
@quickly(16)
def test_positions_and_setups_round_trip_through_text(seed: int, shape: tuple[int, int]) -> None:
    for match in visited(seed, shape, 10, 4):
        position = match.table.position
        again = Position.from_json(through_text(position.to_json()))
        assert again == position
        assert again.to_json() == position.to_json()
        assert again is not position
    setup = MatchSetup.from_json(random_setup(random.Random(seed), *shape))
    assert MatchSetup.from_json(through_text(setup.to_json())) == MatchSetup.from_json(setup.to_json())
    assert MatchSetup.from_json(setup.to_json()).to_json() == setup.to_json()
    assert Roster(setup).sides == tuple(side["id"] for side in setup.to_json()["sides"])


@given(seeds, shapes)
@quickly(16)
def test_copies_are_independent(seed: int, shape: tuple[int, int]) -> None:
    for match in visited(seed, shape, 8, 3):
        before = state(match)
        text = json.dumps(match.table.position.to_json())
        twin = match.copy(SeededDice("elsewhere"))
        assert twin.table.position == match.table.position
        for _ in decisions(twin, random.Random(seed), 60):
            pass
        assert state(match) == before
        assert json.dumps(match.table.position.to_json()) == text
        left = twin.table.position.copy()
        match.copy(SeededDice("elsewhere")).play(match.sample_action(random.Random(seed)))
        assert twin.table.position == left


@given(seeds, shapes)
@quickly(10)
def test_equal_seeds_give_equal_matches_and_other_seeds_others(seed: int, shape: tuple[int, int]) -> None:
    first, second = finished(seed, shape), finished(seed, shape)
    assert first.events == second.events
    assert first.actions == second.actions
    third = some_match(seed, shape)
    third.table.dice = SeededDice(seed + 1)
    for _ in decisions(third, random.Random(seed)):
        pass
    assert flat(third) != flat(first)


@given(seeds, shapes)
@quickly(16)
def test_recording_does_not_change_the_match(seed: int, shape: tuple[int, int]) -> None:
    """With events, without them, and as bots play: the same position in the end."""
    setup = MatchSetup.from_json(random_setup(random.Random(seed), *shape))
    recorded = Match.start(setup, SeededDice(seed))
    silent = Match.start(setup, SeededDice(seed), recording=False)
    choosing = Match.start(setup, SeededDice(seed), recording=False)
    for match in (recorded, silent):
        for _ in decisions(match, random.Random(seed)):
            pass
    rng = random.Random(seed)
    while choosing.table.open is not None:
        kind, unit, data = choosing.table.open
        choosing.play_choice(kind.sample(choosing.table, unit, data, rng))
    assert recorded.table.position == silent.table.position == choosing.table.position
    assert flat(silent) == []
    assert silent.result == recorded.result == choosing.result
