"""Releases and their entries as the staff sees them: nothing can be changed."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from catalogue.models import CatalogueEntry, CatalogueRelease


class ReadOnlyAdmin(admin.ModelAdmin):
    """Forbids adding, changing and deleting to everybody."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(CatalogueRelease)
class CatalogueReleaseAdmin(ReadOnlyAdmin):
    list_display = ["label", "content_hash", "is_builtin", "is_complete", "created_at"]


@admin.register(CatalogueEntry)
class CatalogueEntryAdmin(ReadOnlyAdmin):
    list_display = ["key", "name", "kind", "unit_class", "points", "release"]
    list_filter = ["kind", "unit_class", "release"]
    list_select_related = ["release"]
    search_fields = ["key", "name"]
