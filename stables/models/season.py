"""The plan of a season: cycles, and the rounds of a cycle."""

from __future__ import annotations

import secrets
from functools import cached_property, partial
from typing import Any

from django.conf import settings as site
from django.db import models
from django.db.models import Q
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rules.campaign.season.settings import SeasonSettings
from rules.campaign.wording.states import CYCLES, ROUNDS, SEASONS
from web.languages.reader import translate_lazily
from web.names import NameField

new_secret = partial(secrets.token_bytes, 32)
"""A function that draws 32 random bytes. It is no `def`, so that migrations need not import this module."""


class Season(models.Model):
    """One season. `settings` are those of rules.campaign.season.settings; `secret` seeds every draw and is never shown.

    `pending_settings` are announced changes that hold from the next cycle on. rules.campaign.season.calendar reads
    `calendar`; without one there are no deadlines. While `paused_at` is set no deadline passes. `closes_at` is when the
    results of a season with provisional champions become final; None before the ceremony, and in a season that had
    none. `copied_from` is the season before, which this one continues. `organiser` is None in a season that a command
    opened without one, and after the account was deleted. `page` is the season's own page in Markdown, "" for none.
    `language` is the code of the language in which news leave the site, "" for that of the organiser.
    """

    class State(models.TextChoices):
        DRAFT = "draft", translate_lazily(SEASONS["draft"])
        RECRUITING = "recruiting", translate_lazily(SEASONS["recruiting"])
        RUNNING = "running", translate_lazily(SEASONS["running"])
        SUDDEN_DEATH = "sudden_death", translate_lazily(SEASONS["sudden_death"])
        PROVISIONAL = "provisional", translate_lazily(SEASONS["provisional"])
        FINISHED = "finished", translate_lazily(SEASONS["finished"])
        CANCELLED = "cancelled", translate_lazily(SEASONS["cancelled"])

    class Joining(models.TextChoices):
        OPEN = "open", _("everybody with an account")
        INVITED = "invited", _("who has an invitation")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("everybody; it is listed")
        UNLISTED = "unlisted", _("who knows the address; it is not listed")
        PRIVATE = "private", _("only who takes part")

    name = NameField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=100, unique=True)
    state = models.CharField(_("state"), max_length=15, choices=State, default=State.DRAFT)
    settings = models.JSONField(_("settings"))
    pending_settings = models.JSONField(_("announced settings"), default=dict, blank=True)
    calendar = models.JSONField(_("calendar"), default=dict, blank=True)
    joining = models.CharField(_("who may join"), max_length=10, choices=Joining, default=Joining.OPEN)
    visibility = models.CharField(_("who may see it"), max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    page = models.TextField(_("page of its own"), blank=True, default="")
    language = models.CharField(_("language of what it posts"), max_length=10, default="", blank=True)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)
    closes_at = models.DateTimeField(_("closes"), null=True, blank=True)
    copied_from = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="copies", verbose_name=_("again after")
    )
    secret = models.BinaryField(_("secret"), max_length=32, default=new_secret)
    release = models.ForeignKey(
        "catalogue.CatalogueRelease",
        on_delete=models.PROTECT,
        related_name="seasons",
        verbose_name=_("catalogue release"),
    )
    organiser = models.ForeignKey(
        site.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="organised_seasons",
        verbose_name=_("organiser"),
    )
    created_at = models.DateTimeField(_("opened"), auto_now_add=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of the season's page."""
        return _address("stables:season", self.slug)

    @cached_property
    def rules(self) -> SeasonSettings:
        """The settings in the form that the rules read, cached on this object."""
        return SeasonSettings.from_json(self.settings)


def _address(name: str, *arguments: Any) -> str:
    try:
        return reverse(name, args=arguments)
    except NoReverseMatch:
        return ""


class Cycle(models.Model):
    """One cycle: `number` from 1, format and class of all its matches. `started_with` counts its stables (Q-159).

    `started_with` and `rounds_planned` are None while the market is open; a dropped cycle plans 0 rounds. The market
    closes at `market_closes_at`, None without a deadline. The placings of revision `placings_revision` are valid; a
    correction that changes them writes a new revision.
    """

    class State(models.TextChoices):
        MARKET = "market", translate_lazily(CYCLES["market"])
        ROUNDS = "rounds", translate_lazily(CYCLES["rounds"])
        CLOSING = "closing", translate_lazily(CYCLES["closing"])
        CLOSED = "closed", translate_lazily(CYCLES["closed"])

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="cycles", verbose_name=_("season"))
    number = models.PositiveSmallIntegerField(_("number"))
    format = models.CharField(_("format"), max_length=20)
    match_class = models.CharField(_("class"), max_length=10)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.MARKET)
    started_with = models.PositiveSmallIntegerField(_("stables at the start"), null=True, blank=True)
    rounds_planned = models.PositiveSmallIntegerField(_("rounds"), null=True, blank=True)
    market_closes_at = models.DateTimeField(_("market closes"), null=True, blank=True)
    placings_revision = models.PositiveSmallIntegerField(_("revision of the places"), default=1)

    class Meta:
        verbose_name = _("cycle")
        verbose_name_plural = _("cycles")
        ordering = ["season", "number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="one_cycle_a_number"),
            models.CheckConstraint(
                name="cycle_started_is_counted",
                condition=Q(state="market") | Q(started_with__isnull=False, rounds_planned__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season_id} / {self.number}"


class Round(models.Model):
    """One round of a cycle: paired from its start to its last result, then settled.

    No act leads to "playing"; only old rows may have it. The times are deadlines: for line-ups, for matches, for
    results. None means no deadline.
    """

    class State(models.TextChoices):
        PAIRED = "paired", translate_lazily(ROUNDS["paired"])
        PLAYING = "playing", translate_lazily(ROUNDS["playing"])
        SETTLED = "settled", translate_lazily(ROUNDS["settled"])

    cycle = models.ForeignKey(Cycle, on_delete=models.CASCADE, related_name="rounds", verbose_name=_("cycle"))
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PAIRED)
    line_ups_due_at = models.DateTimeField(_("line-ups are due"), null=True, blank=True)
    play_due_at = models.DateTimeField(_("matches are due"), null=True, blank=True)
    confirm_due_at = models.DateTimeField(_("results are due"), null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("of a season", "round")
        verbose_name_plural = _("rounds")
        ordering = ["cycle", "number"]
        constraints = [models.UniqueConstraint(fields=["cycle", "number"], name="one_round_a_number")]

    def __str__(self) -> str:
        return f"{self.cycle_id} / {self.number}"
