"""python manage.py count_forecasts ID_OR_SLUG: finish all forecasts of a season at once, here or on Celery workers."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext, ngettext

from commands.migrated import MigratedCommand
from matches.services.forecast_studies import count_together, planned
from rules.core.refusals import Refused
from rules.measuring.studies import in_processes
from rules.wording import sentence
from stables.management.finding import season_named
from stables.services.line_ups.forecasts import requests_of
from studies import options as study_options
from web.languages.reader import translate


class Command(MigratedCommand):
    help = (
        "Finishes the forecasts of all fixtures of a season at once. Jobs do the same work bit by bit while nothing "
        "else waits, and get the same figures."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options that name the season, and those that say which processes play."""
        parser.add_argument("season", help="id or address of the season")
        parser.add_argument("--jobs", type=int, default=1, help="number of processes (default: %(default)s)")
        parser.add_argument(
            "--json", nargs="?", const="-", metavar="FILE", help="write JSON to FILE; without FILE, print only JSON"
        )
        study_options.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Count the play-outs that the season's forecasts lack, store them, and print how many.

        Forecasts that were stored before stay. Raises CommandError for bad options, an unknown season and a study that
        is refused.
        """
        if options["jobs"] < 1:
            raise CommandError(gettext("--jobs must be at least 1."))
        questions = requests_of(season_named(options["season"]))
        total = planned(questions)
        way = study_options.executor_of(options) or in_processes(options["jobs"])
        try:
            found = count_together(questions, way, lambda done: self._draw(done, total))
        except Refused as problem:
            raise CommandError(f"{sentence(problem.code, problem.parameters, translate)} [{problem.code}]") from problem
        if options["json"] is not None:
            text = json.dumps({"fixtures": len(questions), **asdict(found)}, indent=2)
            if options["json"] == "-":
                self.stdout.write(text)
                return
            Path(options["json"]).write_text(text + "\n", encoding="utf-8")
        phrase = ngettext(
            "Added %(play_outs)s play-outs to %(count)s forecast.",
            "Added %(play_outs)s play-outs to %(count)s forecasts.",
            found.forecasts,
        )
        self.stdout.write(phrase % {"count": found.forecasts, "play_outs": found.play_outs})
        if found.overtaken:
            self.stdout.write(
                gettext("Forecasts that jobs worked on meanwhile: %(count)s. Run the command again for those.")
                % {"count": found.overtaken}
            )

    def _draw(self, done: int, total: int) -> None:
        self.stderr.write(f"{done} of {total} play-outs", ending="\n" if done == total else "\r")
        self.stderr.flush()
