"""Making accounts, limits on attempts, and notices."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import salted_hmac

from people.models import Attempt, Notice, User
from people.text.notices import asks, deadline_of
from rules.core.refusals import Refused
from web.bounds import MOST_MESSAGES
from web.retention import COUNTED_ATTEMPTS

ATTEMPTS_LAST = COUNTED_ATTEMPTS


class AccountTaken(Refused):
    """The refusal of a name or an e-mail address that belongs to another account."""


class TooOften(Refused):
    """The refusal of a source that has asked too often within an hour; it may ask again in `minutes`."""


@dataclass(frozen=True)
class Limit:
    """How often within an hour one source may do something."""

    purpose: str
    times: int


# A club signs up in one evening behind one address; guessing which names are taken needs many more tries than that.
SIGN_UPS_OF_A_PLACE = Limit("sign_up", 40)
RESETS_OF_A_PLACE = Limit("reset_from", 20)
RESETS_OF_A_MAILBOX = Limit("reset_to", 5)
# A stranger at an open session must not guess the password by the pages that ask for it.
PASSWORD_TRIES = Limit("own_password", 10)
# Enough for a household or a club that mistypes: successes are not counted. Guessing many names needs far more.
FAILED_LOG_INS_OF_A_PLACE = Limit("log_in_failed", 60)
# An organiser may make anybody an owner, so what they do again and again must not fill the notices of others.
ALIKE = Limit("notice_alike", MOST_MESSAGES)


def count_attempt(limit: Limit, source: str) -> None:
    """Count one attempt of a source (a network address, an account, an e-mail address in any case of letters).

    A refused attempt is not counted, so that somebody who keeps trying is not shut out for ever. Attempts at the very
    same moment may pass together: the limits stop floods and need not be exact.

    Raises TooOften (too_often).
    """
    refuse_too_often(limit, source)
    Attempt.objects.create(purpose=limit.purpose, source=_hashed(source))


def refuse_too_often(limit: Limit, source: str) -> None:
    """Refuse a source whose attempts are used up, without counting one. Also delete attempts older than an hour.

    Raises TooOften (too_often).
    """
    now = timezone.now()
    forget_attempts(now)
    counted = Attempt.objects.filter(purpose=limit.purpose, source=_hashed(source)).order_by("-created_at")
    # The oldest of the attempts that use up the limit: when it is forgotten there is room for one more.
    oldest = counted.values_list("created_at", flat=True)[limit.times - 1 : limit.times].first()
    if oldest is not None:
        raise TooOften("too_often", minutes=max(1, ceil((oldest + ATTEMPTS_LAST - now).total_seconds() / 60)))


def forget_attempts(now: datetime) -> None:
    """Delete the attempts that are older than an hour."""
    Attempt.objects.filter(created_at__lt=now - ATTEMPTS_LAST).delete()


def _hashed(source: str) -> str:
    return salted_hmac("people.attempts", source.strip().casefold(), algorithm="sha256").hexdigest()


def create_account(
    username: str, email: str, password: str, time_zone: str = "UTC", language: str = "", *, is_proven: bool = True
) -> User:
    """Make an account from values that the form has checked, and return it.

    `language` is a code, "" for what the browser asks for. An address that is not proven waits for its link, which
    people.services.addresses sends; "" is none. Raises AccountTaken (account_taken) when another request took the name
    or the proven address after that check.
    """
    since = timezone.now() if email else None
    chosen = {"time_zone": time_zone, "language": language}
    address = {"email": email} if is_proven else {"new_email": email, "new_email_since": since}
    try:
        with transaction.atomic():
            return User.objects.create_user(username=username, password=password, **chosen, **address)
    except IntegrityError:
        raise AccountTaken("account_taken", username=username) from None


def choose_language(person: User, code: str) -> None:
    """Store the language that a person chose, by its code, "" for that of their browser; one query."""
    person.language = code
    person.save(update_fields=["language"])


def notify(people: Iterable[User], code: str, parameters: dict[str, Any] | None = None, url: str = "") -> list[Notice]:
    """Write a notice for each person except those who have left, in the caller's transaction; one query."""
    staying = [person for person in people if person.left_at is None]
    parameters = parameters or {}
    values = {"code": code, "parameters": parameters, "url": url, "asks": asks(code)}
    values["due_at"] = deadline_of(code, parameters)
    return Notice.objects.bulk_create([Notice(user=person, **values) for person in staying])


def notify_newest(
    people: Iterable[User],
    code: str,
    parameters: dict[str, Any],
    url: str,
    *,
    instead_of: Collection[str],
    same: Collection[str] = (),
) -> list[Notice]:
    """Write a notice as `notify` does, in the place of older unread ones of some codes that lead to the same page.

    Those with another value of a parameter in `same` stay.
    For what changes often and asks for nothing: only the newest word on it counts. Two queries.
    """
    people = list(people)
    older = Notice.objects.filter(user__in=people, code__in=instead_of, url=url, read_at=None)
    older.filter(**{f"parameters__{name}": parameters[name] for name in same}).delete()
    return notify(people, code, parameters, url)


def notify_bounded(
    people: Iterable[User], code: str, parameters: dict[str, Any], url: str, *, about: str = ""
) -> list[Notice]:
    """Write a notice as `notify` does, ALIKE times an hour for one code and page; beyond that, only where an unread one
    gives its place to it.

    For acts without end whose notices each say something of its own. Pages are the same where `about` is the same too,
    such as one of two stables. Four queries; two more beyond the limit.
    """
    people = list(people)
    try:
        count_attempt(ALIKE, f"{code} {url} {about}")
    except TooOften:
        unread = Notice.objects.filter(user__in=people, code=code, url=url, read_at=None)
        waiting = set(unread.values_list("user", flat=True))
        told = [person for person in people if person.pk in waiting]
        return notify_newest(told, code, parameters, url, instead_of=[code])
    return notify(people, code, parameters, url)


def mark_notices_read(user: User) -> int:
    """Mark a person's notices as read; return how many were unread. What they ask for stays to be done."""
    return user.notices.filter(read_at=None).update(read_at=Now())
