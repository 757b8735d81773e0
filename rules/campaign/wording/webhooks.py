"""The sentences of refusals about webhooks: outside addresses that a season posts its news to."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop

SENTENCES: Mapping[str, str] = {
    "webhook_address_account": gettext_noop("The address holds a name or password before an “@”; leave them out."),
    "webhook_address_busy": gettext_noop("Other names are being looked up right now. Try again in a moment."),
    "webhook_address_malformed": gettext_noop(
        "This is no address that can be asked. One looks like https://host.example/path: plain letters, no “#”."
    ),
    "webhook_address_not_https": gettext_noop("The address must begin with https://, so that nobody reads along."),
    "webhook_address_port": gettext_noop("The port {port} is not asked. Use 443, 80, or one from 1024 on."),
    "webhook_address_private": gettext_noop(
        "{host} does not lead to a public address, or not only to one, so this site does not ask it."
    ),
    "webhook_address_unknown": gettext_noop("The name {host} leads nowhere at present. Look for a slip of the pen."),
    "webhook_delivered": gettext_noop("This was delivered already."),
    "webhook_known": gettext_noop("This season has a webhook with this address already."),
    "webhook_nothing_chosen": gettext_noop("Choose at least one kind of news, or everything."),
    "webhook_off": gettext_noop("The webhook is off. Turn it on first."),
    "webhook_too_many": gettext_noop("A season has {most} webhooks at most. Delete one first."),
}
"""Code -> template with {name} placeholders."""
