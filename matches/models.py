"""What is stored of a match: its setup, its seed, every step, its result."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class AppendOnly(Exception):
    """A stored step was about to be changed or removed: a bug in this site, never a player's mistake."""


class Match(models.Model):
    """One arena match. Setup, seed and actions rebuild every event; the events rebuild every position.

    `setup` embeds all definitions, so that a later catalogue changes nothing. `last_sequence` is the sequence of the
    newest MatchAction; a step is accepted by a conditional update of it. The seed is secret until the match is
    finished: only `revealed_seed` may reach a page, and no form or admin names the field itself.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        PLAYING = "playing", _("being played")
        FINISHED = "finished", _("finished")

    public_id = models.UUIDField(_("public id"), default=uuid.uuid4, unique=True, editable=False)
    fixture_key = models.CharField(_("fixture key"), max_length=160, null=True, blank=True, unique=True)
    setup = models.JSONField(_("setup"))
    rules_version = models.CharField(_("rules version"), max_length=40)
    seed = models.BinaryField(_("seed"), max_length=64)
    seed_commitment = models.CharField(_("seed commitment"), max_length=64)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING, db_index=True)
    last_sequence = models.PositiveIntegerField(_("last step"), default=0)
    result = models.JSONField(_("result"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="match_finished_has_result",
                condition=Q(state="finished", result__isnull=False, finished_at__isnull=False)
                | (~Q(state="finished") & Q(result__isnull=True, finished_at__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return str(self.public_id)

    def get_absolute_url(self) -> str:
        return reverse("matches:show", args=[self.public_id])

    @property
    def is_finished(self) -> bool:
        return self.state == self.State.FINISHED

    @property
    def revealed_seed(self) -> str | None:
        """The seed as hex digits once the match is finished, None before."""
        return bytes(self.seed).hex() if self.is_finished else None


class MatchSeat(models.Model):
    """Who decides for one side of a match: a person, a bot, or nobody yet (both empty)."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", verbose_name=_("match"))
    side = models.CharField(_("side"), max_length=20)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="match_seats",
        verbose_name=_("player"),
    )
    bot = models.CharField(_("bot"), max_length=40, blank=True)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["match", "side"], name="one_seat_a_side"),
            models.CheckConstraint(name="seat_user_or_bot", condition=Q(user__isnull=True) | Q(bot="")),
        ]

    def __str__(self) -> str:
        return f"{self.side}: {self.bot or self.user_id or '-'}"


class StepQuerySet(models.QuerySet[Any]):
    """Refuses the bulk ways to change or remove steps."""

    def update(self, **values: Any) -> int:
        raise AppendOnly("steps of a match are never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise AppendOnly("steps of a match are never removed")


class MatchAction(models.Model):
    """One step of a match and the events that it caused. Sequence 0 holds the opening events and no action."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="actions", verbose_name=_("match"))
    sequence = models.PositiveIntegerField(_("sequence"))
    side = models.CharField(_("side"), max_length=20, blank=True)
    action = models.JSONField(_("action"), null=True, blank=True)
    events = models.JSONField(_("events"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = StepQuerySet.as_manager()

    class Meta:
        verbose_name = _("step")
        verbose_name_plural = _("steps")
        ordering = ["match", "sequence"]
        constraints = [models.UniqueConstraint(fields=["match", "sequence"], name="one_action_a_sequence")]

    def __str__(self) -> str:
        return f"{self.match_id} / {self.sequence}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnly("a step of a match is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise AppendOnly("a step of a match is never removed")
