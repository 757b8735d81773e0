"""What seasons know of a definition, asked through a door: the catalogue itself knows nothing of seasons.

The app that keeps results registers one function; the pages show what it answers.
"""

from collections.abc import Callable
from dataclasses import dataclass


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


Provider = Callable[[str, str], list[Record]]
"""Kind (a word of KINDS) and id to the records, newest season first."""

_providers: list[Provider] = []


def provide_records(provider: Provider) -> Provider:
    """Register the function that answers; usable as a decorator. A second registration replaces the first."""
    _providers[:] = [provider]
    return provider


def records_of(kind: str, key: str) -> list[Record]:
    """The records of a definition; none when nobody keeps any."""
    return _providers[0](kind, key) if _providers else []
