"""Reading a season at one moment, even if it takes long and others write meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Let all queries inside the block see the database as it was at the first of them. It is for reading only.

    Writers do not wait. Inside a transaction that has already begun, the block changes nothing.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # The site's transactions begin as writers, for which all others would wait; a reader needs no lock.
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
