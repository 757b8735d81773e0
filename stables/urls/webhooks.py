"""The addresses of webhooks, for a season's organisers; included by stables.urls, so the names are `stables:...`."""

from django.urls import path

from stables.views.organising import webhooks

WEBHOOKS = "seasons/<slug:season_slug>/webhooks/"
WEBHOOK = WEBHOOKS + "<uuid:public_id>/"
urlpatterns = [
    path(WEBHOOKS, webhooks.webhooks_page, name="webhooks"),
    path(WEBHOOKS + "language", webhooks.choose_language, name="choose_language"),
    path(WEBHOOKS + "make", webhooks.make, name="make_webhook"),
    path(WEBHOOKS + "deliveries/<uuid:public_id>/retry", webhooks.retry, name="retry_delivery"),
    path(WEBHOOK, webhooks.webhook_page, name="webhook"),
    path(WEBHOOK + "change", webhooks.change, name="change_webhook"),
    path(WEBHOOK + "switch", webhooks.switch, name="switch_webhook"),
    path(WEBHOOK + "secret", webhooks.new_secret, name="new_webhook_secret"),
    path(WEBHOOK + "try", webhooks.try_now, name="try_webhook"),
    path(WEBHOOK + "delete", webhooks.delete, name="delete_webhook"),
]
