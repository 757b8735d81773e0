"""What several pages of people share: who reads them, and whether this site sends mails."""

from __future__ import annotations

from django.http import HttpRequest

from people.models import User
from people.services import mails

MAILS = {"are_sent": mails.are_sent}
"""What pages say about mails; a template calls it."""


def logged_in(request: HttpRequest) -> User:
    """Return the person of a request that `login_required` let pass."""
    assert isinstance(request.user, User)
    return request.user
