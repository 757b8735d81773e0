"""`manage.py openapi`: write docs/openapi.json from the code, or compare the two."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from api import documents


class Command(BaseCommand):
    help = (
        "Writes docs/openapi.json, which describes the interface, from the code. With --check it only compares the two."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="only compare; exit status 1 if the file is out of date"
        )

    def handle(self, *arguments: Any, **options: Any) -> None:
        text = documents.made()
        name = documents.PATH.name
        if documents.PATH.exists() and documents.PATH.read_text(encoding="utf-8") == text:
            self.stdout.write(f"{name} is up to date.")
        elif options["check"]:
            raise CommandError(f"{name} is out of date. Run `make openapi` and read the difference.")
        else:
            documents.PATH.write_text(text, encoding="utf-8")
            self.stdout.write(f"Wrote {name}.")
