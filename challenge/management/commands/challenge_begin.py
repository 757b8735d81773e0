"""python manage.py challenge_begin: open an event without an account, and print its GM's link."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from challenge.management.links import add_address, gm_link
from challenge.models import Event
from challenge.services.events import open_event
from commands.migrated import MigratedCommand


class Command(MigratedCommand):
    help = "Opens an event of the Melee Challenge unless one is open already, and prints the link of its GM."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_address(parser)
        parser.add_argument("--name", default="", help="name of the event (default: Melee Challenge)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the link of the newest open event; open one when there is none or a name is new."""
        name = options["name"] or _("Melee Challenge")
        open_ones = Event.objects.filter(closed_at=None).order_by("-opened_at")
        event = (open_ones.filter(name=options["name"]) if options["name"] else open_ones).first()
        if event is None:
            portals = [_("North"), _("East"), _("South"), _("West")]
            event = open_event(name, {"tables": [{"id": _("Factory"), "portals": portals}]}, {})
        self.stdout.write(gm_link(event, options["address"]))
