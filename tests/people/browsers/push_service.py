"""A push service of the tests' own: a real HTTP server on this host, and a browser that reads what arrives there.

It reads messages and checks signatures with the libraries of others (http_ece, py_vapid), which the site does not use.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tests.stables.webhooks.receiver import Receiver, Sent, be_patient, listening
from webhooks.web_push import encoded, new_private_key

CONTACT = "mailto:operator@example.org"


@dataclass
class Browser:
    """A browser that has subscribed: its key pair and its secret, and where its push service listens."""

    service: Receiver
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = bytes(range(16))

    @property
    def form(self) -> dict[str, str]:
        """What its script puts into the form of the page."""
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.service.url, "public_key": encoded(point), "secret": encoded(self.secret)}

    def read(self, sent: Sent) -> dict[str, Any]:
        """Read a message as the browser does: only its own key opens it."""
        text = http_ece.decrypt(sent.body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        read: dict[str, Any] = json.loads(text)
        return read

    def messages(self) -> list[dict[str, Any]]:
        return [self.read(sent) for sent in self.service.sent]


def is_signed(sent: Sent) -> bool:
    """Whether a message was signed by the key that its header names."""
    verified: bool = Vapid02.verify(sent.headers["Authorization"])
    return verified


@pytest.fixture
def push_browser(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    """A browser whose push service listens on this host, where the operator allows that; the site has a key."""
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = True
    settings.PUSH_PRIVATE_KEY, settings.PUSH_CONTACT = new_private_key(), CONTACT
    be_patient(monkeypatch.setattr)
    with listening() as service:
        yield Browser(service)
