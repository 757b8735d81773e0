"""Rows that are written once: steps of matches, entries of ledgers, results."""

from __future__ import annotations

from typing import Any

from django.db import models


class WrittenOnce(Exception):
    """An attempt to change or remove a row that is written once: a bug of this site, never a player's mistake."""


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """A query set that refuses to update or delete its rows: both raise WrittenOnce."""

    def update(self, **values: Any) -> int:
        raise WrittenOnce(f"{self.model.__name__} rows are never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise WrittenOnce(f"{self.model.__name__} rows are never removed")


class AppendOnly(models.Model):
    """Rows that are inserted and never changed: a second save and a deletion raise WrittenOnce.

    Triggers of the database refuse changes too (migrations of the app).
    """

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise WrittenOnce(f"{type(self).__name__} rows are never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise WrittenOnce(f"{type(self).__name__} rows are never removed")
