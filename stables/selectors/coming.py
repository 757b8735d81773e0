"""Who comes to the evening that organisers asked about last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from stables.models import Coming, ComingQuestion, Season, Stable

STAYS = timedelta(days=1)
"""How long after its evening a question still stands on the organisers' page."""


@dataclass(frozen=True)
class WhoComes:
    """The newest question, and for each stable of a person whether it comes; None without an answer."""

    question: ComingQuestion
    answers: tuple[tuple[Stable, bool | None], ...]


def asked_stables(season: Season) -> list[Stable]:
    """Return the stables that people run and that have not left, by number, with their owners; one query."""
    owned = Stable.objects.filter(season=season, left_in_cycle=None, is_ai=False, owner__isnull=False)
    return list(owned.select_related("owner").order_by("number"))


def who_comes(season: Season, now: datetime | None = None) -> WhoComes | None:
    """Return the newest question of a season with its answers, None once its evening is long over; three queries."""
    question = season.coming.order_by("-pk").first()
    if question is None or question.at + STAYS < (now or timezone.now()):
        return None
    given = dict(question.answers.values_list("stable", "is_coming"))
    return WhoComes(question, tuple((stable, given.get(stable.pk)) for stable in asked_stables(season)))


def answers_of(owner: Any) -> list[Coming]:
    """Return the answers for the stables that a person owns, with stable, question and season; one query."""
    given = Coming.objects.filter(stable__owner=owner).select_related("stable", "question__season")
    return list(given.defer("question__season__secret").order_by("pk"))
