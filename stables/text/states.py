"""The states of matches, rounds and cycles in words: a round is in the states of its matches (O-S10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.utils.translation import gettext

from matches.models import Match
from stables.models import Cycle, Fixture, Round, Season


def state_of(fixture: Fixture) -> str:
    """Return the state of a fixture in words; "bye" is one of them. Fetch it with its match and season."""
    if fixture.kind == Fixture.Kind.BYE:
        return str(fixture.get_kind_display())
    if fixture.state != Fixture.State.SETTLED:
        if fixture.match is not None and fixture.match.state == Match.State.CLOSED:
            return gettext("broken off")
        is_played = fixture.match is not None and fixture.match.is_over
        if not is_played and fixture.round.cycle.season.state == Season.State.CANCELLED:
            return gettext("not played")
    if fixture.state != Fixture.State.SEALED:
        return str(Fixture.State(fixture.state).label)
    if fixture.match is not None:
        return gettext("played, being entered") if fixture.match.is_over else gettext("being played")
    return gettext("line-ups are revealed")


def cycle_is_open(cycle: Cycle) -> bool:
    """Return whether a cycle goes on: it is not closed, and its season was not cancelled. Fetch it with its season."""
    return cycle.state != Cycle.State.CLOSED and cycle.season.state != Season.State.CANCELLED


def cycle_state(cycle: Cycle) -> str:
    """Return the state of a cycle in words; one of a cancelled season is broken off. Fetch it with its season."""
    if cycle.state != Cycle.State.CLOSED and not cycle_is_open(cycle):
        return gettext("broken off")
    return str(cycle.get_state_display())


def round_state(of: Round, fixtures: Iterable[Fixture]) -> str:
    """Return the state of a round in words: that of its matches, with their numbers if they are in several states.

    Byes do not count. A round without matches so far has its own state.
    Fetch the fixtures with their matches and season.
    """
    matches = [fixture for fixture in fixtures if fixture.kind == Fixture.Kind.MATCH]
    order = list(Fixture.State.values)
    counts = Counter(state_of(match) for match in sorted(matches, key=lambda match: order.index(match.state)))
    if of.state == Round.State.SETTLED or not counts:
        return str(of.get_state_display())
    if len(counts) == 1:
        return next(iter(counts))
    return " · ".join(
        gettext("%(state)s: %(count)s") % {"state": state, "count": count} for state, count in counts.items()
    )
