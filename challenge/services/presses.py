"""Client ids of what a page writes."""

from __future__ import annotations

import json
from hashlib import blake2s
from typing import Any

LONGEST_FROM_PAGE = 40


def press_id(client_id: str, content: Any) -> str:
    """Return the client id of what a page that calls itself `client_id` writes; "" for a page without one.

    A second press of the same is the same entry. After going back, other words make another entry.
    """
    if not client_id:
        return ""
    digest = blake2s(json.dumps(content, sort_keys=True).encode(), digest_size=6).hexdigest()
    return f"{client_id[:LONGEST_FROM_PAGE]}.{digest}"
