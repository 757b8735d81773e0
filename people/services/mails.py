"""Mails to people: urgent notices at once, the rest in one digest a day, each by the person's own choice.

A notice is claimed (`mailed_at`) before its mail is sent, and never twice: a process that dies in between loses the
mail, but nobody gets one twice. The notice itself stays on the person's page. The mail server must answer before the
claim, so that a later attempt can send the mail.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.core import signing
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Min, Q
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

from people.models import Notice, User
from people.text.digests import grouped
from people.text.notices import codes_of, kind_of, notice_sentence
from web.moments import zone_named

logger = logging.getLogger("people")


@dataclass(frozen=True)
class Kind:
    """One kind of mail: the field of User that asks for it, and its name. Apps say which notices it sends at once."""

    field: str
    name: str | Promise


KINDS: Mapping[str, Kind] = {
    "your_turn": Kind("mail_your_turn", _("mails when it is my turn")),
    "dates": Kind("mail_dates", _("mails when a date or mode of my match is proposed")),
    "reports": Kind("mail_reports", _("mails when a report names me")),
    "match_near": Kind("mail_match_near", _("mails when my match is near")),
    "messages": Kind("mail_messages", _("mails when organisers write to all")),
    "digest": Kind("mail_digest", _("the daily digest")),
}
EVERYTHING = "everything"

STALE = timedelta(days=1)
"""A notice older than this is not mailed at once any more: it waits for the next digest."""
MAILS_A_SWEEP = 100
SALT = "people.mails"
RESET_BODY = "registration/reset_password_email.txt"
RESET_SUBJECT = "registration/reset_password_subject.txt"


def are_sent() -> bool:
    """Return whether mails go anywhere: a site outside DEBUG without EMAIL_URL drops them."""
    return bool(settings.EMAIL_BACKEND != "django.core.mail.backends.dummy.EmailBackend")


def waiting_now(now: datetime | None = None) -> list[int]:
    """Return the ids of the oldest MAILS_A_SWEEP notices to mail at once to people who want that; one query.

    Return [] where no mails are sent, so that the notices wait.
    """
    if not are_sent():
        return []
    wanted = Q()
    for name, kind in KINDS.items():
        if codes := codes_of(name):
            wanted |= Q(code__in=codes, **{f"user__{kind.field}": True})
    fresh = Notice.objects.filter(wanted, _may_be_mailed(), created_at__gt=(now or timezone.now()) - STALE)
    return list(fresh.order_by("id").values_list("pk", flat=True)[:MAILS_A_SWEEP])


def _may_be_mailed() -> Q:
    return Q(read_at=None, mailed_at=None, user__is_active=True) & ~Q(user__email="")


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
    waiting = (
        Notice.objects.filter(_may_be_mailed(), user__mail_digest=True)
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


def send_notice(notice_id: int) -> bool:
    """Mail one notice at once if it still waits for that, and return whether a mail was sent.

    Return False also when the server fails after the claim: the mail is lost then. Raises OSError, of which
    SMTPException is one, when the mail server does not answer; then nothing is claimed.
    """
    notice = Notice.objects.select_related("user").filter(_may_be_mailed(), pk=notice_id).first()
    kind = None if notice is None else kind_of(notice.code)
    if notice is None or kind is None or not getattr(notice.user, KINDS[kind].field):
        return False

    def claim() -> list[Notice]:
        claimed = Notice.objects.filter(pk=notice_id, mailed_at=None).update(mailed_at=timezone.now())
        return [notice] if claimed else []

    return _send(notice.user, kind, claim)


def send_digest(user_id: int) -> bool:
    """Mail a person their unread notices that were not mailed yet, and return whether a mail was sent.

    Raises OSError when the mail server does not answer; then nothing is claimed.
    """
    person = User.objects.filter(pk=user_id, mail_digest=True).first()

    @transaction.atomic
    def claim() -> list[Notice]:
        # Lock the person's row, so that two digests at once do not split the notices between them.
        User.objects.select_for_update().get(pk=user_id)
        waiting = list(Notice.objects.filter(_may_be_mailed(), user=user_id).order_by("id"))
        Notice.objects.filter(pk__in=[notice.pk for notice in waiting]).update(mailed_at=timezone.now())
        return waiting

    return person is not None and _send(person, "digest", claim)


def _send(person: User, kind: str, claim: Callable[[], list[Notice]]) -> bool:
    connection = get_connection()
    connection.open()
    try:
        notices = claim()
        if not notices:
            return False
        message = _message(person, kind, notices)
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


def _message(person: User, kind: str, notices: list[Notice]) -> EmailMessage:
    # People have no language of their own yet, so this is the site's; the time zone is theirs.
    with override(settings.LANGUAGE_CODE), timezone.override(zone_named(person.time_zone)):
        context: dict[str, Any] = {
            "person": person,
            "zone": timezone.get_current_timezone_name(),
            "inbox": site_address(reverse("people:notices")),
            "account": site_address(reverse("people:account")),
            "unsubscribe": unsubscribe_address(person, kind),
            "kind": KINDS[kind].name,
        }
        if kind == "digest":
            subject = gettext("Solaris Circuit: %(count)s new") % {"count": len(notices)}
            groups, more = grouped(notices, site_address)
            body = render_to_string("people/digest.txt", {**context, "groups": groups, "more": more})
        else:
            [notice] = notices
            subject = notice_sentence(notice.code, notice.parameters, gettext)
            line = {"sentence": subject, "address": site_address(notice.url) if notice.url else ""}
            body = render_to_string("people/mail.txt", {**context, "lines": [line]})
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
    with override(settings.LANGUAGE_CODE), timezone.override(zone_named(notice.user.time_zone)):
        sentence = notice_sentence(notice.code, notice.parameters, gettext)
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


def send_plain(template: str, context: dict[str, Any], address: str) -> bool:
    """Mail a text about an address to that address, and return whether it was sent; False where no mails are sent.

    A mail server that fails raises nothing: the person can ask again. The log does not name the address.
    """
    if not are_sent():
        return False
    with override(settings.LANGUAGE_CODE):
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


def unsubscribe_address(person: User, kind: str) -> str:
    """Return the link that ends one kind of mail without a log-in. It is signed, so nobody else can make one."""
    token = signing.dumps([person.pk, kind], salt=SALT)
    return site_address(reverse("people:unsubscribe", args=[token]))


def read_token(token: str) -> tuple[User, str] | None:
    """Return the person and the kind of mail that a token of `unsubscribe_address` names.

    None for a bad token, and for a person who has left.
    """
    try:
        user_id, kind = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    person = User.objects.filter(pk=user_id, left_at=None).first()
    return None if person is None or kind not in KINDS else (person, kind)


def unsubscribe(person: User, kind: str) -> None:
    """End one kind of mail for a person, or EVERYTHING. Raises KeyError for an unknown kind."""
    kinds = list(KINDS) if kind == EVERYTHING else [kind]
    User.objects.filter(pk=person.pk).update(**{KINDS[name].field: False for name in kinds})
