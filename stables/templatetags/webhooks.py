"""The part of a webhook's address that pages show."""

from __future__ import annotations

from django import template

from webhooks.addresses import hint

register = template.Library()


@register.filter
def address_hint(url: str) -> str:
    """Return the host of an address and the last letters of the address: the rest may be a secret."""
    return hint(url)
