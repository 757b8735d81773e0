"""A catalogue: validated definitions by kind and id, with content hashes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from rules.catalogue.checks import meaning_problems
from rules.catalogue.documents import Document, entries, read_document
from rules.catalogue.problems import Findings, Problem
from rules.catalogue.shape import shape_problems
from rules.catalogue.vocabulary import CATALOGUE_SCHEMA, KINDS
from rules.core.codec import canonical_json, content_hash

DATA_FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Catalogue:
    """Definitions as plain dicts in the shape of the published schemas, each kind a dict from id to definition.

    Treat the definitions as constants: nothing copies them on the way out.
    """

    units: dict[str, dict[str, Any]]
    gear: dict[str, dict[str, Any]]
    pilots: dict[str, dict[str, Any]]
    rally_cards: dict[str, dict[str, Any]]
    target_tokens: dict[str, dict[str, Any]]
    arenas: dict[str, dict[str, Any]]

    @classmethod
    def from_documents(cls, documents: Iterable[Document | Mapping[str, Any]]) -> Catalogue:
        """Validate documents together and return their catalogue. A plain mapping gets a name such as `document 1`.

        A definition of a wrong form is not checked further. Raises CatalogueError with all problems, at most
        MOST_PROBLEMS of them: duplicate_id and the codes of `entries`, `shape_problems` and `meaning_problems`.
        """
        findings = Findings()
        found: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in KINDS}
        first_file: dict[tuple[str, str], str] = {}
        for position, document in enumerate(documents, 1):
            if not isinstance(document, Document):
                document = Document(f"document {position}", document)
            for entry in entries(document, findings):
                findings.extend(shape_problems(entry) or meaning_problems(entry))
                if entry.id in found[entry.kind]:
                    other = first_file[entry.kind, entry.id]
                    findings.add(
                        Problem(entry.file, entry.kind, entry.id, None, "id", "duplicate_id", {"other": other})
                    )
                else:
                    first_file[entry.kind, entry.id] = entry.file
                    found[entry.kind][entry.id] = entry.definition
        findings.refuse()
        return cls(**{kind: dict(sorted(definitions.items())) for kind, definitions in found.items()})

    @classmethod
    def from_validated(cls, document: Mapping[str, Any]) -> Catalogue:
        """Return the catalogue of a document that `to_json` made of a validated catalogue.

        Nothing is checked again, so use `from_documents` for documents that people send.
        """
        return cls(**{kind: {item["id"]: item for item in document.get(kind, [])} for kind in KINDS})

    def of_kind(self, kind: str) -> dict[str, dict[str, Any]]:
        """Return the definitions of a kind of KINDS, by id in the order of ids. Raises KeyError for another word.

        >>> list(load_builtin().of_kind("arenas"))
        ['docks', 'factory', 'gorge', 'heights', 'plaza', 'ruins', 'wildwood']
        """
        if kind not in KINDS:
            raise KeyError(kind)
        definitions: dict[str, dict[str, Any]] = getattr(self, kind)
        return definitions

    def counts(self) -> dict[str, int]:
        """Return the number of definitions of each kind.

        >>> load_builtin().counts()
        {'units': 57, 'gear': 40, 'pilots': 44, 'rally_cards': 22, 'target_tokens': 18, 'arenas': 7}
        """
        return {kind: len(self.of_kind(kind)) for kind in KINDS}

    @cached_property
    def content_hash(self) -> str:
        """The hash of all definitions, whatever order or file they came in (64 hexadecimal digits)."""
        return content_hash(self.to_json())

    def hash_of(self, kind: str, key: str) -> str:
        """Return the hash of a definition (64 hexadecimal digits). Raises KeyError when there is none."""
        return content_hash(self.of_kind(kind)[key])

    def to_json(self) -> dict[str, Any]:
        """Return one document with every definition, sorted by id; `from_documents` reads it back."""
        return {"schema": CATALOGUE_SCHEMA, **{kind: list(self.of_kind(kind).values()) for kind in KINDS}}


def load_builtin() -> Catalogue:
    """Return the catalogue that comes with the game: a fresh copy at each call, validated once a process.

    >>> load_builtin().units["HSE007"]["name"]
    'Hatchetman "Cordwood"'
    """
    return Catalogue.from_validated(json.loads(_builtin_text()))


def builtin_documents() -> list[Document]:
    """Return the documents in the data files of this package, in order of path."""
    return [read_document(path) for path in sorted(DATA_FOLDER.rglob("*.json"))]


@cache
def builtin_hash() -> str:
    """Return the hash of the catalogue that comes with the game (64 hexadecimal digits)."""
    return load_builtin().content_hash


@cache
def _builtin_text() -> str:
    return canonical_json(Catalogue.from_documents(builtin_documents()).to_json())
