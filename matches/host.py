"""The questions that matches ask the room they belong to, because matches themselves know nothing of seasons.

That room registers one `MatchHost` once, when its app is ready. A match that no host knows is a friendly match.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from django.db.models import QuerySet

from matches.models import Match
from rules.campaign.season.clock import Clock
from web.crumbs import Link

VOID, FORFEIT = "void", "forfeit"
"""The values of `ended_by` in a corrected result when the play of the match no longer decides it."""


@dataclass(frozen=True)
class Stops:
    """When no time to think passes in a match: from `paused_at` on, and on the days off of `clock`.

    None stands for no pause that lasts, and for no days off.
    """

    paused_at: datetime | None = None
    clock: Clock | None = None

    def lasting(self, begins: datetime, ends: datetime) -> timedelta:
        """Return the time that passes in the match from one moment to another; none if the other is earlier."""
        ends = ends if self.paused_at is None else min(ends, self.paused_at)
        if ends <= begins:
            return timedelta()
        return ends - begins if self.clock is None else self.clock.lasting(begins, ends)

    def stand_still(self, now: datetime) -> bool:
        """Return whether no time passes now."""
        return self.paused_at is not None or (self.clock is not None and self.clock.is_off(now))

    def after(self, now: datetime, span: timedelta) -> datetime:
        """Return when so much time will have passed in the match, if it is not paused."""
        return now + span if self.clock is None else self.clock.passing(now, span)


@dataclass(frozen=True)
class Surroundings:
    """What a match is part of. `crumbs` are the links above the match. All mappings are by side.

    `sides` give a side's people a name and a page. `kept` is the reputation that the sides of a settled match keep.
    `programs` names the account of a program that plays a side for its people. `people` are the sides that belong to a
    person, even if something else plays for them. `previous` and `next` are matches, None when there is none, and
    `onward` is where a player goes after the match. `meaning` returns sentences on what its result means
    there; that takes a query. `owners` are the ids of the people who own a side's units, by the names of their stables,
    None for a stable of no person.
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
    meaning: Callable[[], tuple[str, ...]] = tuple
    owners: Mapping[str, Mapping[str, int | None]] = field(default_factory=dict)

    def for_guests(self) -> Surroundings:
        """Return these surroundings for people who may not see them: names, but no links except `onward`."""
        return replace(
            self,
            crumbs=(),
            sides={key: Link(link.label) for key, link in self.sides.items()},
            previous=None,
            next=None,
            meaning=tuple,
        )


@dataclass(frozen=True)
class MatchPermissions:
    """What a person may do about a match, or about a fixture that is played at a table.

    `is_open`: everybody with the address may watch. `plays`: one of the stables that meet is the person's.
    `language` is that of the match's page for a reader who names none, "" for English.
    `keeps_order`: the person may share the match, and take down what others write about it. `is_over`: there is a
    result; None when only the match itself can say so. `name` is the match's name in notices, `url` its page; either
    may be empty.
    """

    may_see: bool = True
    is_open: bool = True
    plays: bool = False
    keeps_order: bool = False
    is_over: bool | None = None
    name: str = ""
    url: str = ""
    language: str = ""


class MatchHost(Protocol):
    """A room's answers about its matches. Each answer takes a constant number of queries."""

    def surroundings_of(self, match: Match) -> Surroundings | None:
        """Return what the match is part of; None for a match of another room."""

    def permissions_in(self, subject: str, user: Any) -> MatchPermissions | None:
        """Return the permissions of a request's user in a subject; None for a subject of another room.

        A subject is a match's `fixture_key`.
        """

    def stops_of(self, match_ids: Collection[int]) -> Mapping[int, Stops]:
        """Return when no time passes in these matches, by their ids; others may be left out."""

    def listed_matches(self, user: Any) -> QuerySet[Any, Any]:
        """Return the ids of the room's matches that a list may show to a request's user, as a subquery."""

    def corrected_results(self, played: QuerySet[Match]) -> Mapping[int, Mapping[str, Any]]:
        """Return the valid results of the matches that were corrected after play, by their ids.

        Each has the fields `ended_by`, `winner`, `tie_break`, `sides` and `places` of a match's own result.
        """


_hosts: list[MatchHost] = []


def register(host: MatchHost) -> None:
    """Let a room answer for its matches from now on in this process."""
    _hosts.append(host)


def surroundings_of(match: Match) -> Surroundings:
    """Return the surroundings from the host that knows this match; empty ones for a friendly match."""
    answers = (found for host in _hosts if (found := host.surroundings_of(match)) is not None)
    return next(answers, Surroundings())


def permissions_in(subject: str, user: Any) -> MatchPermissions:
    """Return the permissions of a request's user in a subject, from the host that knows it.

    Without such a host everybody may see it, as in a friendly match, and staff keeps order there.
    """
    answers = (found for host in _hosts if (found := host.permissions_in(subject, user)) is not None)
    return next(answers, None) or MatchPermissions(keeps_order=user.is_authenticated and user.is_staff)


def stops_of(match_ids: Collection[int]) -> dict[int, Stops]:
    """Return when no time passes in matches, by their ids; time always passes in those that are left out."""
    if not match_ids:
        return {}
    return {match_id: stops for host in _hosts for match_id, stops in host.stops_of(match_ids).items()}


def stops_in(match_id: int) -> Stops:
    """Return when no time passes in a match."""
    return stops_of({match_id}).get(match_id, Stops())


def listed_matches(user: Any) -> list[QuerySet[Any, Any]]:
    """Return the ids of the matches that lists may show to a request's user, as subqueries, without friendly ones."""
    return [host.listed_matches(user) for host in _hosts]


def corrected_results(matches: QuerySet[Match]) -> dict[int, Mapping[str, Any]]:
    """Return the valid results of the matches that were corrected after play, by their ids."""
    return {match_id: result for host in _hosts for match_id, result in host.corrected_results(matches).items()}
