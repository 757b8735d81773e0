"""Validate and load catalogue files, or the catalogue that comes with the game."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext

from catalogue.services.collections import add_documents
from catalogue.services.files import forms, read_file, read_mapping
from catalogue.services.releases import load_release
from catalogue.text import labels
from commands.migrated import require_migrated
from rules.catalogue import Catalogue, CatalogueError, Document
from rules.catalogue.documents import read_bytes
from rules.catalogue.loader import builtin_documents
from rules.core.refusals import Refused

SHOWN_PROBLEMS = 50


class Command(BaseCommand):
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.description = gettext(
            "Validates and loads catalogue files, all or nothing. Without FILE it takes those that come with the game."
        )
        parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
        parser.add_argument(
            "--form",
            choices=forms(),
            default="",
            help=gettext("form of the files (default: CSV for a file ending in .csv, JSON for any other)"),
        )
        parser.add_argument(
            "--mapping", type=Path, metavar="FILE", help=gettext("read the files by this mapping of your own (JSON)")
        )
        parser.add_argument(
            "--collection",
            metavar="ADDRESS",
            help=gettext("add the definitions to this collection instead of making a release"),
        )
        parser.add_argument("--check", action="store_true", help=gettext("validate only; change nothing"))
        parser.add_argument(
            "--json",
            nargs="?",
            const="-",
            metavar="FILE",
            help=gettext("write the counts as JSON to FILE; without FILE, print only JSON"),
        )

    def handle(self, *arguments: Any, **options: Any) -> None:
        """Load the files and report the counts. If a file is invalid, store nothing and raise CommandError with a line
        for each problem; --json has the problems, too.

        With --check nothing is stored and no database is needed.
        """
        try:
            documents = self._documents(options["files"], options["form"], options["mapping"])
            catalogue = Catalogue.from_documents(documents)
        except CatalogueError as error:
            listed = [
                problem.to_json() | {"sentence": labels.sentence(problem.code, problem.parameters)}
                for problem in error.problems
            ]
            self._write({"problems": listed, "is_cut": error.is_cut}, options["json"])
            raise _refusal(error) from error
        if not options["check"]:
            require_migrated()
            self._store(documents, options)
        self._report(catalogue, options)

    def _store(self, documents: list[Document], options: dict[str, Any]) -> None:
        if options["collection"] is None:
            load_release(documents if options["files"] else None)
            return
        try:
            add_documents(slug=options["collection"], documents=documents)
        except Refused as refused:
            raise CommandError(f"{labels.sentence(refused.code, refused.parameters)} [{refused.code}]") from refused

    def _documents(self, files: list[Path], form: str, mapping: Path | None) -> list[Document]:
        if not files:
            return builtin_documents()
        own = read_mapping(mapping.name, read_bytes(mapping)) if mapping else None
        found, problems, is_cut = [], [], False
        for file in files:
            try:
                read = read_file(file.name, read_bytes(file), form, own)
            except CatalogueError as error:
                problems.extend(error.problems)
                is_cut = is_cut or error.is_cut
            else:
                found.append(read.document)
                for note in read.notes:
                    self.stderr.write(labels.note(note.to_json()))
        if problems:
            raise CatalogueError(problems, is_cut=is_cut)
        return found

    def _report(self, catalogue: Catalogue, options: dict[str, Any]) -> None:
        counts = catalogue.counts()
        self._write({"counts": counts}, options["json"])
        if options["json"] == "-":
            return
        done = gettext("Valid, nothing changed:") if options["check"] else gettext("Loaded:")
        listed = ", ".join(f"{count} {labels.name(kind).lower()}" for kind, count in counts.items())
        if options["verbosity"] > 0:
            self.stdout.write(f"{done} {listed} ({catalogue.content_hash[:12]})")

    def _write(self, document: dict[str, Any], target: str | None) -> None:
        """Write JSON to a file, or to standard output for "-"."""
        text = json.dumps(document, indent=2)
        if target == "-":
            self.stdout.write(text)
        elif target:
            try:
                Path(target).write_text(text + "\n", encoding="utf-8")
            except OSError as error:
                raise CommandError(f"{target}: {error.strerror}") from error


def _refusal(error: CatalogueError) -> CommandError:
    """Return a CommandError with a line for each of the first SHOWN_PROBLEMS problems."""
    lines = [labels.refusal(error)]
    for problem in error.problems[:SHOWN_PROBLEMS]:
        lines.append(
            f"  {labels.location(problem)}: {labels.sentence(problem.code, problem.parameters)} [{problem.code}]"
        )
    return CommandError("\n".join(lines))
