"""Units, pilots, gear, rally cards, target tokens and arenas as data files, their schema and their loader."""

from rules.catalogue.documents import Document, parse_document, read_document
from rules.catalogue.loader import Catalogue, builtin_hash, load_builtin
from rules.catalogue.problems import CatalogueError, Problem

__all__ = [
    "Catalogue",
    "CatalogueError",
    "Document",
    "Problem",
    "builtin_hash",
    "load_builtin",
    "parse_document",
    "read_document",
]
