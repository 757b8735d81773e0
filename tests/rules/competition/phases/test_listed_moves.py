"""Lists of what needs a move are complete: hexes that a way of moving reaches, flags to try for, friends to flush."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules.scenario.playing import Scenario
from tests.rules.board import Json, duel, placed, unit

PLACE = "0608"
JETS = {"equipment": {"speed": "jump_jets"}}


def listed(document: Mapping[str, Any], phase: str = "move") -> list[Json]:
    """The actions listed for the first turn of a phase, which is unit a's."""
    scenario = Scenario(document)
    scenario.run()
    scenario.match.table.pause_at = frozenset()
    scenario.match.table.advance()
    decision = scenario.match.decision
    assert decision is not None
    assert (decision.kind, decision.unit) == (phase, "a")
    return scenario.match.legal_actions()


def mode_of(action: Json) -> str:
    return next((mode for mode in ("run", "jump") if action.get(mode)), "walk")


def ends(actions: list[Json], mode: str) -> set[str]:
    """The hexes in which moves of one mode end; the own hex is none."""
    moves = [action for action in actions if action.get("order") == "move" and action["path"]]
    return {action["path"][-1] for action in moves if mode_of(action) == mode} - {PLACE}


def at_most(distance: int) -> set[str]:
    """The hexes so near to the unit, its own left out."""
    lattice = Scenario(duel()).match.table.roster.lattice
    origin = lattice.index(PLACE)
    return {lattice.name(place) for place in lattice.hexes if 0 < lattice.distance(origin, place) <= distance}


def field(click: Json, hexes: Mapping[str, str], **keys: Any) -> Json:
    """Unit a of speed 4 in 0608, its opponent in a far corner."""
    return duel(
        red={"unit": unit("a", click={"speed": 4, **click}), "hex": PLACE}, blue={"hex": "0101"},
        arena={"hexes": dict(hexes)}, start={"round": 1, "phase": "move", "order": ["a", "b"]}, **keys,
    )  # fmt: skip


def test_r_mov_02_r_mov_14_walks_and_runs_are_listed_as_far_as_their_speed_goes() -> None:
    """Speed 4: two hexes, running four."""
    actions = listed(field({}, {}))
    assert ends(actions, "walk") == at_most(2)
    assert ends(actions, "run") == at_most(4)
    assert ends(actions, "jump") == set()


def test_r_mov_13_jumps_are_listed_where_a_walk_does_not_go() -> None:
    """A ring of rock around the unit: nothing on foot, and over it everything two hexes off."""
    rock = dict.fromkeys(at_most(1), "blocking")
    actions = listed(field(JETS, rock))
    assert ends(actions, "walk") == ends(actions, "run") == set()
    assert ends(actions, "jump") == at_most(2) - at_most(1)


@pytest.mark.parametrize("is_circle", [False, True])
def test_r_seg_06_a_jump_that_costs_a_circle_is_another_outcome_than_the_walk(is_circle: bool) -> None:
    """Without a circle the jump to a hex that a walk reaches changes nothing and is not listed twice."""
    jets = {"key": "jump_jets", "single_use": True} if is_circle else "jump_jets"
    actions = listed(field({"equipment": {"speed": jets}}, {}))
    assert ends(actions, "walk") == at_most(2)
    assert ends(actions, "jump") == (at_most(2) if is_circle else set())


@pytest.mark.parametrize(
    ("click", "walled", "expected"),
    [
        pytest.param({"speed": 6}, False, {"walk", "run"}, id="R-FMT-15 on foot"),
        pytest.param({"speed": 4}, False, {"run"}, id="R-FMT-15 the walk is too short"),
        pytest.param({"speed": 6, **JETS}, True, {"jump"}, id="R-FMT-15 R-MOV-13 over rock"),
        pytest.param({"speed": 5, **JETS}, True, set(), id="R-FMT-15 R-MOV-13 the jump is too short"),
    ],
)
def test_r_fmt_15_tries_are_listed_in_every_mode_that_can_make_them(
    click: Json, walled: bool, expected: set[str]
) -> None:
    """Blue's flag lies three hexes off: 4 to stand before it, and 2 that must be there for its own hex (Q-143)."""
    rock = dict.fromkeys(at_most(1), "blocking") if walled else {}
    flags = {"red": {"home": "0613", "hex": "0613"}, "blue": {"home": "0602", "hex": "0605"}}
    actions = listed({**field(click, rock), "format": "capture_the_flag", "flags": flags})
    tries = [action for action in actions if "0605" in action.get("path", ())]
    assert {mode_of(action) for action in tries} == expected


def test_r_sea_01_a_coolant_flush_is_listed_from_every_hex_beside_the_friend() -> None:
    """The friend stands two hexes off; with speed 4 the near side of it is in reach, and each hex looks at it."""
    flusher = unit("a", click={"speed": 4, "equipment": {"attack": "coolant_flush"}})
    document = duel(
        units=[
            placed("a", "red", PLACE, 0, flusher), placed("c", "red", "0606", 0), placed("b", "blue", "0101", 6),
        ],
        start={"round": 1, "phase": "combat", "order": ["a", "c", "b"]},
    )  # fmt: skip
    actions = listed(document, "combat")
    flushes = [action for action in actions if action.get("order") == "close" and action["targets"] == ["c"]]
    assert {action["path"][-1] for action in flushes} == {"0607", "0707", "0507"}
    assert {action["facing"] for action in flushes if action["path"][-1] == "0607"} == {9, 10, 11, 0, 1, 2, 3}
