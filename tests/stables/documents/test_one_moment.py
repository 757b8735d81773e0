"""A season's document is read as the season stands at one moment."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.db import connection

from stables.documents import document
from stables.documents.snapshot import one_moment


@pytest.mark.django_db(transaction=True)
def test_queries_inside_see_one_moment_and_leave_no_transaction() -> None:
    with one_moment(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            assert connection.connection.in_transaction
        else:
            cursor.execute("SHOW transaction_isolation")
            assert cursor.fetchone() == ("repeatable read",)
    if connection.vendor == "sqlite":
        assert not connection.connection.in_transaction
    else:
        assert connection.get_autocommit()
    assert not connection.in_atomic_block
    with pytest.raises(ZeroDivisionError), one_moment():
        raise ZeroDivisionError
    with one_moment():
        pass


@pytest.mark.django_db(transaction=True)
def test_a_document_is_written_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = []

    def pieces(*arguments: Any) -> list[str]:
        if connection.vendor == "sqlite":
            inside.append(connection.connection.in_transaction)
        else:
            inside.append(connection.in_atomic_block)
        return []

    monkeypatch.setattr(document, "_pieces", pieces)
    connection.ensure_connection()
    season: Any = None
    document.write(season, document.PUBLISHED, io.BytesIO())
    assert inside == [True]
