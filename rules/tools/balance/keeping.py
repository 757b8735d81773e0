"""Scores of bouts, kept in a file between runs: a change of one unit plays that unit's bouts again and no others.

A bout is known by everything that decides it: the code that plays it, arenas and tokens, both units, which of them
costs more (a kill of the dearer earns more), the seed and the bout's number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from rules.catalogue import Catalogue
from rules.core.codec import content_hash
from rules.measuring.balance.playing import Bout, Score
from rules.measuring.balance.twins import Unit, find_unit
from rules.measuring.source import source_hash

DECIDING = ("class", "points", "front_arc", "rear_arc", "vent", "primary", "secondary", "dial", "heat")
"""The fields of a unit that its matches depend on; of `points` only which of two units has more matters."""

CODE = (
    "core",
    "solaris",
    "competition",
    "bots",
    "measuring/self_play.py",
    "measuring/balance/playing.py",
    "measuring/balance/twins.py",
)
"""Files and folders below rules/ whose code decides a match."""


def units_hash(units: Iterable[Unit]) -> str:
    """Return the hash of the DECIDING fields of units; their order does not matter."""
    return content_hash({str(unit["id"]): {key: unit.get(key) for key in DECIDING} for unit in units})


def ground_hash(catalogue: Catalogue) -> str:
    """Return the hash of the arenas and target tokens that matches are played with."""
    return content_hash([catalogue.arenas, catalogue.target_tokens])


def code_hash() -> str:
    """Return the hash of the source text that decides a match."""
    return source_hash(*CODE)


def _read(line: str) -> tuple[str, Score]:
    try:
        key, as_red, as_blue = json.loads(line)
        return str(key), Score(float(as_red), float(as_blue))
    except (ValueError, TypeError) as error:
        raise ValueError(f"not a kept score: {line[:40]}") from error


class KeptScores:
    """A file with one line for each bout: its key and its two scores. A file that does not exist counts as empty."""

    def __init__(self, path: Path, catalogue: Catalogue) -> None:
        """Read the file, and make its folder if needed. Raises ValueError for a line that is no kept score, OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._units = catalogue.units
        self._setting = content_hash([code_hash(), ground_hash(catalogue)])
        self._scores: dict[str, Score] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._scores.update([_read(line)])

    def find(self, bout: Bout) -> Score | None:
        """Return the score of a bout that was played before in exactly this way; None if it is unknown."""
        return self._scores.get(self._key(bout))

    def add(self, bout: Bout, score: Score) -> None:
        """Append a score to the file at once, so that a run that is stopped loses nothing."""
        key = self._key(bout)
        self._scores[key] = score
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, *score]) + "\n")

    def _key(self, bout: Bout) -> str:
        units = [find_unit(self._units, key) for key in (bout.first, bout.second)]
        first, second = (int(unit["points"]) for unit in units)
        dearer = (first > second) - (first < second)
        sheets = [{field: unit.get(field) for field in DECIDING if field != "points"} for unit in units]
        return content_hash([self._setting, sheets, dearer, list(bout)])
