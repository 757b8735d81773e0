"""A line chart: it turns series of points into the shapes of a picture. No request, no database, no words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from web.charts.scales import Scale, shortened, spread, ticks, width_of
from web.charts.signs import CROSS, Sign

WIDTH = 400.0
SIZE = 12.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 104.0, 12.0, 26.0
LABEL_GAP = 13.5
"""Lengths in units of a picture that is 400 wide: on a phone a unit is a little less than a pixel."""


@dataclass(frozen=True)
class Point:
    """A value at a place among the categories (0 is the first), and its description in `words`."""

    place: float
    value: int
    words: str
    is_cross: bool = False


@dataclass(frozen=True)
class Series:
    """The points of one line, from left to right."""

    sign: Sign
    points: tuple[Point, ...]
    label: str = ""


@dataclass(frozen=True)
class DataTable:
    """The numbers behind a picture: a heading for the first column and one for each other, rows with a heading.

    `has_names`: the headings of rows are names that people gave, which are not translated.
    """

    head: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    has_names: bool = True

    @property
    def labelled(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The rows: each heading with its cells as (heading of the column, cell)."""
        return [(name, list(zip(self.columns, cells, strict=True))) for name, cells in self.rows]


@dataclass(frozen=True)
class Mark:
    """One point as it is drawn."""

    x: float
    y: float
    path: str
    words: str
    is_cross: bool


@dataclass(frozen=True)
class Line:
    """One series as it is drawn: its path, its marks, and its label at the right with a thread between them.

    Without a label `label` and `thread` are "", and `label_y` is 0.
    """

    sign: Sign
    path: str
    marks: tuple[Mark, ...]
    label: str
    label_x: float
    label_y: float
    thread: str


@dataclass(frozen=True)
class Text:
    """A word of an axis."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class LineChart:
    """Everything that templates/components/chart_line.svg.html draws. `key` makes the ids of one page unique."""

    key: str
    title: str
    description: str
    width: float
    height: float
    grid: str
    zero: str
    heights: tuple[Text, ...]
    places: tuple[Text, ...]
    lines: tuple[Line, ...]
    table: DataTable
    kind: str = "line"


def line_chart(
    key: str,
    title: str,
    description: str,
    categories: Sequence[str],
    series: Sequence[Series],
    table: DataTable,
    *,
    height: float = 260.0,
    highest: int | None = None,
) -> LineChart:
    """Return a chart with its table. `highest` extends the scale beyond the values.

    Series without points are left out. Crowded categories lose some labels.
    """
    values = [point.value for one in series for point in one.points]
    marks = ticks(min(values, default=0), max([*values, highest or 0], default=0))
    has_labels = any(one.label for one in series)
    right = WIDTH - (RIGHT if has_labels else SIZE)
    across = Scale(-0.35 if len(categories) > 1 else -1, max(len(categories) - 0.65, 1), LEFT, right)
    up = Scale(marks[0], marks[-1], height - BOTTOM, TOP)
    grid = "".join(f"M{LEFT:g} {up.at(mark):g}H{right:g}" for mark in marks if mark != 0)
    return LineChart(
        key=key,
        title=title,
        description=description,
        width=WIDTH,
        height=height,
        grid=grid,
        zero=f"M{LEFT:g} {up.at(0):g}H{right:g}",
        heights=tuple(Text(LEFT - 6, round(up.at(mark) + 4, 2), str(mark).replace("-", "−")) for mark in marks),
        places=_places(categories, across, height),
        lines=_lines(series, across, up, right),
        table=table,
    )


def _places(categories: Sequence[str], across: Scale, height: float) -> tuple[Text, ...]:
    room = across.at(1) - across.at(0)
    widest = max((width_of(label, SIZE) for label in categories), default=0.0)
    every = next(step for step in range(1, len(categories) + 2) if step * room >= widest + 4 or step > len(categories))
    return tuple(
        Text(across.at(place), round(height - BOTTOM + 17, 2), label)
        for place, label in enumerate(categories)
        if place % every == 0
    )


def _lines(series: Sequence[Series], across: Scale, up: Scale, right: float) -> tuple[Line, ...]:
    labelled = [one for one in series if one.points and one.label]
    heights = spread([up.at(one.points[-1].value) for one in labelled], LABEL_GAP, up.end, up.start)
    label_at = {id(one): at for one, at in zip(labelled, heights, strict=True)}
    return tuple(_line(one, across, up, right, label_at.get(id(one))) for one in series if one.points)


def _line(one: Series, across: Scale, up: Scale, right: float, label_y: float | None) -> Line:
    at = [(across.at(point.place), up.at(point.value)) for point in one.points]
    thread = ""
    if label_y is not None:
        thread = f"M{at[-1][0] + 5:g} {at[-1][1]:g}L{right + 2:g} {label_y:g}"
    return Line(
        sign=one.sign,
        path="M" + "L".join(f"{x:g} {y:g}" for x, y in at),
        marks=tuple(
            Mark(x, y, CROSS if point.is_cross else one.sign.shape, point.words, point.is_cross)
            for (x, y), point in zip(at, one.points, strict=True)
        ),
        label=shortened(one.label, SIZE, WIDTH - right - 6),
        label_x=right + 5,
        label_y=0.0 if label_y is None else round(label_y + 4, 2),
        thread=thread,
    )
