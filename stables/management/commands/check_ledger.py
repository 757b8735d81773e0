"""python manage.py check_ledger [--season ID]: add up every ledger again; exit status 1 on any difference."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from commands.migrated import MigratedCommand
from stables.models import LedgerEntry, Stable
from stables.services.base.ledger import refold


class Command(MigratedCommand):
    help = "Adds up every ledger again and compares balances and capitals; exit status 1 on any difference."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options; without --season all seasons are checked."""
        parser.add_argument("--season", type=int, help="id of one season (default: all seasons)")
        parser.add_argument(
            "--json", nargs="?", const="-", metavar="FILE", help="write JSON to FILE; without FILE, print only JSON"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print each difference and the numbers of entries and stables, as text or JSON.

        Raises SystemExit (1) if there are differences.
        """
        season_id = options["season"]
        differences = refold(season_id=season_id)
        chosen = {} if season_id is None else {"season_id": season_id}
        stables = Stable.every.filter(**chosen).count()
        entries = LedgerEntry.objects.filter(**{f"stable__{name}": value for name, value in chosen.items()}).count()
        if options["json"] is not None:
            document = {
                "stables": stables,
                "entries": entries,
                "differences": [asdict(difference) for difference in differences],
            }
            text = json.dumps(document, indent=2)
            if options["json"] == "-":
                self.stdout.write(text)
            else:
                with open(options["json"], "w", encoding="utf-8") as file:
                    file.write(text + "\n")
        if options["json"] != "-":
            for difference in differences:
                self.stdout.write(
                    f"{difference.stable}: {difference.field} of entry {difference.sequence} is {difference.stored}, "
                    f"but the entries give {difference.folded}"
                )
            self.stdout.write(f"{entries} entries of {stables} stables checked: {len(differences)} differences")
        if differences:
            sys.exit(1)
