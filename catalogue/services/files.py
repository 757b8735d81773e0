"""Files that people upload and download: JSON documents, CSV sheets of units, and documents of other programs."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from catalogue.models import CatalogueEntry, CatalogueRelease
from rules.catalogue import CatalogueError, Document, Problem, parse_document
from rules.catalogue.mapping import Note, map_document, shipped_mappings
from rules.catalogue.sheets import read_units, write_units
from rules.catalogue.vocabulary import CATALOGUE_SCHEMA, KINDS
from web.bounds import LARGEST_FILE

JSON, CSV = "json", "csv"


class ReadFile(NamedTuple):
    """A file as a catalogue document, and what a mapping reported about it."""

    document: Document
    notes: list[Note]


def forms() -> tuple[str, ...]:
    """Return the names of the forms that a file may have: the catalogue's JSON, CSV sheets, and each mapping."""
    return (JSON, CSV, *shipped_mappings())


def read_file(name: str, content: bytes, form: str = "") -> ReadFile:
    """Read a file in one of `forms`. Without a form, a name that ends with .csv means CSV, and any other JSON.

    The definitions are not validated yet. Raises CatalogueError (file_too_large, unknown_form, and the codes of the
    form's reader).
    """
    if len(content) > LARGEST_FILE:
        raise file_problem(name, "file_too_large", limit=LARGEST_FILE)
    form = form or (CSV if name.lower().endswith(".csv") else JSON)
    if form == JSON:
        return ReadFile(parse_document(name, content), [])
    if form == CSV:
        return ReadFile(read_units(name, content), [])
    mapping = shipped_mappings().get(form)
    if mapping is None:
        raise file_problem(name, "unknown_form", form=form[:60])
    return ReadFile(*map_document(parse_document(name, content), mapping))


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
