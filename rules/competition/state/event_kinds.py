"""What a kind of event is: a name, its fields, and the function that writes it to a Position.

Inside, an event is a tuple whose first member is its kind, a number into the tables below; at the edge it is a
dictionary with names instead of numbers. A kind is declared once, at import, in one of the modules that
`rules.competition.state.encoding.DECLARED` lists. Stored matches name kinds, so a declared name stays for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.competition.state.position import Position

Event = tuple[int, *tuple[object, ...]]
"""An event of any kind: the kind, then its fields. If a writer reads the fields, an alias in `event_types` or above the
writer has their types."""

Writer = Callable[[Position, Any], None]
"""A function that writes events of one kind to a Position."""


KINDS: list[str] = []
FIELDS: list[tuple[tuple[str, str], ...]] = []
WRITERS: list[Writer] = []
KIND_OF: dict[str, int] = {}


def kind(name: str, fields: str) -> Callable[[Writer], int]:
    """Declare a kind of event; the decorated function writes it to a Position, and the kind's number replaces it.

    `fields` are `name:form` words. Forms: u unit, U units, t target, T targets, s side, S sides, h hex, H hexes,
    k token, o order bit, e equipment bits, p phase, n plain JSON value.
    """

    def declare(writer: Writer) -> int:
        number = KIND_OF[name] = len(KINDS)
        KINDS.append(name)
        pairs = [word.split(":") for word in fields.split()]
        FIELDS.append(tuple((field, form) for field, form in pairs))
        WRITERS.append(writer)
        return number

    return declare


def nothing(position: Position, event: Event) -> None:
    """Do nothing, for a kind that names a die or a declaration; another event carries its effect."""


def apply(position: Position, event: Event) -> None:
    """Write one event to the Position. Only this and `MatchState.emit` write to a Position."""
    WRITERS[event[0]](position, event)
