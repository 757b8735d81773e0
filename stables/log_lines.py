"""Lines of the season's log in words (reads)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from stables.log_words import told
from stables.models import LogEntry, Season

NEWEST = 8


@dataclass(frozen=True)
class Line:
    """An entry with its sentence in the reader's language."""

    entry: LogEntry
    sentence: str


def worded(entries: Iterable[LogEntry]) -> list[Line]:
    """The entries as lines, in their order."""
    return [Line(entry, told(entry.code, entry.parameters)) for entry in entries]


def newest_lines(season: Season) -> list[Line]:
    """The newest lines of a season's log, the newest first; one query."""
    return worded(LogEntry.objects.filter(season=season).order_by("-id")[:NEWEST])
