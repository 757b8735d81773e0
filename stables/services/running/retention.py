"""Deleting what seasons keep only for a while. Each function deletes at most `most` rows and returns their number."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from people.services.retention import delete_some
from stables.models import ComingQuestion, Passing
from web import retention


def forget_links(now: datetime, most: int) -> int:
    """Delete links to a stable that nobody used, and that ended UNUSED_LINKS ago. Passings that happened stay."""
    before = now - retention.UNUSED_LINKS
    ended = Q(expires_at__lt=before) | Q(revoked_at__lt=before)
    return delete_some(Passing.objects.filter(ended, passed_at=None).exclude(code_hash=None), most)


def forget_questions(now: datetime, most: int) -> int:
    """Delete questions who comes, with the answers, WHO_COMES after the evening. The log of the season keeps both."""
    return delete_some(ComingQuestion.objects.filter(at__lt=now - retention.WHO_COMES), most)
