"""What a match is part of, asked of the room that knows it: matches themselves know nothing of seasons.

That room brings one object with the four answers of `MatchHost` and registers it once, when its app is ready. A match
that no host knows is a friendly one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol

from django.db.models import QuerySet

from matches.models import Match
from web.crumbs import Link

VOID, FORFEIT = "void", "forfeit"
"""What a corrected result was ended by when no play decides it any more."""


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
    onward: Link | None = None

    def for_guests(self) -> Surroundings:
        """Return the same for people to whom what the match is part of is closed: names,
        and nothing that leads there.
        """
        return replace(
            self,
            crumbs=(),
            sides={key: Link(link.label) for key, link in self.sides.items()},
            previous=None,
            next=None,
        )


@dataclass(frozen=True)
class MatchPermissions:
    """What a person may do about a match, or about a fixture that is played at a table.

    `is_open`: everybody with the address may watch, whoever asks. `plays`: one of the stables that meet is the
    person's. `keeps_order`: the person may share the match, and take down what others write of it. `is_over`: there is
    a result; None where only the match itself can say so. `name` is what notices call it.
    """

    may_see: bool = True
    is_open: bool = True
    plays: bool = False
    keeps_order: bool = False
    is_over: bool | None = None
    name: str = ""
    url: str = ""


class MatchHost(Protocol):
    """What a room answers of the matches that are part of it. Each answer takes a constant number of queries."""

    def surroundings_of(self, match: Match) -> Surroundings | None:
        """Return what the match is part of; None for one that is not the room's."""

    def permissions_in(self, subject: str, user: Any) -> MatchPermissions | None:
        """Return the permissions of a request's user in a subject; None for one that is not the room's.

        A subject is a match's `fixture_key`.
        """

    def stopped_since(self, match_ids: Collection[int]) -> Mapping[int, datetime]:
        """Return those of some matches, by their ids, in which no time passes now, and since when."""

    def corrected_results(self, played: QuerySet[Match]) -> Mapping[int, Mapping[str, Any]]:
        """Return the results that hold of these matches where they were corrected after play, by the matches' ids.

        Each has the fields `ended_by`, `winner`, `tie_break`, `sides` and `places` of a match's own.
        """


_hosts: list[MatchHost] = []


def register(host: MatchHost) -> None:
    """Let a room answer for its matches from now on, in this process."""
    _hosts.append(host)


def surroundings_of(match: Match) -> Surroundings:
    """Return what the host that knows this match says, or nothing at all."""
    answers = (found for host in _hosts if (found := host.surroundings_of(match)) is not None)
    return next(answers, Surroundings())


def permissions_in(subject: str, user: Any) -> MatchPermissions:
    """Return the permissions of a request's user by what the subject belongs to; of a friendly match, staff keeps
    order."""
    answers = (found for host in _hosts if (found := host.permissions_in(subject, user)) is not None)
    return next(answers, None) or MatchPermissions(keeps_order=user.is_authenticated and user.is_staff)


def stopped_since(match_ids: Collection[int]) -> dict[int, datetime]:
    """Return the matches in which no time passes now, with the moment at which it stopped."""
    if not match_ids:
        return {}
    return {match_id: since for host in _hosts for match_id, since in host.stopped_since(match_ids).items()}


def corrected_results(matches: QuerySet[Match]) -> dict[int, Mapping[str, Any]]:
    """Return the results that hold of these matches where they are not those of play any more, by the matches' ids."""
    return {match_id: result for host in _hosts for match_id, result in host.corrected_results(matches).items()}
