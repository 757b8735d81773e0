"""The engines of recently used matches, kept in this process so that they need not be built again each time.

A kept engine serves only if its setup, seed and actions agree with those in the database, so it can neither be stale
nor belong to another match. Callers get a clone of it, never the engine itself.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any
from uuid import UUID

from rules.competition.match import Match as EngineMatch
from rules.competition.setups import read_setup
from rules.core.dice import dice_of

MOST_KEPT = 24


@dataclass(frozen=True)
class _Kept:
    setup: Any
    seed: bytes
    actions: list[Any]
    engine: EngineMatch

    def leads_to(self, setup: Any, seed: bytes, actions: list[Any]) -> bool:
        return self.seed == seed and self.actions == actions[: len(self.actions)] and self.setup == setup


_kept: OrderedDict[UUID, _Kept] = OrderedDict()
_lock = Lock()


def engine_at(key: UUID, setup: Any, seed: bytes, actions: list[Any]) -> EngineMatch:
    """Return the match after these stored actions, as the caller's own copy. `key` is the match's public id.

    Raises Malformed or IllegalAction when the present rules cannot read the setup or play an action.
    """
    with _lock:
        kept = _kept.get(key)
    if kept is not None and kept.leads_to(setup, seed, actions):
        engine = kept.engine.clone()
        if len(kept.actions) == len(actions):
            return engine
        for action in actions[len(kept.actions) :]:
            engine.play(action)
    else:
        engine = EngineMatch.replay(read_setup(setup), dice_of(seed), actions)
    _keep(key, _Kept(setup, seed, actions, engine.clone()))
    return engine


def _keep(key: UUID, kept: _Kept) -> None:
    with _lock:
        _kept[key] = kept
        _kept.move_to_end(key)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def forget() -> None:
    """Drop all kept engines."""
    with _lock:
        _kept.clear()
