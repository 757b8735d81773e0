"""Files that people upload and download: JSON documents, CSV sheets of units, and documents of other programs."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from catalogue.models import CatalogueEntry, CatalogueRelease
from rules.catalogue import CatalogueError, Document, Problem, parse_document
from rules.catalogue.mapping import Note, map_document, read_rows, shipped_mappings
from rules.catalogue.mapping_form import checked_mapping
from rules.catalogue.other_games import HEAD, refuse_other_game
from rules.catalogue.sheets import read_units, write_units
from rules.catalogue.tables import decode, refuse_workbook
from rules.catalogue.vocabulary import CATALOGUE_SCHEMA, KINDS
from web.bounds import LARGEST_FILE, LARGEST_MAPPING

JSON, CSV, MAPPING = "json", "csv", "mapping"
NO_CHARACTER = rb"\u0000"
"""A zero character in JSON. PostgreSQL stores none, neither in a draft nor in an answer kept for an idempotency key."""


class ReadFile(NamedTuple):
    """A file as a catalogue document, and what a mapping reported about it."""

    document: Document
    notes: list[Note]


def forms() -> tuple[str, ...]:
    """Return the names of the forms that a file may have: the catalogue's JSON, CSV sheets, each mapping that comes
    with the game, and a mapping that is sent.
    """
    return (JSON, CSV, *shipped_mappings(), MAPPING)


def read_file(name: str, content: bytes, form: str = "", mapping: Document | None = None) -> ReadFile:
    """Read a file in one of `forms`. Without a form, it has that of the mapping that is sent with it. Without both, a
    name that ends with .csv or .tsv means CSV, as .txt does for a file that does not begin like JSON; any other means
    JSON.

    The definitions are not validated yet. Raises CatalogueError (file_too_large, is_a_workbook, unknown_form,
    mapping_missing, mapping_unused, mapping_wrong, file_of_other_game, unprintable_text, and the codes of the form's
    reader).
    """
    if len(content) > LARGEST_FILE:
        raise file_problem(name, "file_too_large", limit=LARGEST_FILE)
    refuse_workbook(name, content)
    if mapping is None:
        refuse_other_game(name, content[:HEAD].decode("utf-8", "replace"))
    if not form:
        form = MAPPING if mapping is not None else CSV if _is_table(name, content) else JSON
    if mapping is not None and form != MAPPING:
        raise file_problem(mapping.file, "mapping_unused", form=MAPPING)
    if NO_CHARACTER in content:
        raise file_problem(name, "unprintable_text")
    if form == JSON:
        return ReadFile(parse_document(name, content), [])
    if form == CSV:
        text, notes = _decoded(name, content)
        return ReadFile(read_units(name, text), notes)
    rules: Mapping[str, Any] | None
    if form == MAPPING:
        if mapping is None:
            raise file_problem(name, "mapping_missing")
        rules = checked_mapping(mapping)
    else:
        rules = shipped_mappings().get(form)
    if rules is None:
        raise file_problem(name, "unknown_form", form=form[:60])
    if rules.get("read") != "csv":
        return ReadFile(*map_document(parse_document(name, content), rules))
    text, notes = _decoded(name, content)
    document, more = map_document(read_rows(name, text, rules), rules)
    return ReadFile(document, notes + more)


def read_mapping(name: str, content: bytes) -> Document:
    """Read the file of a mapping, which is not checked yet.

    Raises CatalogueError (file_too_large, unprintable_text, and the codes of parse_document).
    """
    if len(content) > LARGEST_MAPPING:
        raise file_problem(name, "file_too_large", limit=LARGEST_MAPPING)
    if NO_CHARACTER in content:
        raise file_problem(name, "unprintable_text")
    return parse_document(name, content)


def _is_table(name: str, content: bytes) -> bool:
    ending = name.lower().rpartition(".")[2]
    return ending in ("csv", "tsv") or (ending == "txt" and content.lstrip()[:1] not in (b"{", b"["))


def _decoded(name: str, content: bytes) -> tuple[str, list[Note]]:
    """Return the text of a table, with a note about an encoding that had to be guessed."""
    text, encoding = decode(name, content)
    return text, [Note(name, None, "read_as", {"encoding": encoding})] if encoding.startswith("Windows") else []


def file_problem(file: str, code: str, **parameters: Any) -> CatalogueError:
    """Return a CatalogueError with one problem of a whole file; the caller raises it."""
    return CatalogueError([Problem(file, None, None, None, None, code, parameters)])


def release_document(release: CatalogueRelease, kinds: Iterable[str] = KINDS) -> dict[str, Any]:
    """Return the definitions of a release, of some or all kinds, as one document that imports and the command
    load_catalogue read; one query.
    """
    wanted = list(kinds)
    document: dict[str, Any] = {"schema": CATALOGUE_SCHEMA, **{kind: [] for kind in wanted}}
    found = CatalogueEntry.objects.filter(release=release, kind__in=wanted).order_by("kind", "key")
    for kind, definition in found.values_list("kind", "definition"):
        document[kind].append(definition)
    return document


def units_sheet(units: Iterable[Mapping[str, Any]]) -> str:
    """Return unit definitions as the text of a CSV sheet that imports read."""
    return write_units(units)
