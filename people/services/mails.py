"""Mails to people: urgent notices at once, the rest in one digest a day, each by the person's own choice.

A person gets at most one of these mails an hour. Notices of that hour wait and go out together in the next mail. If one
of them has a deadline within a day, all that wait go at once.

A notice is claimed (`mailed_at`) before its mail is sent, and never twice: a process that dies in between loses the
mail, but nobody gets one twice. The notice itself stays on the person's page. The mail server must answer before the
claim, so that a later attempt can send the mail.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.core import signing
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Max, Min, Q
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from people.models import Notice, User
from people.text.digests import grouped
from people.text.notices import codes_of, kind_of, notice_sentence
from people.text.readers import as_read_by, rooms_of
from web.languages.reader import translate
from web.moments import zone_named

logger = logging.getLogger("people")


@dataclass(frozen=True)
class Kind:
    """One kind of mail: the field of User that asks for it, and its name. Apps say which notices it sends at once."""

    field: str
    name: str | Promise


KINDS: Mapping[str, Kind] = {
    "your_turn": Kind("mail_your_turn", _("mails when it is my turn")),
    "dates": Kind("mail_dates", _("mails when somebody proposes or sets a date, a mode or a place for my match")),
    "reports": Kind("mail_reports", _("mails when a report names me")),
    "match_near": Kind("mail_match_near", _("mails when my match is near")),
    "messages": Kind("mail_messages", _("mails when organisers write to all")),
    "organising": Kind("mail_organising", _("mails when a season that I help to run needs me")),
    "digest": Kind("mail_digest", _("the daily digest")),
}
EVERYTHING = "everything"

PAUSE = timedelta(hours=1)
"""The shortest time between two mails to one person."""
NEAR = timedelta(hours=24)
"""A deadline nearer than this waits for no pause; one that has passed does."""

STALE = timedelta(days=1)
"""A notice older than this is not mailed at once any more: it waits for the next digest."""
MAILS_A_SWEEP = 100
SALT = "people.mails"
RESET_BODY = "registration/reset_password_email.txt"
RESET_SUBJECT = "registration/reset_password_subject.txt"


def are_sent() -> bool:
    """Return whether mails go anywhere: a site outside DEBUG without EMAIL_URL drops them."""
    return bool(settings.EMAIL_BACKEND != "django.core.mail.backends.dummy.EmailBackend")


def waiting_now(now: datetime | None = None) -> list[tuple[int, int]]:
    """Return (id, newest notice) of the first MAILS_A_SWEEP people who should get a mail at once; one query.

    Return [] where no mails are sent, so that the notices wait.
    """
    if not are_sent():
        return []
    now = now or timezone.now()
    goes = Q(user__last_mail_at=None) | Q(user__last_mail_at__lte=now - PAUSE)
    goes |= Q(due_at__gt=now, due_at__lt=now + NEAR)
    found = Notice.objects.filter(_at_once(now), goes).values("user").annotate(first=Min("pk"), newest=Max("pk"))
    return list(found.order_by("first").values_list("user", "newest")[:MAILS_A_SWEEP])


def _at_once(now: datetime) -> Q:
    """Return which notices wait for a mail at once that their people want."""
    wanted = Q(pk=None)
    for name, kind in KINDS.items():
        if codes := codes_of(name):
            wanted |= Q(code__in=codes, **{f"user__{kind.field}": True})
    return wanted & _may_be_mailed() & Q(created_at__gt=now - STALE)


def _may_be_mailed() -> Q:
    return Q(read_at=None, mailed_at=None, done_at=None, user__is_active=True) & ~Q(user__email="")


def pause_of(user_id: int, now: datetime | None = None) -> timedelta:
    """Return how long the next mail to a person has to wait, zero if it may go; one query."""
    last = User.objects.filter(pk=user_id).values_list("last_mail_at", flat=True).first()
    return timedelta() if last is None else max(timedelta(), last + PAUSE - (now or timezone.now()))


def latest_moment(time_zone: str, hour: int, now: datetime) -> datetime:
    """Return when it was last `hour` o'clock in a time zone; an unknown zone counts as UTC."""
    today = now.astimezone(zone_named(time_zone)).replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    # Count days by the clock on the wall, so that the hour stays the same when the clocks change.
    moment = today.astimezone(UTC)
    return moment if moment <= now else (today - timedelta(days=1)).astimezone(UTC)


def digests_due(now: datetime | None = None) -> list[tuple[int, datetime]]:
    """Return (id, moment when the digest was due) of people who should get a digest now; one query.

    A digest is due once the person's hour has come after their oldest unread and unmailed notice. At most
    MAILS_A_SWEEP people are returned; nobody where no mails are sent.
    """
    if not are_sent():
        return []
    now = now or timezone.now()
    rested = Q(user__last_mail_at=None) | Q(user__last_mail_at__lte=now - PAUSE)
    waiting = (
        Notice.objects.filter(_may_be_mailed(), rested, user__mail_digest=True)
        .order_by("user")
        .values_list("user", "user__time_zone", "user__digest_hour")
        .annotate(oldest=Min("created_at"))
    )
    due = []
    for user_id, time_zone, hour, oldest in waiting:
        moment = latest_moment(time_zone, hour, now)
        if oldest <= moment:
            due.append((user_id, moment))
    return due[:MAILS_A_SWEEP]


def send_waiting(user_id: int, now: datetime | None = None) -> bool:
    """Mail a person what waits for a mail at once, joined into one, and return whether a mail was sent.

    Return False in the hour after their last mail, unless a deadline in the coming day is among it, and also when the
    server fails after the claim: the mail is lost then. Raises OSError, of which SMTPException is one, when the
    mail server does not answer; then nothing is claimed.
    """
    now = now or timezone.now()

    def goes(person: User, waiting: list[Notice]) -> bool:
        return not _rests(person, now) or any(
            each.due_at is not None and now < each.due_at < now + NEAR for each in waiting
        )

    return _send(user_id, _at_once(now), goes, now)


def send_digest(user_id: int, now: datetime | None = None) -> bool:
    """Mail a person their unread notices that were not mailed yet, and return whether a mail was sent.

    Return False in the hour after their last mail. Raises OSError when the mail server does not answer; then nothing is
    claimed.
    """
    now = now or timezone.now()
    wanted = _may_be_mailed() & Q(user__mail_digest=True)
    return _send(user_id, wanted, lambda person, waiting: not _rests(person, now), now, is_digest=True)


def _rests(person: User, now: datetime) -> bool:
    return person.last_mail_at is not None and person.last_mail_at > now - PAUSE


def _send(
    user_id: int, wanted: Q, goes: Callable[[User, list[Notice]], bool], now: datetime, *, is_digest: bool = False
) -> bool:
    if not Notice.objects.filter(wanted, user=user_id).exists():
        return False
    connection = get_connection()
    connection.open()
    try:
        with transaction.atomic():
            # Lock the person's row, so that two mails at once do not split the notices between them.
            person = User.objects.select_for_update().get(pk=user_id)
            notices = list(Notice.objects.filter(wanted, user=user_id).order_by("id"))
            if not notices or not goes(person, notices):
                return False
            Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(mailed_at=now)
            User.objects.filter(pk=user_id).update(last_mail_at=now)
        message = _digest(person, notices) if is_digest else _mail(person, notices)
        message.connection = connection
        try:
            message.send()
        except OSError:
            # SMTPException is an OSError. Nobody knows whether the server took the mail, so it is not sent again.
            logger.exception("A mail to person %s was lost", person.pk)
            return False
        return True
    finally:
        connection.close()


def _mail(person: User, notices: list[Notice]) -> EmailMessage:
    """Return one mail with these notices, in order. Its subject is the one with the nearest deadline."""
    kinds = [kind for kind in KINDS if any(kind_of(notice.code) == kind for notice in notices)]
    with as_read_by(person, rooms_of(notices)):
        said = {
            notice.pk: notice_sentence(notice.code, notice.parameters, translate, for_mail=True) for notice in notices
        }
        lines = [
            {"sentence": said[notice.pk], "address": site_address(notice.url) if notice.url else ""}
            for notice in notices
        ]
        first = min(notices, key=lambda notice: (notice.due_at is None, notice.due_at or notice.created_at, notice.pk))
        subject = said[first.pk]
        if more := len(notices) - 1:
            subject = ngettext("%(count)s more, and: %(first)s", "%(count)s more, and: %(first)s", more) % {
                "count": more,
                "first": subject,
            }
        context = {**_frame(person, kinds), "lines": lines}
        return _message(person, subject, render_to_string("people/mail.txt", context), context)


def _digest(person: User, notices: list[Notice]) -> EmailMessage:
    with as_read_by(person, rooms_of(notices)):
        groups, more = grouped(notices, site_address)
        context = {**_frame(person, ["digest"]), "groups": groups, "more": more}
        subject = gettext("Solaris Circuit: %(count)s new") % {"count": len(notices)}
        return _message(person, subject, render_to_string("people/digest.txt", context), context)


def _frame(person: User, kinds: list[str]) -> dict[str, Any]:
    """Return what every mail says at its end, in the current language."""
    return {
        "person": person,
        "zone": timezone.get_current_timezone_name(),
        "inbox": site_address(reverse("people:notices")),
        "account": site_address(reverse("people:account")),
        "unsubscribe": unsubscribe_address(person, *kinds),
        "kind": names_of(kinds),
    }


def _message(person: User, subject: str, body: str, context: Mapping[str, Any]) -> EmailMessage:
    headers = {
        "List-Unsubscribe": f"<{context['unsubscribe']}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    # Subjects may hold names of seasons and stables, but a header is one line.
    return EmailMessage(" ".join(subject.split())[:200], body, to=[person.email], headers=headers)


def send_about_account(notice: Notice, address: str) -> bool:
    """Mail a notice about the account itself to an address, even to a person who wants no mails.

    Return whether it was sent; False for an empty address, and where no mails are sent. A mail server that fails raises
    nothing, because the change has been made. If the server does not answer at all, the notice waits for the digest.
    """
    if not address or not are_sent():
        return False
    with as_read_by(notice.user):
        sentence = notice_sentence(notice.code, notice.parameters, translate)
        reset = site_address(reverse("people:reset_password"))
        body = render_to_string("people/account_mail.txt", {"person": notice.user, "line": sentence, "reset": reset})
        subject = gettext("Solaris Circuit: your account was changed")
    connection = get_connection()
    try:
        connection.open()
        Notice.objects.filter(pk=notice.pk).update(mailed_at=timezone.now())
        headers = {"Auto-Submitted": "auto-generated"}
        EmailMessage(subject, body, to=[address], headers=headers, connection=connection).send()
    except OSError:
        logger.exception("A mail about the account of person %s was lost", notice.user_id)
        return False
    finally:
        connection.close()
    return True


def send_plain(template: str, context: dict[str, Any], address: str, reader: User) -> bool:
    """Mail a text about an address to that address, and return whether it was sent; False where no mails are sent.

    It is in the language of `reader`; in the current one when their account has none.
    A mail server that fails raises nothing: the person can ask again. The log does not name the address.
    """
    if not are_sent():
        return False
    with as_read_by(reader, otherwise=get_language() or ""):
        body = render_to_string(template, {"site": settings.SITE_URL, **context})
        subject = gettext("Solaris Circuit: your e-mail address")
    try:
        EmailMessage(subject, body, to=[address], headers={"Auto-Submitted": "auto-generated"}).send()
    except OSError as error:
        logger.error("A mail about an address was lost (%s)", type(error).__name__)
        return False
    return True


class ResetForm(PasswordResetForm):
    """The form that mails a link for choosing a new password. It begins with SITE_URL, whatever host was asked."""

    def save(self, *arguments: Any, **options: Any) -> None:
        """Mail the link to every account of the address that may get one."""
        super().save(*arguments, **{**options, "extra_email_context": {"site": settings.SITE_URL}})

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        """Mail the link in the language of its account; in the current one when the account has none."""
        with as_read_by(context["user"], otherwise=get_language() or ""):
            super().send_mail(
                subject_template_name, email_template_name, context, from_email, to_email, html_email_template_name
            )


def send_reset(person: User, request: HttpRequest) -> bool:
    """Mail the link for choosing a new password to the account's own address.

    Return whether the account may get one; False without an address, when its password is unusable, when the account is
    inactive, and where no mails are sent.
    """
    form = ResetForm({"email": person.email})
    if not are_sent() or not form.is_valid():
        return False
    can = any(found.pk == person.pk for found in form.get_users(person.email))
    if can:
        form.save(request=request, email_template_name=RESET_BODY, subject_template_name=RESET_SUBJECT)
    return can


def site_address(path: str) -> str:
    """Return a path of this site as a full address, as mails need it."""
    return f"{settings.SITE_URL}{path}"


def names_of(kinds: Iterable[str]) -> str:
    """Return the names of kinds of mail in the current language, for one sentence."""
    return ", ".join(str(KINDS[kind].name) for kind in kinds)


def unsubscribe_address(person: User, *kinds: str) -> str:
    """Return the link that ends some kinds of mail without a log-in. It is signed, so nobody else can make one."""
    token = signing.dumps([person.pk, *kinds], salt=SALT)
    return site_address(reverse("people:unsubscribe", args=[token]))


def read_token(token: str) -> tuple[User, list[str]] | None:
    """Return the person and the kinds of mail that a token of `unsubscribe_address` names.

    None for a bad token, and for a person who has left.
    """
    try:
        user_id, *kinds = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    person = User.objects.filter(pk=user_id, left_at=None).first()
    return (person, kinds) if person is not None and kinds and all(kind in KINDS for kind in kinds) else None


def unsubscribe(person: User, kinds: Iterable[str]) -> None:
    """End kinds of mail for a person. Raises KeyError for an unknown kind."""
    User.objects.filter(pk=person.pk).update(**{KINDS[name].field: False for name in kinds})
