"""What people do with their accounts, and what the site tells them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import salted_hmac

from people.models import Attempt, Notice, User
from rules.core.refusals import Refused

ATTEMPTS_LAST = timedelta(hours=1)


class AccountTaken(Refused):
    """The name or the e-mail address belongs to another account."""


class TooOften(Refused):
    """Asked more often within an hour than one source may; `minutes` until the next attempt counts again."""


@dataclass(frozen=True)
class Limit:
    """How often within an hour one source may do something."""

    purpose: str
    times: int


# A club signs up in one evening behind one address; guessing which names are taken needs many more tries than that.
SIGN_UPS_OF_A_PLACE = Limit("sign_up", 40)
RESETS_OF_A_PLACE = Limit("reset_from", 20)
RESETS_OF_A_MAILBOX = Limit("reset_to", 5)
# A household or a club that mistypes; what succeeds is not counted. Guessing through many names needs far more.
FAILED_LOG_INS_OF_A_PLACE = Limit("log_in_failed", 60)


def count_attempt(limit: Limit, source: str) -> None:
    """Count one attempt of a source (a network address, an e-mail address in any case of letters).

    A refused attempt is not counted, so that who keeps trying is not shut out for ever. Attempts at the very same
    moment may pass together; the limits are against floods, not exact.

    Raises: TooOften.
    """
    refuse_too_often(limit, source)
    Attempt.objects.create(purpose=limit.purpose, source=_hashed(source))


def refuse_too_often(limit: Limit, source: str) -> None:
    """Refuses a source whose attempts are used up, and counts nothing.

    Raises: TooOften.
    """
    now = timezone.now()
    Attempt.objects.filter(created_at__lt=now - ATTEMPTS_LAST).delete()
    counted = Attempt.objects.filter(purpose=limit.purpose, source=_hashed(source)).order_by("-created_at")
    # The oldest of as many as are allowed: when it is forgotten there is room for one more.
    oldest = counted.values_list("created_at", flat=True)[limit.times - 1 : limit.times].first()
    if oldest is not None:
        raise TooOften("too_often", minutes=max(1, ceil((oldest + ATTEMPTS_LAST - now).total_seconds() / 60)))


def _hashed(source: str) -> str:
    return salted_hmac("people.attempts", source.strip().casefold(), algorithm="sha256").hexdigest()


def create_account(username: str, email: str, password: str, time_zone: str = "UTC") -> User:
    """Return a new account. The values are valid as the form checks them; only the database knows about two at the same
    time.

    Raises: AccountTaken.
    """
    try:
        with transaction.atomic():
            return User.objects.create_user(username=username, email=email, password=password, time_zone=time_zone)
    except IntegrityError:
        raise AccountTaken("account_taken", username=username) from None


def notify(people: Iterable[User], code: str, parameters: dict[str, Any] | None = None, url: str = "") -> list[Notice]:
    """Write one notice for each person, in the caller's transaction, in one query; none for people who have left."""
    staying = [person for person in people if person.left_at is None]
    return Notice.objects.bulk_create(
        [Notice(user=person, code=code, parameters=parameters or {}, url=url) for person in staying]
    )


def mark_notices_read(user: User) -> int:
    """Mark a person's notices as read; return how many were unread."""
    return user.notices.filter(read_at=None).update(read_at=Now())
