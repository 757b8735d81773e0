"""Players' write-ups of a match: their authors write, change and remove them; people who keep order take them down."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import BooleanField, Case, Q, QuerySet, Value, When
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from matches.host import MatchPermissions, permissions_in
from matches.models import Match, WriteUp
from matches.selectors.matches import sides_of
from matches.selectors.permissions import subject_of
from people.models import User
from people.services.accounts import Limit, count_attempt, notify
from rules.core.refusals import Malformed, Refused
from rules.wording.isolation import isolated
from web.bounds import MOST_WRITE_UPS
from web.photos import stored_photo

WRITE_UPS = Limit("write_up", MOST_WRITE_UPS)
LONGEST_TEXT = 6000
LONGEST_CAPTION = 200
LONGEST_REASON = 300
MOST_SHOWN = 16
"""The most write-ups on a page, the newest ones. No match has more owners."""

UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
"""Control characters. Databases and pages reject the first ones; the last ones turn the direction of the text."""


@dataclass(frozen=True)
class Subject:
    """What a write-up is about, for one reader: their permissions, whether they had a seat, and the page's address."""

    name: str
    permissions: MatchPermissions
    has_seat: bool
    is_over: bool
    url: str

    @property
    def may_see(self) -> bool:
        return self.has_seat or self.permissions.may_see

    @property
    def may_write(self) -> bool:
        """Whether the reader played and the match is over."""
        return self.played and self.is_over

    @property
    def played(self) -> bool:
        return self.has_seat or self.permissions.plays


@dataclass(frozen=True)
class Shown:
    """A write-up as a reader sees it. `photo_url` is empty without a photo, `reason` unless it was taken down.

    `author` is empty for a person who has left, `changed_at` None if the text is the first one.
    """

    id: int
    author: str
    text: str
    photo_url: str
    caption: str
    created_at: datetime
    changed_at: datetime | None
    is_own: bool
    is_down: bool
    reason: str


@dataclass(frozen=True)
class WriteUps:
    """The write-ups of a subject as a reader sees them, and what the reader may do there.

    `may_write` is False for a reader whose own write-up is among them.
    """

    shown: tuple[Shown, ...]
    may_write: bool
    keeps_order: bool
    write_url: str


def subject_for(name: str, user: Any) -> Subject:
    """Return the subject with this name for a request's user; two queries and those of its host.

    Raises Http404 when there is no such subject, or when the user may not see it.
    """
    if not name.isprintable():
        raise Http404
    match = _match_of(name)
    permissions = permissions_in(name, user)
    if match is None and permissions.is_over is None:
        raise Http404
    has_seat = match is not None and bool(sides_of(match, user))
    is_over = bool(permissions.is_over) or (match is not None and match.is_over)
    url = match.get_absolute_url() if match is not None else permissions.url
    found = Subject(name, permissions, has_seat, is_over, url)
    if not found.may_see:
        raise Http404
    return found


def _match_of(name: str) -> Match | None:
    matches = Match.objects.defer("setup", "result").prefetch_related("seats")
    return matches.filter(Q(fixture_key=name) | _is_public_id(name)).first()


def _is_public_id(name: str) -> Q:
    is_id = re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", name)
    # A match of a season goes by its fixture alone.
    return Q(public_id=name, fixture_key=None) if is_id else Q(pk__in=[])


def light(rows: QuerySet[WriteUp]) -> QuerySet[WriteUp]:
    """Return write-ups with their authors and the annotation `has_photo`, but without the bytes of photos."""
    has_photo = Case(When(photo__isnull=False, then=Value(True)), default=Value(False), output_field=BooleanField())
    return rows.select_related("author").defer("photo").annotate(has_photo=has_photo)


def write_ups_of(name: str, user: Any, may_write: bool, keeps_order: bool, photo_address: Any = None) -> WriteUps:
    """Return the newest write-ups of a subject (MOST_SHOWN), the oldest of them first; one query.

    Only the author still sees a write-up that was taken down. `may_write` and `keeps_order` are the reader's
    permissions. `photo_address` makes the address of a photo from the id of its write-up; None takes the usual one.
    """
    reader = user.pk if user.is_authenticated else None
    seen = Q(taken_down_at=None) if reader is None else Q(taken_down_at=None) | Q(author=reader)
    rows = list(light(WriteUp.objects.filter(seen, subject=name)).order_by("-id")[:MOST_SHOWN])
    address = photo_address or (lambda number: reverse("matches:write_up_photo", args=[number]))
    shown = tuple(_shown(row, reader, address) for row in reversed(rows))
    has_own = any(each.is_own for each in shown)
    return WriteUps(shown, may_write and not has_own, keeps_order, reverse("matches:write_up", args=[name]))


def _shown(row: Any, reader: int | None, address: Any) -> Shown:
    return Shown(
        id=row.pk,
        author=row.author.get_username() if row.author is not None and row.author.left_at is None else "",
        text=row.text,
        photo_url=address(row.pk) if row.has_photo else "",
        caption=row.photo_told,
        created_at=row.created_at,
        changed_at=row.changed_at,
        is_own=reader is not None and row.author_id == reader,
        is_down=row.taken_down_at is not None,
        reason=row.taken_down_because,
    )


# Writing --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sent:
    """What an author sends. `photo` None leaves the photo as it is; `without_photo` removes it."""

    text: str
    photo: bytes | None = None
    caption: str = ""
    without_photo: bool = False


def write(name: str, author: User, sent: Sent) -> WriteUp:
    """Store or change the author's one write-up of a subject, and return it.

    Raises Http404 (there is no such subject for the author), PermissionDenied (they did not play), Refused
    (write_up_too_early, write_up_taken_down), Malformed (write_up_empty, write_up_too_long, photo_untold,
    photo_told_too_long, photo_too_large, photo_not_an_image, photo_too_many_pixels, photo_too_many_scans) and TooOften
    (too_often); then no write-up has changed.
    """
    subject = subject_for(name, author)
    if not subject.played:
        raise PermissionDenied
    if not subject.is_over:
        raise Refused("write_up_too_early")
    text, caption = cleaned(sent.text), " ".join(cleaned(sent.caption).split())
    if not text:
        raise Malformed("write_up_empty")
    if len(text) > LONGEST_TEXT:
        raise Malformed("write_up_too_long", longest=LONGEST_TEXT, length=len(text))
    if len(caption) > LONGEST_CAPTION:
        raise Malformed("photo_told_too_long", longest=LONGEST_CAPTION)
    count_attempt(WRITE_UPS, str(author.pk))
    photo = None if sent.photo is None or sent.without_photo else stored_photo(sent.photo)
    with transaction.atomic():
        row, is_new = WriteUp.objects.select_for_update(of=("self",)).get_or_create(
            subject=name, author=author, defaults={"text": text}
        )
        if row.taken_down_at is not None:
            raise Refused("write_up_taken_down", reason=row.taken_down_because)
        if photo is not None or sent.without_photo:
            row.photo = photo
        if row.photo is not None and not caption:
            raise Malformed("photo_untold")
        row.text, row.photo_told = text, caption if row.photo is not None else ""
        row.changed_at = None if is_new else timezone.now()
        row.save()
    return row


def cleaned(text: str) -> str:
    """Return a text with \\n as line ends, without control characters, and without blanks at both ends."""
    return UNPRINTABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def delete(number: int, author: User) -> str:
    """Remove an author's own write-up, and return its subject.

    One that was taken down loses its text and photo, but the row stays, so that the author cannot write another one.
    Raises Http404 for a person who is not its author.
    """
    with transaction.atomic():
        row = light(WriteUp.objects.select_for_update(of=("self",)).filter(pk=number, author=author)).first()
        if row is None:
            raise Http404
        if row.taken_down_at is None:
            row.delete()
        else:
            row.text, row.photo, row.photo_told = "", None, ""
            row.save(update_fields=["text", "photo", "photo_told"])
    return row.subject


def take_down(number: int, user: Any, reason: str) -> str:
    """Take a write-up down for a reason, send its author a notice, and return its subject.

    A second call changes nothing. Raises Http404 (there is none that the user may see), PermissionDenied (they do not
    keep order there), Malformed (take_down_reason_missing, take_down_reason_too_long).
    """
    row = light(WriteUp.objects.filter(pk=number)).first()
    if row is None:
        raise Http404
    subject = subject_for(row.subject, user)
    if not subject.permissions.keeps_order:
        raise PermissionDenied
    reason = " ".join(cleaned(reason).split())
    if not reason:
        raise Malformed("take_down_reason_missing")
    if len(reason) > LONGEST_REASON:
        raise Malformed("take_down_reason_too_long", longest=LONGEST_REASON)
    with transaction.atomic():
        untouched = WriteUp.objects.filter(pk=number, taken_down_at=None)
        if untouched.update(taken_down_at=timezone.now(), taken_down_because=reason) and row.author is not None:
            parameters = {"match": subject.permissions.name or _units_of(row.subject), "reason": reason}
            notify([row.author], "write_up_taken_down", parameters, subject.url)
    return row.subject


def _units_of(name: str) -> str:
    """Return the name of a friendly match, made of its units' names; empty for another subject; one query."""
    setup = Match.objects.filter(_is_public_id(name)).values_list("setup", flat=True).first() or {"sides": []}
    return " – ".join(isolated(loadout["unit"]["name"]) for side in setup["sides"] for loadout in side["units"])


# Reading one ----------------------------------------------------------------------------------------------------------


def own_write_up(name: str, user: Any) -> WriteUp | None:
    """Return a person's own write-up of a subject, without the photo's bytes; None when there is none; one query."""
    return light(WriteUp.objects.filter(subject=name, author=user)).first()


def photo_of(number: int, user: Any, match: Match | None = None) -> bytes:
    """Return the photo of a write-up, for a person who may see it.

    `match` is a match that the person may watch: then only photos of its write-ups are returned.
    Raises Http404 when there is none, when the write-up was taken down (except for its author), or when the user may
    not see it.
    """
    row = WriteUp.objects.filter(pk=number, photo__isnull=False).first()
    if row is None or (row.taken_down_at is not None and (row.author_id is None or row.author_id != user.pk)):
        raise Http404
    if match is None:
        subject_for(row.subject, user)
    elif row.subject != subject_of(match):
        raise Http404
    assert row.photo is not None
    return bytes(row.photo)
