"""`python manage.py verify_match ID`: replay a stored match, compare every event, and exit with 1 on a difference."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from commands.migrated import MigratedCommand
from matches.models import Match
from matches.selectors.matches import replay_document, stored_steps
from rules.competition.verification import Outcome, Verification, verify
from rules.core.digits import whole_number


class Command(MigratedCommand):
    help = "Replays a stored match and compares every event; exit status 1 when it differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", help="the match's public id, or its number")
        parser.add_argument(
            "--json", nargs="?", const="-", metavar="FILE", help="write JSON to FILE; without FILE, print only JSON"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        match = self._find(options["id"])
        found = verify(replay_document(match, stored_steps(match)))
        document = {"match": str(match.public_id), **asdict(found)}
        if not match.is_over and found.outcome is Outcome.DIFFERS:
            # What the seed would give is secret while the match runs.
            document["replayed"] = None
        if options["json"] == "-":
            self.stdout.write(json.dumps(document, sort_keys=True))
        else:
            self.stdout.write(self._sentence(match, found))
            if options["json"]:
                with open(options["json"], "w", encoding="utf-8") as file:
                    json.dump(document, file, indent=1, sort_keys=True)
        if found.outcome is Outcome.DIFFERS:
            sys.exit(1)

    def _find(self, name: str) -> Match:
        number = whole_number(name)
        try:
            where = {"public_id": UUID(name)} if number is None else {"pk": number}
        except ValueError:
            raise CommandError(_("%(id)s is neither the public id nor the number of a match.") % {"id": name}) from None
        match = Match.objects.filter(**where).first()
        if match is None:
            raise CommandError(_("There is no match %(id)s.") % {"id": name})
        return match

    def _sentence(self, match: Match, found: Verification) -> str:
        values = {
            "match": match.public_id,
            "events": found.events,
            "version": match.rules_version,
            "step": found.sequence,
            "position": found.position,
            "stored": json.dumps(found.stored, sort_keys=True),
            "replayed": json.dumps(found.replayed, sort_keys=True),
        }
        if found.outcome is Outcome.OK:
            return _("%(match)s: ok, %(events)s events") % values
        if found.outcome is Outcome.OTHER_RULES:
            return _("%(match)s: recorded under other rules (%(version)s)") % values
        if found.sequence is None:
            lines = [_("%(match)s: differs") % values]
        else:
            lines = [_("%(match)s: differs at step %(step)s, event %(position)s") % values]
        lines.append(_("  stored:   %(stored)s") % values)
        if match.is_over:
            lines.append(_("  replayed: %(replayed)s") % values)
        return "\n".join(lines)
