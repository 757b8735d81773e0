"""The corrected results of matches, for the room of matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from matches.models import Match
from stables.models import Result


def corrected(matches: QuerySet[Match]) -> Mapping[int, Mapping[str, Any]]:
    """Return the valid result of each of these matches whose result was corrected, by match id; two queries."""
    found = Result.objects.filter(fixture__match__in=matches.values("pk"), corrections__isnull=False).distinct()
    rows = found.select_related("fixture").prefetch_related("corrections")
    return {row.fixture.match_id: row.current for row in rows if row.fixture.match_id is not None}
