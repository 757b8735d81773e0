"""What people do with their accounts, and what the site tells them."""

from collections.abc import Iterable
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from people.models import Notice, User
from rules.core.refusals import Refused


class AccountTaken(Refused):
    """The name or the e-mail address belongs to another account."""


def create_account(username: str, email: str, password: str, time_zone: str = "UTC") -> User:
    """A new account. The values are valid as the form checks them; only the database knows about two at the same time.

    Raises: AccountTaken.
    """
    try:
        with transaction.atomic():
            return User.objects.create_user(username=username, email=email, password=password, time_zone=time_zone)
    except IntegrityError:
        raise AccountTaken("account_taken", username=username) from None


def notify(people: Iterable[User], code: str, parameters: dict[str, Any] | None = None, url: str = "") -> list[Notice]:
    """Writes one notice for each person, in the caller's transaction and in one query."""
    return Notice.objects.bulk_create(
        [Notice(user=person, code=code, parameters=parameters or {}, url=url) for person in people]
    )


def mark_notices_read(user: User) -> int:
    """Returns: how many of the person's notices were unread."""
    return user.notices.filter(read_at=None).update(read_at=Now())
