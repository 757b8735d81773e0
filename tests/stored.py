"""What a database holds, row by row: read before and after what must change nothing."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import connection


def rows_of(*rooms: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of the tables of some rooms, as the database stores it and in order of key.

    No model reads them: that would take ten times as long, and managers may leave rows out.
    """
    found = {}
    with connection.cursor() as cursor:
        for model in (model for room in rooms for model in apps.get_app_config(room).get_models()):
            table, key = map(connection.ops.quote_name, (model._meta.db_table, model._meta.pk.column))
            cursor.execute(f"SELECT * FROM {table} ORDER BY {key}")  # noqa: S608
            found[model._meta.label] = cursor.fetchall()
    return found
