"""Places in a season: stables that pass to another account, stand-ins, and people who wait for a free place."""

from __future__ import annotations

from django.conf import settings as site
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from stables.models.season import Season


class StandIn(models.Model):
    """A person who plays for the owner of a stable: one match (`fixture`), or all that are called for before `until`.

    `user` is None while a link for a guest is open. It ends with its match, or with `ended_at` before that. What counts
    for a match is FixtureSide.stand_in, which follows these rows.
    """

    stable = models.ForeignKey(
        "stables.Stable", on_delete=models.CASCADE, related_name="stand_ins", verbose_name=_("stable")
    )
    fixture = models.ForeignKey(
        "stables.Fixture",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="stand_ins",
        verbose_name=_("match"),
    )
    until = models.DateTimeField(_("until"), null=True, blank=True)
    user = models.ForeignKey(
        site.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="stood_in",
        verbose_name=_("person"),
    )
    reason = models.CharField(_("reason"), max_length=1000)
    made_by = models.ForeignKey(
        site.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("made by"),
    )
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("stand-in")
        verbose_name_plural = _("stand-ins")
        ordering = ["stable", "id"]
        constraints = [
            models.CheckConstraint(
                name="a_match_or_an_evening",
                condition=Q(fixture__isnull=True, until__isnull=False) | Q(fixture__isnull=False, until__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stable_id}: {self.pk}"


class Passing(models.Model):
    """A stable that an organiser passes to another account, by its name or by a link.

    With `for_guest` the link seats a guest, who needs no account: opened without one, it makes the account of a guest
    the owner, or logs the guest in again who owns the stable already. With `stand_in` the link passes no stable: who
    opens it plays one match of the stable.

    A link is used once, until `expires_at`, unless it is revoked. `code_hash` is the SHA-256 of its code, None for a
    passing by name, which happens at once. After the passing, `passed_at` is set, and `old_owner` and `new_owner` are
    those before and after it; a stable of the AI had no owner.
    """

    stable = models.ForeignKey(
        "stables.Stable", on_delete=models.CASCADE, related_name="passings", verbose_name=_("stable")
    )
    code_hash = models.CharField(_("hash of the code"), max_length=64, unique=True, null=True, blank=True)
    for_guest = models.BooleanField(_("for a guest"), default=False)
    stand_in = models.ForeignKey(
        StandIn, on_delete=models.CASCADE, null=True, blank=True, related_name="links", verbose_name=_("stand-in")
    )
    reason = models.CharField(_("reason"), max_length=1000)
    made_by = models.ForeignKey(
        site.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("made by"),
    )
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    passed_at = models.DateTimeField(_("passed"), null=True, blank=True)
    old_owner = models.ForeignKey(
        site.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="passed_stables",
        verbose_name=_("old owner"),
    )
    new_owner = models.ForeignKey(
        site.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("new owner"),
    )

    class Meta:
        verbose_name = _("passing of a stable")
        verbose_name_plural = _("passings of stables")
        ordering = ["stable", "id"]
        constraints = [
            models.CheckConstraint(
                name="a_link_expires", condition=Q(code_hash__isnull=True) | Q(expires_at__isnull=False)
            ),
            models.CheckConstraint(
                name="revoked_or_passed", condition=Q(revoked_at__isnull=True) | Q(passed_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stable_id}: {self.pk}"


class WaitingPlace(models.Model):
    """A person who waits for a place in a season. The row ends when they found a stable, leave or are passed over.

    The first in order of `id` is offered a free place: `offered_until` is the time until which they may take it, None
    while they wait. With `invitation` they came to the list of a season by invitation.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="waiting", verbose_name=_("season"))
    user = models.ForeignKey(
        site.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="waiting_places", verbose_name=_("person")
    )
    invitation = models.ForeignKey(
        "stables.Invitation",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="waiting",
        verbose_name=_("invitation"),
    )
    created_at = models.DateTimeField(_("since"), auto_now_add=True)
    offered_until = models.DateTimeField(_("offered until"), null=True, blank=True)

    class Meta:
        verbose_name = _("person who waits")
        verbose_name_plural = _("waiting list")
        ordering = ["season", "id"]
        constraints = [models.UniqueConstraint(fields=["season", "user"], name="one_waiting_place_a_person")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.user_id}"
