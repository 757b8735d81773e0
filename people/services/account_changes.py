"""A notice and a mail when the password or the e-mail address of an account changes, on a page or anywhere else.

The module listens to the signals of saving accounts, so that no page and no command can forget the notice. An old
password that a log-in hashes again does not count. An account that is being deleted gets no notice.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.signals import post_save, pre_save
from django.dispatch import receiver

from people.models import Notice, User
from people.services import mails
from people.services.accounts import notify

WATCHED = frozenset({"password", "email"})


@receiver(pre_save, sender=User, dispatch_uid="people.services.account_changes.before")
def look(instance: User, raw: bool, update_fields: frozenset[str] | None, **details: Any) -> None:
    """Keep the old password hash and address on the account before it is saved; one query, none if neither is saved."""
    instance.changed_from = None
    if instance.pk is not None and not raw and (update_fields is None or WATCHED & update_fields):
        before = User.objects.filter(pk=instance.pk, left_at=None).values_list("password", "email").first()
        instance.changed_from = before


@receiver(post_save, sender=User, dispatch_uid="people.services.account_changes.after")
def tell(instance: User, update_fields: frozenset[str] | None, **details: Any) -> None:
    """Write the notices of the changes, if there are any, and mail them to the old address after the commit.

    A first address replaces nothing, so it has no notice.
    """
    before, instance.changed_from = instance.changed_from, None
    if before is None or instance.left_at is not None:
        return
    password, address = before
    stored = WATCHED if update_fields is None else update_fields
    notices: list[Notice] = []
    # Django keeps a new password until it is stored, and clears it before it stores the same one hashed again.
    if "password" in stored and getattr(instance, "_password", None) is not None and instance.password != password:
        notices += notify([instance], "password_changed")
        # All other sessions end now, and no browser goes on showing messages without one.
        instance.push_subscriptions.all().delete()
    if "email" in stored and address and address != instance.email:
        notices += notify([instance], "email_changed", {"before": address})
    for notice in notices:
        transaction.on_commit(partial(mails.send_about_account, notice, address))
