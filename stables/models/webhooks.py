"""Webhooks of a season, and their deliveries."""

from __future__ import annotations

import uuid

from django.conf import settings as site
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from stables.models.log import LogEntry
from stables.models.season import Season


class Webhook(models.Model):
    """An outside address to which the news of a season is posted. `secret` signs the documents.

    `codes` are the codes of the log that it gets, all if empty. `disabled_at` and `why_off` are set while it is off;
    rows from before `why_off` was kept have "". Until `rests_until` nothing is sent: its receiver took no more, or did
    not answer.
    """

    class Format(models.TextChoices):
        GENERIC = "generic", _("JSON document")
        DISCORD = "discord", _("Discord message")

    class Off(models.TextChoices):
        BY_HAND = "by_hand", _("An organiser turned it off.")
        GONE = "gone", _("There is nothing at its address any more; it was deleted there.")
        FAILING = "failing", _("Too many news in a row did not arrive.")
        MAKER_GONE = "maker_gone", _("The person who made it no longer organises the season.")

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="webhooks", verbose_name=_("season"))
    public_id = models.UUIDField(_("public id"), default=uuid.uuid4, unique=True, editable=False)
    url = models.CharField(_("address"), max_length=500)
    format = models.CharField(_("format"), max_length=10, choices=Format, default=Format.GENERIC)
    codes = models.JSONField(_("what is sent"), default=list, blank=True)
    secret = models.CharField(_("secret"), max_length=64)
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    rests_until = models.DateTimeField(_("rests until"), null=True, blank=True)
    made_by = models.ForeignKey(
        site.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    disabled_at = models.DateTimeField(_("off since"), null=True, blank=True)
    why_off = models.CharField(_("why it is off"), max_length=10, choices=Off, default="", blank=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["season", "id"]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.public_id}"


class Delivery(models.Model):
    """One piece of news on its way to a webhook: its facts, the number of tries, and their answers.

    `document` holds the facts from which each try makes the text (stables.selectors.webhooks.documents). `log_entry` is
    None for a document that an organiser sent by hand. `answers` holds {"try", "at", "status", "problem"} for each try:
    "status" is None without an answer, and "problem" "" for a delivered document. `next_try_at` is None once no try
    follows. A round with many matches takes several messages to Discord: `lines_sent` of its lines have arrived.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("on its way")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("given up")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", verbose_name=_("webhook"))
    public_id = models.UUIDField(_("public id"), default=uuid.uuid4, unique=True, editable=False)
    log_entry = models.ForeignKey(
        LogEntry, on_delete=models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("log entry")
    )
    code = models.CharField(_("code"), max_length=60)
    document = models.JSONField(_("document"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(pgettext_lazy("of a delivery", "tries"), default=0)
    answers = models.JSONField(_("answers"), default=list, blank=True)
    lines_sent = models.PositiveSmallIntegerField(_("lines that arrived"), default=0)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    next_try_at = models.DateTimeField(_("next try"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["webhook", "id"]
        indexes = [models.Index(fields=["state", "next_try_at"], name="stables_delivery_due")]
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "log_entry"],
                name="one_delivery_an_entry",
                condition=models.Q(log_entry__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.webhook_id}: {self.code}"
