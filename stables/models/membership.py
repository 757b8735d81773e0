"""Roles, invitations, hand-overs and programs in a season, and the identities of stables, which outlive it."""

from __future__ import annotations

from django.conf import settings as site
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from stables.models.emblems import EMBLEMS
from stables.models.season import Season, _address
from web.names import NameField


class SeasonRole(models.Model):
    """A person who helps to run a season: a co-organiser, or a referee for disputed results."""

    class Role(models.TextChoices):
        CO_ORGANISER = "co_organiser", _("co-organiser")
        REFEREE = "referee", _("referee")

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="roles", verbose_name=_("season"))
    user = models.ForeignKey(
        site.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="season_roles", verbose_name=_("person")
    )
    role = models.CharField(_("role"), max_length=15, choices=Role)

    class Meta:
        verbose_name = _("role")
        verbose_name_plural = _("roles")
        ordering = ["season", "id"]
        constraints = [models.UniqueConstraint(fields=["season", "user"], name="one_role_a_person")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.role}"


LONGEST_CODE = 40
"""The most characters of an invitation's code."""


class Invitation(models.Model):
    """A code, and a link with it, that lets people join a season. `most_uses` None: as many as there are places."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="invitations", verbose_name=_("season"))
    code = models.CharField(_("code"), max_length=LONGEST_CODE, unique=True)
    most_uses = models.PositiveSmallIntegerField(_("uses"), null=True, blank=True)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["season", "id"]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.pk}"


class StableIdentity(models.Model):
    """A stable's identity from season to season: its name, colours, emblem and rivals, but no money.

    `owner` is None for stables of the AI.
    """

    owner = models.ForeignKey(
        site.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="stable_identities",
        verbose_name=_("owner"),
    )
    name = NameField(_("name"), max_length=60)
    colour = models.CharField(_("colour"), max_length=7, default="#7a7a7a")
    second_colour = models.CharField(_("second colour"), max_length=7, default="#d0d0d0")
    emblem = models.CharField(_("emblem"), max_length=30, blank=True)
    rivals = models.ManyToManyField("self", symmetrical=False, blank=True, verbose_name=_("rivals"))
    created_at = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        verbose_name = _("identity of a stable")
        verbose_name_plural = _("identities of stables")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "name"], name="one_identity_a_name", condition=Q(owner__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of the identity's page."""
        return _address("stables:identity", self.pk)

    @property
    def drawing(self) -> str:
        """The SVG path of its emblem (stables.models.emblems); empty if there is no such emblem."""
        emblem = EMBLEMS.get(self.emblem)
        return "" if emblem is None else emblem.path


class HandOver(models.Model):
    """A span of time in which the AI acts for a stable whose owner is away.

    `scope` is matches only, matches and repairs, or everything. The AI may spend at most `spending_limit` Stones (None:
    no limit). `ended_at` is set only if the owner takes the stable back early.
    """

    class Scope(models.TextChoices):
        PLAY = "play", _("play")
        PLAY_AND_REPAIR = "play_and_repair", _("play and repair")
        EVERYTHING = "everything", _("everything")

    stable = models.ForeignKey(
        "stables.Stable", on_delete=models.CASCADE, related_name="hand_overs", verbose_name=_("stable")
    )
    scope = models.CharField(_("scope"), max_length=20, choices=Scope, default=Scope.PLAY_AND_REPAIR)
    starts_at = models.DateTimeField(_("from"))
    ends_at = models.DateTimeField(_("to"))
    spending_limit = models.PositiveIntegerField(_("spending limit"), null=True, blank=True)
    ended_at = models.DateTimeField(_("taken back"), null=True, blank=True)
    summary_read_at = models.DateTimeField(_("summary read"), null=True, blank=True)

    class Meta:
        verbose_name = _("hand-over")
        verbose_name_plural = _("hand-overs")
        ordering = ["stable", "starts_at"]
        constraints = [
            models.CheckConstraint(name="hand_over_takes_time", condition=Q(ends_at__gt=models.F("starts_at")))
        ]

    def __str__(self) -> str:
        return f"{self.stable_id}: {self.scope}"


class ExternalSeat(models.Model):
    """A program that plays a stable's matches through its own account, once every other owner consents.

    `consents` are the stables whose owners did. `agreed_at` is None before all have. `ended_at` is None until the seat
    or its proposal has ended.
    """

    stable = models.ForeignKey(
        "stables.Stable", on_delete=models.CASCADE, related_name="external_seats", verbose_name=_("stable")
    )
    user = models.ForeignKey(
        site.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="external_seats", verbose_name=_("account")
    )
    consents = models.ManyToManyField("stables.Stable", related_name="+", blank=True, verbose_name=_("consents"))
    proposed_at = models.DateTimeField(_("proposed"), auto_now_add=True)
    agreed_at = models.DateTimeField(_("agreed"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("seat of a program")
        verbose_name_plural = _("seats of programs")
        ordering = ["stable", "id"]
        constraints = [
            models.UniqueConstraint(fields=["stable"], name="one_program_a_stable", condition=Q(ended_at__isnull=True))
        ]

    def __str__(self) -> str:
        return f"{self.stable_id}: {self.user_id}"
