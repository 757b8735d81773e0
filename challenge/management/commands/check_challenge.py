"""python manage.py check_challenge [EVENT ...]: fold every book again and compare; exit status 1 on any difference."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from challenge.management.finding import event_named
from challenge.models import Event
from challenge.selectors.refolding import differences
from commands.migrated import MigratedCommand


class Command(MigratedCommand):
    help = "Folds the books of Melee Challenges again and compares what everybody had at the end of each turn."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options; without an event all are checked."""
        parser.add_argument("events", nargs="*", metavar="EVENT", help="addresses of events (default: all)")
        parser.add_argument("--json", action="store_true", help="print only JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print each difference, and how much was checked. Raises SystemExit (1) if there are differences."""
        events = [event_named(slug) for slug in options["events"]] or list(Event.objects.order_by("pk"))
        found = {event.slug: differences(event) for event in events}
        count = sum(len(each) for each in found.values())
        if options["json"]:
            document = {
                "events": len(events),
                "entries": sum(event.written for event in events),
                "differences": {slug: each for slug, each in found.items() if each},
            }
            self.stdout.write(json.dumps(document, indent=2))
        else:
            for slug, lines in found.items():
                for line in lines:
                    self.stdout.write(f"{slug}: {line}")
            rows = sum(event.written for event in events)
            self.stdout.write(f"{rows} entries of {len(events)} events folded again: {count} differences")
        if count:
            sys.exit(1)
