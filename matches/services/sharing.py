"""Secret addresses: with one, anybody may watch a match that is otherwise for few."""

from __future__ import annotations

import secrets

from django.core.exceptions import PermissionDenied

from matches.models import Match
from matches.selectors.permissions import Watch

KEY_BYTES = 32
"""256 random bits, 43 letters: nobody guesses one."""


def share(watch: Watch) -> str:
    """Give the match a key, or return the one that it has.

    Of two who ask at once, both get the same.

    Raises PermissionDenied for a person who may not share it.
    """
    if not watch.may_share:
        raise PermissionDenied
    Match.objects.filter(pk=watch.match.pk, share_key=None).update(share_key=secrets.token_urlsafe(KEY_BYTES))
    return str(Match.objects.values_list("share_key", flat=True).get(pk=watch.match.pk))


def revoke(watch: Watch) -> None:
    """Take the match's key back: its address is empty from now on, and the next one is another.

    Raises PermissionDenied for a person who may not share it.
    """
    if not watch.may_share:
        raise PermissionDenied
    Match.objects.filter(pk=watch.match.pk).update(share_key=None)
