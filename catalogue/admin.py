"""Releases and their entries as the staff sees them: nothing can be changed."""

from django.contrib import admin

from catalogue.models import CatalogueEntry, CatalogueRelease
from web.admin import ReadOnlyAdmin


@admin.register(CatalogueRelease)
class CatalogueReleaseAdmin(ReadOnlyAdmin):
    list_display = ["label", "content_hash", "is_builtin", "is_complete", "created_at"]


@admin.register(CatalogueEntry)
class CatalogueEntryAdmin(ReadOnlyAdmin):
    list_display = ["key", "name", "kind", "unit_class", "points", "release"]
    list_filter = ["kind", "unit_class", "release"]
    list_select_related = ["release"]
    search_fields = ["key", "name"]
