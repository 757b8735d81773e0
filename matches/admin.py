"""Matches in the admin: read-only, without seeds, and without what the players of a running match hide."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.models import Match, MatchAction, MatchSeat
from web.admin import ReadOnly, ReadOnlyAdmin


class Sealed:
    """A mixin for an admin that hides the `sealed_fields` of an object until its match, `match_of(obj)`, is finished.

    Until then they may hold face-down tokens and sealed line-ups, and one line replaces them. The open events of a
    running match are on its page.
    """

    sealed_fields: tuple[str, ...] = ()

    def match_of(self, obj: Any) -> Match:
        """Return the match that decides whether `obj` is sealed. Each admin with this mixin defines it."""
        raise NotImplementedError

    # The two `misc` below: a mixin's super() is the ModelAdmin beside it, which mypy cannot see.
    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = tuple(super().get_fields(request, obj))  # type: ignore[misc]
        if obj is None or self.match_of(obj).is_over:
            return fields
        return (*(name for name in fields if name not in self.sealed_fields), "sealed")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return (*super().get_readonly_fields(request, obj), "sealed")  # type: ignore[misc]

    @admin.display(description=_("sealed"))
    def sealed(self, obj: Any) -> str:
        return gettext("Setup and steps are shown when the match is finished.")


class SeatInline(ReadOnly, admin.TabularInline):
    model = MatchSeat
    fields = ("side", "user", "bot")
    extra = 0


@admin.register(Match)
class MatchAdmin(Sealed, ReadOnlyAdmin):
    list_display = ("public_id", "fixture_key", "state", "steps", "rules_version", "created_at", "finished_at")
    list_filter = ("state", "rules_version")
    search_fields = ("public_id", "fixture_key")
    fields = (
        "public_id",
        "fixture_key",
        "state",
        "last_sequence",
        "rules_version",
        "seed_commitment",
        "created_at",
        "finished_at",
        "result",
        "setup",
    )
    # The number of steps would reveal that a player was asked for a rally card.
    sealed_fields = ("setup", "last_sequence")
    inlines = (SeatInline,)

    def match_of(self, obj: Match) -> Match:
        return obj

    @admin.display(description=_("last step"))
    def steps(self, obj: Match) -> int | None:
        return obj.last_sequence if obj.is_over else None


class OfBots(admin.SimpleListFilter):
    """A filter for steps at which a bot failed or took too long, even in running matches: it reveals nothing secret."""

    title = _("bots that failed")
    parameter_name = "fault"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(cause.value, cause.label) for cause in MatchAction.FAULTS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset if self.value() is None else queryset.filter(cause=self.value())


@admin.register(MatchAction)
class MatchActionAdmin(Sealed, ReadOnlyAdmin):
    """The steps of finished matches, and of running ones those at which a bot failed."""

    list_display = ("match", "number", "side", "fault", "created_at")
    list_filter = (OfBots,)
    fields = ("match", "sequence", "side", "action", "events", "cause", "created_at")
    list_select_related = ("match",)
    sealed_fields = ("sequence", "action", "events", "cause")

    def match_of(self, obj: MatchAction) -> Match:
        return obj.match

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatchAction]:
        """Return the steps without those whose number would reveal that a player was asked for a rally card."""
        is_open = Q(match__state__in=Match.OVER) | Q(cause__in=MatchAction.FAULTS)
        return super().get_queryset(request).filter(is_open)

    @admin.display(description=_("sequence"))
    def number(self, obj: MatchAction) -> int | None:
        return obj.sequence if obj.match.is_over else None

    @admin.display(description=_("fault of a bot"))
    def fault(self, obj: MatchAction) -> str:
        return obj.get_cause_display() if obj.cause in MatchAction.FAULTS else ""
