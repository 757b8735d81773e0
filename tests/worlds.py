"""Worlds that tests look at and change: each is built once in a run and copied wherever a test asks for it.

    world = worlds.enter("eight stables", build)     # inside the transaction of a test
    world = worlds.replace("eight stables", build)   # where transactions are real: threads, processes, a live server

`build` stores rows and returns what tests want to know about them; that is pickled, so it holds model instances, plain
values and dataclasses, but no test client and no address of a server. A name stands for one way of building: its
parameters belong into the name. Enter a world before the test stores anything else, because all rows that are there
when it is built belong to it. On PostgreSQL, whose rows cannot be copied that fast, each call builds.
"""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from django.db import connection, transaction

from tests.once_a_run import Workshop

Made = TypeVar("Made")

STATISTICS = "sqlite_stat1"
LEFT_ALONE = ("django_migrations", STATISTICS)
"""What every database of a run has already."""


class Worlds:
    """The worlds of a run, in files of its workshop."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop

    def enter(self, name: str, build: Callable[[], Made]) -> Made:
        """Put the rows of a world into the open transaction and return what `build` returned for them."""
        if connection.vendor != "sqlite":
            return build()
        assert connection.in_atomic_block, "the test needs the fixture `db`; see `replace`"
        file = self.workshop.get(f"{_plain(name)}.sqlite3", lambda path: self._built(path, name, build))
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as stored:
            _copy_rows(stored, connection.connection)
        return self._told(name)

    def replace(self, name: str, build: Callable[[], Made]) -> Made:
        """Make a world all that the database holds and return what `build` returned for it; for an empty database."""
        # Where it is at the top, commands that use the tests' helpers cannot be started: they set Django up later.
        from django.contrib.contenttypes.models import ContentType

        if connection.vendor != "sqlite":
            return build()
        file = self.workshop.get(f"{_plain(name)}.sqlite3", lambda path: self._built(path, name, build))
        connection.ensure_connection()
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as stored:
            stored.backup(connection.connection)
        # Rows of this table may have had other ids before.
        ContentType.objects.clear_cache()
        return self._told(name)

    def _built(self, path: Path, name: str, build: Callable[[], Any]) -> None:
        """Build a world on top of what the test found, store the database that it makes, and take it all back."""
        connection.ensure_connection()
        with taken_back():
            told = build()
            with closing(sqlite3.connect(path)) as target:
                target.execute("PRAGMA synchronous=OFF")
                _copy_schema(connection.connection, target)
                # A whole database: it knows its migrations.
                _copy_rows(connection.connection, target, (STATISTICS,))
                target.commit()
        (self.workshop.folder / f"{_plain(name)}.pickle").write_bytes(pickle.dumps(told))

    def _told(self, name: str) -> Any:
        return pickle.loads((self.workshop.folder / f"{_plain(name)}.pickle").read_bytes())  # noqa: S301


@contextmanager
def taken_back() -> Iterator[None]:
    """Take back whatever is stored inside."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name)


def _copy_schema(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Make the tables, indexes and triggers of one database in another, empty one."""
    rows = source.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    for (statement,) in sorted(rows.fetchall(), key=lambda row: not row[0].startswith("CREATE TABLE")):
        target.execute(statement)
    target.commit()


def _copy_rows(
    source: sqlite3.Connection, target: sqlite3.Connection, left_alone: tuple[str, ...] = LEFT_ALONE
) -> None:
    """Copy the rows of the other tables, over those with the same key. Opens and ends no transaction."""
    tables = source.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in tables:
        if table in left_alone:
            continue
        # The sign keeps the types of Django's connection away: the rows are copied as they are stored.
        columns = ", ".join(f'+"{name}"' for (_, name, *_) in source.execute(f'PRAGMA table_info("{table}")'))
        rows = source.execute(f'SELECT {columns} FROM "{table}"').fetchall()  # noqa: S608
        if table == "sqlite_sequence":
            target.execute("DELETE FROM sqlite_sequence")
        if rows:
            places = ", ".join("?" * len(rows[0]))
            target.executemany(f'INSERT OR REPLACE INTO "{table}" VALUES ({places})', rows)  # noqa: S608
