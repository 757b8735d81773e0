"""The link with which the GM of an event begins."""

from __future__ import annotations

from argparse import ArgumentParser

from django.conf import settings
from django.urls import reverse

from challenge.models import Event, Key
from challenge.selectors.access import Access
from challenge.services.events import make_key


def add_address(parser: ArgumentParser) -> None:
    """Add the option for the address of the site that a printed link begins with."""
    parser.add_argument("--address", default=settings.SITE_URL, help="address of the site (default: SITE_URL)")


def gm_link(event: Event, address: str) -> str:
    """Return the address that makes its holder the event's GM; make a key unless there is one."""
    key = make_key(event, Access(is_gm=True), Key.Role.GM)
    return f"{address.rstrip('/')}{reverse('challenge:use_key', args=[event.slug, key.secret])}"
