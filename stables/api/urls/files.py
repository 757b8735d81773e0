"""The addresses of exports, calendars and webhooks; included by solaris_site.urls.api (`api:...`)."""

from __future__ import annotations

from django.urls import URLPattern, path

from stables.api.organising import webhooks
from stables.api.reading import calendars, csv_tables, exports, replays

SEASON = "seasons/<slug:season_slug>/"
WEBHOOK = SEASON + "webhooks/<uuid:public_id>/"
urlpatterns: list[URLPattern] = [
    path(SEASON + "standings.csv", csv_tables.StandingsTable.as_view(), name="standings_csv"),
    path(SEASON + "units.csv", csv_tables.UnitsTable.as_view(), name="season_units_csv"),
    path(SEASON + "pilots.csv", csv_tables.PilotsTable.as_view(), name="season_pilots_csv"),
    path(SEASON + "ledger.csv", csv_tables.SeasonLedgerTable.as_view(), name="season_ledger_csv"),
    path(
        SEASON + "stables/<slug:stable_slug>/ledger.csv",
        csv_tables.StableLedgerTable.as_view(),
        name="stable_ledger_csv",
    ),
    path(SEASON + "calendar-feed/", calendars.OwnCalendar.as_view(), name="calendar_feed"),
    path(SEASON + "export/", exports.SeasonExport.as_view(), name="season_export"),
    path(SEASON + "replays.zip", replays.Replays.as_view(), name="season_replays"),
    path(SEASON + "webhooks/", webhooks.Webhooks.as_view(), name="webhooks"),
    path(SEASON + "language/", webhooks.PostsLanguage.as_view(), name="season_language"),
    path(WEBHOOK, webhooks.WebhookItself.as_view(), name="webhook"),
    path(WEBHOOK + "secret/", webhooks.WebhookSecret.as_view(), name="webhook_secret"),
    path(WEBHOOK + "try/", webhooks.WebhookTry.as_view(), name="webhook_try"),
    path(WEBHOOK + "deliveries/", webhooks.WebhookDeliveries.as_view(), name="webhook_deliveries"),
    path(
        SEASON + "webhook-deliveries/<uuid:public_id>/retry/",
        webhooks.WebhookDeliveryRetry.as_view(),
        name="webhook_delivery_retry",
    ),
]
