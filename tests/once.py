"""What several tests read is built once, and what each of them does to it is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction


@contextmanager
def built_once(blocker: Any) -> Iterator[None]:
    """What is stored in this block stays until it ends, for fixtures of a module or a package.

    `blocker` is pytest-django's `django_db_blocker`. A test that asks for `db` begins a savepoint inside, and finds
    everything as it was built. Not for tests with threads, processes or transactions of their own.
    """
    with blocker.unblock(), transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)
