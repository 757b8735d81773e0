"""Secret addresses of calendars of a season."""

from __future__ import annotations

from django.conf import settings as site
from django.db import models
from django.utils.translation import gettext_lazy as _

from stables.models.season import Season


class CalendarFeed(models.Model):
    """The secret address of a person's calendar of a season. Deleting the row revokes it; a new one has another key."""

    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, related_name="calendar_feeds", verbose_name=_("season")
    )
    user = models.ForeignKey(
        site.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_feeds", verbose_name=_("person")
    )
    key = models.CharField(_("key"), max_length=43, unique=True)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("calendar feed")
        verbose_name_plural = _("calendar feeds")
        ordering = ["season", "id"]
        constraints = [models.UniqueConstraint(fields=["season", "user"], name="one_calendar_feed_a_person")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.user_id}"
