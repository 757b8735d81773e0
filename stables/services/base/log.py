"""Writing the season's log, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from stables.models import Cycle, Fixture, LogEntry, Season
from stables.services.base.webhook_deliveries import enqueue_deliveries


def record(
    season: Season,
    code: str,
    parameters: dict[str, Any] | None = None,
    *,
    cycle: Cycle | None = None,
    fixture: Fixture | None = None,
    actor: Any = None,
    asks: Sequence[int] = (),
    deciders: Sequence[int] = (),
    pairings: Mapping[str, Any] | None = None,
) -> LogEntry:
    """Write one line of the season's log and return it; `actor` is None for the season's own acts.

    stables.text.log has the sentence of `code`. Unless the season is a draft, its webhooks that want this code get a
    delivery in the same transaction. `asks` are the ids of the stables that must act now, `deciders` those of the
    accounts whose office decides now, and `pairings` the matches of a round that was just paired
    (webhook_documents.pairings_of). Messages name them; the log holds none of them.
    """
    with transaction.atomic(savepoint=False):
        entry = LogEntry.objects.create(
            season=season, cycle=cycle, fixture=fixture, code=code, parameters=parameters or {}, actor=actor
        )
        enqueue_deliveries(season, entry, asks=asks, deciders=deciders, pairings=pairings)
    return entry
