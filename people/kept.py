"""What the site keeps about an account itself, its log-ins, tokens and notices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from axes.models import AccessAttempt
from django.contrib.admin.models import LogEntry
from django.urls import Resolver404, resolve
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from people.models import User
from people.services.kept import OWN_ROOM, Kept, register
from people.text.notices import notice_sentence
from web.languages.reader import translate
from web.own_pages import SECRET_PARTS
from web.retention import (
    ADMINISTRATION,
    DONE_WORDINGS,
    ENDED_TOKENS,
    GUEST_SESSIONS,
    READ_NOTICES,
    UNFINISHED_DUELS,
    UNREAD_NOTICES,
    WAITING_ADDRESSES,
    WORDINGS,
)

YOU = _("You alone.")
LEFT = _("It is deleted with your account.")
NO_ENTRY = _("It would open your account to whoever finds the file.")
SECRET_FIELDS = frozenset({"id", "password", "name_key"})
"""Fields of an account that its file leaves out: the hash of the password, and two that only the site uses."""
NAMES = {
    "username": "name",
    "new_email": "email_that_waits_for_its_link",
    "date_joined": "signed_up",
    "last_login": "last_log_in",
}
MAIL = "mail_"


def _account(user: User) -> Mapping[str, Any]:
    """Return every field of the account except SECRET_FIELDS, so that a new field is in the file at once."""
    found = {field.name: getattr(user, field.name) for field in User._meta.concrete_fields}
    mails = {name.removeprefix(MAIL): value for name, value in found.items() if name.startswith(MAIL)}
    rest = {NAMES.get(name, name): value for name, value in found.items() if not name.startswith(MAIL)}
    groups = list(user.groups.order_by("name").values_list("name", flat=True))
    permissions = list(user.user_permissions.order_by("codename").values_list("codename", flat=True))
    kept = {name: value for name, value in rest.items() if name not in SECRET_FIELDS}
    return {**kept, "mails": mails, "groups": groups, "permissions": permissions}


def _failed_log_ins(user: User) -> Iterable[Any]:
    rows = AccessAttempt.objects.filter(username__iexact=user.username).order_by("-attempt_time")
    for row in rows:
        yield {"at": row.attempt_time, "network_address": row.ip_address, "browser": row.user_agent}


def _notices(user: User) -> Iterable[Any]:
    for notice in user.notices.order_by("-id").iterator():
        yield {
            "code": notice.code,
            "parameters": notice.parameters,
            "sentence": notice_sentence(notice.code, notice.parameters, translate),
            "address": _without_code(notice.url),
            "sent": notice.created_at,
            "read": notice.read_at,
            "done": notice.done_at,
            "mailed": notice.mailed_at,
        }


def _without_code(address: str) -> str:
    """Return an address of this site, "" if it holds a secret: whoever finds the file could answer or join by it."""
    try:
        parts = resolve(urlsplit(address).path).kwargs
    except Resolver404:
        return address
    return "" if SECRET_PARTS & parts.keys() else address


def _tokens(user: User) -> Iterable[Any]:
    """Yield the tokens, never their digests: nobody who finds the file may look for a token that fits."""
    for token in user.tokens.order_by("-id").iterator():
        yield {
            "name": token.name,
            "last_letters": token.ending,
            "may": token.scopes,
            "made": token.created_at,
            "ends": token.expires_at,
            "revoked": token.revoked_at,
            "last_used": token.last_used_at,
        }


def _browsers(user: User) -> Iterable[Any]:
    """Yield where messages go, without addresses and keys: with them somebody else could write to the browser."""
    for browser in user.push_subscriptions.order_by("-id").iterator():
        yield {"push_service": urlsplit(browser.endpoint).hostname, "since": browser.created_at}


def _kept_answers(user: User) -> Iterable[Any]:
    yield from user.kept_answers.order_by("-id").values("key", "status", "created_at").iterator()


def _wordings(user: User) -> Iterable[Any]:
    fields = ("language", "page", "text", "proposal", "remark", "created_at", "done_at")
    yield from user.wordings.order_by("-id").values(*fields).iterator()


def _administration(user: User) -> Iterable[Any]:
    for row in LogEntry.objects.filter(user=user).order_by("-id").values("action_time", "action_flag", "object_id"):
        yield {"at": row["action_time"], "action": row["action_flag"], "row": row["object_id"]}


KINDS = (
    Kept(
        "account",
        _("Your account"),
        _(
            "Name, e-mail address (and a new one until you open its link), first and last name, time zone, language, "
            "Discord "
            "user id, which mails you want and when, whether the ladder shows you, when you signed up and last logged "
            "in, and your password as a salted hash from which nobody can read it."
        ),
        _("Your name: everybody. The rest: you, and the staff of this site; nobody sees the password."),
        format_lazy(
            _(
                "Until you change it, or delete your account. A new address whose link nobody opens: {days} days. A "
                "guest who came by themselves: {without} days without a match, otherwise {guest} days."
            ),
            days=WAITING_ADDRESSES.days,
            without=UNFINISHED_DUELS.days,
            guest=GUEST_SESSIONS.days,
        ),
        _("When you delete your account, all of it is emptied. A nameless row stays."),
        fields=("people.User.*", "people.User_groups.user", "people.User_user_permissions.user"),
        data=_account,
        stays=_("The nameless row holds results and books together; pages call it “somebody who left”."),
    ),
    Kept(
        "sessions",
        _("Sessions"),
        _("That a browser is logged in, and what pages noted for it. The row names your account only by its number."),
        _("Nobody."),
        _("Two weeks after the log-in, those of a guest 90 days, or until you log out."),
        _("A session ends at once when you delete your account; its row goes when its time is over."),
        fields=("sessions.Session.session_key",),
        why_not=NO_ENTRY,
        stays=_("It ends with the password, and its row, which names nobody, goes when its time is over."),
    ),
    Kept(
        "failed_log_ins",
        _("Log-ins that failed"),
        _("The name that was typed, the network address (of IPv6 only the network) and the browser, to stop guessing."),
        _("The staff of this site."),
        _("A quarter of an hour. Log-ins that succeed are not listed."),
        LEFT,
        fields=(
            "axes.AccessAttempt.*",
            "axes.AccessAttemptExpiration.*",
            "axes.AccessFailureLog.*",
            "axes.AccessLog.*",
        ),
        data=_failed_log_ins,
    ),
    Kept(
        "counted_attempts",
        _("Counted attempts"),
        _("How often a form was used, with a keyed hash of the network address, mailbox or account, against floods."),
        _("Nobody can read it."),
        _("An hour."),
        _("It goes by itself within the hour."),
        fields=("people.Attempt.source",),
        why_not=_("Only hashes are kept, and nobody can tell whose they are."),
        stays=_("It is a hash that names nobody, for an hour at most."),
    ),
    Kept(
        "notices",
        _("Notices and mails"),
        _(
            "Your notices, and when they were read and mailed. Mails are made from them and not kept. Your file leaves "
            "out the links that hold a code, as to a season that you are invited to."
        ),
        YOU,
        format_lazy(
            _("{read} days once you have read them, {unread} days unread or while they ask you for something."),
            read=READ_NOTICES.days,
            unread=UNREAD_NOTICES.days,
        ),
        LEFT,
        fields=("people.Notice.user",),
        data=_notices,
    ),
    Kept(
        "tokens",
        _("Tokens for programs"),
        _("Name, last letters, what each may do, and times; of the token itself only a hash."),
        YOU,
        format_lazy(_("{days} days after they ended."), days=ENDED_TOKENS.days),
        LEFT,
        fields=("people.ApiToken.user",),
        data=_tokens,
    ),
    Kept(
        "browsers",
        _("Browsers that get messages"),
        _("The address of each at its push service, its keys, and since when you want messages there."),
        _("Nobody. The push service of the browser learns that a message came, and cannot read it."),
        _("Until you switch messages off or log out there, or the push service does not know the browser any more."),
        LEFT,
        fields=("people.PushSubscription.*",),
        data=_browsers,
    ),
    Kept(
        "kept_answers",
        _("Answers to your programs"),
        _("What a request with a key of its own was answered, so that a request sent twice counts once."),
        YOU,
        _("A day."),
        LEFT,
        fields=("people.KeptAnswer.user",),
        data=_kept_answers,
    ),
    Kept(
        "wordings",
        _("Better wording that you proposed"),
        _("The language, the page, the words there, your words and your remark."),
        _("You, and the staff of this site."),
        format_lazy(
            _("{done} days after somebody has looked at it, {waiting} days otherwise."),
            done=DONE_WORDINGS.days,
            waiting=WORDINGS.days,
        ),
        LEFT,
        fields=("people.Wording.user",),
        data=_wordings,
    ),
    Kept(
        "administration",
        _("Work in the administration"),
        _("If you are staff: which rows you changed there, and when."),
        _("The staff of this site."),
        format_lazy(_("{days} days."), days=ADMINISTRATION.days),
        _("What others did to your account loses its name when you delete it."),
        fields=("admin.LogEntry.user",),
        data=_administration,
        stays=_("Who runs the site must see for a while what was done there, by the number of the account."),
    ),
    Kept(
        "log_lines",
        _("Log of the computers"),
        _("For each request its route, its time and the number of your account; no name, no address with a secret."),
        _("Whoever runs this site."),
        _("As long as the operator keeps logs and backups; the privacy page says how long, if there is one."),
        _("They go when their time is over."),
        why_not=_("They are not in the site but in files of the operator, who can be asked."),
        stays=_("Backups and logs hold what was deleted since, until they are deleted themselves."),
    ),
    Kept(
        "browser",
        _("In your own browser"),
        _(
            "Cookies for the session, the protection of forms, the appearance and the language, one that says which of "
            "your browsers this is if messages are shown in it, and drafts at a table."
        ),
        YOU,
        _("Up to a year, or until you delete them."),
        _("Your browser deletes them. A log-out clears what pages kept on the device."),
        why_not=_("It is on your device already."),
    ),
)

register(OWN_ROOM, KINDS)
