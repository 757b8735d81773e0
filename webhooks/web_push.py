"""Messages to browsers: encrypted for one browser (RFC 8291) and signed for its push service (RFC 8292).

Only `cryptography` is needed. What posts them is `webhooks.posting`, like every other news that leaves the site.
"""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from webhooks.addresses import Target

RECORD = 4096
MOST_BYTES = RECORD - 103
"""The longest message: a record of 4096 bytes holds its head of 86, one byte of padding and a tag of 16, too."""
POINT, AUTH = 65, 16
"""Bytes of a browser's public key (a point of P-256, uncompressed) and of its secret."""
SIGNED_FOR = 12 * 3600
"""Seconds for which a signature is good; push services refuse more than a day."""
_CURVE = ec.SECP256R1()


@dataclass(frozen=True)
class Keys:
    """The site's own key pair: `private` signs, and browsers subscribe for `public` (base64url)."""

    private: ec.EllipticCurvePrivateKey
    public: str


def encoded(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of a base64url text, with or without padding. Raises ValueError."""
    bare = text.rstrip("=").encode("ascii")
    return base64.b64decode(bare + b"=" * (-len(bare) % 4), altchars=b"-_", validate=True)


def new_private_key() -> str:
    """Return a new private key: 32 random bytes as base64url."""
    return encoded(ec.generate_private_key(_CURVE).private_numbers().private_value.to_bytes(32, "big"))


def keys_of(private_key: str) -> Keys:
    """Return the pair of a private key: the number of P-256 in 32 bytes as base64url. Raises ValueError."""
    number = decoded(private_key)
    if len(number) != 32:
        raise ValueError("a private key has 32 bytes")
    private = ec.derive_private_key(int.from_bytes(number, "big"), _CURVE)
    return Keys(private, encoded(_point(private)))


def read_browser(public_key: str, secret: str) -> tuple[ec.EllipticCurvePublicKey, bytes]:
    """Return the public key and the secret that a browser gave, both as base64url. Raises ValueError."""
    point, auth = decoded(public_key), decoded(secret)
    if len(point) != POINT or len(auth) != AUTH:
        raise ValueError("a browser's key has 65 bytes, its secret 16")
    return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, point), auth


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypt(
    message: bytes,
    public_key: str,
    secret: str,
    *,
    salt: bytes | None = None,
    sender: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """Return the body of a message for one browser, in the content coding aes128gcm (RFC 8188).

    `salt` (16 bytes) and `sender` are new for each message, and given only to compare with the example of RFC 8291.
    Raises ValueError for a message of more than MOST_BYTES, and as `read_browser`.
    """
    if len(message) > MOST_BYTES:
        raise ValueError(f"a message has at most {MOST_BYTES} bytes")
    receiver, auth = read_browser(public_key, secret)
    salt = salt or os.urandom(16)
    sender = sender or ec.generate_private_key(_CURVE)
    point = _point(sender)
    both = receiver.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint) + point
    shared = _derived(sender.exchange(ec.ECDH(), receiver), auth, b"WebPush: info\0" + both, 32)
    key = _derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([POINT]) + point
    # The byte 2 ends the last record, and there is no other.
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def authorization(keys: Keys, target: Target, contact: str, now: int) -> str:
    """Return the header Authorization by which a push service knows this site (VAPID).

    `contact` is a mailto: or https: address of the operator, `now` whole seconds since 1970.
    """
    claims = {"aud": f"{target.scheme}://{target.authority}", "exp": now + SIGNED_FOR, "sub": contact}
    parts = [{"typ": "JWT", "alg": "ES256"}, claims]
    signed = ".".join(encoded(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    r, s = decode_dss_signature(keys.private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return f"vapid t={signed}.{encoded(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))},k={keys.public}"
