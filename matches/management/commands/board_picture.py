"""`python manage.py board_picture FILE`: draw the board of a demonstration match as an SVG file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from matches.presenters.board import build_board
from matches.services.beginning.demonstration import demonstration_setup, played_to


class Command(BaseCommand):
    help = "Draws the board of a demonstration match between two bots as an SVG file. Same arguments, same file."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the file to write")
        parser.add_argument("--arena", help="id of an arena of the built-in catalogue (default: the first)")
        parser.add_argument(
            "--class",
            dest="unit_class",
            default="heavy",
            metavar="CLASS",
            help="weight class of the two units (default: %(default)s)",
        )
        parser.add_argument("--seed", type=int, default=7, help="seed of the dice (default: %(default)s)")
        parser.add_argument(
            "--round", type=int, default=3, help="show the combat phase of this round (default: %(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            setup = demonstration_setup(options["unit_class"], options["arena"])
        except (KeyError, ValueError):
            raise CommandError(_("The catalogue has no such arena, or no two units of that class.")) from None
        match = played_to(setup, options["seed"], options["round"])
        board = build_board(setup["arena"], match.snapshot(), setup["sides"])
        picture = render_to_string("components/board.svg.html", {"board": board, "standalone": True})
        Path(options["file"]).write_text(picture + "\n", encoding="utf-8")
        self.stdout.write(_("Wrote the board to %(file)s.") % {"file": options["file"]})
