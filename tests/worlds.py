"""Worlds that tests look at and change: each is built once in a run and copied wherever a test asks for it.

    world = worlds.enter("eight stables", build)     # inside the transaction of a test
    world = worlds.replace("eight stables", build)   # where transactions are real: threads, processes, a live server

`build` stores rows and returns what tests want to know about them; that is pickled, so it holds model instances, plain
values and dataclasses, but no test client and no address of a server. A name stands for one way of building: its
parameters belong into the name. It is built in a database of its own that holds what every test begins with, so it is
the same whoever asks first; what it wants of another world it enters itself. Enter a world before the test stores
anything else, because rows with the same key give way to its own. On PostgreSQL, whose rows cannot be copied that fast,
each call builds on top of what is there.
"""

from __future__ import annotations

import pickle
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from django.db import connection, transaction

from tests import databases
from tests.chance import drawn_for
from tests.once_a_run import Workshop

Made = TypeVar("Made")

COUNTERS = "sqlite_sequence"
STATISTICS = "sqlite_stat1"


class Worlds:
    """The worlds of a run, in files of its workshop."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop

    def enter(self, name: str, build: Callable[[], Made]) -> Made:
        """Put the rows of a world into the open transaction and return what `build` returned for them."""
        if connection.vendor != "sqlite":
            with drawn_for(name):
                return build()
        assert connection.in_atomic_block, "the test needs the fixture `db`; see `replace`"
        folder = self.made(name, build)
        with closing(_opened(folder / "rows.sqlite3")) as stored:
            _copy_rows(stored, connection.connection)
        return _stored(folder)

    def replace(self, name: str, build: Callable[[], Made]) -> Made:
        """Make a world all that the database holds and return what `build` returned for it; for an empty database."""
        # Where it is at the top, commands that use the tests' helpers cannot be started: they set Django up later.
        from django.contrib.contenttypes.models import ContentType

        if connection.vendor != "sqlite":
            with drawn_for(name):
                return build()
        folder = self.made(name, build)
        connection.ensure_connection()
        with closing(_opened(folder / "whole.sqlite3")) as stored:
            stored.backup(connection.connection)
        # Rows of this table may have had other ids before.
        ContentType.objects.clear_cache()
        return _stored(folder)

    def made(self, name: str, build: Callable[[], Any]) -> Path:
        """Return the folder of a world and build it if nobody has; on SQLite only."""
        plain = "".join(letter if letter.isalnum() else "-" for letter in name)
        return self.workshop.get(plain, lambda folder: self._build(folder, build))

    def _build(self, folder: Path, build: Callable[[], Any]) -> None:
        base = self.workshop.get("base.sqlite3", databases.make_base)
        folder.mkdir()
        whole = folder / "whole.sqlite3"
        shutil.copy(base, whole)
        with databases.beside(whole), transaction.atomic():
            built = build()
            # As in a test, whose transaction never ends well: nobody hears of what happened.
            connection.run_on_commit.clear()
        _store_difference(whole, base, folder / "rows.sqlite3")
        (folder / "built.pickle").write_bytes(pickle.dumps(built))


@contextmanager
def taken_back() -> Iterator[None]:
    """Take back whatever is stored inside."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


def _stored(folder: Path) -> Any:
    return pickle.loads((folder / "built.pickle").read_bytes())  # noqa: S301


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{file}?mode=ro", uri=True)


def _store_difference(whole: Path, base: Path, rows: Path) -> None:
    """Write the rows that a world has beyond the base, and its counters, to a new file."""
    with closing(sqlite3.connect(rows)) as target:
        target.execute("ATTACH ? AS world", (str(whole),))
        target.execute("ATTACH ? AS base", (str(base),))
        names = "SELECT name FROM world.sqlite_master WHERE type = 'table' AND name != ?"
        for (table,) in target.execute(names, (STATISTICS,)).fetchall():
            if table == COUNTERS:
                target.execute("CREATE TABLE counters AS SELECT * FROM world.sqlite_sequence")
                continue
            found = f'SELECT * FROM world."{table}" EXCEPT SELECT * FROM base."{table}"'  # noqa: S608
            if target.execute(f"SELECT 1 FROM ({found})").fetchone():  # noqa: S608
                target.execute(f'CREATE TABLE "{table}" AS {found}')
        target.commit()


def _copy_rows(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copy rows over those with the same key. Opens and ends no transaction."""
    target.execute("DELETE FROM sqlite_sequence")
    for (table,) in source.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        rows = source.execute(f'SELECT * FROM "{table}"').fetchall()  # noqa: S608
        places = ", ".join("?" * len(rows[0]))
        target.executemany(
            f'INSERT OR REPLACE INTO "{COUNTERS if table == "counters" else table}" VALUES ({places})',  # noqa: S608
            rows,
        )
