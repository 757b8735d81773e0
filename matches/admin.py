"""Matches in the admin: to read only, never a seed, and of a running match nothing that its players hide."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.models import Match, MatchAction, MatchSeat


class ReadOnly:
    """Nothing may be added, changed or removed; looking follows the ordinary permissions."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Sealed:
    """Shows `setup` and the like of finished matches only: a running one has face-down tokens and sealed line-ups.

    `sealed_fields` are left out, and told in one line instead, until `match_of(obj)` is finished. What the events of a
    running match tell openly stands on its page.
    """

    sealed_fields: tuple[str, ...] = ()

    def match_of(self, obj: Any) -> Match:
        """The match that decides whether `obj` is sealed; each admin that mixes this in says which."""
        raise NotImplementedError

    # The two `misc` below: a mixin's super() is the ModelAdmin beside it, which mypy cannot see.
    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = tuple(super().get_fields(request, obj))  # type: ignore[misc]
        if obj is None or self.match_of(obj).is_finished:
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
class MatchAdmin(Sealed, ReadOnly, admin.ModelAdmin):
    list_display = ("public_id", "fixture_key", "state", "last_sequence", "rules_version", "created_at", "finished_at")
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
    sealed_fields = ("setup",)
    inlines = (SeatInline,)

    def match_of(self, obj: Match) -> Match:
        return obj


@admin.register(MatchAction)
class MatchActionAdmin(Sealed, ReadOnly, admin.ModelAdmin):
    list_display = ("match", "sequence", "side", "created_at")
    fields = ("match", "sequence", "side", "action", "events", "created_at")
    list_select_related = ("match",)
    sealed_fields = ("action", "events")

    def match_of(self, obj: MatchAction) -> Match:
        return obj.match
