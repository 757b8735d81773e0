"""`manage.py makemessages`: Django's own command, which also finds what only this project marks."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=say",
        "--keyword=ngettext_noop:1,2",
        "--keyword=pgettext_noop:1c,2",
    ]
