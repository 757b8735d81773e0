"""python manage.py make_token: a token for a program of an account, from the operator's shell."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from commands.migrated import MigratedCommand
from people.models import User
from people.services.tokens import LONGEST_DAYS, SCOPES, make_token
from rules.core.refusals import Malformed, Refused
from rules.wording import sentence


class Command(MigratedCommand):
    help = "Makes a token with which a program acts for an account, and prints it alone. Nobody can read it again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options that say whose token it is and what it is good for."""
        parser.add_argument("username", help="the account for which the program acts")
        parser.add_argument("--scopes", default="read,play", help=f"out of {','.join(SCOPES)} (default: read,play)")
        parser.add_argument("--days", type=int, default=90, help=f"how long it lasts, at most {LONGEST_DAYS}")
        parser.add_argument("--name", default="", help="what the account's page calls it (default: the moment)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the token to standard output, so that a shell can take it: SOLARIS_TOKEN=$(... make_token anna)."""
        account = User.objects.filter(username__iexact=options["username"], is_active=True).first()
        if account is None:
            raise CommandError(f"There is no account {options['username']}.")
        name = options["name"] or f"make_token {timezone.now():%Y-%m-%d %H:%M:%S.%f}"
        try:
            made = make_token(user=account, name=name, scopes=options["scopes"].split(","), days=options["days"])
        except (Malformed, Refused) as refused:
            raise CommandError(sentence(refused.code, refused.parameters)) from refused
        self.stdout.write(made.text)
