"""Agreements of a fixture's players on a date and a mode, and claims that a player did not come."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from rules.campaign.wording.states import PROPOSALS
from stables.models.fixture import Fixture
from stables.models.stable import Stable
from web.languages.reader import translate_lazily


class Proposal(models.Model):
    """A date (`at`), a mode, or both, proposed by one stable; it holds once every person who is asked accepts.

    `at` None proposes no date, and `mode` "" no mode.
    """

    class State(models.TextChoices):
        OPEN = "open", translate_lazily(PROPOSALS["open"])
        ACCEPTED = "accepted", translate_lazily(PROPOSALS["accepted"])
        DECLINED = "declined", translate_lazily(PROPOSALS["declined"])
        WITHDRAWN = "withdrawn", translate_lazily(PROPOSALS["withdrawn"])

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="proposals", verbose_name=_("fixture"))
    stable = models.ForeignKey(
        Stable, on_delete=models.CASCADE, related_name="proposals", verbose_name=_("proposed by")
    )
    mode = models.CharField(_("mode"), max_length=10, choices=Fixture.Mode, blank=True)
    at = models.DateTimeField(_("date"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    accepted_by = models.ManyToManyField(Stable, related_name="+", blank=True, verbose_name=_("accepted by"))
    created_at = models.DateTimeField(_("proposed"), auto_now_add=True)

    class Meta:
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        ordering = ["fixture", "id"]
        constraints = [
            models.CheckConstraint(
                name="proposal_says_something", condition=models.Q(at__isnull=False) | ~models.Q(mode="")
            )
        ]

    def __str__(self) -> str:
        return f"{self.fixture_id}: {self.state}"


class NoShowClaim(models.Model):
    """A player's claim that their opponent did not come (Q-157): first one new date, then the choice what happens.

    A claim on a player whose time to think ran out sets no date: the choice comes at once. The next claim reuses the
    row of a withdrawn or answered one: `new_date` stays the absent stable's one new date, None before it has one.
    """

    class State(models.TextChoices):
        NEW_DATE = "new_date", _("a new date was set")
        CHOICE = "choice", _("the one who came chooses")
        FORFEIT = "forfeit", _("forfeited")
        STAND_IN = "stand_in", _("the AI stands in")
        WITHDRAWN = "withdrawn", _("withdrawn")

    fixture = models.OneToOneField(Fixture, on_delete=models.CASCADE, related_name="no_show", verbose_name=_("fixture"))
    claimant = models.ForeignKey(Stable, on_delete=models.CASCADE, related_name="+", verbose_name=_("who came"))
    absent = models.ForeignKey(Stable, on_delete=models.CASCADE, related_name="+", verbose_name=_("who did not"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.NEW_DATE)
    new_date = models.DateTimeField(_("new date"), null=True, blank=True)
    created_at = models.DateTimeField(_("claimed"), auto_now_add=True)
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)

    class Meta:
        verbose_name = _("no-show")
        verbose_name_plural = _("no-shows")
        ordering = ["fixture"]

    def __str__(self) -> str:
        return f"{self.fixture_id}: {self.state}"
