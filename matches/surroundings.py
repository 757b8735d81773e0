"""What a match is part of. Rooms above this one may say, so that its page can name sides and link back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from matches.models import Match


@dataclass(frozen=True)
class Link:
    label: str
    url: str = ""


@dataclass(frozen=True)
class Surroundings:
    """`crumbs` lead to the match; `sides` give a side's people a name and a page.

    `kept` is what the sides of a settled match keep of its reputation. `programs` names the account of a program where
    one plays a side for its people. `people` are the sides that belong to a person, whoever plays for them. `onward`
    leads a player on when the match is over.
    """

    crumbs: tuple[Link, ...] = ()
    sides: Mapping[str, Link] = field(default_factory=dict)
    subtitle: str = ""
    kept: Mapping[str, int] = field(default_factory=dict)
    programs: Mapping[str, str] = field(default_factory=dict)
    people: frozenset[str] = frozenset()
    previous: Link | None = None
    next: Link | None = None

    def for_guests(self) -> Surroundings:
        """The same for people to whom what the match is part of is closed: names, and nothing that leads there."""
        return replace(
            self,
            crumbs=(),
            sides={key: Link(link.label) for key, link in self.sides.items()},
            previous=None,
            next=None,
        )

    onward: Link = Link("")


Teller = Callable[[Match], Surroundings | None]
_tellers: list[Teller] = []


def tell(teller: Teller) -> Teller:
    """Register a function that knows the surroundings of some matches (a constant number of queries, please)."""
    _tellers.append(teller)
    return teller


def surroundings_of(match: Match) -> Surroundings:
    """What the first function that knows this match says, or nothing at all."""
    return next((told for teller in _tellers if (told := teller(match)) is not None), Surroundings())


Stopper = Callable[[Collection[int]], Mapping[int, datetime]]
_stoppers: list[Stopper] = []


def stops(stopper: Stopper) -> Stopper:
    """Register a function that says which of some matches stand still, by their ids, and since when (one query)."""
    _stoppers.append(stopper)
    return stopper


def stopped_since(match_ids: Collection[int]) -> dict[int, datetime]:
    """Return the matches in which no time passes now, with the moment at which it stopped; one query for each room."""
    if not match_ids:
        return {}
    return {match_id: since for stopper in _stoppers for match_id, since in stopper(match_ids).items()}
