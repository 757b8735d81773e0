"""What the standings of a season depend on, in one cheap query: so that they can be remembered until they change."""

from __future__ import annotations

import hashlib

from django.db import connection
from django.db.models import Model

from stables.models import Asset, Placing, ReputationEntry, Season, Stable, Title

JOINED = {"postgresql": "STRING_AGG(name, ',' ORDER BY id)"}
"""How a database puts texts together, where it is not as SQLite does."""


def standings_version(season: Season) -> str:
    """Return a text that changes whenever the season's standings do: reputation, kills, wins, places, titles, names.

    The reputation book, places and titles are only ever added to, so that their number in each stable says it all: it
    never returns to a value it had. (The highest id alone would not do: on PostgreSQL a lower one may be committed
    later. It tells a season from another that was read in under the same ids.) Line-ups count once their fixture has a
    result, which comes with its entries in the book. One query.
    """
    with connection.cursor() as cursor:
        cursor.execute(_query(connection.vendor), [season.pk])
        rows = cursor.fetchall()
    return hashlib.sha256(repr((season.slug, season.created_at, rows)).encode()).hexdigest()


def _query(vendor: str) -> str:
    """Return the query by hand: to put it together again for each request would take ten times as long as to run it."""
    counts = [_of_stable("COUNT(*) || ':' || MAX(id)", model) for model in (ReputationEntry, Placing, Title)]
    columns = [
        "id",
        "name",
        "slug",
        "left_in_cycle",
        *counts,
        _of_stable(JOINED.get(vendor, "GROUP_CONCAT(name)"), Asset),
    ]
    # Nothing of what people send is in it.
    return f"SELECT {', '.join(columns)} FROM {Stable._meta.db_table} stable WHERE season_id = %s ORDER BY number"  # noqa: S608


def _of_stable(what: str, model: type[Model]) -> str:
    return f"(SELECT {what} FROM {model._meta.db_table} WHERE stable_id = stable.id)"  # noqa: S608
