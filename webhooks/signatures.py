"""Signatures by which a receiver knows that a document is from here, whole, and not sent again by somebody else.

The scheme is the public one of Standard Webhooks (https://www.standardwebhooks.com), for which many languages have a
library: HMAC-SHA256 over `id.timestamp.body`, the key being what stands in base64 behind the secret's `whsec_`.
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
    """Return the headers of a document that is sent at a time (seconds since 1970) under a name that never changes."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.new(key, f"{name}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return {
        "Webhook-Id": name,
        "Webhook-Timestamp": str(timestamp),
        "Webhook-Signature": f"{VERSION},{base64.b64encode(signed).decode()}",
    }
