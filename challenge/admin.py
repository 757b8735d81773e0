"""Events in the admin: read-only, without keys."""

from django.contrib import admin

from challenge.models import Claim, Entry, Event
from web.admin import ReadOnlyAdmin


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("name", "slug", "owner", "written", "opened_at", "closed_at")
    search_fields = ("name", "slug")


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ("event", "number", "kind", "role", "by", "entered_at")
    list_select_related = ("event",)


@admin.register(Claim)
class ClaimAdmin(ReadOnlyAdmin):
    list_display = ("event", "kind", "state", "pilot", "table", "made_at")
    list_select_related = ("event",)
