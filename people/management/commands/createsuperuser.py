"""Django's command that makes an account for an operator, with the names that sign-up allows."""

from __future__ import annotations

from django.contrib.auth.management.commands import createsuperuser
from django.utils.translation import gettext

from people.models import User
from people.selectors import is_taken


class Command(createsuperuser.Command):
    """Refuse a name that an account has in another case of letters, or that looks like an account's."""

    def _validate_username(self, username: str, verbose_field_name: str, database: str) -> str | None:
        # The stubs leave this method of Django out.
        problem: str | None = super()._validate_username(username, verbose_field_name, database)  # type: ignore[misc]
        if problem is None and is_taken(User.normalize_username(username)):
            return gettext("There is already an account with this name, or with one that looks the same.")
        return problem
