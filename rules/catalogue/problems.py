"""Problems of catalogue data: one for each fault, with its code and its place."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.catalogue.bounds import (
    LONGEST_DIALS,
    MOST_CELLS,
    MOST_DEFINITIONS,
    MOST_LINES,
    MOST_PROBLEMS,
    MOST_ROWS,
    MOST_TABLE_CELLS,
)
from rules.core.refusals import Malformed


@dataclasses.dataclass(frozen=True)
class Problem:
    """A fault in a file.

    `kind` is units, gear, pilots, rally_cards, target_tokens or arenas. `id` is the definition's as written, else its
    position such as `#2`. `click` counts from 1, the start marker. `field` is a path such as `attack` (of that click),
    `heat[3].speed` or `starts.A[0]`. Each of these is None if it does not apply. `code` is a key of
    `rules.catalogue.wording.SENTENCES`; the placeholders of that sentence are the keys of `parameters`.
    """

    file: str
    kind: str | None
    id: str | None
    click: int | None
    field: str | None
    code: str
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the problem as a JSON-ready dict of the same names."""
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
        """Return place, code and parameters in one line, for logs and tracebacks."""
        place = [self.file, self.kind, self.id, f"click {self.click}" if self.click else None, self.field]
        words = [word for word in place if word]
        return f"{': '.join(words)}: {self.code} {dict(self.parameters)}"


class CatalogueError(Malformed):
    """The documents are no catalogue (HTTP 400). `problems` lists the faults that were found, at least one.

    Its own code is catalogue_invalid; docstrings name the codes of its problems. `is_cut`: the search stopped at
    MOST_PROBLEMS, and there may be more.
    """

    def __init__(self, problems: Sequence[Problem], *, is_cut: bool = False) -> None:
        super().__init__("catalogue_invalid", count=len(problems), problems=[problem.to_json() for problem in problems])
        self.problems = list(problems)
        self.is_cut = is_cut

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class Findings:
    """The problems found while documents are read, at most MOST_PROBLEMS."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def add(self, *problems: Problem) -> None:
        self.extend(problems)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Add problems one by one. Raises CatalogueError at the first one beyond MOST_PROBLEMS."""
        for problem in problems:
            if len(self.problems) == MOST_PROBLEMS:
                raise CatalogueError(self.problems, is_cut=True)
            self.problems.append(problem)

    def refuse(self) -> None:
        """Raise CatalogueError with all problems unless there are none."""
        if self.problems:
            raise CatalogueError(self.problems)


def require_count(file: str, kind: str, count: int) -> None:
    """Raise CatalogueError (wrong_count) for more definitions of a kind than a file may hold."""
    most = MOST_DEFINITIONS[kind]
    if count > most:
        parameters = {"count": count, "least": 0, "most": most}
        raise CatalogueError([Problem(file, kind, None, None, kind, "wrong_count", parameters)])


def require_rows(file: str, unit: str, part: str, count: int) -> None:
    """Raise CatalogueError (wrong_count) for too many rows of a unit's dial; `part` is "dial" or "heat"."""
    least, most = LONGEST_DIALS[part]
    if count > most:
        parameters = {"count": count, "least": least, "most": most}
        raise CatalogueError([Problem(file, "units", unit, None, part, "wrong_count", parameters)])


def require_cells(file: str, unit: str, rows: int, cells: int) -> None:
    """Raise CatalogueError for a table with too many rows of one unit (wrong_count) or cells so far (file_too_full)."""
    if rows > MOST_ROWS:
        parameters = {"count": rows, "least": 0, "most": MOST_ROWS}
        raise CatalogueError([Problem(file, "units", unit, None, "rows", "wrong_count", parameters)])
    if cells > MOST_CELLS:
        raise CatalogueError([Problem(file, None, None, None, None, "file_too_full", {"most": MOST_CELLS})])


def require_table(file: str, lines: int, marks: int) -> None:
    """Raise CatalogueError for a table of too many lines (wrong_count) or marks between cells (file_too_full)."""
    if lines > MOST_LINES:
        parameters = {"count": lines, "least": 1, "most": MOST_LINES}
        raise CatalogueError([Problem(file, None, None, None, None, "wrong_count", parameters)])
    if marks > MOST_TABLE_CELLS:
        raise CatalogueError([Problem(file, None, None, None, None, "file_too_full", {"most": MOST_TABLE_CELLS})])
