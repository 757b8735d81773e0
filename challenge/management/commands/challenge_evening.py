"""python manage.py challenge_evening: play an evening at random through the services, and print how it ended."""

from __future__ import annotations

import hashlib
import json
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from challenge.models import Event
from challenge.selectors.books import book_of
from challenge.selectors.refolding import differences
from challenge.services.evenings import documents_of, open_evening, play, tables_of
from commands.migrated import MigratedCommand
from rules.challenge.book.balances import balances
from rules.challenge.book.rows import fold_rows
from rules.challenge.ranking import ranking

MOST_PILOTS, MOST_TURNS, MOST_TABLES = 99, 200, 4


class Command(MigratedCommand):
    help = (
        "Plays an evening at random as an unlisted event, through the same services as people, and prints its end. "
        "The same arguments give the same JSON."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options; the defaults are the largest evening that the Challenge is made for."""
        parser.add_argument("--pilots", type=int, default=48, help="players (default: %(default)s)")
        parser.add_argument("--turns", type=int, default=60, help="turns, at least (default: %(default)s)")
        parser.add_argument("--seed", type=int, default=1, help="what decides by chance (default: %(default)s)")
        parser.add_argument("--tables", type=int, default=2, help="tables (default: %(default)s)")
        parser.add_argument("--json", action="store_true", help="print only JSON, without address and times")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play, fold everything again, and print. Raises CommandError for what is not possible or differs."""
        pilots, turns, seed, tables = (options[name] for name in ("pilots", "turns", "seed", "tables"))
        bounds = ((pilots, 2, MOST_PILOTS), (turns, 1, MOST_TURNS), (tables, 1, MOST_TABLES), (seed, 0, 10**9))
        if not all(least <= number <= most for number, least, most in bounds):
            raise CommandError(f"At most {MOST_PILOTS} pilots, {MOST_TURNS} turns and {MOST_TABLES} tables.")
        began = time.perf_counter()
        event = open_evening(f"Evening {seed}", turns, seed, tables_of(tables))
        count = play(event, documents_of(pilots, turns, seed, tables))
        written = time.perf_counter()
        event = Event.objects.get(pk=event.pk)
        book = book_of(event)
        folding = time.perf_counter()
        state = fold_rows(book.rows)
        folded = time.perf_counter()
        found = differences(event)
        if found:
            raise CommandError("\n".join(found))
        everything = balances(state)
        document = {
            "pilots": len(state.pilots),
            "tables": {table.id: table.turn for table in state.tables.values()},
            "entries": count,
            "lines": len(state.lines),
            "ranking": ranking(state),
            "balances": everything,
            "digest": hashlib.sha256(json.dumps(everything, sort_keys=True).encode()).hexdigest(),
        }
        if options["json"]:
            self.stdout.write(json.dumps(document, indent=2, ensure_ascii=False))
            return
        self.stdout.write(f"{count} entries, {len(state.pilots)} pilots, first {', '.join(ranking(state)[:3])}")
        self.stdout.write(
            f"Written in {written - began:.1f} s; one fold of all takes {(folded - folding) * 1000:.0f} ms; "
            f"every closed turn folded again: no difference. /challenge/{event.slug}/"
        )
