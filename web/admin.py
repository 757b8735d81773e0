"""Admin pages that the staff may only look at."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest


class ReadOnly:
    """Admin pages where nobody may add, change or remove anything; looking needs the ordinary permissions."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: nobody may add anything here, services do."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: nobody may change anything here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: nobody may remove anything here."""
        return False


class FiltersShown:
    """Lists that take only the filters they show. Others would let an address guess hidden values letter by letter."""

    list_filter: ClassVar[Any] = ()

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Return whether the list shows a filter for the field that this lookup begins with."""
        own = [getattr(each, "parameter_name", each) for each in self.list_filter]
        return lookup.split("__")[0] in own


class ReadOnlyAdmin(FiltersShown, ReadOnly, admin.ModelAdmin):
    """The pages of a model that only services write."""
