"""What holds at every moment of a random match, and what a replay, a copy or JSON text may not change."""

import json
import random
from typing import Any

import pytest
from hypothesis import given

from rules.competition.match import Match
from rules.competition.replay import rebuild, snapshots_at
from rules.competition.setups import read_setup, roster_of
from rules.competition.state.encoding import EventCodec
from rules.competition.state.position import Position
from rules.core.dice import SeededDice
from rules.core.refusals import IllegalAction
from tests.rules.board import decisions, flat, random_match, random_setup
from tests.rules.play_outs import finished, quickly, seeds, shapes, some_match, state, visited

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
    events = flat(match)
    for snapshot in snapshots_at(match.setup, events, range(1, len(events) + 1)):
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
    setup = read_setup(through_text(match.setup.to_json()))
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
    setup = read_setup(random_setup(random.Random(seed), *shape))
    assert read_setup(through_text(setup.to_json())) == read_setup(setup.to_json())
    assert read_setup(setup.to_json()).to_json() == setup.to_json()
    assert roster_of(setup).sides == tuple(side["id"] for side in setup.to_json()["sides"])


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
    setup = read_setup(random_setup(random.Random(seed), *shape))
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
