"""Tokens: keys with which programs act for an account, each limited to the scopes that it was made for."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from people.models import ApiToken, User
from rules.core.refusals import Malformed, Refused
from web.bounds import MOST_TOKENS
from web.names import looks_like_one, proper_name

SCOPES = {
    "read": _("read what you may see"),
    "play": _("run your stables and play your matches"),
    "organise": _("run the seasons that you organise"),
}
"""The scopes of tokens, with the words for people. A scope allows nothing of the others."""

PREFIX = "solaris_"
"""The prefix of every token, so that a leaked one can be recognised."""
LONGEST_DAYS = 366
LONGEST_NAME = 60
USE_IS_NOTED = timedelta(hours=1)

_others: list[Callable[[User, datetime], list[str]]] = []


@dataclass(frozen=True)
class NewToken:
    """A token with its text, which nobody can read again."""

    token: ApiToken
    text: str


def make_token(
    *, user: User, name: str, scopes: Collection[str], days: int = 90, now: datetime | None = None
) -> NewToken:
    """Make a token that is good for `scopes` and for `days`, 1 to 366.

    The names of two tokens of an account that are not revoked cannot look the same.

    Raises Malformed (bad_field) and Refused (token_name_taken, too_many_tokens).
    """
    now = now or timezone.now()
    name = proper_name(name, LONGEST_NAME)
    if not name:
        raise Malformed("bad_field", field="name")
    if not scopes or not set(scopes) <= set(SCOPES):
        raise Malformed("bad_field", field="scopes")
    if not 1 <= days <= LONGEST_DAYS:
        raise Malformed("bad_field", field="days")
    text = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if open_tokens(user, now).count() >= MOST_TOKENS:
            raise Refused("too_many_tokens", most=MOST_TOKENS)
        if looks_like_one(name, kept_tokens(user).values_list("name", flat=True)):
            raise Refused("token_name_taken", name=name)
        made = ApiToken.objects.create(
            user=user,
            name=name,
            digest=digest_of(text),
            ending=text[-4:],
            scopes=[scope for scope in SCOPES if scope in scopes],
            expires_at=now + timedelta(days=days),
        )
    return NewToken(made, text)


def digest_of(text: str) -> str:
    """Return the hash under which a token is stored. The token has 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(text.encode()).hexdigest()


def open_tokens(user: User, now: datetime | None = None) -> QuerySet[ApiToken]:
    """Return the tokens of an account that are neither revoked nor expired."""
    return ApiToken.objects.filter(user=user, revoked_at=None, expires_at__gt=now or timezone.now())


def is_of_program(user: User) -> bool:
    """Return whether the owner of an account lets a program play with it: by a token that may, or on the ladder."""
    is_said = user.ladder == User.Ladder.PROGRAM
    return is_said or any("play" in scopes for scopes in open_tokens(user).values_list("scopes", flat=True))


def kept_tokens(user: User) -> QuerySet[ApiToken]:
    """Return the tokens of an account that were not revoked, expired ones too, the newest first."""
    return ApiToken.objects.filter(user=user, revoked_at=None).order_by("-id")


def find_token(text: str, now: datetime | None = None) -> ApiToken | None:
    """Return the valid token with this text, fetched with its account, and note its use, at most once an hour.

    None when there is none, or its account is inactive. One query, two when the use is noted.
    """
    now = now or timezone.now()
    # Without an order, which `first` would add: it takes Django half as long as the query.
    found = next(iter(ApiToken.objects.select_related("user").filter(digest=digest_of(text)).order_by()), None)
    if found is None or found.revoked_at is not None or found.expires_at <= now or not found.user.is_active:
        return None
    if found.last_used_at is None or found.last_used_at <= now - USE_IS_NOTED:
        ApiToken.objects.filter(pk=found.pk).update(last_used_at=now)
    return found


def also_end(end_others: Callable[[User, datetime], list[str]]) -> None:
    """Let an app end, together with tokens, what else opens something of an account without its password.

    `end_others` does it, and returns sentences, in the reader's language, on what ended.
    """
    _others.append(end_others)


def end_tokens(user: User, now: datetime | None = None) -> list[str]:
    """End all tokens of an account at once, and what `also_end` has registered.

    Return sentences, in the reader's language, on what ended that was still valid. Call it in a transaction.
    """
    now = now or timezone.now()
    count = open_tokens(user, now).count()
    ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=now)
    said = []
    if count:
        text = ngettext("%(count)d token for programs ended.", "%(count)d tokens for programs ended.", count)
        said.append(text % {"count": count})
    return said + [sentence for end_others in _others for sentence in end_others(user, now)]


def revoke_token(*, user: User, token_id: int, now: datetime | None = None) -> None:
    """End a token of an account at once; a second call changes nothing. Raises Malformed (unknown_token)."""
    own = ApiToken.objects.filter(user=user, pk=token_id)
    if not own.exists():
        raise Malformed("unknown_token")
    own.filter(revoked_at=None).update(revoked_at=now or timezone.now())
