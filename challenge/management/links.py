"""The link with which the GM of an event begins."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse

from challenge.models import Event, Key
from challenge.selectors.access import Standing
from challenge.services.events import make_key


def gm_link(event: Event) -> str:
    """Return the address that makes its holder the event's GM; make a key unless there is one."""
    key = make_key(event, Standing(is_gm=True), Key.Role.GM)
    return f"{settings.SITE_URL}{reverse('challenge:use_key', args=[event.slug, key.secret])}"
