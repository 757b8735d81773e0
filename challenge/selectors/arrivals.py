"""Who came through the door: the rows that one press wrote for a pilot."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.db.models import Q

from challenge.models import Entry, Event
from challenge.selectors.books import Book

MOST_ROWS = 9
"""The most rows of one arrival."""
_STEM = re.compile(r"^(?P<stem>.+\.door)\.\d$")


def arrival_id(client_id: str, place: int) -> str:
    """Return the client id of one row of an arrival that a device calls `client_id`."""
    return f"{client_id}.door.{place}"


@dataclass(frozen=True)
class Arrival:
    """A pilot who came: their name, and the numbers of the rows that stand, the first one opens their record."""

    pilot: str
    rows: tuple[int, ...]


def arrivals(event: Event, book: Book, most: int = 5) -> list[Arrival]:
    """Return who came last, the last one first; one query."""
    firsts = [row for row in reversed(book.rows) if row.entry and row.entry.what == "new_pilot"]
    firsts = [row for row in firsts if row.number not in book.undone][:most]
    if not firsts:
        return []
    near = Q()
    for row in firsts:
        near |= Q(number__gte=row.number, number__lt=row.number + MOST_ROWS)
    ids = dict(Entry.objects.filter(near, event=event).values_list("number", "client_id"))
    return [
        Arrival(row.entry.pilot or "", _rows(row.number, ids, book.undone)) for row in firsts if row.entry is not None
    ]


def _rows(first: int, ids: dict[int, str], undone: set[int]) -> tuple[int, ...]:
    """Return the rows of the press that wrote `first`: their client ids begin alike."""
    match = _STEM.match(ids.get(first, ""))
    if match is None:
        return (first,)
    stem = f"{match['stem']}."
    return tuple(
        number
        for number in range(first, first + MOST_ROWS)
        if ids.get(number, "").startswith(stem) and number not in undone
    )
