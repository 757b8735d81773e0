"""python manage.py make_token: make a token with which a program acts for an account, from the operator's shell."""

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
    help = "Makes a token with which a program acts for an account, and prints only the token. It is never shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments: whose token it is, what it allows, how long it lasts, and its name."""
        parser.add_argument("username", help="name of the account")
        parser.add_argument("--scopes", default="read,play", help=f"some of {','.join(SCOPES)} (default: read,play)")
        parser.add_argument(
            "--days", type=int, default=90, help=f"days until it ends, at most {LONGEST_DAYS} (default: 90)"
        )
        parser.add_argument("--name", default="", help="its name on the account's page (default: made from the time)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make a token and print only its text, so that a shell can take it: SOLARIS_TOKEN=$(... make_token anna).

        Raises CommandError when there is no such active account, and when the token is refused.
        """
        account = User.objects.filter(username__iexact=options["username"], is_active=True, is_guest=False).first()
        if account is None:
            raise CommandError(f"There is no account {options['username']}.")
        name = options["name"] or f"make_token {timezone.now():%Y-%m-%d %H:%M:%S.%f}"
        try:
            made = make_token(user=account, name=name, scopes=options["scopes"].split(","), days=options["days"])
        except (Malformed, Refused) as refused:
            raise CommandError(sentence(refused.code, refused.parameters)) from refused
        self.stdout.write(made.text)
