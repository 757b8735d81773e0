"""What a player can point at on the board: hexes, targets and facings as links, and the lines of a preview."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import dist, inf
from typing import Any

from catalogue.presenters.arena_picture import RADIUS, HexView, centre, point_at
from catalogue.presenters.arena_words import ground_words
from matches.presenters.board import UNIT_RADIUS, arrow, wedge
from rules.competition.forecast import AttackForecast
from rules.competition.narrowing import FACINGS, Option
from rules.core.digits import whole_number

WHEEL_RADIUS = 70.0
SPOKE_RADIUS = 18.0
"""A facing of the wheel is 24 pixels wide where the whole board stands on a screen of 360 x 640."""

CLEAR = SPOKE_RADIUS + UNIT_RADIUS
FARTHEST = 80
"""How far from a unit or token the middle of a facing is, and how far the facing may move out of the wheel for it."""

Address = Callable[[str], str]
"""A function from a word to the address of the page on which it is chosen."""


@dataclass(frozen=True)
class Pick:
    """A hex that can be chosen. `kind` is "walk", "run", "jump" or "plain".

    `mark` is the sign that shows it, as the steps of an SVG path, "" for "plain" and where something stands. `ground`
    is its terrain and height in words.
    """

    code: str
    x: float
    y: float
    kind: str
    mark: str
    url: str
    label: str
    ground: str
    is_chosen: bool


@dataclass(frozen=True)
class Aimed:
    """A unit or token that can be chosen as a target. `word` is its key."""

    word: str
    x: float
    y: float
    url: str
    label: str


@dataclass(frozen=True)
class Spoke:
    """One of the twelve facings around a hex; `clock` is 1 to 12."""

    x: float
    y: float
    text_y: float
    clock: int
    url: str
    label: str
    is_chosen: bool


@dataclass(frozen=True)
class Ghost:
    """The drawing of the unit after the chosen action: a ring, an arrow, the front arc."""

    x: float
    y: float
    arrow: str
    wedge: str


@dataclass(frozen=True)
class Overlay:
    """Everything drawn above the board. `ghost` is None until the action is complete and has a facing.

    `leader` leads from a hex to the wheel that stands beside it (x, y, x, y); None without a wheel, and around the hex.

    `lines` are lines of fire, each by its two ends (x, y, x, y).
    """

    picks: tuple[Pick, ...] = ()
    aimed: tuple[Aimed, ...] = ()
    wheel: tuple[Spoke, ...] = ()
    leader: tuple[float, float, float, float] | None = None
    ghost: Ghost | None = None
    lines: tuple[tuple[float, float, float, float], ...] = field(default=())


_MARKS = {
    "walk": "m-4 2 4-4 4 4",
    "run": "m-4 0 4-4 4 4m-8 5 4-4 4 4",
    "jump": "m-5 3q5-10 10 0m-3.5-.5 3.5.5.5-3.5",
    "plain": "",
}
"""One chevron for a walk, two for a run, a leap for a jump: SVG steps from the place of the mark."""


def mode_of(actions: Iterable[Mapping[str, Any]]) -> str:
    """Return the mildest way to move among actions that end in a hex: "walk", then "jump", then "run".

    Return "plain" when none of them is a move.
    """
    modes = {
        "run" if action.get("run") else "jump" if action.get("jump") else "walk"
        for action in actions
        if "path" in action
    }
    return next((mode for mode in ("walk", "jump", "run") if mode in modes), "plain")


def picks_of(
    options: Iterable[Option],
    hexes: Iterable[HexView],
    address: Address,
    labels: Mapping[str, str],
    chosen: str | None,
    taken: Collection[str] = (),
) -> tuple[Pick, ...]:
    """Return the hexes among the options of a question, in order of their codes; those `taken` have no mark."""
    shapes = {view.code: view for view in hexes}
    return tuple(
        _pick(
            shapes[option.word],
            mode_of(option.actions),
            address(option.word),
            labels[option.word],
            chosen,
            is_taken=option.word in taken,
        )
        for option in sorted(options, key=lambda option: option.word)
        if option.word in shapes
    )


def _pick(shape: HexView, kind: str, url: str, label: str, chosen: str | None, is_taken: bool) -> Pick:
    return Pick(
        code=shape.code,
        x=shape.x,
        y=shape.y,
        kind=kind,
        mark="" if is_taken else _MARKS[kind],
        url=url,
        label=label,
        ground=ground_words(shape),
        is_chosen=shape.code == chosen,
    )


def aimed_at(
    options: Iterable[Option], places: Mapping[str, str], address: Address, labels: Mapping[str, str]
) -> tuple[Aimed, ...]:
    """Return the single targets among the options of a question: those whose word is in `places`.

    `places` has the hex of a unit or token by its word, and `labels` are by word, too. Options with several targets are
    left out.
    """
    return tuple(
        Aimed(option.word, *centre(places[option.word]), address(option.word), labels[option.word])
        for option in options
        if option.word in places
    )


def wheel_middle(place: str, size: tuple[float, float]) -> tuple[float, float]:
    """Return the middle of the wheel of facings for a hex on a ground of this `size`.

    It is the hex itself, or near it. Where the rim would cut the wheel off, it stands beside the hex, which it leaves
    free. On a ground too small for that it stands in the middle.
    """
    here, reach = centre(place), WHEEL_RADIUS + SPOKE_RADIUS + 1

    def kept(point: Iterable[float]) -> tuple[float, float]:
        x, y = (min(max(at, reach), max(most - reach, most / 2)) for at, most in zip(point, size, strict=True))
        return round(x, 2), round(y, 2)

    inside = kept(here)
    moved = dist(here, inside)
    if moved <= WHEEL_RADIUS - SPOKE_RADIUS - UNIT_RADIUS:
        return inside
    away = max(moved, reach + RADIUS) / moved
    return kept((here[0] + (inside[0] - here[0]) * away, here[1] + (inside[1] - here[1]) * away))


def wheel_at(
    middle: tuple[float, float],
    options: Iterable[Option],
    address: Address,
    labels: Mapping[str, str],
    chosen: str | None,
    things: Collection[tuple[float, float]] = (),
    size: tuple[float, float] = (inf, inf),
) -> tuple[Spoke, ...]:
    """Return the facings that can be chosen, around the middle of their wheel.

    A facing that would cover one of the `things` on the board stands farther out or in, if the ground of this `size`
    has room. The hex of the unit is one of them: at the rim the wheel stands beside it.
    """
    x, y = middle
    found: list[Spoke] = []
    for option in options:
        facing = whole_number(option.word)
        if facing is None:
            continue
        steps = (*range(0, FARTHEST, 3), *range(-20, -int(WHEEL_RADIUS), -3))
        ways = [point_at(x, y, facing * 30, WHEEL_RADIUS + step) for step in steps]
        free = (
            way
            for way in ways
            if _is_inside(way, size)
            and all(dist(way, thing) > CLEAR for thing in things)
            and all(dist(way, (other.x, other.y)) >= 2 * SPOKE_RADIUS for other in found)
        )
        at_x, at_y = next(free, ways[0])
        spoke = Spoke(
            at_x,
            at_y,
            round(at_y + 5, 2),
            facing or 12,
            address(option.word),
            labels[option.word],
            option.word == chosen,
        )
        found.append(spoke)
    return tuple(found)


def _is_inside(point: tuple[float, float], size: tuple[float, float]) -> bool:
    return all(SPOKE_RADIUS <= at <= most - SPOKE_RADIUS for at, most in zip(point, size, strict=True))


def ghost_at(place: str, facing: int, front_arc: float) -> Ghost:
    """Return the drawing of a unit in the hex `place` with a facing (clock hours, 0 to 11)."""
    x, y = centre(place)
    return Ghost(x, y, arrow(x, y, facing * 30), wedge(x, y, facing * 30, front_arc))


def lines_of(attack: AttackForecast, places: Mapping[str, str]) -> tuple[tuple[float, float, float, float], ...]:
    """Return the lines of fire of an attack, from corner to corner, or from middle to middle without a line of fire.

    Targets without an entry in `places` are left out.
    """
    return tuple(
        fire_line(attack.hex, places[target.target], target.line)
        for target in attack.targets
        if target.target in places
    )


def fire_line(own: str, there: str, line: tuple[int, int] | None) -> tuple[float, float, float, float]:
    """Return a line from hex to hex between the corners `line`, or from middle to middle for None."""
    start, end = centre(own), centre(there)
    if line is not None:
        start, end = _corner(start, line[0]), _corner(end, line[1])
    return (*start, *end)


def _corner(middle: tuple[float, float], which: int) -> tuple[float, float]:
    return point_at(*middle, (2 * which + 1) * 30, RADIUS)


def is_facing(key: str) -> bool:
    """Return whether a question asks for a facing."""
    return key in FACINGS
