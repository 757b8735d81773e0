"""Reasons for advice: codes with numbers and ids, JSON-ready. `rules.wording.advice` has the sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Reason:
    """A code of `rules.wording.advice` with its parameters: ids of units and tokens, words of the rules, numbers.

    Chances are whole percent, damage is in points with one decimal, prices are Stones.
    """

    code: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the reason, JSON-ready."""
        return {"code": self.code, "parameters": dict(self.parameters)}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Reason:
        """Return the reason that `to_json` wrote."""
        return cls(document["code"], dict(document["parameters"]))


def percent(chance: float) -> int:
    """Return a chance in whole percent; 0 and 100 only for a certain outcome."""
    return round(chance * 100) if chance in (0, 1) else min(99, max(1, round(chance * 100)))


def points(amount: float) -> float:
    """Return points of damage with one decimal."""
    return round(amount, 1)
