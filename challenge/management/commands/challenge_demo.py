"""python manage.py challenge_demo: an event in the middle of its second day, to look at."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from challenge.management.links import add_address
from challenge.models import Event
from challenge.services.evenings import (
    documents_of,
    open_evening,
    play,
    renamed,
    tables_of,
    until_the_middle_of_the_second_day,
)
from commands.migrated import MigratedCommand
from people.models import User

NAME = "Steel City Melee"
PILOTS, TURNS, SEED = 14, 24, 44
TURNS_OF_THE_SECOND_DAY = 7
CALLSIGNS = (
    "Anvil", "Badger", "Cinder", "Dagger", "Ember", "Flint", "Gravel", "Hammer", "Icicle", "Javelin", "Kestrel",
    "Lantern", "Mantis", "Nettle",
)  # fmt: skip


class Command(MigratedCommand):
    help = "Opens a demonstration of the Melee Challenge in the middle of its second day, unless it is there already."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_address(parser)
        parser.add_argument("--owner", default="", help="name of the account that is its GM (default: nobody)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play the demonstration to its moment, and print its address."""
        event = Event.objects.filter(name=NAME).first()
        if event is None:
            owner = User.objects.filter(username=options["owner"]).first() if options["owner"] else None
            tables = [_("Factory"), _("Jungle")]
            event = open_evening(NAME, TURNS, SEED, tables, owner)
            Event.objects.filter(pk=event.pk).update(is_listed=True)
            names = {f"pilot {number:02}": callsign for number, callsign in enumerate(CALLSIGNS, start=1)}
            names |= dict(zip(tables_of(len(tables)), tables, strict=True))
            documents = documents_of(PILOTS, TURNS, SEED, len(tables))
            play(event, until_the_middle_of_the_second_day(renamed(documents, names), TURNS_OF_THE_SECOND_DAY))
        self.stdout.write(f"{options['address']}/challenge/{event.slug}/")
