"""Addresses and codes for other devices never name this very computer."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import RequestFactory

from web import qr
from web.reached import full_address, reached

SITE = "http://192.0.2.10:8000"


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST", "laptop.localhost"])
def test_an_address_of_this_computer_becomes_that_of_the_site(host: str, settings: Any) -> None:
    settings.SITE_URL = SITE
    assert reached(f"http://{host}/join/a?b=c#d") == f"{SITE}/join/a?b=c#d"


@pytest.mark.parametrize("address", ["http://192.0.2.77:8000/x", "https://circuit.example/x", "a text, no address"])
def test_other_addresses_stay(address: str, settings: Any) -> None:
    settings.SITE_URL = SITE
    assert reached(address) == address


def test_a_site_for_this_computer_alone_keeps_its_addresses(settings: Any) -> None:
    settings.SITE_URL = "http://localhost:8000"
    assert reached("http://127.0.0.1:9000/x") == "http://127.0.0.1:9000/x"


def test_a_page_that_is_read_on_the_laptop_hands_on_the_address_of_the_site(settings: Any) -> None:
    settings.SITE_URL, settings.ALLOWED_HOSTS = SITE, ["localhost"]
    request = RequestFactory().get("/here", HTTP_HOST="localhost:8000")
    assert full_address(request, "/there") == f"{SITE}/there"


def test_no_code_names_this_computer(settings: Any) -> None:
    settings.SITE_URL = SITE
    assert qr.qr_code("http://localhost:8000/x", "") == qr.qr_code(f"{SITE}/x", "")
    assert qr.qr_code("http://localhost:8000/x", "") != qr.qr_code(f"{SITE}/y", "")


def test_a_code_in_the_terminal_has_the_same_modules_with_and_without_colours() -> None:
    plain = qr.terminal_code(SITE, in_colours=False).splitlines()
    coloured = qr.terminal_code(SITE, in_colours=True).splitlines()
    bare = [line.removeprefix(qr.BLACK_ON_WHITE).removesuffix(qr.PLAIN) for line in coloured]
    # Light letters on black without colours, black letters on white with them.
    turned = str.maketrans("█▀▄ ", " ▄▀█")
    assert [line.translate(turned) for line in bare] == plain
    assert set(plain[0]) == {"█"}
    assert all(line.startswith(qr.BLACK_ON_WHITE) for line in coloured)
