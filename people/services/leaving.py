"""Deleting an account: the row stays without name, address or password, so that results and books keep their authors.

This room knows nothing of what a person has in other rooms of the house. Each room registers what stands in the way of
leaving, what leaving will do there, the function that does it, and what counts as the person's own data.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from people.models import User
from people.services.accounts import PASSWORD_TRIES, count_attempt
from people.text.notices import notice_sentence
from rules.core.refusals import Refused

ANONYMOUS_HOST = "left.invalid"
"""Addresses must be unique; a host of this ending never exists (RFC 2606)."""


class LeavingRefused(Refused):
    """The refusal to delete an account now; nothing has changed."""


@dataclass(frozen=True)
class Obstacle:
    """Something that a person must do before they leave: a code, its parameters, and the page for it ("" for none)."""

    code: str
    parameters: Mapping[str, Any]
    url: str = ""


@dataclass(frozen=True)
class Room:
    """The answers of one room of the house. `leave(person, delete_texts)` may raise Refused."""

    name: str
    obstacles: Callable[[User], list[Obstacle]]
    consequences: Callable[[User], list[str]]
    leave: Callable[[User, bool], None]
    own_data: Callable[[User], Mapping[str, Any]]


_rooms: dict[str, Room] = {}


def register(room: Room) -> None:
    """Let a room take part in leaving; a second room with the same name replaces the first."""
    _rooms[room.name] = room


def obstacles(user: User) -> list[Obstacle]:
    """Return what the person must do before the account can be deleted; [] when nothing is in the way."""
    return [found for room in _rooms.values() for found in room.obstacles(user)]


def consequences(user: User) -> list[str]:
    """Return sentences in the reader's language on what will happen to the person's things on this site."""
    return [consequence for room in _rooms.values() for consequence in room.consequences(user)]


def leave(user: User, password: str, *, delete_texts: bool = False) -> None:
    """Delete an account for good; `delete_texts` also deletes what the person wrote about matches.

    Every call counts as an attempt, except one that comes too often; a refusal changes nothing else. Raises TooOften
    (too_often), LeavingRefused (password_wrong, or the code of the first obstacle), or the refusal of a room.
    """
    count_attempt(PASSWORD_TRIES, str(user.pk))
    if not user.check_password(password):
        raise LeavingRefused("password_wrong")
    with transaction.atomic():
        person = User.objects.select_for_update().get(pk=user.pk)
        for found in obstacles(person):
            raise LeavingRefused(found.code, **found.parameters)
        for room in _rooms.values():
            room.leave(person, delete_texts)
        forget(person)


def forget(person: User) -> None:
    """End an account: remove everything that shows who the person was, also from the logs of log-ins and admin pages.

    Call it in the transaction in which nothing belongs to the account any more.
    """
    for kept in (AccessAttempt, AccessFailureLog, AccessLog):
        kept.objects.filter(username__iexact=person.username).delete()
    LogEntry.objects.filter(content_type__app_label="people", object_id=str(person.pk)).update(object_repr="")
    person.notices.all().delete()
    person.tokens.all().delete()
    person.push_subscriptions.all().delete()
    person.kept_answers.all().delete()
    person.groups.clear()
    person.user_permissions.clear()
    name = f"left-{secrets.token_hex(12)}"
    person.username, person.email, person.new_email = name, f"{name}@{ANONYMOUS_HOST}", ""
    person.first_name = person.last_name = ""
    # Sessions hold a hash of the password, so every one of them ends with it; so do links to choose a new one.
    person.set_unusable_password()
    person.is_active = person.is_staff = person.is_superuser = False
    person.time_zone = "UTC"
    person.ladder = User.Ladder.HIDDEN
    person.discord_id = ""
    person.mail_digest = person.mail_your_turn = person.mail_dates = person.mail_messages = False
    person.mail_reports = person.mail_match_near = False
    person.last_login = None
    person.left_at = timezone.now()
    person.save()


def own_data(user: User) -> dict[str, Any]:
    """Return what the site keeps of a person, for a JsonResponse; without hashes of secrets, kept answers and logs."""
    account = {
        "name": user.username,
        "email": user.email,
        "email_that_waits_for_its_link": user.new_email,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "time_zone": user.time_zone,
        "signed_up": user.date_joined.isoformat(),
        "last_log_in": user.last_login.isoformat() if user.last_login else None,
        "ladder": user.ladder,
        "discord_id": user.discord_id,
        "mails": {
            "digest": user.mail_digest,
            "digest_hour": user.digest_hour,
            "your_turn": user.mail_your_turn,
            "dates": user.mail_dates,
            "reports": user.mail_reports,
            "match_near": user.mail_match_near,
            "messages": user.mail_messages,
        },
    }
    notices = [
        {
            "code": notice.code,
            "parameters": notice.parameters,
            "sentence": notice_sentence(notice.code, notice.parameters, gettext),
            "address": notice.url,
            "sent": notice.created_at.isoformat(),
            "read": notice.read_at.isoformat() if notice.read_at else None,
        }
        for notice in user.notices.order_by("id")
    ]
    # Never the digests: somebody who finds the file must not be able to look for a token that fits.
    tokens = [
        {
            "name": token.name,
            "last_letters": token.ending,
            "may": token.scopes,
            "made": token.created_at.isoformat(),
            "ends": token.expires_at.isoformat(),
            "revoked": token.revoked_at.isoformat() if token.revoked_at else None,
            "last_used": token.last_used_at.isoformat() if token.last_used_at else None,
        }
        for token in user.tokens.order_by("id")
    ]
    # Neither address nor keys: with them somebody else could write to the browser.
    browsers = [
        {"push_service": urlsplit(browser.endpoint).hostname, "since": browser.created_at.isoformat()}
        for browser in user.push_subscriptions.order_by("id")
    ]
    rooms = {name: room.own_data(user) for name, room in _rooms.items()}
    return {"account": account, "notices": notices, "tokens": tokens, "browsers": browsers, **rooms}
