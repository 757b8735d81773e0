"""The place that a request comes from, as limits count it."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from django.http import HttpRequest

NETWORK_BITS = 64
"""The bits of an IPv6 address that name its network. A provider gives every customer at least one whole network."""


def client_place(request: HttpRequest) -> str:
    """Return the place of the person who asks; behind a proxy see PROXY_COUNT in the settings."""
    return place_of(str(request.META.get("REMOTE_ADDR", "")))


def place_of(address: str) -> str:
    """Return an IPv4 address as it is, and for an IPv6 address the first address of its /64 network.

    One IPv6 connection has 2**64 addresses, so counting each by itself would limit nobody. An IPv4 address that is
    mapped into IPv6 counts as IPv4. Return any text that is not an address unchanged.

    >>> place_of("2001:db8:1:2:3:4:5:6")
    '2001:db8:1:2::'
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((int(found), NETWORK_BITS), strict=False).network_address)
