"""Coded refusals of requests that the rules do not allow or that cannot be read.

Codes are lower_snake_case and form one closed list, `rules.wording.all_codes`, which docs/refusals.md prints.
`rules.wording` turns a code and its parameters into a sentence. Nothing in this package writes prose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Refusal:
    """One coded problem: `code` is from a closed list, `parameters` are JSON values that the sentence needs."""

    code: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


class _Coded(Exception):
    """A request that failed, with the code of its problem and what its sentence needs."""

    def __init__(self, code: str, **parameters: Any) -> None:
        super().__init__(code if not parameters else f"{code} {parameters}")
        self.code = code
        self.parameters: dict[str, Any] = parameters


class Refused(_Coded):
    """A request that was understood but that the rules or the season do not allow. Nothing has changed (HTTP 409).

    >>> refused = IllegalAction("match_over")
    >>> refused.refusal
    Refusal(code='match_over', parameters={})
    """

    @property
    def refusal(self) -> Refusal:
        """The refusal as a value."""
        return Refusal(self.code, self.parameters)


class IllegalAction(Refused):
    """An action that the rules of the match do not allow now."""


class SeasonRefused(Refused):
    """A request that the campaign rules or the season's settings do not allow now."""


class Malformed(_Coded):
    """A request that cannot be read: a missing field, a wrong type, an unknown name (HTTP 400)."""
