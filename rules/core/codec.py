"""One way to write JSON, so that equal content has equal bytes and an equal hash."""

from __future__ import annotations

import hashlib
import json
from typing import Any

SCHEMA_VERSION = 1
"""Version of the documents of a match: setups, observations and replays."""


def canonical_json(value: Any) -> str:
    """Return `value` as JSON with sorted keys, no spaces and plain Unicode.

    Raises ValueError for NaN, TypeError for values that JSON does not know.

    >>> canonical_json({"b": [1, 2], "a": None})
    '{"a":null,"b":[1,2]}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def content_hash(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON of `value`, 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
