"""Secret addresses: everybody with such an address may watch a match that is otherwise closed to them."""

from __future__ import annotations

import secrets

from django.core.exceptions import PermissionDenied

from matches.models import Match
from matches.selectors.permissions import Watch

KEY_BYTES = 32
"""256 random bits, 43 letters: nobody guesses one."""


def share(watch: Watch) -> str:
    """Give the match a key and return it, or return the key that it has.

    Two people who ask at once get the same key. Raises PermissionDenied for a person who may not share the match.
    """
    if not watch.may_share:
        raise PermissionDenied
    Match.objects.filter(pk=watch.match.pk, share_key=None).update(share_key=secrets.token_urlsafe(KEY_BYTES))
    return str(Match.objects.values_list("share_key", flat=True).get(pk=watch.match.pk))


def revoke(watch: Watch) -> None:
    """Delete the match's key: its address stops working, and the next key is a new one.

    Raises PermissionDenied for a person who may not share the match.
    """
    if not watch.may_share:
        raise PermissionDenied
    Match.objects.filter(pk=watch.match.pk).update(share_key=None)
