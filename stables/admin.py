"""Seasons in the admin, read-only. It never shows a season's secret, or a line-up before its match is settled."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from stables.models import (
    Asset,
    Cycle,
    Fixture,
    FixtureSide,
    LedgerEntry,
    Placing,
    ReputationEntry,
    Result,
    Season,
    Stable,
    Title,
)
from web.admin import ReadOnlyAdmin


class SideInline(admin.TabularInline):
    """The sides of a fixture, without their line-ups."""

    model = FixtureSide
    fields = ("side", "stable", "forfeits")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: the pairing of a round adds sides."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: services change sides."""
        return False


@admin.register(Season)
class SeasonAdmin(ReadOnlyAdmin):
    """A season without its secret."""

    list_display = ("name", "slug", "state", "organiser", "created_at")
    list_filter = ("state",)
    fields = ("name", "slug", "state", "settings", "release", "organiser", "created_at")


@admin.register(Cycle)
class CycleAdmin(ReadOnlyAdmin):
    """The cycles of all seasons."""

    list_display = ("season", "number", "format", "match_class", "state", "started_with", "rounds_planned")
    list_filter = ("state", "format")
    list_select_related = ("season",)
    fields = ("season", "number", "format", "match_class", "state", "started_with", "rounds_planned")


@admin.register(Stable)
class StableAdmin(ReadOnlyAdmin):
    """Stables and their capital."""

    list_display = ("name", "season", "number", "owner", "is_ai", "bot", "capital", "owed")
    list_filter = ("is_ai",)
    search_fields = ("name",)
    list_select_related = ("season", "owner")
    fields = ("season", "number", "name", "slug", "owner", "is_ai", "bot", "capital", "owed", "founded_at")


@admin.register(Asset)
class AssetAdmin(ReadOnlyAdmin):
    """The present and former assets of stables."""

    list_display = ("label", "stable", "kind", "price_paid", "damage", "is_eliminated", "sold_at")
    list_filter = ("kind", "is_eliminated")
    search_fields = ("name", "catalogue_key")
    list_select_related = ("stable",)
    fields = (
        "stable",
        "kind",
        "catalogue_key",
        "content_hash",
        "name",
        "serial",
        "price_paid",
        "purchases",
        "damage",
        "is_eliminated",
        "sits_out_cycle",
        "sits_out_round",
        "bought_at",
        "sold_at",
    )


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    """The entries of all ledgers."""

    list_display = ("stable", "sequence", "amount", "balance_after", "cause", "created_at")
    list_filter = ("cause",)
    list_select_related = ("stable",)
    fields = (*list_display, "parameters", "idempotency_key")


@admin.register(ReputationEntry)
class ReputationEntryAdmin(ReadOnlyAdmin):
    """The book of reputation and kills."""

    list_display = ("stable", "asset", "cycle", "amount", "kills", "wins", "matches", "cause", "created_at")
    list_filter = ("cause",)
    list_select_related = ("stable", "asset", "cycle")
    fields = (*list_display, "fixture", "idempotency_key")


@admin.register(Fixture)
class FixtureAdmin(ReadOnlyAdmin):
    """Fixtures and their sides; line-ups are sealed from staff too."""

    list_display = ("round", "number", "kind", "state", "arena_key", "match")
    list_filter = ("state", "kind")
    list_select_related = ("round", "match")
    fields = list_display
    inlines = (SideInline,)


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    """Results as first settled, without their corrections."""

    list_display = ("fixture", "settled_at")
    list_select_related = ("fixture",)
    fields = ("fixture", "document", "settled_at")


@admin.register(Title)
class TitleAdmin(ReadOnlyAdmin):
    """The champions of finished seasons."""

    list_display = ("season", "kind", "stable", "asset", "reputation", "kills", "decided_by")
    list_select_related = ("season", "stable", "asset")
    fields = list_display


@admin.register(Placing)
class PlacingAdmin(ReadOnlyAdmin):
    """Places and purses of cycles, in every revision."""

    list_display = ("cycle", "place", "stable", "reputation", "kills", "wins", "matches", "decided_by", "purse")
    list_select_related = ("cycle", "stable")
    fields = list_display
