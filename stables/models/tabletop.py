"""The marks that people make on their phones at a real table, and the PIN with which a rival's phone confirms."""

from __future__ import annotations

from django.conf import settings as site
from django.db import models
from django.utils.translation import gettext_lazy as _

from stables.models.fixture import Fixture, FixtureSide


class TableMark(models.Model):
    """One mark at a table, such as a count, a roll or an undo, made on one phone. Marks are only ever added.

    `mark` has the shape of rules.campaign.results.tabletop_counts.read_mark. The phone chooses `uid`, so that a mark
    sent twice counts once. The counts of a side are computed from its marks; phones without a network send their marks
    later, in any order. `made_at` is by the phone's clock and does not change the counts.
    """

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="marks", verbose_name=_("fixture"))
    side = models.CharField(_("side"), max_length=20)
    uid = models.UUIDField(_("id"))
    mark = models.JSONField(_("mark"))
    made_by = models.ForeignKey(
        site.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="table_marks",
        verbose_name=_("made by"),
    )
    made_at = models.DateTimeField(_("made"))
    received_at = models.DateTimeField(_("received"), auto_now_add=True)

    class Meta:
        verbose_name = _("mark at a table")
        verbose_name_plural = _("marks at a table")
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["fixture", "uid"], name="one_mark_an_id")]

    def __str__(self) -> str:
        return f"{self.fixture_id} {self.side} {self.uid}"


class TablePin(models.Model):
    """The PIN of one side: typed into another player's phone, it confirms one report of this one fixture.

    `pin_hash` is a hash keyed by the site's secret. `tries_left` counts down with each try, and only a wrong PIN keeps
    the try: at 0 nothing is compared any more, until somebody who may decide the result makes a new PIN.
    """

    side = models.OneToOneField(FixtureSide, on_delete=models.CASCADE, related_name="table_pin", verbose_name=_("side"))
    pin_hash = models.CharField(_("hash of the PIN"), max_length=64)
    tries_left = models.PositiveSmallIntegerField(_("tries left"))
    made_by = models.ForeignKey(
        site.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("made by"),
    )
    made_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("PIN at a table")
        verbose_name_plural = _("PINs at a table")
        ordering = ["side"]

    def __str__(self) -> str:
        return f"{self.side_id}: {self.tries_left}"
