"""The narrowing of an action key by key: the ways to fill in the next key in which legal actions differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Action = dict[str, Any]

STAGES = ("order", "choose", "react", "run", "jump", "path", "value", "targets", "indirect", "attack", "facing")
"""The order in which `legal_actions(stage)` narrows an action down; further keys follow as they come."""


def next_stage(actions: Sequence[Action], stage: Mapping[str, Any]) -> list[Action]:
    """Return `stage` with each value of the next key in which agreeing actions differ.

    Return the one action where none differ, and [] where none agrees.
    """
    fitting = [action for action in actions if all(action.get(key) == value for key, value in stage.items())]
    keys = list(STAGES) + [key for action in fitting for key in action if key not in STAGES]
    for key in keys:
        if key in stage or key == "unit":
            continue
        values: list[Any] = []
        for action in fitting:
            value = action.get(key)
            if value not in values:
                values.append(value)
        if len(values) > 1:
            return [{**stage, key: value} for value in values]
    return fitting[:1]
