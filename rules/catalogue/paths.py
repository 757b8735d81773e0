"""Paths of a mapping into a foreign document, such as `weapons[0].range.max` or `dial[*Damage:1][row][0]`.

A path is a chain of steps. Each is a key (`name`, or `["any key"]` for one with other signs), the place in a list
(`[0]`, from 0), the number of the row (`[row]`), or a key by its beginning and end (`[*Damage:1]`, the first key that
fits).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from rules.catalogue.bounds import MOST_KEYS

LONGEST_PATH = 200
"""The most characters of a path."""

_STEP = re.compile(
    r"\.?(?P<name>@?[A-Za-z_][A-Za-z0-9_]*)"
    r"|\[(?P<index>\d{1,4})\]"
    r"|(?P<row>\[row\])"
    r'|\["(?P<key>[^"\x00-\x1f]{1,100})"\]'
    r"|\[(?P<before>[A-Za-z_]{0,40})\*(?P<after>[A-Za-z_]{0,40}):(?P<count>[1-9])\]"
)


class Step(NamedTuple):
    """A step of a path: what it is (name, index, row or like) and what it looks for."""

    what: str
    name: str = ""
    number: int = 0
    after: str = ""


@lru_cache(maxsize=2000)
def steps_of(path: str) -> tuple[Step, ...]:
    """Return the steps of a path; none for the empty path, which is the document itself. Raises ValueError."""
    found: list[Step] = []
    position = 0
    while position < len(path):
        match = _STEP.match(path, position) if len(path) <= LONGEST_PATH else None
        if match is None or (match[0].startswith(".") and not position):
            raise ValueError(path)
        if match["index"] is not None:
            found.append(Step("index", number=int(match["index"])))
        elif match["row"] is not None:
            found.append(Step("row"))
        elif match["count"] is not None:
            found.append(Step("like", match["before"], int(match["count"]) - 1, match["after"]))
        else:
            found.append(Step("name", match["name"] or match["key"]))
        position = match.end()
    return tuple(found)


@lru_cache(maxsize=2000)
def counts_rows(path: str) -> bool:
    """Return whether a step of a path stands for the number of the row. Raises ValueError."""
    return any(step.what == "row" for step in steps_of(path))


def value_at(content: Any, path: str, row: int = 0) -> Any:
    """Return the value at a path; None when there is none."""
    for step in steps_of(path):
        content = _next(content, step, row)
    return content


def column_at(content: Any, path: str) -> list[Any]:
    """Return the list that a path's first `[row]` counts; empty when the path has none, or there is no list."""
    for step in steps_of(path):
        if step.what == "row":
            return content if isinstance(content, list) else []
        content = _next(content, step, 0)
    return []


def in_column(column: list[Any], path: str, row: int) -> Any:
    """Return what the steps after a path's first `[row]` find in a row of the list that `column_at` found."""
    steps = steps_of(path)
    content = column[row] if row < len(column) else None
    for step in steps[[step.what for step in steps].index("row") + 1 :]:
        content = _next(content, step, row)
    return content


def key_at(content: Any, path: str) -> str | None:
    """Return the part of a key that the `*` of a path's last step stands for; None when no key fits."""
    steps = steps_of(path)
    if not steps or steps[-1].what != "like":
        return None
    for step in steps[:-1]:
        content = _next(content, step, 0)
    key = _key_like(content, steps[-1])
    return None if key is None else key[len(steps[-1].name) : len(key) - len(steps[-1].after)]


def put_at(target: dict[str, Any], path: str, value: Any) -> None:
    """Store a value at a path of keys and places whose ground is there."""
    steps = [step.name or step.number for step in steps_of(path)]
    place: Any = target
    for step in steps[:-1]:
        place = place[step]
    place[steps[-1]] = value


def _next(content: Any, step: Step, row: int) -> Any:
    if step.what in ("index", "row"):
        position = step.number if step.what == "index" else row
        return content[position] if isinstance(content, list) and position < len(content) else None
    if not isinstance(content, dict):
        return None
    if step.what == "name":
        return content.get(step.name)
    key = _key_like(content, step)
    return None if key is None else content[key]


def _key_like(content: Any, step: Step) -> str | None:
    """Return the key that begins and ends as a step says, counted from 0. None when there are not so many, and
    among more than MOST_KEYS.
    """
    if not isinstance(content, dict) or len(content) > MOST_KEYS:
        return None
    shortest = len(step.name) + len(step.after)
    fitting = [key for key in content if len(key) > shortest and key.startswith(step.name) and key.endswith(step.after)]
    return fitting[step.number] if step.number < len(fitting) else None
