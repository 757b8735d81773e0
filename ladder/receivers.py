"""The jobs that the ladder queues when a match ends or is corrected, in the transaction that does it."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from jobs.services import enqueue
from matches.models import Match
from matches.signals import match_ended, result_corrected


@receiver(match_ended, dispatch_uid="ladder.ask_for_rating")
def ask_for_rating(match: Match, **kwargs: Any) -> None:
    """Queue the rating of a match that has ended. One query to find out who played.

    A match of one player against themselves, such as a bot against the same bot, is not rated.
    """
    holders = set(match.seats.values_list("user", "bot"))
    if len(holders) > 1:
        enqueue("ladder.rate", {"match": match.pk}, unique_key=f"ladder:match:{match.pk}")


@receiver(result_corrected, dispatch_uid="ladder.ask_for_folding")
def ask_for_folding(match_id: int, **kwargs: Any) -> None:
    """Queue the job that follows a corrected match; one query.

    The job itself checks whether the match is rated, because another worker may be rating it at this moment.
    """
    enqueue("ladder.follow_correction", {"match": match_id})
