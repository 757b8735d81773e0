"""What the ladder asks for when a match ends, in the transaction that ends it. The work is a job's."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from jobs.services import enqueue
from matches.models import Match
from matches.signals import match_ended


@receiver(match_ended, dispatch_uid="ladder.ask_for_rating")
def ask_for_rating(match: Match, **kwargs: Any) -> None:
    """Ask for the rating of a match of several players; one of a bot with itself, as most of the AI's are, asks for
    nothing. One query."""
    holders = set(match.seats.values_list("user", "bot"))
    if len(holders) > 1:
        enqueue("ladder.rate", {"match": match.pk}, unique_key=f"ladder:match:{match.pk}")
