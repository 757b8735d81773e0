"""python manage.py season: play a season of AI-run stables through the site's own services and jobs."""

from __future__ import annotations

import json
import logging
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import ngettext

from commands.migrated import MigratedCommand
from jobs.services import in_this_process
from matches.models import MatchAction
from rules.campaign.classes import MULTI_CLASS, WEIGHT_CLASSES
from rules.core.refusals import Malformed, Refused
from rules.wording import name as word
from rules.wording import sentence
from stables.selectors.season_report import season_report
from stables.services.ai.exhibitions import Progress, open_exhibition, play
from web.languages.reader import translate

BAR_WIDTH = 32

Cause = MatchAction.Cause


class Command(MigratedCommand):
    # The checks would load every page of the site, none of which is shown.
    requires_system_checks = ()
    help = "Plays a season with AI owners through the same services and jobs as the site, and prints how it ended."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options; the same arguments give the same JSON."""
        parser.add_argument("--stables", type=int, choices=range(4, 9), required=True, help="number of stables")
        parser.add_argument(
            "--weight-class",
            choices=(*WEIGHT_CLASSES, MULTI_CLASS),
            default="light",
            help="weight class of the season (default: %(default)s)",
        )
        parser.add_argument("--seed", type=int, required=True, help="seed of all dice and draws")
        parser.add_argument(
            "--cycles", type=int, choices=range(1, 7), default=6, help="number of cycles to play (default: all six)"
        )
        parser.add_argument("--bot", default="greedy", help="bot that plays the matches (default: %(default)s)")
        parser.add_argument(
            "--json", nargs="?", const="-", metavar="FILE", help="write JSON to FILE; without FILE, print only JSON"
        )
        parser.add_argument("--workers", action="store_true", help="leave the jobs to running workers, and wait")

    def handle(self, *args: Any, **options: Any) -> None:
        """Open a season, play it to its end, and print how it ended, as text or JSON.

        The exception of a job that fails ends the command, and the season stays. A season that cannot be opened leaves
        nothing behind. Raises CommandError for it.
        """
        is_inline = not options["workers"]
        try:
            season = self._open(options, is_inline)
        except (Refused, Malformed) as problem:
            raise CommandError(f"{sentence(problem.code, problem.parameters, translate)} [{problem.code}]") from problem
        with _quiet_jobs():
            season = play(season_id=season.pk, on_progress=self._draw_bar, is_inline=is_inline)
        self.stderr.write("")
        document = {"season": season.name, "seed": options["seed"], **season_report(season)}
        if options["json"] is None:
            self._tell(document)
        elif options["json"] == "-":
            self.stdout.write(json.dumps(document, indent=2, ensure_ascii=False))
        else:
            with open(options["json"], "w", encoding="utf-8") as file:
                json.dump(document, file, indent=2, ensure_ascii=False)
                file.write("\n")
            self._tell(document)

    def _open(self, options: dict[str, Any], is_inline: bool) -> Any:
        arguments = {name: options[name] for name in ("stables", "weight_class", "cycles", "seed", "bot")}
        name = f"Exhibition {options['seed']}"
        if not is_inline:
            return open_exhibition(name=name, **arguments)
        with in_this_process():
            return open_exhibition(name=name, **arguments)

    def _draw_bar(self, progress: Progress) -> None:
        filled = BAR_WIDTH * progress.done // max(progress.planned, 1)
        bar = "#" * filled + "." * (BAR_WIDTH - filled)
        self.stderr.write(f"\r[{bar}] {progress.done}/{progress.planned} matches", ending="")
        self.stderr.flush()

    def _tell(self, document: dict[str, Any]) -> None:
        for cycle in document["cycles"]:
            self.stdout.write(f"Cycle {cycle['number']}: {cycle['format']}, {cycle['class']}")
            for match in cycle["matches"]:
                self.stdout.write(f"  round {match['round']}: {_versus(match)}")
            for place, name in enumerate(cycle["placings"], 1):
                self.stdout.write(f"  {place}. {name}: purse {cycle['purses'][name]} Stones")
        self.stdout.write("Standings")
        for place, row in enumerate(document["standings"], 1):
            capital = document["ledger"][row["stable"]]["closing"]
            self.stdout.write(
                f"  {place}. {row['stable']}: {row['reputation']} reputation, {_kills(row['kills'])}, "
                f"{_wins(row['wins'])} in {row['matches']}, {capital} Stones"
            )
        for title in ("stable", "pilot"):
            held = [row for row in document["titles"] if row["title"] == title]
            names = " and ".join(row["holder"] for row in held) or "nobody"
            how = held[0]["decided_by"].replace("_", " ") if held else "not decided"
            self.stdout.write(f"Champion {title}: {names} ({how})")


@contextmanager
def _quiet_jobs() -> Iterator[None]:
    """Keep the log lines of finished jobs out of the progress bar inside the block; warnings stay."""
    logger = logging.getLogger("jobs")
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)


def _kills(count: int) -> str:
    return ngettext("%(count)s kill", "%(count)s kills", count) % {"count": count}


def _wins(count: int) -> str:
    return ngettext("%(count)s win", "%(count)s wins", count) % {"count": count}


def _rounds(count: int) -> str:
    return ngettext("%(count)s round", "%(count)s rounds", count) % {"count": count}


def _versus(match: dict[str, Any]) -> str:
    names = " - ".join(f"{name} {match['reputation'][name]}" for name in match["sides"])
    winner = match["winner"] or "nobody"
    how = match["ended_by"]
    if match["tie_break"] is not None:
        how = f"{how}, {word(match['tie_break'], translate)}"
    return f"{names}, won by {winner} ({how}, {_rounds(match['rounds'])})"
