"""Who comes to an evening: the organisers' question, and the answer of each stable."""

from __future__ import annotations

from django.conf import settings as site
from django.db import models
from django.utils.translation import gettext_lazy as _

from stables.models.season import Season
from stables.models.stable import Stable


class ComingQuestion(models.Model):
    """A question to the owners of a season: who comes to the evening that begins `at` then."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="coming", verbose_name=_("season"))
    at = models.DateTimeField(_("evening"))
    asked_by = models.ForeignKey(
        site.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)

    class Meta:
        verbose_name = _("question who comes")
        verbose_name_plural = _("questions who comes")
        ordering = ["season", "id"]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.at}"


class Coming(models.Model):
    """The answer of a stable's owner to a question. It may change until the evening begins."""

    question = models.ForeignKey(
        ComingQuestion, on_delete=models.CASCADE, related_name="answers", verbose_name=_("question")
    )
    stable = models.ForeignKey(Stable, on_delete=models.CASCADE, related_name="coming", verbose_name=_("stable"))
    is_coming = models.BooleanField(_("comes"))
    answered_at = models.DateTimeField(_("answered"), auto_now=True)

    class Meta:
        verbose_name = _("answer who comes")
        verbose_name_plural = _("answers who comes")
        ordering = ["question", "stable"]
        constraints = [models.UniqueConstraint(fields=["question", "stable"], name="one_answer_a_stable")]

    def __str__(self) -> str:
        return f"{self.question_id}: {self.stable_id}"
