"""Long work without a record of its SQL statements.

Under DEBUG Django keeps the last statements of a connection, for people who look at those of a page. For each it asks
SQLite by a second statement how the parameters are written. A season makes thousands that nobody will look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def without_kept_statements() -> Iterator[None]:
    """Record no statements of this thread inside, unless a caller captures them (`force_debug_cursor`)."""
    keeping = connection.make_debug_cursor

    def make_cursor(cursor: Any) -> Any:
        return keeping(cursor) if connection.force_debug_cursor else connection.make_cursor(cursor)

    connection.make_debug_cursor = make_cursor  # type: ignore[method-assign]
    try:
        yield
    finally:
        connection.make_debug_cursor = keeping  # type: ignore[method-assign]
