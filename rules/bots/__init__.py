"""Players and owners made of code. `get(name)` makes a player by its name, one of BOT_NAMES."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.bots.base import Bot, play_out
from rules.bots.chance import RandomBot
from rules.bots.greedy import GreedyBot
from rules.bots.strategic import quick, strong
from rules.bots.tactical import TacticalBot
from rules.core.refusals import Malformed

__all__ = ["BOT_NAMES", "Bot", "get", "play_out"]

_BOTS: Mapping[str, Callable[[], Bot]] = {
    "random": RandomBot, "greedy": GreedyBot, "tactical": TacticalBot, "quick": quick, "strong": strong,
}  # fmt: skip
BOT_NAMES = tuple(_BOTS)


def get(name: str) -> Bot:
    """Return a new bot of this name. Raises Malformed (unknown_bot).

    >>> get("greedy").name, BOT_NAMES
    ('greedy', ('random', 'greedy', 'tactical', 'quick', 'strong'))
    """
    if name not in _BOTS:
        raise Malformed("unknown_bot", name=name, known=list(_BOTS))
    return _BOTS[name]()
