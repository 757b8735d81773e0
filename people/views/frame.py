"""What several pages of people share: who reads them, logging a guest in, and whether this site sends mails."""

from __future__ import annotations

from django.contrib.auth import login
from django.http import HttpRequest

from people.models import User
from people.services import mails
from web.retention import GUEST_SESSIONS

ACCOUNT_BACKEND = "people.services.log_ins.AccountBackend"

MAILS = {"are_sent": mails.are_sent}
"""What pages say about mails; a template calls it."""


def logged_in(request: HttpRequest) -> User:
    """Return the person of a request that `login_required` let pass."""
    assert isinstance(request.user, User)
    return request.user


def log_in_guest(request: HttpRequest, guest: User) -> None:
    """Let this browser be a guest until GUEST_SESSIONS are over. The session gets another key, as at every log-in."""
    login(request, guest, backend=ACCOUNT_BACKEND)
    request.session.set_expiry(GUEST_SESSIONS)
