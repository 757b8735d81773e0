"""Who may watch a match, who counts as having played it, and who keeps order there.

The host of a match knows what it belongs to (`matches.host`). One that has none is a friendly match, seen by whoever
has its address.
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
"""What a secret key looks like; the database is asked for no other."""


def subject_of(match: Match) -> str:
    """Return what a match is called by those who tell of it: its fixture's key, else its own public id."""
    return match.fixture_key or str(match.public_id)


@dataclass(frozen=True)
class Watch:
    """A match from `find_match` with the person who looks at it: the sides that they play, their permissions, and the
    key they used.

    `key` is the secret of the address by which somebody came, empty for the match's own address.
    """

    match: Match
    sides: tuple[str, ...]
    permissions: MatchPermissions
    key: str = ""

    @property
    def subject(self) -> str:
        """What the match is called by those who tell of it."""
        return subject_of(self.match)

    @property
    def is_guest(self) -> bool:
        """Whether what the match belongs to is closed to them: only their seat or the key lets them in here."""
        return not self.permissions.may_see

    @property
    def may_share(self) -> bool:
        """Whether they may make and revoke the match's secret address."""
        return bool(self.sides) or self.permissions.keeps_order

    def address(self, name: str, *arguments: Any) -> str:
        """Return the address of one of the match's pages, by the key where that is how they came."""
        if self.key:
            return reverse(f"matches:shared_{name}", args=[self.key, *arguments])
        return reverse(f"matches:{name}", args=[self.match.public_id, *arguments])


def is_key_of(match: Match, key: str) -> bool:
    """Return whether `key` is the secret with which the match is shared now."""
    return bool(key) and match.share_key is not None and constant_time_compare(key, match.share_key)


def may_watch(match: Match, user: Any, key: str = "") -> bool:
    """Return whether a request's user may look at a match from `find_match`: players, who has the key, whom its season
    lets.

    No query for players and for a person who has the key, else those of the function that knows the match.
    """
    return bool(sides_of(match, user)) or is_key_of(match, key) or permissions_in(subject_of(match), user).may_see


def find_watched(user: Any, public_id: UUID | None, key: str = "") -> Watch:
    """Return the match at this address, or the one that is shared by `key`, for somebody who looks at it.

    Two queries, by a key three, and those of the function that knows the match. Raises Http404 when there is none and
    when they may not watch it: the answers are the same.
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
