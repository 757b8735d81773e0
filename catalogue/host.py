"""The questions of the catalogue about seasons. The catalogue knows no season: the room that keeps seasons answers.

That room registers one `CatalogueHost` when its app is ready.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Record:
    """The record of all copies of one unit or pilot in one season: what they did themselves, in results that hold.

    `url` is the address of the season’s page, `damage` the number of clicks that they (a pilot: their units) lost.
    """

    season: str
    url: str
    stables: int
    matches: int
    wins: int
    kills: int
    damage: int
    reputation: int


@dataclass(frozen=True)
class Offer:
    """A definition in the market from which a person comes to its page.

    `buy` takes a POST of `fields`, and `market` is the address to go back to. `stones` is its price, `capital` what the
    person has. `problem` says why they cannot buy it, "" when they can. `is_hire` says that the market is closed and
    a pilot is hired in an emergency.
    """

    market: str
    buy: str
    fields: Mapping[str, str]
    stones: int
    capital: int
    problem: str
    is_hire: bool


class CatalogueHost(Protocol):
    """The questions to the room that keeps seasons."""

    def hidden_seasons(self, user: Any, in_lists: bool) -> Any:
        """Return a query of the addresses of the seasons that a person may not see. With `in_lists` it has the
        addresses of the seasons that lists do not show the person.
        """

    def records_of(self, kind: str, key: str) -> list[Record]:
        """Return the records of a definition, newest season first; `kind` is a word of KINDS."""

    def offer_of(self, user: Any, kind: str, key: str, release: str, asked: Mapping[str, str]) -> Offer | None:
        """Return the offer of a definition of a release (its hash) in the market that the page's address names; None
        without one.
        """


_hosts: list[CatalogueHost] = []


def register(host: CatalogueHost) -> None:
    """Let `host` answer in this process; it replaces an earlier one."""
    _hosts[:] = [host]


def hidden_seasons(user: Any, in_lists: bool) -> Any:
    """Return the addresses of the seasons that are hidden from a person, as CatalogueHost.hidden_seasons does; an empty
    tuple when no room keeps seasons.
    """
    return _hosts[0].hidden_seasons(user, in_lists) if _hosts else ()


def records_of(kind: str, key: str) -> list[Record]:
    """Return the records of a definition, newest season first; [] when no room keeps seasons."""
    return _hosts[0].records_of(kind, key) if _hosts else []


def offer_of(user: Any, kind: str, key: str, release: str, asked: Mapping[str, str]) -> Offer | None:
    """Return the offer of a definition, as CatalogueHost.offer_of does; None when no room keeps seasons."""
    return _hosts[0].offer_of(user, kind, key, release, asked) if _hosts else None
