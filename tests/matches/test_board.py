"""The board as a picture: where hexes lie, what is drawn on them."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist
from typing import Any

import pytest
from django.template.loader import render_to_string

from catalogue.presenters import arena_picture as picture
from matches.presenters import board
from matches.presenters.board import build_board
from matches.presenters.overlay import SPOKE_RADIUS, WHEEL_RADIUS, picks_of, wheel_at, wheel_middle
from rules.competition.ground.hexes import bits
from rules.competition.ground.hexes import lattice as lattice_of
from rules.competition.narrowing import Option
from tests.markup import closed_up

ARENA: dict[str, Any] = {
    "id": "test",
    "name": "Test <Arena>",
    "columns": 11,
    "rows": 15,
    "hexes": {
        "0607": "hindering",
        "0608": "water+elevated",
        "0404": "blocking",
        "0405": "blocking+abrupt",
        "0101": "clear+elevated",
    },
    "starts": {"A": ["0402", "0813"], "B": ["0602"]},
}
SIDES = [
    {"id": "red", "units": [{"id": "red-1", "unit": {"name": "Hellion", "front_arc": 180}}]},
    {"id": "blue", "units": [{"id": "blue-1", "unit": {"name": "Solitaire", "front_arc": 360}}]},
]


def snapshot(**blue: Any) -> dict[str, Any]:
    standing = {"hex": "0406", "facing": 4, "eliminated": False, "shutdown": False, "unconscious": False}
    return {
        "turn": "red-1",
        "units": {"red-1": dict(standing), "blue-1": {**standing, "hex": "0709", "facing": 8, **blue}},
        "tokens": {"t1": {"hex": "0612", "defense": 17}},
    }


ALL = [picture.hex_code(column, row) for column in range(1, 12) for row in range(1, picture.rows_of(column, 15) + 1)]


def test_the_arena_has_160_hexes_inside_the_picture() -> None:
    view = board.build_board(ARENA, snapshot(), SIDES)
    assert [each.code for each in view.hexes] == ALL
    assert len(ALL) == 160
    for each in view.hexes:
        for x, y in (map(float, corner.split(",")) for corner in each.points.split()):
            assert 0 <= x <= view.width
            assert 0 <= y <= view.height


def test_neighbours_stand_side_by_side_clockwise_from_north() -> None:
    def around(code: str) -> str:
        return " ".join(picture.hex_code(*picture.neighbour(code, side)) for side in range(6))

    assert around("0607") == "0606 0707 0708 0608 0508 0507"
    assert around("0507") == "0506 0606 0607 0508 0407 0406"


@pytest.mark.parametrize("code", ["0101", "0607", "0507", "1115", "0614"])
def test_centres_of_neighbours_are_one_hex_apart(code: str) -> None:
    for side in range(6):
        beyond = picture.hex_code(*picture.neighbour(code, side))
        if beyond in ALL:
            assert dist(picture.centre(code), picture.centre(beyond)) == pytest.approx(
                2 * picture.HALF_HEIGHT, abs=0.02
            )


def test_the_picture_agrees_with_the_engine_on_neighbours() -> None:
    lattice = lattice_of(11, 15)
    for code in ALL:
        drawn = {picture.hex_code(*picture.neighbour(code, side)) for side in range(6)} & set(ALL)
        assert {lattice.name(index) for index in bits(lattice.neighbours[lattice.index(code)])} == drawn
        for side in range(6):
            beyond = picture.hex_code(*picture.neighbour(code, side))
            if beyond in drawn:
                assert lattice.direction(lattice.index(code), lattice.index(beyond)) == side


def test_terrain_and_height_are_read_apart() -> None:
    hexes = {each.code: each for each in board.build_board(ARENA, snapshot(), SIDES).hexes}
    assert (hexes["0608"].terrain, hexes["0608"].height) == ("water", 1)
    assert (hexes["0405"].terrain, hexes["0405"].height) == ("blocking", 2)
    assert (hexes["0101"].terrain, hexes["0101"].height) == ("clear", 1)
    assert (hexes["0102"].terrain, hexes["0102"].height) == ("clear", 0)


def test_a_patch_is_outlined_without_the_side_that_its_hexes_share() -> None:
    outlines = dict(board.build_board(ARENA, snapshot(), SIDES).outlines)
    assert outlines["hindering"].count("M") == 6
    assert outlines["blocking"].count("M") == 10
    assert set(outlines) == {"hindering", "blocking", "water"}


def test_high_ground_slopes_where_lower_ground_begins_and_nowhere_else() -> None:
    """A hill of two hexes has ten slopes, which meet on the side that its hexes share; a cliff stands on it."""
    hill = {"0404": "clear+elevated", "0405": "clear+elevated"}
    view = picture.build_arena({**ARENA, "hexes": hill})
    assert sum(slope.path.count("M") for slope in view.slopes) == 10
    assert {slope.height for slope in view.slopes} == {1}
    assert view.cliffs == ""
    assert [(height, path.count("M")) for height, path in view.heights] == [(1, 2)]
    written = " ".join(slope.path[1:-1].replace("zM", " ") for slope in view.slopes).split()
    corners = [tuple(map(float, corner.split(","))) for corner in written]
    assert all(sum(dist(corner, other) < 0.05 for other in corners) == 2 for corner in corners)
    view = picture.build_arena({**ARENA, "hexes": {**hill, "0405": "clear+abrupt"}})
    assert view.cliffs.count("M") == 6
    assert sum(slope.path.count("M") for slope in view.slopes if slope.height == 1) == 5


def test_sides_differ_by_shape_and_name_and_not_by_colour_alone() -> None:
    red, blue = board.build_board(ARENA, snapshot(), SIDES).units
    assert (red.shape, red.label, red.active) == ("circle", "Red", True)
    assert (blue.shape, blue.label, blue.active) == ("square", "Blue", False)


def test_a_token_says_how_many_clicks_are_left_how_hot_it_is_and_which_of_its_side_it_is() -> None:
    unit = {"name": "Hellion", "front_arc": 180, "class": "light", "dial": [{}] * 9}
    side = {"id": "red", "units": [{"id": "red-1", "unit": unit}, {"id": "blue-1", "unit": unit}]}
    view = board.build_board(ARENA, snapshot(clicks=2, heat=3, facing=2), [side])
    first, second = view.units
    assert (first.label, len(first.pips), first.clicks, first.heat) == ("Red 1", 1, 9, 0)
    assert (second.label, len(second.pips), second.clicks, second.heat) == ("Red 2", 2, 7, 3)
    assert second.heat_x < 0 < first.heat_x
    drawn = closed_up(render_to_string("components/board.svg.html", {"board": view}))
    assert ">7</text>" in drawn
    assert "Red 2, Hellion, in hex 0709, facing 2 o’clock. 7 clicks left. Heat 3." in drawn


def test_no_letter_stands_on_the_board_but_those_of_starting_areas() -> None:
    drawn = render_to_string("components/board.svg.html", {"board": board.build_board(ARENA, snapshot(), SIDES)})
    written = {text.strip() for text in re.findall(r"<text[^>]*>([^<]*)</text>", drawn)}
    assert {text for text in written if not text.isdigit()} == {"A", "B"}


@pytest.mark.parametrize(("facing", "dx", "dy"), [(0, 0, -1), (3, 1, 0), (6, 0, 1), (9, -1, 0)])
def test_the_arrow_points_where_the_unit_faces(facing: int, dx: int, dy: int) -> None:
    blue = board.build_board(ARENA, snapshot(facing=facing), SIDES).units[1]
    tip = [float(part) for part in blue.arrow.split()[0].split(",")]
    reach = board.UNIT_RADIUS + 12
    assert tip == pytest.approx([dx * reach, dy * reach], abs=0.01)


@pytest.mark.parametrize("place", ["0101", "0115", "1101", "1115", "0601", "0614"])
@pytest.mark.parametrize("facing", range(12))
def test_the_arc_of_a_unit_on_the_rim_stays_inside_the_picture(place: str, facing: int) -> None:
    view = board.build_board(ARENA, snapshot(hex=place, facing=facing), SIDES)
    reach = board.WEDGE_RADIUS
    blue = view.units[1]
    assert reach <= blue.x <= view.width - reach
    assert reach <= blue.y <= view.height - reach


def test_numbers_of_hexes_stand_clear_of_the_outlines() -> None:
    """The thick outline runs 0.965 of the radius from the middle; digits are about 0.72 of their size high."""
    for each in board.build_board(ARENA, snapshot(), SIDES).hexes:
        top = each.label_y - 0.72 * 7.2
        assert top > each.y - picture.HALF_HEIGHT * 0.965 + 2.4 / 2


def test_the_fallen_leave_a_mark_where_they_fell() -> None:
    view = board.build_board(ARENA, snapshot(hex=None, eliminated=True), SIDES, {"blue-1": "0709"})
    assert [unit.id for unit in view.units] == ["red-1"]
    assert [(unit.id, unit.hex) for unit in view.wrecks] == [("blue-1", "0709")]


def test_a_unit_without_a_hex_is_not_drawn() -> None:
    view = board.build_board(ARENA, snapshot(hex=None), SIDES)
    assert [unit.id for unit in view.units] == ["red-1"]
    assert view.wrecks == ()


def test_the_legend_names_what_is_there() -> None:
    assert board.build_board(ARENA, snapshot(), SIDES).legend == (
        "clear", "hindering", "blocking", "water", "elevated", "abrupt",
    )  # fmt: skip
    assert board.build_board({**ARENA, "hexes": {}}, snapshot(), SIDES).legend == ("clear",)


def test_the_drawing_has_a_title_a_description_and_no_inline_style() -> None:
    view = board.build_board(ARENA, snapshot(shutdown=True, unconscious=True), SIDES, path=["0404", "0405", "0406"])
    drawn = closed_up(render_to_string("components/board.svg.html", {"board": view}))
    assert "Board: Test &lt;Arena&gt;" in drawn
    assert (
        "Blue, Solitaire, in hex 0709, facing 8 o’clock. 0 clicks left. Heat 0. Shut down. Pilot unconscious." in drawn
    )
    assert "Target token in hex 0612, defense 17." in drawn
    assert " style=" not in drawn
    assert "<script" not in drawn
    assert 'class="b-trail"' in drawn


def test_numbers_are_written_with_a_point_in_every_language() -> None:
    from django.utils import translation

    view = board.build_board(ARENA, snapshot(), SIDES)
    with translation.override("de"):
        drawn = render_to_string("components/board.svg.html", {"board": view})
    assert not re.search(r'(?:cx|cy|x|y|width|height)="\d+,\d', drawn)


def test_a_larger_ground_is_drawn_by_the_same_rule() -> None:
    view = board.build_board({**ARENA, "columns": 21, "rows": 30}, snapshot(), SIDES)
    assert len(view.hexes) == 11 * 30 + 10 * 29


def test_flags_lie_where_they_lie_and_go_with_their_carriers() -> None:
    arena = {"name": "Small", "columns": 3, "rows": 3}
    sides = [{"id": "red", "units": []}, {"id": "blue", "units": []}]
    snapshot = {
        "units": {"b": {"hex": "0302"}},
        "flags": {
            "red": {"home": "0101", "hex": "0101", "carrier": "b"},
            "blue": {"home": "0103", "hex": "0202", "carrier": None},
        },
    }
    flags = build_board(arena, snapshot, sides).flags
    assert [(flag.label, flag.hex, flag.carrier) for flag in flags] == [("Red", "0302", "b"), ("Blue", "0202", "")]


def test_what_a_walk_a_run_and_a_jump_reach_differs_by_mark_and_filling() -> None:
    kinds = {"0404": "walk", "0505": "run", "0606": "jump", "0707": "plain", "0709": "run"}
    options = [option_of(code, kind) for code, kind in kinds.items()]
    labels = {code: code for code in kinds}
    view = board.build_board(ARENA, snapshot(), SIDES)
    picks = picks_of(options, view.hexes, str, labels, None, taken={"0709"})
    marks = [pick.mark for pick in picks if pick.code != "0709"]
    assert len(set(marks)) == 4
    assert [pick.mark for pick in picks if pick.code == "0709"] == [""]
    overlay = {"picks": picks}
    drawn = closed_up(render_to_string("components/board_overlay.svg.html", {"overlay": overlay}))
    assert drawn.count('fill="url(#reach-run)"') == 2
    assert drawn.count('fill="url(#reach-jump)"') == 1


def option_of(code: str, kind: str) -> Option:
    way = {} if kind == "plain" else {"path": [code], kind: True}
    return Option(code, (way,))


SIZE_OF_BOARD = (board.build_board(ARENA, snapshot(), SIDES).width, board.build_board(ARENA, snapshot(), SIDES).height)


@pytest.mark.parametrize("place", ALL)
def test_the_wheel_is_whole_on_every_hex_and_hides_no_unit_there(place: str) -> None:
    """Each facing stands inside the picture and leaves the body of the unit free, so that one sees where it stands."""
    middle = wheel_middle(place, SIZE_OF_BOARD)
    reach = WHEEL_RADIUS + SPOKE_RADIUS
    assert all(reach <= at <= most - reach for at, most in zip(middle, SIZE_OF_BOARD, strict=True))
    spokes = [picture.point_at(*middle, 30 * hour, WHEEL_RADIUS) for hour in range(12)]
    assert min(dist(spoke, picture.centre(place)) for spoke in spokes) >= SPOKE_RADIUS + 12


@pytest.mark.parametrize("place", ["0608", "0104"])
def test_no_facing_of_the_wheel_covers_a_unit_or_another_facing(place: str) -> None:
    """In the middle of the board and at its rim, whatever hex near it the other one stands in."""
    middle = wheel_middle(place, SIZE_OF_BOARD)
    options = [Option(str(hour), ()) for hour in range(12)]
    labels = {option.word: option.word for option in options}
    near = [picture.centre(code) for code in ALL if 0 < dist(picture.centre(code), middle) < 2 * WHEEL_RADIUS]
    assert near
    for thing in near:
        wheel = [(spoke.x, spoke.y) for spoke in wheel_at(middle, options, str, labels, None, [thing], SIZE_OF_BOARD)]
        assert min(dist(spoke, thing) for spoke in wheel) >= SPOKE_RADIUS + board.UNIT_RADIUS
        assert min(dist(one, other) for one, other in combinations(wheel, 2)) >= 2 * SPOKE_RADIUS


def test_a_token_says_what_it_pays_where_its_facts_are_known() -> None:
    tokens = {"t1": {"hex": "0612", "defense": 17, "method": "energy", "rp": 10, "else_rp": 5}}
    alike = {"t1": tokens["t1"] | {"rp": 5}}
    said = "10 reputation if destroyed by an attack of the type “Energy”, otherwise 5"
    plain = "5 reputation if destroyed by any attack"
    for known, words in ((tokens, said), (alike, plain), (snapshot()["tokens"], "")):
        (token,) = board.build_board(ARENA, {**snapshot(), "tokens": known}, SIDES).tokens
        assert token.words == words
