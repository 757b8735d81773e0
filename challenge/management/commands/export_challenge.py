"""python manage.py export_challenge EVENT FILE: a whole event as one JSON document."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from challenge.management.finding import event_named
from challenge.receivers import write_document
from commands.migrated import MigratedCommand


class Command(MigratedCommand):
    help = "Writes an event of the Melee Challenge as one JSON document, with every entry of its book."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="address of the event")
        parser.add_argument("file", help="the file to write")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file whole or not at all. Raises CommandError."""
        event = event_named(options["event"])
        try:
            write_document(event, Path(options["file"]))
        except OSError as problem:
            raise CommandError(str(problem)) from problem
        phrase = _("%(name)s: %(count)s entries written to %(file)s.")
        self.stdout.write(phrase % {"name": event.name, "count": event.written, "file": options["file"]})
