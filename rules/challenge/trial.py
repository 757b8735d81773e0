"""What would follow: an event after more entries, without touching the one that is there.

after = tried(event, entries)     # raises ChallengeRefused for the first entry that the rules forbid
after.lines                       # the lines of these entries alone
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace

from rules.challenge.entries import Entry
from rules.challenge.folding import enter
from rules.challenge.state import Event


def copied(event: Event) -> Event:
    """Return an event that may be changed while the one that is there stays; its lines begin empty.

    What nobody changes, as 'Mechs of the list, both share.
    """
    shared: dict[int, object] = {id(model): model for model in event.models.values()}
    for pilot in event.pilots.values():
        for mech in (*pilot.mechs, *pilot.forced_sales):
            shared[id(mech.model)] = mech.model
        for owned in pilot.abilities:
            shared[id(owned.ability)] = owned.ability
        for membership in pilot.memberships:
            shared[id(membership)] = membership
    for table in event.tables.values():
        shared.update((id(model), model) for model in table.models.values())
        shared.update((id(fact), fact) for fact in table.facts)
    return replace(
        event,
        pilots=deepcopy(event.pilots, shared),
        teams=deepcopy(event.teams, shared),
        tables=deepcopy(event.tables, shared),
        bets=deepcopy(event.bets, shared),
        models=dict(event.models),
        day_winners=dict(event.day_winners),
        lines=[],
    )


def tried(event: Event, entries: Iterable[Entry]) -> Event:
    """Return what an event would be after these entries. Raises ChallengeRefused for the first that is refused."""
    after = copied(event)
    for entry in entries:
        enter(after, entry)
    return after
