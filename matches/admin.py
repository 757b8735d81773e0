"""Matches in the admin: to read only, and never a seed."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from matches.models import Match, MatchAction, MatchSeat


class ReadOnly:
    """Nothing may be added, changed or removed; looking follows the ordinary permissions."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(ReadOnly, admin.TabularInline):
    model = MatchSeat
    fields = ("side", "user", "bot")
    extra = 0


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
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
    inlines = (SeatInline,)


@admin.register(MatchAction)
class MatchActionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("match", "sequence", "side", "created_at")
    fields = ("match", "sequence", "side", "action", "events", "created_at")
    list_select_related = ("match",)
