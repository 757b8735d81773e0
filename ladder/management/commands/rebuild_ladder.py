"""python manage.py rebuild_ladder [--check]: work out all ratings again, from the rated matches in their order."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext, ngettext

from commands.migrated import MigratedCommand
from ladder.models import LadderPlayer, RatedMatch
from ladder.selectors.folding import Figures
from ladder.services import Difference, rebuild


class Command(MigratedCommand):
    help = (
        "Works out every rating on the ladder again, from the rated matches alone, and stores it. With --check it "
        "only compares; exit status 1 on any difference."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only compare; exit status 1 on any difference")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print each difference, and how many matches and players were checked."""
        differences = rebuild(is_trial=options["check"])
        for difference in differences:
            self.stdout.write(_line(difference))
        matches = RatedMatch.objects.count()
        counts = {"players": LadderPlayer.objects.count(), "matches": matches, "differences": len(differences)}
        text = ngettext(
            "%(matches)s rated match of %(players)s players checked: %(differences)s differences",
            "%(matches)s rated matches of %(players)s players checked: %(differences)s differences",
            matches,
        )
        self.stdout.write(text % counts)
        if options["check"] and differences:
            sys.exit(1)


def _line(difference: Difference) -> str:
    player = difference.player
    name = f"{player.bot} {player.rules_version}" if player.bot else gettext("account %(id)s") % {"id": player.user_id}
    values = {"name": name, "stored": _figures(difference.stored), "folded": _figures(difference.folded)}
    return gettext("%(name)s: stored %(stored)s, but the matches give %(folded)s") % values


def _figures(figures: Figures | None) -> str:
    if figures is None:
        return gettext("nothing")
    return f"{figures.rating.mean!r} ± {figures.rating.deviation!r} ({figures.matches})"
