"""Guests: accounts without a password, each for one stable of one season, that a link opens on a phone."""

from __future__ import annotations

import secrets

from django.db import IntegrityError, transaction

from people.models import User
from people.services.leaving import end

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What names of guests are made of: no letters that look alike."""

LENGTH = 8
TRIES = 5


def make_guest() -> User:
    """Make the account of a guest, under a drawn name, and return it. It gets no mails, and no password opens it."""
    for _ in range(TRIES):
        name = "guest-" + "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        try:
            with transaction.atomic():
                return User.objects.create_user(
                    username=name,
                    is_guest=True,
                    mail_digest=False,
                    mail_your_turn=False,
                    mail_reports=False,
                    mail_match_near=False,
                )
        except IntegrityError:
            continue
    raise RuntimeError("no free name for a guest")


def end_sessions(guest: User) -> None:
    """Log a guest out on every device: sessions hold a hash of the password, and an unusable one is drawn as well.

    No browser goes on showing messages, which have links that need no log-in.
    """
    guest.set_unusable_password()
    guest.save(update_fields=["password"])
    # An unusable password is no change that the guest gets a notice of, so what listens to those does not do this.
    guest.push_subscriptions.all().delete()


def end_guest(guest: User) -> None:
    """End the account of a guest, whose stable has another owner; as a deleted account it keeps nothing but results.

    Call it in a transaction.
    """
    end(guest)
