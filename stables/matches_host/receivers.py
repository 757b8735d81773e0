"""The receiver of ended matches: it asks for a job that settles them, in the transaction that ends the match."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from matches.models import Match
from matches.signals import match_ended
from stables.models import Fixture, SuddenDeath
from stables.services.base.job_requests import ask_for
from stables.services.standings.sudden_deaths import ask_for_titles


@receiver(match_ended, dispatch_uid="stables.ask_for_settlement")
def ask_for_settlement(match: Match, **kwargs: Any) -> None:
    """Queue the settlement of the fixture that this match belongs to, once; do nothing for a friendly match.

    The end of a sudden death queues the job that decides the titles.
    """
    fixture = Fixture.objects.select_related("round__cycle__season").filter(match=match).first()
    if fixture is not None:
        ask_for(
            fixture.round.cycle.season,
            "stables.settle_fixture",
            f"fixture:{fixture.pk}:settle_fixture",
            fixture=fixture.pk,
        )
        return
    for row in SuddenDeath.objects.filter(match=match, decided_at=None).select_related("season"):
        ask_for_titles(row.season, f"{row.kind}:{row.pk}:ended")
