"""Log-ins: the backend of accounts, the count of failed ones from one place over all names, and the browser's language.

`axes` counts each pair of name and place. Somebody who tries one password with many names never meets its limit.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from functools import cache
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from people.models import Notice, User
from people.services.accounts import (
    FAILED_LOG_INS_OF_A_PLACE,
    TooOften,
    count_attempt,
    forget_attempts,
    refuse_too_often,
)
from people.services.acts import open_acts
from web.languages import offer
from web.places import client_place


class PlaceBackend:
    """A backend that logs nobody in. It comes first, to refuse a place that failed too often."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        """Refuse a place that failed too often, even with the right password; otherwise do nothing.

        Raises TooOften (too_often).
        """
        if request is not None:
            refuse_too_often(FAILED_LOG_INS_OF_A_PLACE, client_place(request))


class AccountBackend(ModelBackend):
    """The backend of passwords and sessions. With the person of a request it reads how many acts wait for them.

    Sessions from before it was there name Django's own. That one stands behind it in the settings, for them alone.
    """

    def authenticate(self, request: HttpRequest | None, *args: Any, **credentials: Any) -> User:
        """Return the account of a name and a password. Raises PermissionDenied, so that no backend behind is asked."""
        found = super().authenticate(request, *args, **credentials)
        if not isinstance(found, User):
            raise PermissionDenied
        return found

    def get_user(self, user_id: int) -> User | None:
        """Return the account of a session, None if it is not active or not there; one query."""
        person = next(iter(_with_acts().filter(pk=user_id)), None)
        if person is None or not self.user_can_authenticate(person):
            return None
        person.acts_counted, person.unread_counted = person.counted, person.unread
        return person


@cache
def _with_acts() -> QuerySet[Any]:
    """Return all accounts, each with how many acts wait for it as `counted` and its unread notices as `unread`, in no
    order.

    Every request of a person asks for one of them. To write the subquery takes Django as long as to ask for it, so that
    is done once in a process; an order, that of `first` too, would take as long again.
    """
    waiting = open_acts().filter(user=OuterRef("pk")).order_by().values("user")
    counted = waiting.annotate(count=Count("pk")).values("count")
    notices = Notice.objects.filter(user=OuterRef("pk"), read_at=None).order_by().values("user")
    unread = notices.annotate(count=Count("pk")).values("count")
    return User.objects.annotate(
        counted=Coalesce(Subquery(counted), 0), unread=Coalesce(Subquery(unread), 0)
    ).order_by()


@receiver(user_login_failed, dispatch_uid="people.log_ins")
def count_failure(request: HttpRequest | None = None, **details: Any) -> None:
    if request is not None:
        # The answer to this attempt is on its way already; the next one is refused.
        with suppress(TooOften):
            count_attempt(FAILED_LOG_INS_OF_A_PLACE, client_place(request))


@receiver(user_logged_in, dispatch_uid="people.log_ins")
def keep_language(request: HttpRequest, user: User, **details: Any) -> None:
    """Keep the language that the person's browser asks for: mails and messages have no browser that names one."""
    language = offer.wanted_by(request)
    if getattr(request, "names_language", False) and user.browser_language != language:
        user.browser_language = language
        user.save(update_fields=["browser_language"])


def forget_old_attempts() -> None:
    """Delete failed log-ins once they lock nobody out any more, and counted attempts after an hour."""
    now = timezone.now()
    AccessAttempt.objects.filter(attempt_time__lt=now - timedelta(hours=settings.AXES_COOLOFF_TIME)).delete()
    forget_attempts(now)
