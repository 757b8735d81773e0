"""Which outside addresses may be asked. A person who enters one must not reach what only this host can reach.

An address is read strictly: what two readers could understand differently is refused. Then its name is resolved once.
Each IP address of the host must be public. The connection uses these IP addresses and asks no resolver again.
"""

from __future__ import annotations

import re
import socket
import threading
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from django.conf import settings

from rules.core.refusals import SeasonRefused

LONGEST = 500
RESOLVING_SECONDS = 5.0
MOST_LOOKS = 2
"""The most names that one process looks up at a time for people, and as many for deliveries.

A resolver may hang, and cannot be stopped. While all of them hang, others are refused at once."""
PORTS = {"https": 443, "http": 80}
LOWEST_FREE_PORT = 1024

_PRINTABLE = re.compile(r"[!-~]+", re.ASCII)
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_PORT = re.compile(r"[0-9]{1,5}", re.ASCII)

_PRIVATE = tuple(
    ip_network(each)
    for each in ("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7")
)
"""The networks that WEBHOOKS_PRIVATE opens. Link-local is not one: services there hand out a cloud's keys."""

_NEVER = tuple(
    ip_network(each)
    for each in (
        # Services of clouds that hand out keys or settings, at addresses that look private or public.
        "100.100.100.200/32",
        "168.63.129.16/32",
        "fd00:ec2::/32",
    )
)

_GLOBAL_BY_NAME = tuple(
    ip_network(each)
    for each in (
        # Networks that some versions of Python call global, but without hosts of the open internet: services of
        # networks, relays of 6to4, and IPv6 that holds an address of IPv4 (Teredo, 6to4) or is for documentation.
        "192.0.0.0/24",
        "192.88.99.0/24",
        "2001::/23",
        "2002::/16",
        "3fff::/20",
    )
)
# Mapped and translated addresses (::ffff:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48) lie outside of it.
_GLOBAL_UNICAST = ip_network("2000::/3")


_looks_of_people = threading.BoundedSemaphore(MOST_LOOKS)
_looks_of_deliveries = threading.BoundedSemaphore(MOST_LOOKS)


@dataclass(frozen=True)
class Target:
    """An address as it was read: scheme, host (a name or an IP address, without brackets), port, path with query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The value of the header Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def read_address(url: str) -> Target:
    """Read an address, without asking a resolver.

    Raises SeasonRefused (webhook_address_malformed, webhook_address_not_https, webhook_address_account,
    webhook_address_port, webhook_address_private).
    """
    # A backslash is a slash to some readers and a letter to others.
    if len(url) > LONGEST or not _PRINTABLE.fullmatch(url) or "\\" in url or "#" in url:
        raise SeasonRefused("webhook_address_malformed")
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise SeasonRefused("webhook_address_malformed") from error
    if parts.scheme not in PORTS or not url.lower().startswith(f"{parts.scheme}://"):
        raise SeasonRefused("webhook_address_malformed")
    if parts.scheme == "http" and not settings.WEBHOOKS_HTTP:
        raise SeasonRefused("webhook_address_not_https")
    if "@" in parts.netloc:
        raise SeasonRefused("webhook_address_account")
    host, port = _host_and_port(parts.netloc.lower())
    number = PORTS[parts.scheme] if port is None else port
    is_usual = number in PORTS.values() or LOWEST_FREE_PORT <= number <= 65535
    if not is_usual and not (settings.WEBHOOKS_PRIVATE and 0 < number <= 65535):
        raise SeasonRefused("webhook_address_port", port=number)
    path = parts.path or "/"
    return Target(parts.scheme, host, number, f"{path}?{parts.query}" if parts.query else path)


def _host_and_port(netloc: str) -> tuple[str, int | None]:
    """Return the host and the port of an address; the port is None when the address names none.

    Raises SeasonRefused (webhook_address_malformed, webhook_address_private).
    """
    literal, after = "", netloc
    if netloc.startswith("["):
        literal, closed, after = netloc[1:].partition("]")
        if not closed or "%" in literal or (after and not after.startswith(":")):
            raise SeasonRefused("webhook_address_malformed")
    host, colon, port = after.partition(":")
    if colon and not _PORT.fullmatch(port):
        raise SeasonRefused("webhook_address_malformed")
    return _known_host(literal or host, is_bracketed=bool(literal)), int(port) if colon else None


def _known_host(host: str, is_bracketed: bool) -> str:
    if is_bracketed:
        try:
            address = IPv6Address(host)
        except ValueError as error:
            raise SeasonRefused("webhook_address_malformed") from error
        return _allowed(str(address), host)
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise SeasonRefused("webhook_address_malformed")
    if _NUMBER.fullmatch(labels[-1]):
        # Resolvers take 127.1, 0177.0.0.1, 0x7f000001 and 2130706433 for addresses; we take only the plain form.
        try:
            return _allowed(str(IPv4Address(host)), host)
        except ValueError as error:
            raise SeasonRefused("webhook_address_malformed") from error
    return host


def _allowed(address: str, host: str) -> str:
    if not may_be_asked(address):
        raise SeasonRefused("webhook_address_private", host=host)
    return address


def may_be_asked(address: str) -> bool:
    """Return whether an IP address is public, or private where the operator allows that."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if any(found in network for network in _NEVER):
        return False
    if settings.WEBHOOKS_PRIVATE and any(found in network for network in _PRIVATE):
        return True
    return is_public(found)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is a host's on the open internet.

    No IPv6 address that holds an IPv4 address is one: it would lead around the refusals.
    """
    if isinstance(address, IPv6Address):
        is_plain = address.scope_id is None and address in _GLOBAL_UNICAST
        # The interface part of ISATAP holds an address of IPv4.
        is_plain = is_plain and (int(address) >> 32) & 0xFFFFFFFF not in (0x00005EFE, 0x02005EFE)
        if not is_plain:
            return False
    is_named = any(address in network for network in _GLOBAL_BY_NAME)
    return address.is_global and not address.is_multicast and not is_named


def look_up(host: str, port: int) -> list[str]:
    """Return the IP addresses that the resolver of this host gives for a name, in the order in which to try them.

    It takes as long as the resolver takes; `addresses_of` waits only RESOLVING_SECONDS. Raises OSError.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def addresses_of(target: Target, for_delivery: bool = False) -> list[str]:
    """Return the IP addresses of a target, all of which may be asked. The name is resolved once.

    Raises SeasonRefused (webhook_address_busy, webhook_address_unknown, webhook_address_private).
    """
    found = _looked_up(target, _looks_of_deliveries if for_delivery else _looks_of_people)
    if not found:
        raise SeasonRefused("webhook_address_unknown", host=target.host)
    # One private address refuses the whole name: which address gets the connection must not be a matter of luck.
    if not all(may_be_asked(address) for address in found):
        raise SeasonRefused("webhook_address_private", host=target.host)
    return found


def _looked_up(target: Target, looks: threading.BoundedSemaphore) -> list[str]:
    if not looks.acquire(blocking=False):
        raise SeasonRefused("webhook_address_busy")
    found: list[str] = []

    def look() -> None:
        try:
            found.extend(look_up(target.host, target.port))
        except (OSError, UnicodeError):
            # Without an answer nothing is found.
            return
        finally:
            # Release only now: the caller may have gone long ago, but the thread still ran.
            looks.release()

    thread = threading.Thread(target=look, name="resolver", daemon=True)
    thread.start()
    thread.join(RESOLVING_SECONDS)
    return [] if thread.is_alive() else list(found)


def hint(url: str) -> str:
    """Return the part of an address that people other than organisers may see: its host and its last letters."""
    host = (urlsplit(url).hostname or "") if "://" in url else ""
    return f"{host}/…{url[-4:]}"
