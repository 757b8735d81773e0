"""The file of a person's own data, as tests read it."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from django.test import Client

ADDRESS = "/people/account/data.zip"


def archive_of(client: Client) -> ZipFile:
    """Fetch the file as the button does, and return it opened."""
    answer = client.post(ADDRESS)
    assert answer.status_code == 200
    return ZipFile(BytesIO(b"".join(answer.streaming_content)))  # type: ignore[attr-defined]


def fetched(client: Client) -> tuple[str, dict[str, Any]]:
    """Return all texts of the file in one, and its document."""
    archive = archive_of(client)
    text = "\n".join(archive.read(name).decode() for name in archive.namelist() if not name.startswith("photos/"))
    return text, json.loads(archive.read("my-data.json"))
