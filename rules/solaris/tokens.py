"""Target tokens: the catalogue's documents as frozen, readable values (section TGT)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.inline import require


@dataclass(frozen=True)
class TokenDefinition:
    """A target token (R-TGT-07).

    `armor` is the key of its armor, None without armor. `method` is the range type that earns `rp` points of
    reputation; every other one earns `else_rp`.
    """

    key: str
    name: str
    defense: int
    armor: str | None
    method: str
    rp: int
    else_rp: int

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> TokenDefinition:
        """Read a target token. Raises Malformed (bad_token)."""
        require("target_tokens", document)
        key = document.get("id", "token")
        return cls(
            key=key,
            name=document.get("name", key),
            defense=document["defense"],
            armor=document.get("armor"),
            method=document["method"],
            rp=document["rp"],
            else_rp=document.get("else_rp", 0),
        )
