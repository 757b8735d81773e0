"""Readers of catalogue files: from JSON text to documents, from documents to definitions by kind.

A document is an object `{"schema": 1, "units": [...], "pilots": [...], ...}` with at least one kind. A bare definition
or a list of them is read, too, for people who write one by hand. Its keys show its kind.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from rules.catalogue.bounds import MOST_DIGITS, MOST_MARKS
from rules.catalogue.problems import CatalogueError, Findings, Problem, require_count
from rules.catalogue.vocabulary import CATALOGUE_SCHEMA, KINDS
from rules.core.codec import canonical_json
from rules.core.table_units import MARK, with_id

_TELLING_KEYS = {
    "dial": "units",
    MARK: "units",
    "starts": "arenas",
    "hexes": "arenas",
    "method": "target_tokens",
    "slot": "gear",
    "kind": "pilots",
}


class Document(NamedTuple):
    """One file's name and its JSON content."""

    file: str
    content: Any


class Entry(NamedTuple):
    """One definition as it was found: its file, kind and position (from 1) in its list."""

    file: str
    kind: str
    position: int
    definition: Any

    @property
    def id(self) -> str:
        """The first 60 characters of the definition's own id if that is a non-empty text, else its position (`#2`)."""
        own = self.definition.get("id") if isinstance(self.definition, dict) else None
        return own[:60] if isinstance(own, str) and own else f"#{self.position}"


class _LongNumber(ValueError):
    """A number has more digits than Python makes a number of."""


class _RepeatedKey(ValueError):
    """An object has a key twice; the parser alone would drop the first silently."""


def read_document(path: Path) -> Document:
    """Read a file as UTF-8 JSON. Raises CatalogueError (file_unreadable, not_json, repeated_key,
    file_too_full).
    """
    return parse_document(path.name, read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file. Raises CatalogueError (file_unreadable)."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise _error(path.name, "file_unreadable", reason=error.strerror or type(error).__name__) from error


def parse_document(file: str, text: bytes | str) -> Document:
    """Parse JSON text (RFC 8259, UTF-8, no NaN, no repeated keys).

    Raises CatalogueError (not_json, number_too_long, repeated_key, file_too_full).
    """
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        if sum(map(decoded.count, "[{,")) > MOST_MARKS:
            raise _error(file, "file_too_full", most=MOST_MARKS)
        content = json.loads(decoded, object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_whole)
        canonical_json(content).encode()  # JSON may hold a lone surrogate, which cannot be stored
    except _RepeatedKey as error:
        raise _error(file, "repeated_key", key=str(error)) from error
    except _LongNumber as error:
        raise _error(file, "number_too_long", most=MOST_DIGITS) from error
    except json.JSONDecodeError as error:
        raise _error(file, "not_json", line=error.lineno, column=error.colno) from error
    except (ValueError, RecursionError) as error:
        raise _error(file, "not_json", line=1, column=1) from error
    return Document(file, content)


def entries(document: Document, findings: Findings) -> list[Entry]:
    """Return the definitions of a document, unchecked; faults of the document around them are added to `findings`.

    Their codes are not_a_catalogue, unknown_schema, unknown_key and wrong_type. Raises CatalogueError: (wrong_count)
    for a document with too many definitions, and as `Findings.extend` does.
    """
    file, content = document
    if isinstance(content, list):
        content = _by_kind(content)
    elif isinstance(content, dict) and "schema" not in content and _kind_of(content) is not None:
        content = _by_kind([content])
    if not isinstance(content, dict) or not any(kind in content for kind in KINDS):
        findings.add(Problem(file, None, None, None, None, "not_a_catalogue", {"kinds": ", ".join(KINDS)}))
        return []
    listed = {kind: content.get(kind, []) for kind in KINDS}
    for kind, items in listed.items():
        if isinstance(items, list):
            require_count(file, kind, len(items))
    if content.get("schema") != CATALOGUE_SCHEMA or isinstance(content.get("schema"), bool):
        parameters = {"found": repr(content.get("schema"))[:40], "known": CATALOGUE_SCHEMA}
        findings.add(Problem(file, None, None, None, "schema", "unknown_schema", parameters))
    for key in content:
        if key not in KINDS and key != "schema":
            findings.add(Problem(file, None, None, None, key, "unknown_key", {"key": key}))
    found: list[Entry] = []
    for kind, items in listed.items():
        if isinstance(items, list):
            found.extend(Entry(file, kind, position, with_id(item)) for position, item in enumerate(items, 1))
        else:
            findings.add(Problem(file, kind, None, None, kind, "wrong_type", {"expected": "array", "value": kind}))
    return found


def _kind_of(definition: Any) -> str | None:
    if not isinstance(definition, dict) or not {"id", MARK} & definition.keys():
        return None
    for key, kind in _TELLING_KEYS.items():
        if key in definition:
            return kind
    return "rally_cards" if "ability" in definition else None


def _by_kind(definitions: list[Any]) -> dict[str, Any] | None:
    """Return a document around bare definitions; None when one of them does not show its kind."""
    content: dict[str, Any] = {"schema": CATALOGUE_SCHEMA}
    for definition in definitions:
        kind = _kind_of(definition)
        if kind is None:
            return None
        content.setdefault(kind, []).append(definition)
    return content


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise _RepeatedKey(key)
        made[key] = value
    return made


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _LongNumber
    return int(digits)


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _error(file: str, code: str, **parameters: Any) -> CatalogueError:
    return CatalogueError([Problem(file, None, None, None, None, code, parameters)])
