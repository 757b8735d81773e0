"""python manage.py import_season FILE: verify a season's document, then store all of it or nothing."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from commands.migrated import MigratedCommand
from rules.core.refusals import Malformed, Refused
from rules.wording import sentence
from stables.documents.reading import SeasonText
from stables.documents.storing import Imported, import_season


class Command(MigratedCommand):
    help = (
        "Imports a season from its document. Before it stores anything, it adds up the ledgers, compares the hashes "
        "and replays every match. At the first difference it stops, says where, and exits with status 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options. By default no account here stands for a person of the document."""
        parser.add_argument("file", help="the document to import")
        parser.add_argument("--slug", default="", help="address of the season here (default: as in the document)")
        parser.add_argument(
            "--people",
            choices=("none", "match"),
            default="none",
            help="match: give stables, seats and texts to accounts here with the same names (default: %(default)s)",
        )
        parser.add_argument(
            "--allow-other-rules",
            action="store_true",
            help="accept matches that were recorded under another version of the rules and cannot be replayed",
        )
        parser.add_argument(
            "--json", nargs="?", const="-", metavar="FILE", help="write JSON to FILE; without FILE, print only JSON"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the file, and print what was found, as text or JSON.

        With JSON on standard output a refusal is printed there. Raises CommandError for a bad address, an unreadable
        file and a refused document, SystemExit (1) after a printed refusal.
        """
        slug = options["slug"]
        if slug and (slug != slugify(slug) or len(slug) > 100):
            phrase = _("%(slug)s cannot be an address. Use at most 100 lower-case letters, digits and hyphens.")
            raise CommandError(phrase % {"slug": slug})
        try:
            content = Path(options["file"]).read_bytes()
        except OSError as problem:
            raise CommandError(str(problem)) from problem
        try:
            made = import_season(
                SeasonText.of(content),
                slug=slug,
                match_people=options["people"] == "match",
                allow_other_rules=options["allow_other_rules"],
                on_match=self._say_progress,
            )
        except (Refused, Malformed) as problem:
            self._refuse(problem, options)
        else:
            self._tell(made, options)

    def _say_progress(self, number: int) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{number}", ending="")
            self.stderr.flush()

    def _refuse(self, problem: Refused | Malformed, options: dict[str, Any]) -> None:
        phrase = sentence(problem.code, problem.parameters)
        if options["json"]:
            document = {"imported": False, "code": problem.code, "parameters": problem.parameters, "sentence": phrase}
            self._write(document, options)
        if options["json"] != "-":
            raise CommandError(f"{phrase} [{problem.code}]") from problem
        sys.exit(1)

    def _write(self, document: dict[str, Any], options: dict[str, Any]) -> None:
        text = json.dumps(document, indent=2, ensure_ascii=False)
        if options["json"] == "-":
            self.stdout.write(text)
        else:
            Path(options["json"]).write_text(text + "\n", encoding="utf-8")

    def _tell(self, made: Imported, options: dict[str, Any]) -> None:
        looked = made.looked
        document = {
            "imported": True,
            "season": made.slug,
            "id": made.season_id,
            "contents": looked.contents,
            "counts": looked.counts,
            "matches": {"ok": looked.verified, "other_rules": looked.other_rules},
            "people": {"matched": made.matched, "unknown": made.unknown},
            "new_match_ids": made.has_new_match_ids,
        }
        if options["json"]:
            self._write(document, options)
        if options["json"] == "-":
            return
        values = {"name": looked.season["name"], "slug": made.slug, "id": made.season_id}
        self.stdout.write(_("Imported %(name)s: address %(slug)s, id %(id)s.") % values)
        self.stdout.write(_("Ledgers, reputation, places and results are consistent."))
        phrase = ngettext(
            "%(count)s match replayed, with every event as recorded.",
            "%(count)s matches replayed, with every event as recorded.",
            looked.verified,
        )
        self.stdout.write(phrase % {"count": looked.verified})
        if looked.other_rules:
            phrase = ngettext(
                "%(count)s match recorded under other rules: rebuilt from its events, not verified.",
                "%(count)s matches recorded under other rules: rebuilt from their events, not verified.",
                looked.other_rules,
            )
            self.stdout.write(phrase % {"count": looked.other_rules})
        people = {"matched": ", ".join(made.matched) or "–", "unknown": made.unknown}
        phrase = _("Accounts matched by name: %(matched)s. People without an account here: %(unknown)s.")
        self.stdout.write(phrase % people)
        if made.has_new_match_ids:
            self.stdout.write(_("Its matches already exist on this site, so they have new public ids in this season."))
