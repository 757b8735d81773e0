"""The event that a command names."""

from __future__ import annotations

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from challenge.models import Event


def event_named(slug: str) -> Event:
    """Return the event with this address. Raises CommandError."""
    found = Event.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(_("There is no event %(slug)s.") % {"slug": slug})
    return found
