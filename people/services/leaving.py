"""Deleting an account: the row stays without name, address or password, so that results and books keep their authors.

This room knows nothing of what a person has in other rooms of the house. Each room registers what stands in the way of
leaving, what leaving will do there, and the function that does it (people.services.kept: what it keeps of a person).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.utils import timezone

from people.models import Notice, User
from people.services.accounts import PASSWORD_TRIES, count_attempt
from rules.core.refusals import Refused
from rules.wording.isolation import isolated

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
        end(person, delete_texts=delete_texts)


def end(person: User, *, delete_texts: bool = False) -> None:
    """End an account: let every room end what is the person's, and remove everything that shows who they were.

    Call it in a transaction. Raises the refusal of a room.
    """
    for room in _rooms.values():
        room.leave(person, delete_texts)
    _forget(person)


def _forget(person: User) -> None:
    """Empty the row of an account, also in the logs of log-ins and of the administration."""
    for kept in (AccessAttempt, AccessFailureLog, AccessLog):
        kept.objects.filter(username__iexact=person.username).delete()
    LogEntry.objects.filter(content_type__app_label="people", object_id=str(person.pk)).update(object_repr="")
    # Rows about log-ins are called by the name that was typed.
    of_log_ins = LogEntry.objects.filter(content_type__app_label="axes", object_repr__icontains=person.username)
    of_log_ins.update(object_repr="")
    person.notices.all().delete()
    # Others read there by name that they joined or wait. A name that turns text was written with the signs around it.
    Notice.objects.filter(parameters__person__in=(person.username, isolated(person.username))).delete()
    person.tokens.all().delete()
    person.push_subscriptions.all().delete()
    person.kept_answers.all().delete()
    person.wordings.all().delete()
    person.groups.clear()
    person.user_permissions.clear()
    name = f"left-{secrets.token_hex(12)}"
    person.username, person.email, person.new_email = name, f"{name}@{ANONYMOUS_HOST}", ""
    person.new_email_since = None
    person.first_name = person.last_name = ""
    # Sessions hold a hash of the password, so every one of them ends with it; so do links to choose a new one.
    person.set_unusable_password()
    person.is_active = person.is_staff = person.is_superuser = False
    person.time_zone, person.language, person.browser_language = "UTC", "", ""
    person.ladder = User.Ladder.HIDDEN
    person.discord_id = ""
    person.mail_digest = person.mail_your_turn = person.mail_dates = person.mail_messages = False
    person.mail_reports = person.mail_match_near = person.mail_organising = False
    person.last_mail_at = None
    person.last_login = None
    person.left_at = timezone.now()
    person.save()
