"""The season's log for its players: what happened, who did it, and why."""

from __future__ import annotations

from django.conf import settings as site
from django.db import models
from django.utils.translation import gettext_lazy as _

from stables.models.fixture import Fixture
from stables.models.season import Cycle, Season
from web.append_only import AppendOnly


class LogEntry(AppendOnly):
    """One event of a season: a code with parameters, worded when it is shown (stables.text.log).

    `actor` is None for the season's own acts, and for deleted accounts.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="log", verbose_name=_("season"))
    cycle = models.ForeignKey(
        Cycle, on_delete=models.PROTECT, null=True, blank=True, related_name="log", verbose_name=_("cycle")
    )
    fixture = models.ForeignKey(
        Fixture, on_delete=models.PROTECT, null=True, blank=True, related_name="log", verbose_name=_("fixture")
    )
    code = models.CharField(_("code"), max_length=60)
    parameters = models.JSONField(_("parameters"), default=dict, blank=True)
    actor = models.ForeignKey(
        site.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    created_at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log entries")
        ordering = ["season", "id"]
        indexes = [models.Index(fields=["season", "id"], name="stables_log_of_season")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.code}"
