"""Which addresses a webhook may have: what leads to this host or its network is refused, however it is written."""

from __future__ import annotations

import ipaddress
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from rules.core.refusals import SeasonRefused
from tests.stables.webhooks.receiver import receiver
from tests.waiting import DEADLINE_SECONDS, wait_until
from webhooks import addresses
from webhooks.addresses import addresses_of, hint, read_address

__all__ = ["receiver"]

PUBLIC = "93.184.216.34"
CERTIFICATE = Path(__file__).parent / "tls" / "certificate.pem"
"""Of the name public.example, signed by itself, until 2120; its key beside it guards nothing."""


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A resolver that knows these names alone; a list is the answer, a callable gives it anew each time."""
    known: dict[str, Any] = {"public.example": [PUBLIC]}

    def look_up(host: str, port: int) -> list[str]:
        if host not in known:
            try:
                socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
            except OSError:
                raise socket.gaierror(host) from None
            return [host]
        found = known[host]
        return list(found() if callable(found) else found)

    monkeypatch.setattr(addresses, "look_up", look_up)
    return known


def refusal(url: str) -> str:
    """The code with which an address is refused; empty when it may be asked."""
    try:
        addresses_of(read_address(url))
    except SeasonRefused as refused:
        return refused.code
    return ""


MALFORMED = [
    # The many spellings of 127.0.0.1 and its like that resolvers take.
    "https://2130706433/",
    "https://017700000001/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://127.0.1/",
    "https://0/",
    "https://0x/",
    "https://127.0.0.01/",
    "https://1.2.3.4.5/",
    "https://300.1.1.1/",
    "https://example.0x1/",
    # Letters that some readers make others of.
    "https://ⓛocalhost/",
    "https://127。0。0。1/",
    "https://１２７.0.0.1/",
    "https://bücher.example/",
    "https://public.example\\@127.0.0.1/",
    "https://public.example#@127.0.0.1/",
    "https://public.example/a b",
    "https://public.example/\r\nHost: 127.0.0.1",
    "https://public.example/\0",
    "https://[::1",
    "https://[::1]x/",
    "https://[fe80::1%25eth0]/",
    "https://[127.0.0.1]/",
    "https://::1/",
    "https://public.example:/",
    "https://public.example:４43/",
    "https://public.example:-1/",
    "https://public.example:443:80/",
    "https://public..example/",
    "https://public.example./",
    "https://-public.example/",
    "https://%31%32%37.0.0.1/",
    "https:public.example/",
    "https:///public.example/",
    "//public.example/",
    "public.example",
    "",
    "ftp://public.example/",
    "file:///etc/passwd",
    "gopher://public.example/",
    "javascript:alert(1)",
    "unix:///var/run/docker.sock",
    f"https://public.example/{'x' * 500}",
]

PRIVATE = [
    "https://127.0.0.1/",
    "https://127.255.255.254/",
    "https://0.0.0.0/",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://100.64.0.1/",
    "https://100.100.100.200/",
    "https://168.63.129.16/",
    "https://192.0.0.192/",
    "https://192.0.2.1/",
    "https://192.88.99.1/",
    "https://198.18.0.1/",
    "https://198.51.100.1/",
    "https://203.0.113.1/",
    "https://224.0.0.1/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[fe80::1]/",
    "https://[fec0::1]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[ff02::1]/",
    # Addresses of IPv4 in ones of IPv6: mapped, compatible, translated, 6to4, Teredo, ISATAP.
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    f"https://[::ffff:{PUBLIC}]/",
    "https://[::127.0.0.1]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b::127.0.0.1]/",
    "https://[64:ff9b:1::a00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2002:a00:1::1]/",
    "https://[2001:0:5ef5:79fd:0:59d:80ff:fffe]/",
    "https://[2606:4700::5efe:127.0.0.1]/",
    "https://[2001:db8::1]/",
    "https://[3fff::1]/",
    "https://[100::1]/",
    "https://[5f00::1]/",
]


@pytest.mark.parametrize("url", MALFORMED)
def test_what_two_readers_could_read_differently_is_refused(names: Any, settings: Any, url: str) -> None:
    assert refusal(url) == "webhook_address_malformed"
    # Also where private addresses are allowed: that is no matter of how they are written.
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = True
    assert refusal(url) == "webhook_address_malformed"


@pytest.mark.parametrize("url", PRIVATE)
def test_addresses_that_are_not_public_are_refused(names: Any, url: str) -> None:
    assert refusal(url) == "webhook_address_private"


@pytest.mark.parametrize(
    "address",
    [
        "192.0.0.9",  # Port Control Protocol, anycast
        "192.0.0.10",  # TURN, anycast
        "192.88.99.1",  # a relay of 6to4
        "2001:1::1",
        "2001:20::1",  # ORCHIDv2
        "2002:5db8:d822::1",  # 6to4 of a public address
        "3fff::1",  # for documents since RFC 9637
        "224.0.1.1",  # multicast of the whole internet
        "64:ff9b::5db8:d822",  # NAT64 of a public address
        "::ffff:93.184.216.34",
        "2606:4700::200:5efe:5db8:d822",  # ISATAP
    ],
)
def test_special_addresses_are_refused_even_where_python_calls_them_global(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    for kind in (ipaddress.IPv4Address, ipaddress.IPv6Address):
        monkeypatch.setattr(kind, "is_global", True)
    assert not addresses.is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "found",
    [
        ["127.0.0.1"],
        ["10.1.2.3"],
        ["::1"],
        ["fe80::1%eth0"],
        ["::ffff:192.168.0.1"],
        ["64:ff9b::a00:1"],
        ["2002:7f00:1::"],
        ["169.254.169.254"],
        [PUBLIC, "127.0.0.1"],
        ["2606:4700:4700::1111", "fd00::1"],
        ["no address"],
    ],
)
@pytest.mark.parametrize("host", ["localhost", "localtest.example", "a.local"])
def test_names_that_lead_to_one_private_address_are_refused(names: dict[str, Any], host: str, found: list[str]) -> None:
    names[host] = found
    assert refusal(f"https://{host}/") == "webhook_address_private"


@pytest.mark.parametrize(
    "url",
    [
        "https://public.example",
        "https://PUBLIC.example/hook?key=1",
        "https://public.example:8443/",
        "https://public.example:443/",
        f"https://{PUBLIC}/",
        "https://[2606:4700:4700::1111]/",
        "https://[2606:4700:4700::1111]:3000/",
    ],
)
def test_public_addresses_are_taken(names: Any, url: str) -> None:
    assert refusal(url) == ""


def test_other_things_that_are_wrong_have_codes_of_their_own(names: Any) -> None:
    assert refusal("http://public.example/") == "webhook_address_not_https"
    assert refusal("https://me:secret@public.example/") == "webhook_address_account"
    assert refusal("https://public.example@127.0.0.1/") == "webhook_address_account"
    assert refusal("https://nowhere.example/") == "webhook_address_unknown"
    for port in (0, 22, 25, 465, 587, 1023, 65536, 99999):
        assert refusal(f"https://public.example:{port}/") == "webhook_address_port"


def test_the_operator_opens_private_addresses_but_never_those_of_clouds_keys(names: Any, settings: Any) -> None:
    settings.WEBHOOKS_PRIVATE = True
    for url in ("https://127.0.0.1/", "https://192.168.1.1:22/", "https://[::1]/", "https://[fd12::1]/"):
        assert refusal(url) == ""
    for url in (
        "https://169.254.169.254/",
        "https://100.100.100.200/",
        "https://168.63.129.16/",
        "https://[fd00:ec2::254]/",
        "https://[fe80::1]/",
        "https://0.0.0.0/",
        "https://224.0.0.1/",
        "https://[::ffff:127.0.0.1]/",
    ):
        assert refusal(url) == "webhook_address_private"
    assert refusal("http://192.168.1.1/") == "webhook_address_not_https"
    settings.WEBHOOKS_HTTP = True
    assert refusal("http://192.168.1.1/") == ""


def test_http_goes_with_private_addresses_unless_it_is_said_otherwise() -> None:
    from solaris_site import settings as site

    assert (site.WEBHOOKS_PRIVATE, site.WEBHOOKS_HTTP) == (False, False)


def test_a_resolver_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()

    def wait(host: str, port: int) -> list[str]:
        over.wait(DEADLINE_SECONDS)
        return [PUBLIC]

    monkeypatch.setattr(addresses, "look_up", wait)
    monkeypatch.setattr(addresses, "RESOLVING_SECONDS", 0.1)
    assert refusal("https://public.example/") == "webhook_address_unknown"
    over.set()
    wait_for_resolvers()


def wait_for_resolvers() -> None:
    for thread in threading.enumerate():
        if thread.name == "resolver":
            thread.join(DEADLINE_SECONDS)


def test_two_names_are_looked_up_at_once_and_who_comes_meanwhile_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Resolvers that hang hold two threads, however many people come; deliveries have two of their own."""
    over, asked = threading.Event(), []

    def wait(host: str, port: int) -> list[str]:
        asked.append(host)
        over.wait(DEADLINE_SECONDS)
        return [PUBLIC]

    monkeypatch.setattr(addresses, "look_up", wait)
    monkeypatch.setattr(addresses, "RESOLVING_SECONDS", 0.1)
    # Those who waited are gone; their threads still hang.
    assert [refusal(f"https://slow{number}.example/") for number in range(5)] == [
        *["webhook_address_unknown"] * 2,
        *["webhook_address_busy"] * 3,
    ]
    wait_until(lambda: sorted(asked) == ["slow0.example", "slow1.example"], "what the threads ask")
    with pytest.raises(SeasonRefused) as refused:
        addresses_of(read_address("https://slow.example/"), for_delivery=True)
    assert refused.value.code == "webhook_address_unknown"
    over.set()
    wait_for_resolvers()
    monkeypatch.setattr(addresses, "RESOLVING_SECONDS", DEADLINE_SECONDS)
    assert refusal("https://slow.example/") == ""


def test_of_an_address_others_read_host_and_last_letters() -> None:
    assert hint("https://discord.example/api/webhooks/1/secretsecretXYZ9") == "discord.example/…XYZ9"
