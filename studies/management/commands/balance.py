"""python manage.py balance: `python -m rules.measuring.balance`, which Celery workers can play too."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext

from rules.core.refusals import Refused
from rules.measuring.balance import __main__ as balance
from rules.wording import sentence
from studies import options as study_options


class Command(BaseCommand):
    help = (
        "Sets what units win against their points, as `python -m rules.measuring.balance`; Celery workers may play too."
    )
    # Nothing here asks the database or answers a request.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options of the module, and who plays."""
        self.parser = parser
        balance.add_arguments(parser)
        study_options.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit status 1 when a unit is not inside, as the module says. A study that cannot be played is refused."""
        try:
            status = balance.run(self.parser, Namespace(**options), study_options.executor_of(options))
        except Refused as problem:
            raise CommandError(f"{sentence(problem.code, problem.parameters, gettext)} [{problem.code}]") from problem
        if status:
            sys.exit(status)
