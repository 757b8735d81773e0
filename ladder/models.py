"""The rated matches in their order, and the ratings after the last of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from rules.measuring.ratings import Rating


class Ladder(models.Model):
    """The one row that a service locks to rate a match, so that ratings follow one another.

    `rated` counts the numbered matches.
    """

    rated = models.PositiveIntegerField(_("rated matches"), default=0)

    class Meta:
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")

    def __str__(self) -> str:
        return str(self.rated)


class RatedMatch(models.Model):
    """A match that may count, with its place in the order in which matches were rated: 1, 2, 3 ... Never changed.

    A match does not count while a correction voids it, decides it by forfeit or leaves no winner, or while its winner
    is a helped side (`ladder.selectors.folding`). `programs` are the sides that a program's account played for a
    stable; `advised` are the sides that had advice.
    """

    match = models.OneToOneField(
        "matches.Match", on_delete=models.CASCADE, related_name="rated", verbose_name=_("match")
    )
    number = models.PositiveIntegerField(_("number"), unique=True)
    programs = models.JSONField(_("sides of programs"), default=list)
    advised = models.JSONField(_("sides with advice"), default=list)

    class Meta:
        verbose_name = _("rated match")
        verbose_name_plural = _("rated matches")
        ordering = ["number"]

    def __str__(self) -> str:
        return str(self.number)


class LadderPlayer(models.Model):
    """A bot under a version of the rules (`user` None), or an account (`bot` and `rules_version` ""), with its rating.

    Accounts are rated even when they do not want to be shown: otherwise each change of that wish would change the
    ratings of all others. `ladder.selectors.ladder` decides whom the page shows. `has_been_program` says that the
    account played for somebody's stable in a season.
    """

    bot = models.CharField(_("bot"), max_length=40, blank=True)
    rules_version = models.CharField(_("rules version"), max_length=40, blank=True)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="ladder_player",
        verbose_name=_("account"),
    )
    has_been_program = models.BooleanField(_("has been a program of a season"), default=False)
    mean = models.FloatField(_("mean"))
    deviation = models.FloatField(_("deviation"))
    matches = models.PositiveIntegerField(_("matches"))
    last_match_at = models.DateTimeField(_("last match"))

    class Meta:
        verbose_name = _("player of the ladder")
        verbose_name_plural = _("players of the ladder")
        constraints = [
            models.UniqueConstraint(
                fields=["bot", "rules_version"], name="ladder_bot_once", condition=Q(user__isnull=True)
            ),
            models.CheckConstraint(
                name="ladder_bot_or_account",
                condition=Q(user__isnull=True) & ~Q(bot="") & ~Q(rules_version="")
                | Q(user__isnull=False, bot="", rules_version=""),
            ),
        ]

    def __str__(self) -> str:
        return self.bot or str(self.user_id)

    @property
    def rating(self) -> Rating:
        return Rating(self.mean, self.deviation)
