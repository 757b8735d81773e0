"""Measure the balance of the units as `python -m rules.tools.balance` does, here or on Celery workers.

python -m tests.tools.balance [--workers [--time-limit SECONDS]] [options of that command]
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser

import django

from rules.core.refusals import Refused
from rules.tools.balance import __main__ as balance
from rules.wording import sentence


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "solaris_site.settings")
    django.setup()
    from studies import options as study_options

    parser = ArgumentParser(prog="python -m tests.tools.balance")
    balance.add_arguments(parser)
    study_options.add_arguments(parser)
    options = parser.parse_args()
    try:
        return balance.run(parser, options, study_options.executor_of(vars(options)))
    except Refused as problem:
        sys.stderr.write(f"{sentence(problem.code, problem.parameters)} [{problem.code}]\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
