"""What seasons know of definitions and their readers, asked of the room that keeps them: the catalogue knows no season.

That room brings one object with the two answers of `CatalogueHost` and registers it, when its app is ready.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Record:
    """What the copies of one unit or pilot did in one season. `url` leads to it."""

    season: str
    url: str
    stables: int
    matches: int
    wins: int
    kills: int
    reputation: int


class CatalogueHost(Protocol):
    """What the room that keeps seasons answers."""

    def hidden_seasons(self, user: Any, in_lists: bool) -> Any:
        """Return the addresses of the seasons that a person may not see, or that lists do not show them, as a query."""

    def records_of(self, kind: str, key: str) -> list[Record]:
        """Return the records of a definition, newest season first; `kind` is a word of KINDS."""


_hosts: list[CatalogueHost] = []


def register(host: CatalogueHost) -> None:
    """Let a room answer from now on, in this process."""
    _hosts[:] = [host]


def hidden_seasons(user: Any, in_lists: bool) -> Any:
    """Return the addresses of the seasons that a person is not shown; none without seasons."""
    return _hosts[0].hidden_seasons(user, in_lists) if _hosts else ()


def records_of(kind: str, key: str) -> list[Record]:
    """Return the records of a definition; none when nobody keeps any."""
    return _hosts[0].records_of(kind, key) if _hosts else []
