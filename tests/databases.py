"""The databases of a run: migrated once, copied for each process, put back after each test with real transactions.

Nothing of Django is imported at the top: pytest reads this module before the settings.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.waiting import DEADLINE_SECONDS

MIGRATED = "migrated.sqlite3"


def is_sqlite() -> bool:
    """Say whether the tests run on SQLite."""
    from django.db import connection

    return connection.vendor == "sqlite"


def make_base(path: Path) -> None:
    """Make the database that tests begin with: migrated, with the game's own catalogue.

    The triggers that keep rows from being removed go, as tests empty tables row by row. The database that was only
    migrated stays beside it.
    """
    from django.core.management import call_command
    from django.db import connection

    from catalogue.services.releases import load_release

    _point_to(path)
    call_command("migrate", verbosity=0)
    connection.close()
    shutil.copy(path, path.with_name(MIGRATED))
    load_release()
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_never_removed'")
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP TRIGGER {connection.ops.quote_name(name)}")
    connection.close()


def make_site(folder: Path) -> None:
    """Make the folder of an embedded site whose database is migrated and holds nothing."""
    from tests.services.processes import environment, run

    folder.mkdir()
    migrated = folder.with_name(MIGRATED)
    if migrated.exists():
        shutil.copy(migrated, folder / "solaris.sqlite3")
    else:
        run("manage.py", "migrate", "--verbosity", "0", variables=environment(VAR_DIR=str(folder)))


@contextmanager
def copied(base: Path, own: Path) -> Iterator[None]:
    """Let tests use a copy of the base database, and put it back where a test with real transactions ends."""
    from django.test import TransactionTestCase

    shutil.copy(base, own)
    _point_to(own)
    emptied = TransactionTestCase._fixture_teardown
    TransactionTestCase._fixture_teardown = lambda case: _put_back(base)  # type: ignore[method-assign]
    try:
        yield
    finally:
        TransactionTestCase._fixture_teardown = emptied  # type: ignore[method-assign]


@contextmanager
def served() -> Iterator[None]:
    """Let tests use a database of their own on the server of the settings."""
    from django.test.utils import setup_databases, teardown_databases

    from catalogue.services.releases import load_release

    made: Any = setup_databases(verbosity=0, interactive=False)
    load_release()
    try:
        yield
    finally:
        teardown_databases(made, verbosity=0)


@contextmanager
def beside(path: Path) -> Iterator[None]:
    """Let this thread use another SQLite database inside, and leave its own as it stands, with its open transaction."""
    from django.db import connections

    own = connections["default"]
    other = connections.create_connection("default")
    other.settings_dict = {**other.settings_dict, "NAME": str(path)}
    connections["default"] = other
    try:
        yield
    finally:
        other.close()
        connections["default"] = own


def _point_to(path: Path) -> None:
    """Let the site use this file. Who waits for another to write waits as long as tests wait for anything."""
    from django.conf import settings
    from django.db import connection

    connection.close()
    settings.DATABASES["default"]["OPTIONS"]["timeout"] = DEADLINE_SECONDS
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = str(path)


def _put_back(base: Path) -> None:
    from django.contrib.contenttypes.models import ContentType
    from django.db import connection

    connection.ensure_connection()
    with closing(sqlite3.connect(f"file:{base}?mode=ro", uri=True)) as source:
        source.backup(connection.connection)
    ContentType.objects.clear_cache()
