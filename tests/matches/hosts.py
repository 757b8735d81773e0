"""A room that answers for matches as a test wants it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db.models import QuerySet

from matches.host import MatchPermissions, Stops, Surroundings
from matches.models import Match


@dataclass
class Host:
    """Every match is part of `surroundings`; `corrected` are results by match, `listed` the keys of the
    matches that lists show; `permissions` answers as
    `permissions_in`."""

    surroundings: Surroundings | None = None
    corrected: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    listed: Collection[str] = ()
    permissions: Callable[[str, Any], MatchPermissions | None] = lambda subject, user: None

    def surroundings_of(self, match: Match) -> Surroundings | None:
        return self.surroundings

    def permissions_in(self, subject: str, user: Any) -> MatchPermissions | None:
        return self.permissions(subject, user)

    def stops_of(self, match_ids: Collection[int]) -> Mapping[int, Stops]:
        return {}

    def listed_matches(self, user: Any) -> QuerySet[Any, Any]:
        return Match.objects.filter(fixture_key__in=self.listed).values("pk")

    def corrected_results(self, played: QuerySet[Match]) -> Mapping[int, Mapping[str, Any]]:
        return self.corrected

    def instead(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Answer in place of all hosts until the test ends."""
        monkeypatch.setattr("matches.host._hosts", [self])
