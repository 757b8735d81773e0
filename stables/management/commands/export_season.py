"""python manage.py export_season ID_OR_SLUG FILE: a whole season as one JSON document."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from commands.migrated import MigratedCommand
from stables.documents.columns import FULL, PUBLISHED, REDACTED, Contents
from stables.documents.document import open_contents, write
from stables.management.finding import season_named
from stables.models import Season


class Command(MigratedCommand):
    help = (
        "Writes a season as one JSON document. A finished season is written in full, with its secret, baskets and "
        "reports. Any other season is written without what nobody may see yet; --full adds that too."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options; --full and --published exclude each other."""
        parser.add_argument("season", help="id or address of the season")
        parser.add_argument("file", help="the file to write")
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--full", action="store_true", help="write everything, even if the season is not finished")
        which.add_argument("--published", action="store_true", help="write only what everybody may download")
        parser.add_argument(
            "--json", nargs="?", const="-", metavar="FILE", help="write JSON to FILE; without FILE, print only JSON"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file whole or not at all, and print what is in it.

        Raises CommandError for an unknown season and a file that cannot be written.
        """
        season = season_named(options["season"])
        contents = _contents(season, options)
        path = Path(options["file"])
        try:
            counts = _write(season, contents, path)
        except OSError as problem:
            raise CommandError(str(problem)) from problem
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        document = {
            "season": season.slug,
            "contents": contents,
            "counts": counts,
            "bytes": path.stat().st_size,
            "sha256": digest,
        }
        if options["json"] == "-":
            self.stdout.write(json.dumps(document, indent=2))
            return
        if options["json"]:
            Path(options["json"]).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        self._tell(season, contents, document)

    def _tell(self, season: Season, contents: Contents, document: dict[str, Any]) -> None:
        extent = {
            FULL: _("written in full, with secrets; keep the file as safe as a backup"),
            PUBLISHED: _("written as everybody may see it"),
            REDACTED: _("written without what nobody may see yet; the file cannot be imported"),
        }[contents]
        values = {"name": season.name, "extent": extent}
        self.stdout.write(_("%(name)s: %(extent)s.") % values)
        filled = ", ".join(f"{name} {count}" for name, count in document["counts"].items() if count)
        self.stdout.write(filled)
        self.stdout.write(_("%(bytes)s bytes, SHA-256 %(sha256)s") % document)


def _contents(season: Season, options: dict[str, Any]) -> Contents:
    if options["full"]:
        return FULL
    shown = open_contents(season)
    return FULL if shown == PUBLISHED and not options["published"] else shown


def _write(season: Season, contents: Contents, path: Path) -> dict[str, int]:
    """Write the document and return the number of rows of each table.

    It writes a temporary file first: nobody finds half a document, and an older one stays until the new one is whole.
    Raises OSError.
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            counts = write(season, contents, file)
        except BaseException:
            os.unlink(file.name)
            raise
    os.replace(file.name, path)
    return counts
