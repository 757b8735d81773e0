"""Commands that first check the database, and refuse one that lacks a migration of this version."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext


class MigratedCommand(BaseCommand):
    """A command that needs every migration of this version. Django's own check only warns.

    Raises CommandError if one is missing.
    """

    requires_migrations_checks = True

    def check_migrations(self) -> None:
        """Refuse a database that lacks a migration, or has no tables at all."""
        require_migrated()


def require_migrated() -> None:
    """Raise CommandError unless every migration of this version has been applied.

    For a command that needs the database only sometimes; all others are a `MigratedCommand`.
    """
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError(gettext("The database is not up to date: run `manage.py migrate` first."))
