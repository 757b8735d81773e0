"""Which result of a match holds: what it is part of may correct it after its end, and the match stays as it was played.

Rooms above this one say which results they corrected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet

from matches.models import Match

VOID, FORFEIT = "void", "forfeit"
"""What a corrected result was ended by when no play decides it any more."""

Corrector = Callable[[QuerySet[Match]], Mapping[int, Mapping[str, Any]]]
_correctors: list[Corrector] = []


def corrects(corrector: Corrector) -> Corrector:
    """Register a function that knows the corrected results among some matches, by their ids (a constant number of
    queries, please). Each has the fields `ended_by`, `winner`, `tie_break`, `sides` and `places` of a match's own."""
    _correctors.append(corrector)
    return corrector


def corrected_results(matches: QuerySet[Match]) -> dict[int, Mapping[str, Any]]:
    """The results that hold of these matches where they are not those of play any more, by the ids of the matches."""
    return {match_id: result for corrector in _correctors for match_id, result in corrector(matches).items()}
