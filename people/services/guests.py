"""Guests: accounts without a password. A link seats one at a stable of a season, or a visitor plays a match at once."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import Exists, QuerySet
from django.utils import timezone

from people.models import User
from people.services.accounts import AccountTaken, Limit, count_attempt, refuse_too_often
from people.services.leaving import end
from rules.core.refusals import Refused

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What names of guests are made of: no letters that look alike."""

LENGTH = 8
TRIES = 5

EVERYWHERE = "everywhere"
"""The source under which the matches of all visitors are counted together."""


@dataclass(frozen=True)
class Bond:
    """What keeps a guest a guest: a room says by `of` in which rows a guest (`OuterRef("pk")`) is bound."""

    name: str
    of: Callable[[], Exists]


_bonds: dict[str, Bond] = {}


def register(bond: Bond) -> None:
    """Let a room bind guests; a second bond with the same name replaces the first."""
    _bonds[bond.name] = bond


def unbound() -> QuerySet[User]:
    """Return the guests that play for nobody's stable: they came by themselves, and may become accounts."""
    found = User.objects.filter(is_guest=True, is_active=True, left_at=None)
    for bond in _bonds.values():
        found = found.exclude(bond.of())
    return found


def may_become_account(user: User) -> bool:
    """Return whether a person is a guest who may sign up and keep their matches; one query, none for others."""
    return user.is_guest and unbound().filter(pk=user.pk).exists()


def make_guest(language: str = "") -> User:
    """Make the account of a guest, under a drawn name, and return it. It gets no mails, and no password opens it.

    `language` is a code, that of messages to the guest until their own browser names one.
    """
    for _ in range(TRIES):
        name = "guest-" + "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        try:
            with transaction.atomic():
                return User.objects.create_user(
                    username=name,
                    is_guest=True,
                    browser_language=language,
                    mail_digest=False,
                    mail_your_turn=False,
                    mail_reports=False,
                    mail_match_near=False,
                )
        except IntegrityError:
            continue
    raise RuntimeError("no free name for a guest")


def count_match(place: str) -> None:
    """Count a match that somebody without an account begins or enters, from their network address and in all.

    A refused one is counted nowhere. Raises TooOften (too_often).
    """
    of_place = Limit("guest_match", settings.GUEST_MATCHES["place"])
    in_all = Limit("guest_matches", settings.GUEST_MATCHES["all"])
    refuse_too_often(in_all, EVERYWHERE)
    count_attempt(of_place, place)
    count_attempt(in_all, EVERYWHERE)


@transaction.atomic
def become_account(guest: User, username: str, email: str, password: str, time_zone: str, language: str = "") -> User:
    """Give a guest's account a name and a password, and return it: its matches are the person's own from then on.

    Every older session ends. The address waits for its link (people.services.addresses), "" for none. Raises
    AccountTaken (account_taken), Refused (guest_may_not) for a guest who plays for a stable.
    """
    person = unbound().select_for_update(of=("self",)).filter(pk=guest.pk).first()
    if person is None:
        raise Refused("guest_may_not")
    end_sessions(person)
    person.username, person.time_zone, person.is_guest = User.normalize_username(username), time_zone, False
    person.language = language
    person.new_email, person.new_email_since = email, timezone.now() if email else None
    person.mail_digest = person.mail_your_turn = person.mail_reports = person.mail_match_near = True
    # The password is the first one. `set_password` would have a notice sent that it changed.
    person.password = make_password(password)
    try:
        with transaction.atomic():
            person.save()
    except IntegrityError:
        raise AccountTaken("account_taken", username=username) from None
    return person


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
