"""Fixtures of a round, the sealed line-ups of their sides, and their results."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from stables.models.books import AppendOnly
from stables.models.season import Round
from stables.models.stable import Asset, Stable


class Fixture(models.Model):
    """One meeting of a round, or a bye. `match` is there once it is played by the engine.

    `arena_key` names an arena, or four joined by "+" for a ground of four maps.
    """

    class Kind(models.TextChoices):
        MATCH = "match", _("match")
        BYE = "bye", _("bye")

    class State(models.TextChoices):
        LINE_UPS = "line_ups", _("line-ups are called")
        SEALED = "sealed", _("line-ups are sealed")
        SETTLED = "settled", _("settled")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="fixtures", verbose_name=_("round"))
    number = models.PositiveSmallIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.MATCH)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.LINE_UPS)
    arena_key = models.CharField(_("arena"), max_length=200, blank=True)
    match = models.OneToOneField(
        "matches.Match",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="fixture",
        verbose_name=_("match"),
    )

    class Meta:
        verbose_name = _("fixture")
        verbose_name_plural = _("fixtures")
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="one_fixture_a_number"),
            models.CheckConstraint(name="bye_has_no_match", condition=Q(kind="match") | Q(match__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.round_id} / {self.number}"


class FixtureSide(models.Model):
    """A stable's part in a fixture. `forfeits`: empty, "unable" (no unit to field) or "absent" (no line-up in time)."""

    class Forfeit(models.TextChoices):
        UNABLE = "unable", _("unable to take part")
        ABSENT = "absent", _("no line-up in time")

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="sides", verbose_name=_("fixture"))
    stable = models.ForeignKey(Stable, on_delete=models.PROTECT, related_name="fixture_sides", verbose_name=_("stable"))
    side = models.CharField(_("side"), max_length=20)
    forfeits = models.CharField(_("forfeit"), max_length=10, choices=Forfeit, blank=True)

    class Meta:
        verbose_name = _("side")
        verbose_name_plural = _("sides")
        ordering = ["fixture", "id"]
        constraints = [
            models.UniqueConstraint(fields=["fixture", "side"], name="one_stable_a_side"),
            models.UniqueConstraint(fields=["fixture", "stable"], name="one_side_a_stable"),
        ]

    def __str__(self) -> str:
        return f"{self.fixture_id} {self.side}"


class LineUp(models.Model):
    """What a side hands in, unseen by anybody until the match: its crews and the ids of its target tokens."""

    side = models.OneToOneField(FixtureSide, on_delete=models.CASCADE, related_name="line_up", verbose_name=_("side"))
    tokens = models.JSONField(_("target tokens"), default=list)
    sealed_at = models.DateTimeField(_("sealed"), auto_now_add=True)

    class Meta:
        verbose_name = _("line-up")
        verbose_name_plural = _("line-ups")

    def __str__(self) -> str:
        return f"{self.side_id}"


class Crew(models.Model):
    """One unit of a line-up and its pilot; `position` from 1. `damage` in clicks is carried into the match."""

    line_up = models.ForeignKey(LineUp, on_delete=models.CASCADE, related_name="crews", verbose_name=_("line-up"))
    position = models.PositiveSmallIntegerField(_("position"), default=1)
    unit = models.ForeignKey(Asset, on_delete=models.PROTECT, related_name="crews_as_unit", verbose_name=_("unit"))
    pilot = models.ForeignKey(
        Asset, on_delete=models.PROTECT, null=True, blank=True, related_name="crews_as_pilot", verbose_name=_("pilot")
    )
    damage = models.PositiveSmallIntegerField(_("damage"), default=0)

    class Meta:
        verbose_name = _("crew")
        verbose_name_plural = _("crews")
        ordering = ["line_up", "position"]
        constraints = [
            models.UniqueConstraint(fields=["line_up", "position"], name="one_crew_a_position"),
            models.UniqueConstraint(fields=["line_up", "unit"], name="one_crew_a_unit"),
            models.UniqueConstraint(
                fields=["line_up", "pilot"], name="one_crew_a_pilot", condition=Q(pilot__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.line_up_id} / {self.position}"


class Result(AppendOnly):
    """How a fixture ended, written once by its settlement.

    `document` has one shape however it ended: {"ended_by", "winner", "rounds", "tie_break", "sides": {side: {"stable",
    "reputation", "kills", "surrendered", "forfeits", "banked", "individuals": {code: {"reputation", "kills"}}}},
    "units": {match unit: {"side", "asset", "clicks", "eliminated"}}}.
    """

    fixture = models.OneToOneField(Fixture, on_delete=models.PROTECT, related_name="result", verbose_name=_("fixture"))
    document = models.JSONField(_("result"))
    settled_at = models.DateTimeField(_("settled"), auto_now_add=True)

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.fixture_id}"
