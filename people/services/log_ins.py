"""The count of failed log-ins from one place, over all names and pages, and the end of every count.

`axes` counts each pair of name and place. Somebody who tries one password with many names never meets its limit.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from people.services.accounts import (
    FAILED_LOG_INS_OF_A_PLACE,
    TooOften,
    count_attempt,
    forget_attempts,
    refuse_too_often,
)
from web.places import client_place


class PlaceBackend:
    """A backend that logs nobody in. It comes first, to refuse a place that failed too often."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        """Refuse a place that failed too often, even with the right password; otherwise do nothing.

        Raises TooOften (too_often).
        """
        if request is not None:
            refuse_too_often(FAILED_LOG_INS_OF_A_PLACE, client_place(request))


@receiver(user_login_failed, dispatch_uid="people.log_ins")
def count_failure(request: HttpRequest | None = None, **details: Any) -> None:
    if request is not None:
        # The answer to this attempt is on its way already; the next one is refused.
        with suppress(TooOften):
            count_attempt(FAILED_LOG_INS_OF_A_PLACE, client_place(request))


def forget_old_attempts() -> None:
    """Delete failed log-ins once they lock nobody out any more, and counted attempts after an hour."""
    now = timezone.now()
    AccessAttempt.objects.filter(attempt_time__lt=now - timedelta(hours=settings.AXES_COOLOFF_TIME)).delete()
    forget_attempts(now)
