"""What positions are worth: chances that add up, favour whom they should, and take sides for nobody."""

import json
import random

import pytest

from rules.bots.evaluation import FACTS, WEIGHTS, all_facts, chances
from rules.catalogue import load_builtin
from rules.competition.formats import FORMATS
from rules.competition.match import Match
from rules.competition.setups import roster_of
from rules.competition.state.match_state import MatchState
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup
from rules.tools.bench import SCENES, midgame, setups


def tables(scene: str) -> list[MatchState]:
    return [match.table for match in midgame([roster_of(setup) for setup in setups(*SCENES[scene])], 20)]


@pytest.mark.parametrize("scene", SCENES)
def test_chances_of_all_sides_add_up_to_one(scene: str) -> None:
    for table in tables(scene):
        found = chances(table)
        assert len(found) == len(table.roster.sides)
        assert sum(found) == pytest.approx(1)
        assert all(0 < chance < 1 for chance in found)


def test_a_match_that_is_over_is_certain() -> None:
    table = Match.start(random_setup(load_builtin(), random.Random(4)), SeededDice(4), recording=False).table
    rng = random.Random(4)
    while table.open is not None:
        kind, unit, data = table.open
        table.answer(kind.sample(table, unit, data, rng))
    assert table.position.outcome is not None
    winner = table.position.outcome[0]
    assert chances(table) == [float(side == winner) for side in (0, 1)]


def fresh(seed: int) -> MatchState:
    """A duel in which both stand on the ground, nothing has happened yet."""
    match = Match.start(random_setup(load_builtin(), random.Random(seed)), SeededDice(seed), recording=False)
    table = match.table
    while table.position.round < 1:
        assert table.open is not None
        kind, unit, data = table.open
        table.answer(kind.default(table, unit, data))
    return table


@pytest.mark.parametrize("seed", range(6))
def test_damage_reputation_and_shutdown_count_against_whom_they_should(seed: int) -> None:
    before = chances(fresh(seed))[0]
    hurt = fresh(seed)
    hurt.position.clicks[0] += 4
    assert chances(hurt)[0] < before
    marked = fresh(seed)
    marked.position.entries = ((0, 4, "attack", 1),)  # a damage die counts as if it had been turned
    assert chances(marked)[0] == pytest.approx(chances(hurt)[0])
    famous = fresh(seed)
    famous.position.reputation[0] += 30
    assert chances(famous)[0] > before
    off = fresh(seed)
    off.position.status[0] |= 1
    assert chances(off)[0] < before


def test_a_lead_is_worth_more_as_time_runs_out() -> None:
    early, late = fresh(2), fresh(2)
    for table in (early, late):
        table.position.reputation[0] += 20
    late.position.round = early.roster.last_round or 10
    assert chances(late)[0] > chances(early)[0] + 0.05


def test_sides_are_interchangeable() -> None:
    """The facts of one side do not depend on its number: equal units on equal ground have equal chances."""
    catalogue = load_builtin()
    document = random_setup(catalogue, random.Random(9)).to_json()
    document["sides"][1]["units"] = [{**document["sides"][0]["units"][0], "id": "blue"}]
    match = Match.start(type(random_setup(catalogue, random.Random(9))).from_json(document), SeededDice(9))
    assert all_facts(match.table)[0][:8] == all_facts(match.table)[1][:8]


def test_the_learned_weights_are_there_for_every_format_and_fact() -> None:
    known = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    assert set(known["weights"]) == set(known["learned"]) == set(FORMATS)
    for weights in known["weights"].values():
        assert set(weights) == set(FACTS)
    # Better than a coin, whose log loss is 0.693 and whose Brier score is 0.25.
    assert all(learned["log_loss"] < 0.6 and learned["brier"] < 0.21 for learned in known["learned"].values())
