"""Long work does not keep its statements.

Under DEBUG Django keeps the last statements of a connection for whoever looks at a page's; for each it asks SQLite by a
second statement how the parameters are written. A season makes thousands that nobody will look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def without_kept_statements() -> Iterator[None]:
    """Keep statements of this thread inside only for somebody who captures them (`force_debug_cursor`)."""
    keeping = connection.make_debug_cursor

    def make_cursor(cursor: Any) -> Any:
        return keeping(cursor) if connection.force_debug_cursor else connection.make_cursor(cursor)

    connection.make_debug_cursor = make_cursor  # type: ignore[method-assign]
    try:
        yield
    finally:
        connection.make_debug_cursor = keeping  # type: ignore[method-assign]
