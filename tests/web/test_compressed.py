"""Pages and pictures travel compressed to browsers that take them so; answers to programs go as they are."""

from __future__ import annotations

import gzip

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db

BROWSER = {"Accept-Encoding": "gzip, deflate, br"}


def test_a_page_is_compressed_for_a_browser_that_takes_it_so(client: Client) -> None:
    plain, sent = client.get("/help/"), client.get("/help/", headers=BROWSER)
    assert "Content-Encoding" not in plain
    assert sent["Content-Encoding"] == "gzip"
    assert len(sent.content) < len(plain.content) / 2
    assert b"</html>" in gzip.decompress(sent.content)
    assert "Accept-Encoding" in sent["Vary"]


def test_answers_to_programs_keep_their_entity_tags(client: Client) -> None:
    sent = client.get("/api/v1/seasons/", headers=BROWSER)
    assert sent.status_code == 200
    assert "Content-Encoding" not in sent
    assert not sent.get("ETag", "").startswith("W/")
