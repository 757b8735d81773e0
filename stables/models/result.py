"""The ends of fixtures: reports from tables, rulings of referees, results, and their corrections."""

from __future__ import annotations

from typing import Any

from django.conf import settings as site
from django.db import models
from django.utils.translation import gettext_lazy as _

from stables.models.fixture import Fixture
from stables.models.stable import Stable
from web.append_only import AppendOnly


class Report(AppendOnly):
    """A stable's report of a match at a table; the newest `number` counts.

    rules.campaign.results.reports describes `document`.
    """

    fixture = models.ForeignKey(Fixture, on_delete=models.PROTECT, related_name="reports", verbose_name=_("fixture"))
    stable = models.ForeignKey(Stable, on_delete=models.PROTECT, related_name="reports", verbose_name=_("stable"))
    number = models.PositiveSmallIntegerField(_("number"))
    document = models.JSONField(_("report"))
    user = models.ForeignKey(
        site.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    created_at = models.DateTimeField(_("reported"), auto_now_add=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["fixture", "id"]
        constraints = [models.UniqueConstraint(fields=["fixture", "stable", "number"], name="one_report_a_number")]

    def __str__(self) -> str:
        return f"{self.fixture_id}: {self.stable_id} / {self.number}"


class Ruling(AppendOnly):
    """A referee's decision of a match at a table, with the reason. `document` has the shape of Report.document."""

    fixture = models.OneToOneField(Fixture, on_delete=models.PROTECT, related_name="ruling", verbose_name=_("fixture"))
    document = models.JSONField(_("report"))
    reason = models.TextField(_("reason"))
    user = models.ForeignKey(
        site.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    created_at = models.DateTimeField(_("decided"), auto_now_add=True)

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        ordering = ["fixture"]

    def __str__(self) -> str:
        return f"{self.fixture_id}"


class Result(AppendOnly):
    """The end of a fixture, written once by its settlement. `source` says where it came from.

    `document` has the same shape for every end: {"ended_by", "winner", "rounds", "tie_break", "source", "places",
    "sides": {side: {"stable", "reputation", "kills", "surrendered", "forfeits", "banked", "individuals"}}, "stables":
    {number: {"side", "banked", "kills", "won", "played", "cause", "forfeits", "individuals": {code: {"reputation",
    "kills"}}}}, "units": {match unit: {"side", "stable", "asset", "pilot", "before", "clicks", "eliminated", "kills",
    "pilot_dead"}}}, and for a match at a table its "report". "winner" and "tie_break" are None without one, and so is
    "pilot" for a unit without a pilot; a forfeit has no "units". A voided result has no "report", and no "forfeits" in
    "stables". The books are written from "stables" and "units". "sides" is for display: the sums over the stables that
    share a side.

    `current` is the valid document: the newest correction's, if there is one.
    """

    class Source(models.TextChoices):
        ENGINE = "engine", _("played by the engine")
        FORFEIT = "forfeit", _("forfeited")
        AGREED = "agreed", _("reported and confirmed")
        SILENCE = "silence", _("reported, confirmed by silence")
        REFEREE = "referee", _("decided by a referee")
        ORGANISER = "organiser", _("corrected by an organiser")

    fixture = models.OneToOneField(Fixture, on_delete=models.PROTECT, related_name="result", verbose_name=_("fixture"))
    document = models.JSONField(_("result"))
    source = models.CharField(_("source"), max_length=10, choices=Source, default=Source.ENGINE)
    settled_at = models.DateTimeField(_("settled"), auto_now_add=True)

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.fixture_id}"

    @property
    def current(self) -> dict[str, Any]:
        """The valid document. Prefetch `corrections` to read many; otherwise each takes a query."""
        newest = max(self.corrections.all(), key=lambda correction: correction.number, default=None)
        document: dict[str, Any] = self.document if newest is None else newest.document
        return document


class Correction(AppendOnly):
    """A correction of a settled result: voided, replaced, corrected or reopened, with the reason and its effects.

    `document` is the valid result from then on, in the shape of Result.document; a voided or reopened one has
    "ended_by": "void". The settlement of a reopened result replaces it without a reason (""). `number` counts the
    corrections of a result from 1. `effects` lists the changes, as stables.text.results reads them.
    """

    class Kind(models.TextChoices):
        VOID = "void", _("voided")
        REPLACE = "replace", _("replaced")
        CORRECT = "correct", _("corrected")
        REOPEN = "reopen", _("opened again")

    result = models.ForeignKey(Result, on_delete=models.PROTECT, related_name="corrections", verbose_name=_("result"))
    number = models.PositiveSmallIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    document = models.JSONField(_("result"))
    effects = models.JSONField(_("effects"), default=list)
    reason = models.TextField(_("reason"))
    user = models.ForeignKey(
        site.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    created_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        ordering = ["result", "number"]
        constraints = [models.UniqueConstraint(fields=["result", "number"], name="one_correction_a_number")]

    def __str__(self) -> str:
        return f"{self.result_id} / {self.number}"
