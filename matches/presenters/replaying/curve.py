"""The curves of a replay, reputation and chances to win: small drawings, and the tables behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from matches.presenters.forecasts import ForecastView, SideChance
from matches.presenters.replaying.replay import Step, rounds_of

WIDTH, HEIGHT = 600, 120
"""The size of the drawing, in its own units."""

MARGIN = 8
LETTERS = 16
"""The height of the letters of a side's name. Names stand to the right of the drawing."""


@dataclass(frozen=True)
class Line:
    """A side's line as the corners of a polyline. `index` is the place of the side, from 0.

    Its name stands at the vertical place `beside`, next to the end of the line.
    """

    index: int
    name: str
    points: str
    beside: int


@dataclass(frozen=True)
class Curve:
    """The curve of reputation. `now` is the horizontal place of the shown step.

    `rows` are the ends of rounds: (the round's last step, the round, the reputations in the order of the sides).
    """

    lines: tuple[Line, ...]
    now: int
    rows: tuple[tuple[int, int, tuple[int, ...]], ...]


def across_of(position: int, count: int) -> int:
    """Return the horizontal place of the step at `position` (from 0) of `count` steps."""
    return MARGIN + round(position * (WIDTH - 2 * MARGIN) / max(count - 1, 1))


def _named(lines: Sequence[tuple[str, Sequence[str], int]]) -> tuple[Line, ...]:
    """Return the lines (name, corners, vertical place of the end) with their names beside the ends, without overlap."""
    beside: dict[int, int] = {}
    lowest = 0
    for index, (_, _, end) in sorted(enumerate(lines), key=lambda line: line[1][2]):
        beside[index] = lowest = max(lowest + LETTERS, end + LETTERS // 3)
    # What has slipped below the drawing goes back up, from the lowest name on.
    bottom = HEIGHT
    for index in sorted(beside, key=lambda index: -beside[index]):
        beside[index] = min(beside[index], bottom)
        bottom = beside[index] - LETTERS
    return tuple(Line(index, name, " ".join(corners), beside[index]) for index, (name, corners, _) in enumerate(lines))


def curve_of(
    sides: Sequence[tuple[str, str]], steps: Sequence[Step], snapshots: Sequence[Mapping[str, Any]], shown: Step
) -> Curve | None:
    """Return the curve of the sides (key, name) with its marker at the shown step; None while all reputation is 0.

    `snapshots` are those at the ends of `steps`.
    """
    totals = [[snapshot.get("reputation", {}).get(key, 0) for snapshot in snapshots] for key, _ in sides]
    values = [value for line in totals for value in line]
    most, least = max(values, default=0), min(0, *values) if values else 0
    if most == least:
        return None

    def across(position: int) -> int:
        return across_of(position, len(steps))

    def up(value: int) -> int:
        return HEIGHT - MARGIN - round((value - least) * (HEIGHT - 2 * MARGIN) / (most - least))

    lines: list[tuple[str, list[str], int]] = []
    for (_, name), reputations in zip(sides, totals, strict=True):
        corners = [f"{across(0)},{up(reputations[0])}"]
        for position in range(1, len(reputations)):
            if reputations[position] != reputations[position - 1]:
                corners.append(f"{across(position)},{up(reputations[position - 1])}")
                corners.append(f"{across(position)},{up(reputations[position])}")
        corners.append(f"{across(len(steps) - 1)},{up(reputations[-1])}")
        lines.append((name, corners, up(reputations[-1])))
    last_of_rounds = {step.round: position for position, step in enumerate(steps)}
    rows = tuple(
        (steps[position].number, number, tuple(line[position] for line in totals))
        for number, position in last_of_rounds.items()
        if number > 0
    )
    return Curve(_named(lines), across(shown.number - 1), rows)


@dataclass(frozen=True)
class Dot:
    """The drawn point of a side's chance at a moment."""

    index: int
    up: int


@dataclass(frozen=True)
class Moment:
    """The chances at the beginning of a round, or at the end (`round` None), and the step that they link to.

    `left` and `width` are the strip of the drawing that links to the step.
    """

    round: int | None
    step: int
    across: int
    left: int
    width: int
    dots: tuple[Dot, ...]
    sides: tuple[SideChance, ...]


@dataclass(frozen=True)
class ChanceCurve:
    """The curve of chances. `now` is the horizontal place of the shown step.

    `band` is the 95% interval of the first of two sides, empty for more sides. `fewest` is the smallest number of
    play-outs behind a moment, `widest` the most percent that an interval reaches to one side.
    """

    lines: tuple[Line, ...]
    now: int
    band: str
    moments: tuple[Moment, ...]
    bot: str
    fewest: int
    widest: int


def chance_curve_of(
    sides: Sequence[tuple[str, str]],
    steps: Sequence[Step],
    forecasts: Mapping[int, ForecastView],
    shown: Step,
    winner: str | None,
) -> ChanceCurve | None:
    """Return the curve of the sides' (key, name) chances from forecasts by round; None while no round has one.

    Once the match has a winner, the curve ends with the result.
    """
    known = [step for step in rounds_of(steps) if step.round in forecasts]
    if not known:
        return None
    known_steps = [(step.round, step, forecasts[step.round].sides) for step in known]
    if winner is not None:
        known_steps.append((0, steps[-1], tuple(SideChance.decided(key, key == winner) for key, _ in sides)))
    places = [across_of(step.number - 1, len(steps)) for _, step, _ in known_steps]
    edges = [0, *((left + right) // 2 for left, right in pairwise(places)), WIDTH]
    moments = tuple(
        Moment(
            round=number or None,
            step=step.number,
            across=place,
            left=edges[position],
            width=edges[position + 1] - edges[position],
            dots=tuple(Dot(index, _up(side.chance)) for index, side in enumerate(chances)),
            sides=chances,
        )
        for position, ((number, step, chances), place) in enumerate(zip(known_steps, places, strict=True))
    )
    lines = _named(
        [
            (
                name,
                [f"{moment.across},{moment.dots[index].up}" for moment in moments],
                moments[-1].dots[index].up,
            )
            for index, (_, name) in enumerate(sides)
        ]
    )
    counted = [forecasts[step.round] for step in known]
    return ChanceCurve(
        lines=lines,
        now=across_of(shown.number - 1, len(steps)),
        band=_band(moments) if len(sides) == 2 else "",
        moments=moments,
        bot=counted[-1].bot,
        fewest=min(each.play_outs for each in counted),
        widest=max(each.widest for each in counted),
    )


def _up(percent: float) -> int:
    return HEIGHT - MARGIN - round(percent * (HEIGHT - 2 * MARGIN) / 100)


def _band(moments: Sequence[Moment]) -> str:
    """Return the corners of the first side's interval: the upper edge, then the lower edge backwards."""
    above = [f"{moment.across},{_up(moment.sides[0].high)}" for moment in moments]
    below = [f"{moment.across},{_up(moment.sides[0].low)}" for moment in moments]
    return " ".join([*above, *reversed(below)])
