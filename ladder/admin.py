"""The ladder as the staff sees it: which matches were rated, and what bots stand at. Nothing can be changed."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from ladder.models import LadderPlayer, RatedMatch
from ladder.selectors.ladder import shown
from web.admin import ReadOnlyAdmin


@admin.register(RatedMatch)
class RatedMatchAdmin(ReadOnlyAdmin):
    """Only the person who asked for advice reads it."""

    list_display = ["number", "match", "programs"]
    exclude = ["advised"]
    list_select_related = ["match"]


@admin.register(LadderPlayer)
class LadderPlayerAdmin(ReadOnlyAdmin):
    """Those whom everybody may see: who does not want to be shown is not shown to the staff either."""

    list_display = ["__str__", "rules_version", "mean", "deviation", "matches", "last_match_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[LadderPlayer]:
        return shown()
