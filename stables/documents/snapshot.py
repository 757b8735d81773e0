"""Reading a season as it stands at one moment, however long that takes and whatever is written meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Let all queries inside see the database as it was at the first of them. For reading alone; writers do not wait.

    Inside a transaction that has begun already its own view is kept.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # Transactions of the site begin as writers, which would keep all others waiting; a reader needs no lock.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
