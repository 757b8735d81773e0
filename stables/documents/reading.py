"""Reading the text of a season's document, with as little of it as possible in memory as objects."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from json.decoder import JSONDecodeError
from typing import Any

from rules.core.refusals import Malformed
from stables.documents.columns import Row

SPACE = re.compile(r"[ \t\r\n]*")
LAZY = "matches"
"""The key whose rows are read one at a time, because they are most of a document."""


class SeasonText:
    """A document: `values` by key, with [] for the matches, whose rows `matches` reads from the text at each call."""

    def __init__(self, text: str) -> None:
        """Read the text. Raises Malformed (season_document_unreadable) if it is not one JSON object."""
        self._text = text
        self._matches: list[int] = []
        self.values: dict[str, Any] = {}
        try:
            self._scan()
        except (ValueError, RecursionError) as problem:
            raise unreadable(problem) from None

    @classmethod
    def of(cls, content: bytes) -> SeasonText:
        """Return the document in a file's bytes of UTF-8. Raises Malformed (season_document_unreadable)."""
        try:
            return cls(content.decode("utf-8-sig"))
        except UnicodeDecodeError as problem:
            raise unreadable(problem) from None

    def matches(self) -> Iterator[Any]:
        """Yield the rows of the matches, one after the other, with only one in memory."""
        for start in self._matches:
            yield _DECODER.raw_decode(self._text, start)[0]

    def _scan(self) -> None:
        position = self._expect("{", self._skip(0))
        if self._text[position : position + 1] != "}":
            while True:
                key, position = _DECODER.raw_decode(self._text, position)
                if not isinstance(key, str) or key in self.values:
                    raise JSONDecodeError("a name is expected, once", self._text, position)
                position = self._expect(":", self._skip(position))
                self.values[key], position = self._value(key, position)
                position = self._skip(position)
                if self._text[position : position + 1] == "}":
                    break
                position = self._expect(",", position)
        position = self._skip(position + 1)
        if position != len(self._text):
            raise JSONDecodeError("more than one document", self._text, position)

    def _value(self, key: str, position: int) -> tuple[Any, int]:
        if key != LAZY or self._text[position : position + 1] != "[":
            value, position = _DECODER.raw_decode(self._text, position)
            return value, position
        position = self._skip(position + 1)
        while self._text[position : position + 1] != "]":
            if self._matches:
                position = self._expect(",", position)
            self._matches.append(position)
            position = self._skip(_DECODER.raw_decode(self._text, position)[1])
        return [], position + 1

    def _skip(self, position: int) -> int:
        found = SPACE.match(self._text, position)
        return position if found is None else found.end()

    def _expect(self, sign: str, position: int) -> int:
        if self._text[position : position + 1] != sign:
            raise JSONDecodeError(f"{sign} is expected", self._text, position)
        return self._skip(position + 1)


def unreadable(problem: BaseException) -> Malformed:
    """Return the refusal of a text that is not valid JSON (season_document_unreadable)."""
    # The words of Python, quoted; those for too many levels speak of the program.
    phrase = type(problem).__name__ if isinstance(problem, RecursionError) else str(problem)[:200]
    return Malformed("season_document_unreadable", problem=phrase)


def _once(pairs: list[tuple[str, Any]]) -> Row:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"a name stands twice: {next(name for name in names if names.count(name) > 1)[:60]}")
    return found


def _number(text: str) -> float:
    found = float(text)
    if not math.isfinite(found):
        raise ValueError(f"not a number: {text[:40]}")
    return found


def _constant(text: str) -> Any:
    raise ValueError(f"not JSON: {text}")


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_float=_number, parse_constant=_constant)
