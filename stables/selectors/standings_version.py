"""The version of a season's standings from one cheap query, so that they can be cached until they change."""

from __future__ import annotations

import hashlib

from django.db import connection
from django.db.models import Model

from stables.models import (
    Asset,
    Correction,
    FixtureSide,
    Placing,
    ReputationEntry,
    Result,
    Season,
    Stable,
    Title,
)

JOINED = {"postgresql": "STRING_AGG(name, ',' ORDER BY id)"}
"""The function that joins texts, for databases that have another one than SQLite."""


def standings_version(season: Season) -> str:
    """Return 64 hex digits that change whenever the season's standings do; one query.

    Standings show reputation, kills, wins, places, titles, names and withdrawals. Reputation entries, places and titles
    are only ever added, so their number for each stable is enough: it never returns to an old value. The highest id
    alone is not enough, because on PostgreSQL a lower one may be committed later. The highest id distinguishes seasons
    that were imported under the same ids. Matches of individuals count once their fixture has a result, which brings
    entries in the book; a correction may change them without one, so corrections count too.
    """
    with connection.cursor() as cursor:
        cursor.execute(_query(connection.vendor), [season.pk])
        rows = cursor.fetchall()
    return hashlib.sha256(repr((season.slug, season.created_at, rows)).encode()).hexdigest()


def _query(vendor: str) -> str:
    """Return the query as hand-written SQL: building it by the ORM would take ten times as long as running it."""
    counts = [_of_stable("COUNT(*) || ':' || MAX(id)", model) for model in (ReputationEntry, Placing, Title)]
    corrections = (
        f"(SELECT COUNT(*) FROM {FixtureSide._meta.db_table} side "  # noqa: S608
        f"JOIN {Result._meta.db_table} result ON result.fixture_id = side.fixture_id "
        f"JOIN {Correction._meta.db_table} correction ON correction.result_id = result.id "
        "WHERE side.stable_id = stable.id)"
    )
    columns = [
        "id",
        "name",
        "slug",
        "left_in_cycle",
        *counts,
        corrections,
        _of_stable(JOINED.get(vendor, "GROUP_CONCAT(name)"), Asset),
    ]
    # It contains no input of people.
    return f"SELECT {', '.join(columns)} FROM {Stable._meta.db_table} stable WHERE season_id = %s ORDER BY number"  # noqa: S608


def _of_stable(what: str, model: type[Model]) -> str:
    return f"(SELECT {what} FROM {model._meta.db_table} WHERE stable_id = stable.id)"  # noqa: S608
