"""Fixtures of a round, their sides and forecasts, and line-ups with crews and cards."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings as site
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from matches.models import Counted
from rules.campaign.wording.states import FIXTURES, MODES
from stables.models.season import Round, _address
from stables.models.stable import Asset, Stable
from web.languages.reader import translate_lazily


class Fixture(models.Model):
    """One meeting of a round, or a bye. `match` is its match in the engine, None without one.

    `arena_key` names an arena, or four joined by "+" for a ground of four maps; it is "" for a bye. `mode` says who
    plays it, unless the absence of people changes that (stables.selectors.seating). `scheduled_at` is the date on which
    its players agreed, or a new date after they missed one; None without a date. A first report or a reopened result
    starts the time until `confirm_due_at`, which is None while no time runs. `reminders` counts the reminders sent in
    that time. `table_number` is the table at which the organisers put it, None without one. `excused_until` is the last
    moment to play it after an organiser excused one of its stables, None if nobody is excused.
    """

    class Kind(models.TextChoices):
        MATCH = "match", _("match")
        BYE = "bye", _("bye")

    class State(models.TextChoices):
        LINE_UPS = "line_ups", translate_lazily(FIXTURES["line_ups"])
        SEALED = "sealed", translate_lazily(FIXTURES["sealed"])
        SETTLED = "settled", translate_lazily(FIXTURES["settled"])

    class Mode(models.TextChoices):
        AI = "ai", translate_lazily(MODES["ai"])
        BROWSER = "browser", translate_lazily(MODES["browser"])
        TABLE = "table", translate_lazily(MODES["table"])

    round = models.ForeignKey(
        Round, on_delete=models.CASCADE, related_name="fixtures", verbose_name=pgettext_lazy("of a season", "round")
    )
    number = models.PositiveSmallIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.MATCH)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.LINE_UPS)
    arena_key = models.CharField(_("arena"), max_length=200, blank=True)
    mode = models.CharField(_("mode"), max_length=10, choices=Mode, default=Mode.AI)
    scheduled_at = models.DateTimeField(_("agreed date"), null=True, blank=True)
    confirm_due_at = models.DateTimeField(_("confirmed by silence"), null=True, blank=True)
    reminders = models.PositiveSmallIntegerField(_("reminders sent"), default=0)
    table_number = models.PositiveSmallIntegerField(_("table number"), null=True, blank=True)
    excused_until = models.DateTimeField(_("excused until"), null=True, blank=True)
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
        indexes = [
            # Settled fixtures accumulate; the ones that each tick looks for are open, or among the newest.
            models.Index(fields=["state", "id"], name="fixtures_by_state"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="one_fixture_a_number"),
            models.CheckConstraint(name="bye_has_no_match", condition=Q(kind="match") | Q(match__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.round_id} / {self.number}"

    def get_absolute_url(self) -> str:
        """Return the address of the fixture's page. Fetch the fixture with its round, cycle and season."""
        return _address("stables:fixture", self.round.cycle.season.slug, self.pk)

    @property
    def play_due_at(self) -> datetime | None:
        """The last moment to play the match: the round's, later if a stable is excused. Fetch it with its round."""
        return max((due for due in (self.round.play_due_at, self.excused_until) if due is not None), default=None)

    @property
    def line_ups_due_at(self) -> datetime | None:
        """The last moment for line-ups: the round's, moved as far as the one to play it. Fetch it with its round."""
        due, by = self.round.line_ups_due_at, self.excused_by
        return due if due is None or by is None else due + by

    @property
    def excused_by(self) -> timedelta | None:
        """How much more time than its round the match has; None if it has no more, or the round has no deadline."""
        due = self.round.play_due_at
        if self.excused_until is None or due is None or self.excused_until <= due:
            return None
        return self.excused_until - due


class FixtureSide(models.Model):
    """A stable's part in a fixture. Two stables may share a `side`, its name in the match (Q-168).

    `forfeits` says why the stable forfeits, "" if it does not. It pays as R-FOR-03 says for UNABLE, and as an absence
    for all others. ABSENT is in rows from before the other reasons were kept. `taken_back` is the stable's line-up that
    was last taken out again, in the form of SavedLineUp.document: a draft for its owner alone, None without one.
    """

    class Forfeit(models.TextChoices):
        UNABLE = "unable", _("forfeited: unable to take part")
        NO_SHOW = "no_show", _("forfeited: did not come")
        LATE = "late", _("forfeited: not played in time")
        LEFT = "left", _("forfeited: left the season")
        RULED = "ruled", _("forfeited: the organiser’s decision")
        ABSENT = "absent", _("forfeited: did not come, or not in time")

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="sides", verbose_name=_("fixture"))
    stable = models.ForeignKey(Stable, on_delete=models.PROTECT, related_name="fixture_sides", verbose_name=_("stable"))
    side = models.CharField(_("side"), max_length=20)
    forfeits = models.CharField(_("forfeit"), max_length=10, choices=Forfeit, blank=True)
    taken_back = models.JSONField(_("line-up that was taken back"), null=True, blank=True, editable=False)
    stand_in = models.ForeignKey(
        site.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="sides_stood_in",
        verbose_name=_("stand-in"),
    )

    class Meta:
        verbose_name = _("side")
        verbose_name_plural = _("sides")
        ordering = ["fixture", "id"]
        constraints = [
            models.UniqueConstraint(fields=["fixture", "stable"], name="one_side_a_stable"),
        ]

    def __str__(self) -> str:
        return f"{self.fixture_id} {self.side}"

    def is_played_by(self, user: Any) -> bool:
        """Return whether a person owns its stable or stands in for the owner. Fetch it with its stable."""
        return user.pk is not None and user.pk in (self.stable.owner_id, self.stand_in_id)

    @property
    def player(self) -> Any:
        """The account that plays it in person: the stand-in's, else the owner's; None without both."""
        return self.stand_in if self.stand_in_id is not None else self.stable.owner


class FixtureForecast(Counted):
    """The outcomes of play-outs of a fixture's line-ups, secret until the reveal because they hint at the line-ups."""

    fixture = models.OneToOneField(
        Fixture, on_delete=models.CASCADE, related_name="forecast", verbose_name=_("fixture")
    )

    class Meta:
        verbose_name = _("forecast of a fixture")
        verbose_name_plural = _("forecasts of fixtures")

    def __str__(self) -> str:
        return f"{self.fixture_id}"


class LineUp(models.Model):
    """The line-up of a side, secret until all are in: its crews and, in `tokens`, the ids of its target tokens.

    `source` says whose choice it was; pages flag every source except the owner's own choice.
    """

    class Source(models.TextChoices):
        OWNER = "owner", _("handed in")
        SAVED = "saved", _("the saved line-up")
        NEAREST = "nearest", _("the nearest legal line-up")
        HAND_OVER = "hand_over", _("chosen for an absent owner")

    side = models.OneToOneField(FixtureSide, on_delete=models.CASCADE, related_name="line_up", verbose_name=_("side"))
    tokens = models.JSONField(_("target tokens"), default=list)
    source = models.CharField(_("chosen by"), max_length=10, choices=Source, default=Source.OWNER)
    sealed_at = models.DateTimeField(_("sealed"), auto_now_add=True)

    class Meta:
        verbose_name = _("line-up")
        verbose_name_plural = _("line-ups")

    def __str__(self) -> str:
        return f"{self.side_id}"


class Crew(models.Model):
    """One unit of a line-up and its pilot, None for a unit without one; `position` from 1.

    `damage` in clicks is carried into the match.
    """

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


class CrewCard(models.Model):
    """A gear card on the unit of a crew, or a rally card of the hand that the unit brings (R-CEC-06, R-RAL-01).

    `side` is that of two-sided gear, "" for any other card.
    """

    crew = models.ForeignKey(Crew, on_delete=models.CASCADE, related_name="cards", verbose_name=_("crew"))
    asset = models.ForeignKey(Asset, on_delete=models.PROTECT, related_name="crew_cards", verbose_name=_("card"))
    side = models.CharField(_("declared side"), max_length=10, choices=Asset.Side, blank=True)

    class Meta:
        verbose_name = _("card of a crew")
        verbose_name_plural = _("cards of crews")
        ordering = ["crew", "id"]
        constraints = [models.UniqueConstraint(fields=["crew", "asset"], name="one_card_a_crew")]

    def __str__(self) -> str:
        return f"{self.crew_id}: {self.asset_id}"


class SavedLineUp(models.Model):
    """The line-up for a stable that hands in none in time, one for each class and format of matches.

    `document` is {"crews": [{"unit", "pilot", "gear", "hand"}], "tokens": [...]}, with assets by their ids. "pilot" is
    None for a unit without one, and "gear" None for all the gear that the garage put on the unit.
    """

    stable = models.ForeignKey(
        Stable, on_delete=models.CASCADE, related_name="saved_line_ups", verbose_name=_("stable")
    )
    match_class = models.CharField(_("class"), max_length=10)
    format = models.CharField(_("format"), max_length=20)
    document = models.JSONField(_("line-up"))
    saved_at = models.DateTimeField(_("saved"), auto_now=True)

    class Meta:
        verbose_name = _("saved line-up")
        verbose_name_plural = _("saved line-ups")
        ordering = ["stable", "id"]
        constraints = [
            models.UniqueConstraint(fields=["stable", "match_class", "format"], name="one_saved_line_up_a_format")
        ]

    def __str__(self) -> str:
        return f"{self.stable_id}: {self.match_class} {self.format}"
