"""What the ladder asks for when a match ends or is corrected, in the transaction that does it. The work is a job's."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from jobs.services import enqueue
from matches.models import Match
from matches.signals import match_ended, result_corrected


@receiver(match_ended, dispatch_uid="ladder.ask_for_rating")
def ask_for_rating(match: Match, **kwargs: Any) -> None:
    """Ask for the rating of a match of several players; one of a bot with itself, as most of the AI's are, asks for
    nothing. One query."""
    holders = set(match.seats.values_list("user", "bot"))
    if len(holders) > 1:
        enqueue("ladder.rate", {"match": match.pk}, unique_key=f"ladder:match:{match.pk}")


@receiver(result_corrected, dispatch_uid="ladder.ask_for_folding")
def ask_for_folding(match_id: int, **kwargs: Any) -> None:
    """Ask for the ladder to be folded again if it counts a match that has another result now; whether it does is for
    the job to see, as the match may be rated at this moment. One query."""
    enqueue("ladder.follow_correction", {"match": match_id})
