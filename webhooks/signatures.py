"""Signatures that tell a receiver that a document is from here, complete, and not sent again by somebody else.

The scheme is the public one of Standard Webhooks (https://www.standardwebhooks.com), for which many languages have a
library: HMAC-SHA256 over `id.timestamp.body`. The key is the base64 text behind the secret's `whsec_`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"
VERSION = "v1"


def new_secret() -> str:
    """Return a secret with 256 random bits."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def headers_of(secret: str, name: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers that sign a document.

    `timestamp` is when it is sent, in seconds since 1970. `name` is the document's id, the same for every try.
    """
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.new(key, f"{name}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return {
        "Webhook-Id": name,
        "Webhook-Timestamp": str(timestamp),
        "Webhook-Signature": f"{VERSION},{base64.b64encode(signed).decode()}",
    }
