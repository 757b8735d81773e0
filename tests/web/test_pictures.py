"""Pictures to share: equal facts give equal bytes, every text stays inside, and a changed fact is another picture."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from web.pictures.canvas import ELLIPSIS, Canvas, drawable
from web.pictures.drawing import drawn
from web.pictures.poster import Column, Figure, Poster

SIDES = (Column("Copper Lantern", "65", "Vixen: 7 of 10 clicks left", 0, True), Column("Łódź", "25", "Raven", 1))
MATCH = Poster("Copper Lantern won", "Cycle 1", "Round 3: Vixen hit Raven.", SIDES)
CLEAR = 6
"""Pixels between a figure and its label."""
POSTERS = {
    "match": MATCH,
    "melee": replace(MATCH, columns=SIDES * 4),
    "podium": replace(MATCH, is_podium=True),
    "unit": Poster("Oni", "Unit", figures=(Figure("points", "146"),), bars=(9, 9, 8, 0), bars_label="Attack"),
    "stable": Poster("Lantern", figures=(Figure("kills", "4"), Figure("won", "3 of 3"))),
    "bare": Poster("Lantern"),
    "long": Poster("W" * 300, "W" * 300, "W " * 400, (Column("W" * 200, "W" * 50, "W" * 200),) * 3),
    "foreign": Poster("שלום Нагано 東京 🦊", sentence="‮turned‬"),
}


@pytest.mark.parametrize("name", POSTERS)
def test_equal_facts_give_equal_bytes(name: str) -> None:
    picture = drawn(POSTERS[name])
    assert picture == drawn(replace(POSTERS[name]))
    assert Image.open(BytesIO(picture)).size == (1200, 630)
    assert len(picture) < 100_000


@pytest.mark.parametrize(
    "change",
    [{"title": "Iron Parish won"}, {"sentence": ""}, {"columns": SIDES[::-1]}, {"is_podium": True}, {"heading": "x"}],
)
def test_a_changed_fact_is_another_picture(change: dict[str, object]) -> None:
    other = replace(MATCH, **change)  # type: ignore[arg-type]
    assert other.hash != MATCH.hash
    assert drawn(other) != drawn(MATCH)


def test_the_quotation_marks_of_every_language_are_drawn() -> None:
    assert drawable("„Łódź” „Köln“ ‚Ulm‘ “Bath” ’Mech") == "„Łódź” „Köln“ ‚Ulm‘ “Bath” ’Mech"


def test_a_text_is_made_smaller_and_then_cut() -> None:
    canvas = Canvas()
    assert canvas.fitted("Ash", 400, (60, 40)) == ("Ash", 60)
    text, size = canvas.fitted("W" * 100, 400, (60, 40))
    assert (text[-1], size) == (ELLIPSIS, 40)
    assert canvas.width_of(text, size) <= 400
    lines = canvas.wrapped("one two three four five six seven " * 9, 300, 32, 3)
    assert len(lines) == 3
    assert lines[-1].endswith(ELLIPSIS)
    assert all(canvas.width_of(line, 32) <= 300 for line in lines)


@pytest.mark.parametrize(("text", "cut"), [("W" * 300, "WWWW…"), ("WWWW WWWW", "WWWW…"), ("W", "W"), ("", "")])
def test_of_a_long_text_few_starts_are_measured(monkeypatch: pytest.MonkeyPatch, text: str, cut: str) -> None:
    """A measurement takes as long as the text is, and people choose names and sentences."""
    canvas, measured = Canvas(), 0
    measure = Canvas.width_of

    def count(self: Canvas, text: str, size: int) -> float:
        nonlocal measured
        measured += 1
        return measure(self, text, size)

    monkeypatch.setattr(Canvas, "width_of", count)
    width = measure(canvas, "WWWW…", 32)
    assert canvas.cut(text, width, 32) == cut
    assert measured <= 11


def test_no_start_fits_where_there_is_no_room() -> None:
    assert Canvas().cut("WWW", 1, 32) == ELLIPSIS


def test_a_figure_stands_clear_of_its_label() -> None:
    """Also one with letters that reach below the line."""
    value, label = (
        Image.open(BytesIO(drawn(Poster("Oni", figures=(figure,), bars=(1,)))))
        .convert("L")
        .crop((60, 226, 1140, 334))
        .point(lambda shade: 255 * (shade > 90))
        .getbbox()
        for figure in (Figure("", "Light gjpqy"), Figure("class", ""))
    )
    assert value is not None
    assert label is not None
    assert value[3] + CLEAR <= label[1]


def test_signs_that_the_font_lacks_are_replaced() -> None:
    assert drawable("Łódź ’Mech – “Oni”") == "Łódź ’Mech – “Oni”"
    assert drawable("−1 ½") == "–1 ½"
    assert drawable("Наг") == "???"
    assert drawable("\u2068Ash\u2069") == "Ash"
