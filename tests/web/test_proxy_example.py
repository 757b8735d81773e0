"""The example of a proxy in docs/operations.md keeps every secret address out of its log, and bounds what it should."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, get_resolver

from tests.nursery import ROOT

SECRETS = {"key", "code", "token", "uidb64", "secret"}
"""The names of parameters that are secret in addresses, except in the catalogue, where a key is public."""


def example() -> str:
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    return text.partition("## The proxy in front")[2].partition("```\n")[2].partition("```")[0]


def routes(patterns: list[Any], before: str = "/") -> Iterator[tuple[str, set[str]]]:
    """Each address of the site with the names of its parameters."""
    for each in patterns:
        if isinstance(each, URLPattern):
            route = before + str(each.pattern)
            yield re.sub(r"<[^>]*>", "x", route), set(re.findall(r"<(?:\w+:)?(\w+)>", route))
        else:
            yield from routes(each.url_patterns, before + str(each.pattern))


def test_no_secret_address_is_logged() -> None:
    silent = [re.compile(found) for found in re.findall(r"^ *~(\S+) 0;$", example(), re.MULTILINE)]
    secret = {
        address
        for address, names in routes(get_resolver().url_patterns)
        if names & SECRETS and "/catalogue/" not in address
    }
    assert {"/join/x/", "/matches/shared/x/verify/", "/people/reset-password/x/x"} <= secret
    assert {address for address in secret if not any(each.search(address) for each in silent)} == set()
    for address in ("/people/log-in", "/seasons/x/", "/api/v1/seasons/", "/matches/x/"):
        assert not any(each.search(address) for each in silent)
    # Neither the query of a request nor the page before it.
    assert not re.findall(r"\$(?:request_uri|args|query_string|http_referer|request)\b", example())


def test_slow_clients_and_floods_are_bounded() -> None:
    for line in (
        "client_body_timeout 10s;",
        "client_header_timeout 10s;",
        "proxy_request_buffering on;",
        "client_max_body_size 24m;",
    ):
        assert line in example()
    zones = set(re.findall(r"limit_req_zone \S+ zone=(\w+):", example()))
    bounded = re.findall(r"location (\S+) \{\n +limit_req zone=(\w+) ", example())
    assert {place for place, _ in bounded} == {"/people/", "/api/"}
    assert {zone for _, zone in bounded} == zones
