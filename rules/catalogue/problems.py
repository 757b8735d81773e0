"""What is wrong with catalogue data, one coded problem for each fault, each with its place."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.refusals import Malformed


@dataclasses.dataclass(frozen=True)
class Problem:
    """One fault in one file.

    `kind` is units, gear, pilots, rally_cards, target_tokens or arenas; `id` the definition's, as written, else its
    position such as `#2`; `click` counts a dial from 1, the start marker; `field` is a path such as `attack` (of that
    click), `heat[3].speed` or `starts.A[0]`. Each is None where the fault has no such place. `code` is a key of
    `rules.catalogue.wording.SENTENCES`, whose placeholders are the keys of `parameters`.
    """

    file: str
    kind: str | None
    id: str | None
    click: int | None
    field: str | None
    code: str
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The problem as a JSON-ready dict of the same names."""
        return {
            "file": self.file,
            "kind": self.kind,
            "id": self.id,
            "click": self.click,
            "field": self.field,
            "code": self.code,
            "parameters": dict(self.parameters),
        }

    def __str__(self) -> str:
        """Place, code and parameters in one line, for logs and tracebacks."""
        place = [self.file, self.kind, self.id, f"click {self.click}" if self.click else None, self.field]
        words = [word for word in place if word]
        return f"{': '.join(words)}: {self.code} {dict(self.parameters)}"


class CatalogueError(Malformed):
    """The documents are no catalogue (HTTP 400). `problems` lists every fault that was found, at least one."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("catalogue_invalid", count=len(problems), problems=[problem.to_json() for problem in problems])
        self.problems = list(problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)
