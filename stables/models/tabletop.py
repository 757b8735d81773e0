"""The marks that people make on their phones at a real table."""

from __future__ import annotations

from django.conf import settings as site
from django.db import models
from django.utils.translation import gettext_lazy as _

from stables.models.fixture import Fixture


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
