"""Who may watch a match, who counts as having played it, and who keeps order there.

The host of a match knows what it belongs to (`matches.host`). A match without a host is a friendly one: everybody with
its address may see it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from matches.host import MatchPermissions, permissions_in
from matches.models import Match
from matches.selectors.matches import find_match, sides_of

KEY = re.compile(r"[A-Za-z0-9_-]{43}")
"""The form of a secret key; other keys are never looked up."""


def subject_of(match: Match) -> str:
    """Return the subject of a match's write-ups and permissions: its fixture's key, or its public id without one."""
    return match.fixture_key or str(match.public_id)


@dataclass(frozen=True)
class Watch:
    """A match from `find_match` and the person who looks at it: the sides that they play, and their permissions.

    `key` is the secret in the address that they used, empty for the match's own address.
    """

    match: Match
    sides: tuple[str, ...]
    permissions: MatchPermissions
    key: str = ""

    @property
    def subject(self) -> str:
        """The subject of the match's write-ups."""
        return subject_of(self.match)

    @property
    def is_guest(self) -> bool:
        """Whether the person may not see what the match belongs to. Only a seat or the key lets a guest watch."""
        return not self.permissions.may_see

    @property
    def may_share(self) -> bool:
        """Whether the person may make and revoke the match's secret address."""
        return bool(self.sides) or self.permissions.keeps_order

    def address(self, name: str, *arguments: Any) -> str:
        """Return the address of one of the match's pages, with the key if the person used it."""
        if self.key:
            return reverse(f"matches:shared_{name}", args=[self.key, *arguments])
        return reverse(f"matches:{name}", args=[self.match.public_id, *arguments])


def is_key_of(match: Match, key: str) -> bool:
    """Return whether `key` is the match's present secret."""
    return bool(key) and match.share_key is not None and constant_time_compare(key, match.share_key)


def may_watch(match: Match, user: Any, key: str = "") -> bool:
    """Return whether a request's user may look at a match from `find_match`.

    Players may, people with the key, and those whom the match's host allows; everybody may look at a friendly match.
    Only the host needs queries.
    """
    return bool(sides_of(match, user)) or is_key_of(match, key) or permissions_in(subject_of(match), user).may_see


def find_watched(user: Any, public_id: UUID | None, key: str = "") -> Watch:
    """Return the match with this id, or without an id the one that `key` shares, for the person who looks at it.

    It takes three queries at most, with a key one more, and those of the match's host. Raises Http404 when there is no
    match, and also when the person may not watch it, so that the answer reveals nothing.
    """
    if public_id is None:
        is_key = KEY.fullmatch(key) is not None
        shared = Match.objects.only("public_id").filter(share_key=key).first() if is_key else None
        if shared is None:
            raise Http404
        public_id = shared.public_id
    match = find_match(public_id)
    watch = Watch(match, sides_of(match, user), permissions_in(subject_of(match), user), key)
    if watch.is_guest and not watch.sides and not is_key_of(match, key):
        raise Http404
    return watch
