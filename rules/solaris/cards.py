"""Rally cards: the catalogue's cards as frozen, readable values (section RAL)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.inline import require
from rules.core.refusals import Malformed
from rules.solaris.rally_hooks import EFFECTS

HAND_SIZE = 5
"""The most rally cards that a unit brings (R-RAL-01)."""


@dataclass(frozen=True)
class RallyCardDefinition:
    """A rally card: the effect, the printed value that must be lower than `below`, and the state that must hold.

    `value` and `state` are None if the card requires none; without a `value`, `below` is 0.
    """

    key: str
    name: str
    value: str | None
    below: int
    state: str | None
    effect: str

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> RallyCardDefinition:
        """Read a rally card. Raises Malformed (bad_rally_card, unknown_rally_effect)."""
        require("rally_cards", document)
        key, effect, requires = document["id"], document["ability"], document.get("requires", {})
        if effect not in EFFECTS:
            raise Malformed("unknown_rally_effect", card=key, effect=effect)
        name = document.get("name", key)
        return cls(key, name, requires.get("value"), requires.get("below", 0), requires.get("state"), effect)
