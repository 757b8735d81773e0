"""The site can be installed: its manifest, its icons, and the worker at its root."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.contrib.staticfiles.finders import find
from django.test import Client
from PIL import Image

from solaris_site.installing import DARK, PAPER

pytestmark = pytest.mark.django_db
MOST_BYTES = 12_000
"""Of all pictures of icons together."""


def test_every_page_names_the_manifest_and_the_manifest_describes_an_app(client: Client) -> None:
    [address] = re.findall(r'<link rel="manifest" href="([^"]+)">', client.get("/people/log-in").content.decode())
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/manifest+json")
    facts = answer.json()
    named = {name: facts[name] for name in ("name", "start_url", "scope", "display", "lang")}
    assert named == {
        "name": "Solaris Circuit",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "lang": "en",
    }
    assert client.get(facts["start_url"]).status_code == 200
    assert "manifest-src" not in answer["Content-Security-Policy"]
    assert "default-src 'self'" in answer["Content-Security-Policy"]


def test_its_icons_are_there_in_the_sizes_that_it_says_and_small(client: Client) -> None:
    icons = client.get("/manifest.webmanifest").json()["icons"]
    assert {(icon["sizes"], icon["purpose"]) for icon in icons} >= {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    size = 0
    for icon in icons:
        path = find(icon["src"].removeprefix("/static/"))
        assert path, icon
        if icon["type"] != "image/png":
            continue
        with open(path, "rb") as file:
            size += len(file.read())
        with Image.open(path) as picture:
            assert "x".join(map(str, picture.size)) == icon["sizes"]
            corner = picture.convert("RGBA").getpixel((0, 0))
        # The system cuts a maskable icon to its own shape: it may have no holes.
        assert (corner[3] == 255) is (icon["purpose"] == "maskable")  # type: ignore[index]
    assert size <= MOST_BYTES


def test_its_colours_are_those_of_the_pages(client: Client) -> None:
    tokens = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
    facts = client.get("/manifest.webmanifest").json()
    assert (facts["theme_color"], facts["background_color"]) == (DARK, PAPER)
    assert f"--mast: {DARK};" in tokens
    assert f"--paper: light-dark({PAPER}," in tokens
    assert f'<meta name="theme-color" content="{DARK}">' in client.get("/people/log-in").content.decode()


def test_the_worker_stands_at_the_root_and_keeps_nothing(client: Client) -> None:
    answer = client.get("/push-worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    script = answer.content.decode()
    assert set(re.findall(r'addEventListener\("(\w+)"', script)) == {"push", "notificationclick"}
    assert "caches" not in script
