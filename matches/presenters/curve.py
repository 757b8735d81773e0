"""What changes over the steps of a replay, as small drawings and the tables behind them: reputation, chances to win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from matches.presenters.forecasts import ForecastView, SideChance
from matches.presenters.replay import Step, rounds_of

WIDTH, HEIGHT = 600, 120
"""Of the drawing, in its own units."""

MARGIN = 8
NAME_WIDTH = 80
"""What the name of a side's colour takes at most."""

BESIDE = 6
"""How far a name stands above its line; below it, the height of its letters is added."""


@dataclass(frozen=True)
class Line:
    """A side's line: the corners of a polyline, and where its name ends, beside those of other sides."""

    index: int
    name: str
    points: str
    name_end: int
    beside: int


@dataclass(frozen=True)
class Curve:
    """`now` is where the shown step stands; `rows` are the reputations at the end of each round, by side.

    A row is (the round's last step, its round, the reputations in the order of the sides).
    """

    lines: tuple[Line, ...]
    now: int
    rows: tuple[tuple[int, int, tuple[int, ...]], ...]


def across_of(position: int, count: int) -> int:
    """Return where the step at a position, from 0, of so many steps stands."""
    return MARGIN + round(position * (WIDTH - 2 * MARGIN) / max(count - 1, 1))


def _line(index: int, name: str, corners: Sequence[str], end: int) -> Line:
    """Return a side's line; `end` is how high it ends."""
    beside = end - BESIDE if end > HEIGHT // 2 else end + 3 * BESIDE
    return Line(index, name, " ".join(corners), WIDTH - MARGIN - index * NAME_WIDTH, beside)


def curve_of(
    sides: Sequence[tuple[str, str]], steps: Sequence[Step], snapshots: Sequence[Mapping[str, Any]], shown: Step
) -> Curve | None:
    """Return the curve of the sides (key, name), the marker at the step shown; None while nobody has any reputation."""
    totals = [[snapshot.get("reputation", {}).get(key, 0) for snapshot in snapshots] for key, _ in sides]
    values = [value for line in totals for value in line]
    most, least = max(values, default=0), min(0, *values) if values else 0
    if most == least:
        return None

    def across(position: int) -> int:
        return across_of(position, len(steps))

    def up(value: int) -> int:
        return HEIGHT - MARGIN - round((value - least) * (HEIGHT - 2 * MARGIN) / (most - least))

    lines: list[Line] = []
    for index, ((_, name), reputations) in enumerate(zip(sides, totals, strict=True)):
        corners = [f"{across(0)},{up(reputations[0])}"]
        for position in range(1, len(reputations)):
            if reputations[position] != reputations[position - 1]:
                corners.append(f"{across(position)},{up(reputations[position - 1])}")
                corners.append(f"{across(position)},{up(reputations[position])}")
        corners.append(f"{across(len(steps) - 1)},{up(reputations[-1])}")
        lines.append(_line(index, name, corners, up(reputations[-1])))
    last_of_rounds = {step.round: position for position, step in enumerate(steps)}
    rows = tuple(
        (steps[position].number, number, tuple(line[position] for line in totals))
        for number, position in last_of_rounds.items()
        if number > 0
    )
    return Curve(tuple(lines), across(shown.number - 1), rows)


HALF = HEIGHT // 2
"""How high an even chance of two sides stands."""


@dataclass(frozen=True)
class Dot:
    """A side's chance at a moment, where it is drawn."""

    index: int
    up: int


@dataclass(frozen=True)
class Moment:
    """The chances at the beginning of a round, or at the end (`round` None): what they are, and the step it links to.

    `left` and `width` are the strip of the drawing that leads to the step.
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
    """`now` is where the shown step stands; `band` the 95% interval of the first of two sides, empty for more of them.

    `fewest` play-outs stand behind a moment at least, `widest` percent to either side is the widest interval.
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
    """Return the curve of the sides' (key, name) chances from forecasts by round; None while no round has any.

    It ends with what the match came to, once it has a winner.
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
    lines = tuple(
        _line(
            index,
            name,
            [f"{moment.across},{moment.dots[index].up}" for moment in moments],
            moments[-1].dots[index].up,
        )
        for index, (_, name) in enumerate(sides)
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
    """Return the corners of the first side's interval, there and back."""
    above = [f"{moment.across},{_up(moment.sides[0].high)}" for moment in moments]
    below = [f"{moment.across},{_up(moment.sides[0].low)}" for moment in moments]
    return " ".join([*above, *reversed(below)])
