"""Bots cool their friends (R-SEA-01): where only that wins, not where it helps nobody, and in matches."""

from __future__ import annotations

from typing import Any

import pytest

from rules.bots.candidates import candidates
from rules.bots.cooling import best_flushes
from rules.competition.match import Match
from rules.competition.phases.flushing import FLUSH
from tests.rules.board import CLICK, Json, placed, unit
from tests.rules.bots.deciding import THINKERS, answer_of, asked, showdown

MELEE = {"type": "melee", "targets": 1, "range": [0, 0]}
COOLER = unit(
    "cool",
    points=160,
    primary=MELEE,
    secondary=MELEE,
    click={**CLICK, "primary": 0, "secondary": 0, "equipment": {"attack": "coolant_flush"}},
)


def step(lost: int, **effects: str) -> Json:
    return {"primary": -lost, "secondary": -lost, "speed": 0, "effects": effects}


def cooled(heat: int, **keys: Any) -> Match:
    """The last round: the dear side has lost unless its second unit, whose weapons are weak while it is hot,
    eliminates an opponent with three points left. The first unit, asked now, can do no harm itself."""
    hot = unit("hot", points=160, heat=[step(0), step(3), step(3), step(3)], click={**CLICK, "attack": 14})
    units = [
        placed("a", "red", "0613", 0, COOLER, **keys),
        placed("a2", "red", "0612", 0, hot, heat=heat),
        placed("b", "blue", "0607", 6, unit("b", clicks=5), clicks=2, orders=["ranged"]),
        placed("b2", "blue", "0501", 6, orders=["ranged"]),
    ]
    document = showdown("combat", format="team", units=units)
    document["start"]["order"] = ["a", "a2", "b", "b2"]
    return asked(document, "a", "combat")


@pytest.mark.parametrize("name", ["greedy", *THINKERS])
@pytest.mark.parametrize("seed", [1, 2])
def test_r_sea_01_a_friend_is_cooled_where_only_its_cold_weapons_win(name: str, seed: int) -> None:
    order = answer_of(name, cooled(heat=1), seed)
    assert (order["order"], order["targets"]) == ("close", ["a2"])


@pytest.mark.parametrize("name", ["greedy", *THINKERS])
def test_r_sea_01_a_cool_friend_is_not_cooled(name: str) -> None:
    assert answer_of(name, cooled(heat=0))["order"] != "close"


def test_r_sea_01_who_cools_without_a_move_cools_more() -> None:
    """4 steps from where it stands, 2 after a move: of a friend three steps hot that is worth more."""
    table = cooled(heat=3).table
    assert table.open is not None
    still, moved = best_flushes(table, table.open[1])
    assert still.choice[3:5] == (table.position.hex[0], table.position.facing[0])
    assert moved.choice[3:5] != still.choice[3:5]
    assert still.worth > moved.worth > 0


def test_each_way_to_cool_that_is_looked_at_is_legal_and_cools_somebody_hot() -> None:
    match = cooled(heat=2)
    table = match.table
    assert table.open is not None
    kind, asked_for, data = table.open
    found = [choice for choice in candidates(table, (0,), 8) if choice[0] == FLUSH]
    assert found
    assert set(found) <= set(kind.options(table, asked_for, data))
    for choice in found:
        assert match.check(match.action_of(choice)) == []
        assert table.position.heat[choice[1]]
