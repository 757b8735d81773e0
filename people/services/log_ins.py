"""The count of failed log-ins from one network address, over all names and pages.

`axes` counts each pair of name and address. Somebody who tries one password with many names never meets its limit.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from people.services.accounts import FAILED_LOG_INS_OF_A_PLACE, TooOften, count_attempt, refuse_too_often


def client_address(request: HttpRequest) -> str:
    """Return the network address of the person who asks; behind a proxy see PROXY_COUNT in the settings."""
    return str(request.META.get("REMOTE_ADDR", ""))


class PlaceBackend:
    """A backend that logs nobody in. It comes first, to refuse an address that failed too often."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        """Refuse an address that failed too often, even with the right password; otherwise do nothing.

        Raises TooOften (too_often).
        """
        if request is not None:
            refuse_too_often(FAILED_LOG_INS_OF_A_PLACE, client_address(request))


@receiver(user_login_failed, dispatch_uid="people.log_ins")
def count_failure(request: HttpRequest | None = None, **details: Any) -> None:
    if request is not None:
        # The answer to this attempt is on its way already; the next one is refused.
        with suppress(TooOften):
            count_attempt(FAILED_LOG_INS_OF_A_PLACE, client_address(request))
