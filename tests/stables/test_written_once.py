"""The database itself keeps the books: raw statements that change or remove their rows are refused."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from stables.models import LedgerEntry, LogEntry, Season
from tests.stables.conftest import play_out_typed
from web.append_only import AppendOnly

pytestmark = [pytest.mark.django_db, pytest.mark.database]
migration = import_module("stables.migrations.0007_sqlite_keeps_the_books")
BOOKS = [model for model in apps.get_app_config("stables").get_models() if issubclass(model, AppendOnly)]


@pytest.fixture
def as_in_production(db: None) -> None:
    """Put the triggers back that tests do without on SQLite; the end of the test takes them away again."""

    class Editor:
        pass

    editor: Any = Editor()
    editor.connection = connection
    migration.create(apps, editor)


def test_every_book_is_kept() -> None:
    assert set(migration.TABLES) == {model._meta.db_table for model in BOOKS}


def test_raw_statements_change_and_remove_nothing(stocked: Season, as_in_production: None) -> None:
    play_out_typed(stocked)
    LogEntry.objects.create(season=stocked, code="season_started", parameters={"stables": 4})
    filled = [model for model in BOOKS if model._default_manager.exists()]
    assert LedgerEntry in filled
    assert len(filled) >= 4
    for model in filled:
        table, count = model._meta.db_table, model._default_manager.count()
        for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET id = id + 1000000"):  # noqa: S608
            with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(statement)
        assert model._default_manager.count() == count


def test_the_triggers_can_be_taken_away_and_made_again(as_in_production: None) -> None:
    class Editor:
        pass

    editor: Any = Editor()
    editor.connection = connection
    for change in (migration.create, migration.drop, migration.drop, migration.create):
        change(apps, editor)
