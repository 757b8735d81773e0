"""Questions about seasons, which the room that keeps seasons answers: the catalogue knows no season.

That room registers one `CatalogueHost` when its app is ready.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Record:
    """The record of all copies of one unit or pilot in one season. `url` leads to the season."""

    season: str
    url: str
    stables: int
    matches: int
    wins: int
    kills: int
    reputation: int


class CatalogueHost(Protocol):
    """The questions to the room that keeps seasons."""

    def hidden_seasons(self, user: Any, in_lists: bool) -> Any:
        """Return, as a query, the addresses of the seasons that a person may not see; with `in_lists`, also of those
        that lists do not show them.
        """

    def records_of(self, kind: str, key: str) -> list[Record]:
        """Return the records of a definition, newest season first; `kind` is a word of KINDS."""


_hosts: list[CatalogueHost] = []


def register(host: CatalogueHost) -> None:
    """Make `host` the one that answers in this process."""
    _hosts[:] = [host]


def hidden_seasons(user: Any, in_lists: bool) -> Any:
    """Return the addresses of the seasons hidden from a person; empty when no room keeps seasons."""
    return _hosts[0].hidden_seasons(user, in_lists) if _hosts else ()


def records_of(kind: str, key: str) -> list[Record]:
    """Return the records of a definition; empty when no room keeps seasons."""
    return _hosts[0].records_of(kind, key) if _hosts else []
