"""E-mail addresses of accounts: a new one holds only after somebody opens a link that was mailed to it.

Nobody but the owner of a mailbox learns whether its address has an account: the mailbox gets a mail in any case. The
mail for an address of another account says that it has one, and holds no link that proves anything.
"""

from __future__ import annotations

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from people.models import User
from people.services import mails
from people.services.accounts import PASSWORD_TRIES, Limit, count_attempt
from rules.core.digits import whole_number
from rules.core.refusals import Refused

LINKS_OF_AN_ACCOUNT = Limit("address_of", 5)
LINKS_TO_A_MAILBOX = Limit("address_to", 3)


class AddressRefused(Refused):
    """The refusal to change an address; nothing has changed."""


class _Links(PasswordResetTokenGenerator):
    """The tokens of links. One ends after PASSWORD_RESET_TIMEOUT, and once password or address has changed."""

    key_salt = "people.services.addresses"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        return f"{user.pk} {user.password} {user.email} {user.new_email} {timestamp}"


_links = _Links()


def ask(user: User, password: str, address: str) -> bool:
    """Let a new address wait for its link, and mail the link; return whether the mail was sent.

    The present address in any case of letters takes back what waits, without a mail. Raises TooOften (too_often) or
    AddressRefused (password_wrong).
    """
    count_attempt(PASSWORD_TRIES, str(user.pk))
    if not user.check_password(password):
        raise AddressRefused("password_wrong")
    is_present = address.casefold() == user.email.casefold()
    if not is_present:
        _count_link(user, address)
    user.new_email = "" if is_present else address
    user.new_email_since = timezone.now() if user.new_email else None
    user.save(update_fields=["new_email", "new_email_since"])
    return not is_present and _mail_link(user)


def send_link(user: User) -> bool:
    """Mail the link for the address that waits, and return whether the mail was sent. Raises TooOften (too_often)."""
    _count_link(user, user.new_email)
    return _mail_link(user)


def _count_link(user: User, address: str) -> None:
    """Count every address, with an account or without: else the limit would show which ones have one."""
    count_attempt(LINKS_OF_AN_ACCOUNT, str(user.pk))
    count_attempt(LINKS_TO_A_MAILBOX, address)


def _mail_link(user: User) -> bool:
    owner = User.objects.filter(email__iexact=user.new_email).first()
    if owner is not None:
        context = {"reset": mails.site_address(reverse("people:reset_password"))}
        return mails.send_plain("people/address_taken_mail.txt", context, user.new_email, owner)
    code = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("people:confirm_address", args=[code, _links.make_token(user)])
    return mails.send_plain("people/address_mail.txt", {"link": mails.site_address(path)}, user.new_email, user)


def find(code: str, token: str) -> User | None:
    """Return the account whose waiting address a link proves; None for a link that is forged, old or used."""
    try:
        pk = whole_number(urlsafe_base64_decode(code).decode("ascii"))
    except ValueError:
        return None
    user = None if pk is None else User.objects.filter(pk=pk, is_active=True).exclude(new_email="").first()
    return user if user is not None and _links.check_token(user, token) else None


def prove(user: User) -> None:
    """Make the address that waits the address of an account that `find` has returned.

    Raises AddressRefused (address_taken) when another account has proved it first.
    """
    user.email, user.new_email, user.new_email_since = user.new_email, "", None
    try:
        with transaction.atomic():
            user.save(update_fields=["email", "new_email", "new_email_since"])
    except IntegrityError:
        raise AddressRefused("address_taken") from None
