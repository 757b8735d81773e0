"""The receiver of new accounts: a solo evening that was chosen before the sign-up begins with it."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import QueryDict
from django.urls import reverse

from people.models import User
from people.services import arrivals
from rules.core.refusals import Malformed, Refused
from stables.forms.solo import EveningForm
from stables.presenters.solo import GO
from stables.services.ai import solo


def begin_evening(user: User, address: str) -> str:
    """Begin the solo evening whose choices an address holds, and return that of its next step.

    Any other address comes back, and so does this one when a choice is refused: its page says what to change.
    """
    parts = urlsplit(address)
    chosen = QueryDict(parts.query)
    if parts.path != reverse("stables:solo") or GO not in chosen:
        return address
    try:
        made = solo.open_evening(player=user, **EveningForm(chosen).wishes())
    except (Malformed, Refused):
        return address
    return reverse("stables:season_next", args=[made.slug])


arrivals.register("solo evening", begin_evening)
