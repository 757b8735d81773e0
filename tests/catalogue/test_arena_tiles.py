"""An arena at true size: sheets of paper that hold all of it, with hexes as wide as asked for (O-M6)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from catalogue.presenters.arena_picture import HALF_HEIGHT, build_arena
from catalogue.presenters.tiles import BORDER, OF_A_HEX, PAPERS, places_of, tiles_of
from rules.catalogue import load_builtin

PLAZA = build_arena(load_builtin().arenas["plaza"])


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("hex_width", [20, 38, 80])
def test_the_sheets_hold_the_whole_arena_edge_to_edge(hex_width: int, paper: str) -> None:
    tiling = tiles_of(PLAZA, hex_width, paper)
    assert len(tiling.tiles) == tiling.rows * tiling.columns
    wide, high = tiling.kept
    for tile in tiling.tiles:
        # A hex is as wide on paper as asked for, both ways.
        assert 2 * HALF_HEIGHT * wide / tile.width == pytest.approx(hex_width, rel=1e-3)
        assert 2 * HALF_HEIGHT * high / tile.height == pytest.approx(hex_width, rel=1e-3)
        assert tile.x == pytest.approx((tile.column - 1) * tile.width, abs=0.05)
        assert tile.y == pytest.approx((tile.row - 1) * tile.height, abs=0.05)
    last = tiling.tiles[-1]
    assert last.x < PLAZA.width <= last.x + last.width
    assert last.y < PLAZA.height <= last.y + last.height


def test_larger_paper_takes_fewer_sheets_and_marks_stand_outside_what_is_kept() -> None:
    small, large = (tiles_of(PLAZA, 38, paper) for paper in ("a4", "a3"))
    assert len(large.tiles) < len(small.tiles)
    wide, high = small.kept
    upright = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)v", small.marks)]
    level = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h", small.marks)]
    length = BORDER - 1
    assert {x for x, _ in upright} == {BORDER, BORDER + wide}
    assert {y for _, y in level} == {BORDER, BORDER + high}
    assert all(y + length < BORDER or y > BORDER + high for _, y in upright)
    assert all(x + length < BORDER or x > BORDER + wide for x, _ in level)
    assert (len(upright), len(level)) == (4, 4)


@pytest.mark.django_db
def test_the_page_draws_each_sheet_in_millimetres(release: Any) -> None:
    address = reverse("catalogue:arena_tiles", args=["plaza"])
    page = Client().get(address, {"hex": "45", "paper": "a3"})
    tiling = page.context["tiling"]
    shown = page.content.decode()
    assert shown.count('width="277mm" height="398mm"') == len(tiling.tiles) > 1
    assert shown.count('href="#board-of-tiles"') == len(tiling.tiles)
    assert shown.count('id="board-of-tiles"') == 1
    for tile in tiling.tiles:
        assert shown.count(f'aria-label="Row {tile.row}, column {tile.column}"') == 1
    assert "style=" not in shown
    assert Client().get(address).context["hex_width"] == 38


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("hex_width", [20, 38, 80])
def test_every_token_lies_whole_on_a_sheet_and_on_no_other(hex_width: int, paper: str) -> None:
    places = places_of(200, hex_width, paper)
    assert places.width == pytest.approx(hex_width * OF_A_HEX)
    assert sum(len(sheet) for sheet in places.sheets) == 200
    assert all(len(sheet) == len(places.sheets[0]) for sheet in places.sheets[:-1])
    for sheet in places.sheets:
        assert all(x + places.width <= PAPERS[paper][0] and y + places.width <= PAPERS[paper][1] for x, y in sheet)
        assert len(set(sheet)) == len(sheet)
    (first, y), (second, same) = places.sheets[0][:2]
    assert (second - first, same) == (pytest.approx(places.width + 2), y)


@pytest.mark.django_db
def test_every_target_token_of_the_release_and_two_flags_are_drawn(release: Any) -> None:
    page = Client().get(reverse("catalogue:token_sheet"))
    shown = page.content.decode()
    tokens = load_builtin().target_tokens.values()
    for token in tokens:
        assert str(escape(token["name"])) in shown
    assert shown.count('viewBox="-50 -50 100 100"') == len(tokens) + 2
    assert shown.count(">Flag<") == 2
    assert "House statistics" in shown
    drone = shown.split("Searchlight Drone")[1].split("</svg>")[0]
    assert re.findall(r"<text[^>]*>([^<]*)<", drone) == ["14", "Ballistic", "5 / 0", ""]
    assert Client().get(reverse("catalogue:token_sheet"), {"hex": "5"}).status_code == 404


@pytest.mark.django_db
def test_the_tokens_for_an_arena_are_those_of_its_release(release: Any) -> None:
    asked = {"release": release.content_hash, "hex": "45"}
    shown = Client().get(reverse("catalogue:arena_tiles", args=["plaza"]), asked).content.decode()
    tokens = f"{reverse('catalogue:token_sheet')}?hex=45&paper=a4&release={release.content_hash}"
    assert f'href="{escape(tokens)}"' in shown


@pytest.mark.django_db
@pytest.mark.parametrize("asked", [{"hex": "19"}, {"hex": "81"}, {"hex": "x"}, {"hex": "²"}, {"paper": "a5"}])
def test_another_width_or_paper_is_not_found(release: Any, asked: dict[str, str]) -> None:
    assert Client().get(reverse("catalogue:arena_tiles", args=["plaza"]), asked).status_code == 404
