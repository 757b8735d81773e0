"""Deleting what accounts keep only for a while. Each function deletes at most `most` rows and returns their number."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.admin.models import LogEntry
from django.db.models import Q, QuerySet

from people.models import OPEN_ACT, ApiToken, Notice, User, Wording
from web import retention


def delete_some(rows: QuerySet[Any], most: int) -> int:
    """Delete the oldest `most` rows of a query set, with what belongs to them, and return how many these were."""
    keys = list(rows.order_by("pk").values_list("pk", flat=True)[:most])
    if keys:
        # The condition is asked again: a person may have changed a row just now.
        rows.filter(pk__in=keys).delete()
    return len(keys)


def forget_notices(now: datetime, most: int) -> int:
    """Delete notices that were read READ_NOTICES ago and ask for nothing, or were written UNREAD_NOTICES ago."""
    is_read = Q(read_at__lt=now - retention.READ_NOTICES) & ~OPEN_ACT
    return delete_some(Notice.objects.filter(is_read | Q(created_at__lt=now - retention.UNREAD_NOTICES)), most)


def forget_tokens(now: datetime, most: int) -> int:
    """Delete tokens that ended ENDED_TOKENS ago."""
    before = now - retention.ENDED_TOKENS
    return delete_some(ApiToken.objects.filter(Q(expires_at__lt=before) | Q(revoked_at__lt=before)), most)


def forget_administration(now: datetime, most: int) -> int:
    """Delete what the administration noted ADMINISTRATION ago."""
    return delete_some(LogEntry.objects.filter(action_time__lt=now - retention.ADMINISTRATION), most)


def forget_wordings(now: datetime, most: int) -> int:
    """Delete proposals of better wording that are done since DONE_WORDINGS, or were sent WORDINGS ago."""
    is_over = Q(done_at__lt=now - retention.DONE_WORDINGS) | Q(created_at__lt=now - retention.WORDINGS)
    return delete_some(Wording.objects.filter(is_over), most)


def forget_waiting_addresses(now: datetime, most: int) -> int:
    """Empty addresses that wait for their link since WAITING_ADDRESSES. The account stays."""
    old = User.objects.filter(new_email_since__lt=now - retention.WAITING_ADDRESSES)
    keys = list(old.order_by("pk").values_list("pk", flat=True)[:most])
    return old.filter(pk__in=keys).update(new_email="", new_email_since=None)
