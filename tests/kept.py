"""What tests with a live server read is built once in a process, and the database put back as it then was."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeVar

from django.contrib.contenttypes.models import ContentType
from django.db import connection

Made = TypeVar("Made")


class Kept:
    """Databases as tests found them, by name; for tests whose transactions are real (`built_once` is for the others).

    Only SQLite's can be put back; in any other everything is built anew each time.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: dict[str, Any] = {}

    def get(self, name: str, make: Callable[[], Made]) -> Made:
        """What `make` gives, with all that it stored; from the second time on whatever else is stored goes."""
        if connection.vendor != "sqlite":
            return make()
        if name not in self.made:
            self.made[name] = make()
            self._copy(name, back=False)
        else:
            self._copy(name, back=True)
            # Rows of this table may have had other ids since.
            ContentType.objects.clear_cache()
        found: Made = deepcopy(self.made[name])
        return found

    def _copy(self, name: str, back: bool) -> None:
        connection.ensure_connection()
        with closing(sqlite3.connect(self.folder / name)) as kept:
            source, target = (kept, connection.connection) if back else (connection.connection, kept)
            source.backup(target)
