"""The ladder for the staff: the rated matches, and the ratings that everybody may see. Nothing can be changed."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from ladder.models import LadderPlayer, RatedMatch
from ladder.selectors.ladder import shown
from web.admin import ReadOnlyAdmin


@admin.register(RatedMatch)
class RatedMatchAdmin(ReadOnlyAdmin):
    """Rated matches, without the sides that had advice: only the person who asked for advice may know of it."""

    list_display = ["number", "match", "programs"]
    exclude = ["advised"]
    list_select_related = ["match"]


@admin.register(LadderPlayer)
class LadderPlayerAdmin(ReadOnlyAdmin):
    """The players whom everybody may see. A person who hides from the ladder is hidden from the staff, too."""

    list_display = ["__str__", "rules_version", "mean", "deviation", "matches", "last_match_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[LadderPlayer]:
        return shown()
