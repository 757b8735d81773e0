"""The door, the list of 'Mechs, settings and keys."""

from __future__ import annotations

from django.urls import URLPattern, path

from challenge.views import door, keys, lists, mech_files, settings, webhooks

urlpatterns: list[URLPattern] = [
    path("door/", door.door, name="door"),
    path("door/undo/", door.undo, name="door_undo"),
    path("door/approve/", door.approve, name="door_approve"),
    path("door/sheets/", door.sheets, name="door_sheets"),
    path("door/key/<str:pilot>/", door.pilot_key, name="pilot_key"),
    path("mechs/", lists.mechs, name="mechs"),
    path("mechs/add/", lists.add, name="mechs_add"),
    path("mechs/out/", lists.take_out, name="mechs_out"),
    path("mechs/undo/", lists.undo, name="mechs_undo"),
    path("mechs/prices/", lists.prices, name="mechs_prices"),
    path("mechs/files/", mech_files.files, name="mechs_files"),
    path("settings/", settings.settings, name="settings"),
    path("settings/session/", settings.session, name="session"),
    path("settings/webhook/", webhooks.webhook, name="event_webhook"),
    path("rules/", settings.switches, name="switches"),
    path("keys/", keys.keys, name="keys"),
    path("keys/print/", keys.paper, name="keys_print"),
    path("keys/make/", keys.make, name="keys_make"),
    path("keys/end/", keys.end, name="keys_end"),
]
