"""How the pictures of a season are drawn: valid, kept apart by more than colour, with room for labels."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from stables.models import Season, Stable
from tests.stables.standings.test_pictures import NAMES, SVG, cells, file_of, long_season, page_of, two_cycles, values
from web.charts.lines import DataTable, Point, Series, line_chart
from web.charts.scales import shortened, spread, ticks, width_of
from web.charts.signs import COLOURS, sign_of

__all__ = ["long_season", "two_cycles"]
pytestmark = pytest.mark.django_db


# How it is drawn -------------------------------------------------------------------------------------------------


def test_every_picture_is_valid_xml_and_stands_alone(long_season: Season) -> None:
    Stable.objects.filter(season=long_season, number=1).update(name="<&\"'> Works")
    for name in NAMES:
        stands_alone(file_of(long_season, name))


def stands_alone(picture: ElementTree.Element) -> None:
    assert picture.tag == f"{SVG}svg"
    assert picture.get("role") == "img"
    ids = {element.get("id") for element in picture.iter() if element.get("id")}
    assert set(str(picture.get("aria-labelledby")).split()) <= ids
    assert picture.find(f"{SVG}title") is not None
    assert picture.find(f"{SVG}desc") is not None
    style = picture.find(f"{SVG}style")
    assert style is not None
    assert "prefers-color-scheme:dark" in str(style.text)
    for element in picture.iter():
        assert not [key for key in element.attrib if key.endswith("href") or key == "style" or key.startswith("on")]
        assert element.tag not in (f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject")


def test_the_svg_in_the_page_has_every_point_and_no_style(long_season: Season) -> None:
    page = page_of(long_season)
    shown = page.content.decode()
    pictures = [ElementTree.fromstring(found) for found in re.findall(r'<svg [^>]*class="chart".*?</svg>', shown, re.S)]
    assert len(pictures) >= 5
    assert "<style" not in shown
    assert " style=" not in shown
    chart = page.context["reputation"]
    titles = {mark.words for line in chart.lines for mark in line.marks}
    drawn = {element.text for element in pictures[0].iter(f"{SVG}title")}
    assert titles <= drawn
    identifiers = re.findall(r' id="([^"]+)"', shown)
    assert len(identifiers) == len(set(identifiers))


def test_every_point_has_its_cell_in_the_table(long_season: Season) -> None:
    context = page_of(long_season, stable="machines-1").context
    for chart in (context["reputation"], context["rounds"], context["capital"]):
        for line in chart.lines:
            row = [cell.split(" ")[0].replace("−", "-") for cell in cells(chart)[line.sign.name] if cell != "–"]
            drawn = [str(value) for value in values(chart)[line.sign.name]]
            assert row == (drawn if chart.key == "capital" else drawn[1:])
    assert context["damage"]
    for chart in context["damage"]:
        own_cells = [
            cell for name, row in chart.table.rows for cell in (row[:2] if name.startswith("Match") else row[1:2])
        ]
        assert [mark.words.rsplit(": ", 1)[1] for mark in chart.lines[0].marks] == own_cells


def test_stables_differ_by_more_than_colour() -> None:
    signs = [sign_of(number, "x") for number in range(16)]
    assert len({sign.letter for sign in signs}) == 16
    assert len({(sign.shape, sign.dash) for sign in signs}) == 16
    assert len({sign.shape for sign in signs[:8]}) == len({sign.dash for sign in signs[:8]}) == 8


@pytest.mark.parametrize("ground", ["#fffefb", "#f6f4ef", "#1b2027", "#13161b"])
def test_every_colour_stands_out_from_both_grounds(ground: str) -> None:
    assert min(contrast(colour, ground) for colour in COLOURS) >= 3


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG reckons it."""

    def brightness(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    light, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_eight_stables_with_the_longest_names_keep_their_labels_apart() -> None:
    series = [Series(sign_of(number, "W" * 60), (Point(0, 0, ""), Point(1, 100, "")), "W" * 60) for number in range(8)]
    chart = line_chart("k", "", "", ["a", "b"], series, DataTable("", (), ()))
    heights = sorted(line.label_y for line in chart.lines)
    assert min(after - before for before, after in pairwise(heights)) >= 12
    for line in chart.lines:
        assert line.label_x + width_of(line.label, 12) <= chart.width
        assert 0 < line.label_y < chart.height


@pytest.mark.parametrize(
    ("low", "high", "marks"), [(0, 0, [0, 1]), (0, 7, [0, 2, 4, 6, 8]), (-5, 20, [-5, 0, 5, 10, 15, 20])]
)
def test_ticks_are_round_and_reach_both_ends(low: float, high: float, marks: list[int]) -> None:
    assert ticks(low, high) == marks


def test_labels_share_what_room_there_is() -> None:
    assert spread([10, 10, 10], 5, 0, 100) == [10, 15, 20]
    assert spread([99, 99], 5, 0, 100) == [95, 100]
    assert spread([5] * 5, 10, 0, 20) == [0, 5, 10, 15, 20]
    assert shortened("Ash", 12, 100) == "Ash"
    assert shortened("A very long name", 12, 50).endswith("…")
    cut = shortened("\u2068" + "\u05d0" * 30 + "\u2069", 12, 50)
    assert (cut[0], cut[-2:]) == ("\u2068", "…\u2069"), "a cut name is still isolated"
