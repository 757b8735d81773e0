"""Signatures by which a receiver checks that a document is from this site, unchanged, and not an old one sent again.

The scheme is the public one of Standard Webhooks (https://www.standardwebhooks.com), for which many languages have a
library: HMAC-SHA256 over `id.timestamp.body`. The key is what the base64 text after the secret's `whsec_` decodes to.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"
VERSION = "v1"


def new_secret() -> str:
    """Return a new secret: `whsec_`, and 256 random bits as base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def headers_of(secret: str, name: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers that sign a document, `body`, with a secret from `new_secret`.

    `timestamp` is when this try is sent, in whole seconds since 1970. `name` is the document's id, the same in every
    try.
    """
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.new(key, f"{name}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return {
        "Webhook-Id": name,
        "Webhook-Timestamp": str(timestamp),
        "Webhook-Signature": f"{VERSION},{base64.b64encode(signed).decode()}",
    }
