"""The check of a finished match: the server plays it again, compares, and says in words what it found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache

import rules
from matches.models import Match, MatchAction
from matches.presenters.replaying.replay import cut_into_steps
from matches.selectors.matches import replay_document, stored_steps
from matches.selectors.sides import names_in
from rules import wording
from rules.competition.verification import Outcome, Verification, verify
from rules.core.codec import canonical_json
from rules.core.dice import commitment
from rules.core.refusals import Malformed

FINDINGS_LAST = 3600
"""How many seconds a finding is cached, because playing a match again takes a fraction of a second of a processor."""


@dataclass(frozen=True)
class Finding:
    """What a check found. `outcome` is "ok", "differs" or "other_rules".

    `is_promised_seed`: the seed's hash is the one that was published before the match. For a difference, `action` is
    the number of the first action whose events differ (0: the opening), None if no event differs; `step` is its step of
    the replay; `stored` and `replayed` are the two readings, as sentences where there is one. Of a match that cannot be
    read, `stored` is the error. `events` counts those that agree, under other rules all.
    """

    outcome: str
    is_promised_seed: bool
    seed_hash: str
    events: int
    actions: int
    rules_here: str
    action: int | None = None
    step: int | None = None
    stored: str = ""
    replayed: str = ""


def finding_on(match: Match) -> Finding:
    """Return the finding on a finished match; one query, none while the finding is cached.

    The key of the cache is made of the match, its last step and the version of the rules. A match that cannot be read
    any more "differs".
    """
    key = f"matches.verified:{match.pk}:{match.last_sequence}:{rules.RULES_VERSION}"
    found = cache.get(key)
    if found is None:
        found = _check(match)
        cache.set(key, found, FINDINGS_LAST)
    return found


def _check(match: Match) -> Finding:
    steps = stored_steps(match)
    seed_hash = commitment(bytes(match.seed))
    values: dict[str, Any] = {
        "is_promised_seed": seed_hash == match.seed_commitment,
        "seed_hash": seed_hash,
        "actions": len(steps) - 1,
        "rules_here": rules.RULES_VERSION,
    }
    try:
        found = verify(replay_document(match, steps))
    except (Malformed, ValueError, KeyError, TypeError, AttributeError, LookupError) as problem:
        # The stored match cannot be read any more.
        return Finding("differs", events=0, stored=repr(problem), **values)
    outcome = {Outcome.OK: "ok", Outcome.DIFFERS: "differs", Outcome.OTHER_RULES: "other_rules"}[found.outcome]
    if found.outcome is not Outcome.DIFFERS:
        return Finding(outcome, events=found.events, **values)
    names = names_in(match.setup)
    return Finding(
        outcome,
        events=found.events,
        action=found.sequence,
        step=_step_with(steps, found),
        stored=_reading(found.stored, names),
        replayed=_reading(found.replayed, names),
        **values,
    )


def _step_with(steps: list[MatchAction], found: Verification) -> int | None:
    """Return the replay's step with the first difference; the last step if events are missing at the end.

    None if no event differs.
    """
    if found.sequence is None or found.position is None:
        return None
    before = sum(len(step.events) for step in steps[: found.sequence]) + found.position
    cut = cut_into_steps(event for step in steps for event in step.events)
    return next((step.number for step in cut if step.stop > before), cut[-1].number)


def _reading(entry: Any, names: dict[str, str]) -> str:
    """Return an event as its line of the replay and its fields, anything else as JSON; empty for None."""
    if entry is None:
        return ""
    fields = canonical_json(entry)
    if not isinstance(entry, dict) or "event" not in entry:
        return fields
    try:
        return f"{wording.event_sentence(entry, names)} {fields}".strip()
    except (KeyError, ValueError, TypeError, AttributeError, IndexError):
        # A falsified event may not make a sentence.
        return fields
