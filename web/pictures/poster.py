"""What is on a picture to share: words and numbers, and nothing about where they stand."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

DRAWING = 4
"""Part of every hash: a change of the drawing makes other pictures of the same facts."""


@dataclass(frozen=True)
class Column:
    """One of several beside each other: a side of a match, or a place of a podium. `tone` is the place of its colour.

    `is_first` marks the winner. `note` may be empty, and so may `unit`, which says what `value` counts.
    """

    name: str
    value: str
    note: str = ""
    tone: int = 0
    is_first: bool = False
    unit: str = ""


@dataclass(frozen=True)
class Figure:
    """A number with its label."""

    label: str
    value: str


@dataclass(frozen=True)
class Poster:
    """One picture. `heading` says what it is about, `sentence` is the story in a few words; both may be empty.

    In its middle stand `columns`, as a podium with `is_podium`, the best first; else `figures` and `bars`, which are
    the values of a dial from its first click on.
    """

    title: str
    heading: str = ""
    sentence: str = ""
    columns: tuple[Column, ...] = ()
    is_podium: bool = False
    figures: tuple[Figure, ...] = ()
    bars: tuple[int, ...] = ()
    bars_label: str = ""

    @property
    def hash(self) -> str:
        """The hash of everything that is on the picture, as 64 hex digits."""
        facts = json.dumps([DRAWING, asdict(self)], sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(facts.encode()).hexdigest()
