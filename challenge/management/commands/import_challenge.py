"""python manage.py import_challenge FILE: verify an event's document, then store all of it or nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from challenge.documents import read_document, store_document
from challenge.management.links import add_address, gm_link
from commands.migrated import MigratedCommand
from rules.core.refusals import Malformed
from rules.wording import sentence


class Command(MigratedCommand):
    help = "Imports an event of the Melee Challenge, so that another laptop goes on with it, and prints its GM's link."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_address(parser)
        parser.add_argument("file", help="the document to import")

    def handle(self, *args: Any, **options: Any) -> None:
        """Fold the rows again, compare, store, and print the link. Raises CommandError."""
        try:
            event = store_document(read_document(Path(options["file"]).read_bytes()))
        except OSError as problem:
            raise CommandError(str(problem)) from problem
        except Malformed as problem:
            raise CommandError(f"{sentence(problem.code, problem.parameters)} [{problem.code}]") from problem
        phrase = _("%(name)s: %(count)s entries folded again, and all balances agree.")
        self.stdout.write(phrase % {"name": event.name, "count": event.written})
        self.stdout.write(gm_link(event, options["address"]))
