"""Migrated databases of PostgreSQL: the migrations run once in a run of tests, for they take long."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.sites import database
from tests.once_a_run import Workshop
from tests.services.processes import environment, run


@contextmanager
def migrated_database(workshop: Workshop) -> Iterator[str]:
    """The URL of a migrated database that holds nothing; it is dropped afterwards."""
    with database() as url:
        if shutil.which("pg_dump"):
            dump = workshop.get("served.dump", _dump)
            subprocess.run(["pg_restore", "--no-owner", "--dbname", url, str(dump)], check=True)
        else:
            _migrate(url, workshop.folder)
        yield url


def _dump(path: Path) -> None:
    with database() as url:
        _migrate(url, path.parent)
        subprocess.run(["pg_dump", "--format", "custom", "--file", str(path), url], check=True)


def _migrate(url: str, folder: Path) -> None:
    variables = environment(DATABASE_URL=url, DEBUG="1", VAR_DIR=str(folder / "migrating"))
    run("manage.py", "migrate", "--verbosity", "0", variables=variables)
