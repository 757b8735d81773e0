"""`python manage.py board_picture FILE`: the board of a demonstration match as an SVG file of its own."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from matches.presenters.board import build_board
from matches.services.demonstration import demonstration_setup, played_to


class Command(BaseCommand):
    help = "Writes the board of a demonstration match between two bots as an SVG. Same arguments, same file."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--arena", help="id of an arena of the built-in catalogue; default: the first")
        parser.add_argument("--class", dest="unit_class", default="heavy", help="weight class of the two units")
        parser.add_argument("--seed", type=int, default=7)
        parser.add_argument("--round", type=int, default=3, help="the round whose combat phase is shown")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            setup = demonstration_setup(options["unit_class"], options["arena"])
        except (KeyError, ValueError):
            raise CommandError(_("The catalogue has no such arena, or no two units of that class.")) from None
        match = played_to(setup, options["seed"], options["round"])
        board = build_board(setup["arena"], match.snapshot(), setup["sides"])
        picture = render_to_string("components/board.svg.html", {"board": board, "standalone": True})
        Path(options["file"]).write_text(picture + "\n", encoding="utf-8")
        self.stdout.write(_("The board was written to %(file)s.") % {"file": options["file"]})
