"""Releases, their entries and photos of miniatures as the staff sees them: only a photo can be removed."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from catalogue.models import CatalogueEntry, CatalogueRelease, MiniaturePhoto
from catalogue.services.miniatures import take_down
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


@admin.register(MiniaturePhoto)
class MiniaturePhotoAdmin(ReadOnlyAdmin):
    """Photos that the staff may take down, which their owners learn. In a season its organisers do so."""

    list_display = ["name", "user", "changed_at"]
    list_select_related = ["user"]
    search_fields = ["name", "user__username"]
    fields = ["user", "name", "key", "changed_at"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the person has the ordinary permission to remove photos."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def delete_model(self, request: HttpRequest, obj: MiniaturePhoto) -> None:
        """Take down one photo."""
        take_down([obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[MiniaturePhoto]) -> None:
        """Take down the photos that were chosen in the list."""
        take_down(queryset.select_related("user"))
