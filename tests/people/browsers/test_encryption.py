"""The encryption and signature of messages to browsers, compared with the standards' example and others' libraries."""

from __future__ import annotations

import base64
import json

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from webhooks.addresses import Target
from webhooks.web_push import MOST_BYTES, RECORD, authorization, decoded, encoded, encrypt, keys_of, new_private_key

TARGET = Target("https", "push.example.org", 443, "/send/abc")


def test_the_example_of_rfc_8291_comes_out_to_the_letter() -> None:
    """RFC 8291, section 5 and appendix A."""
    sent = encrypt(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        salt=decoded("DGv6ra1nlYgDCS1FRnbzlw"),
        sender=keys_of("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw").private,
    )
    assert encoded(sent) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


@pytest.mark.parametrize("message", [b"", b"x", bytes(MOST_BYTES)], ids=["empty", "short", "longest"])
def test_another_library_reads_the_message(message: bytes) -> None:
    browser = ec.generate_private_key(ec.SECP256R1())
    point = browser.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    secret = bytes(range(16))
    sent = encrypt(message, encoded(point), encoded(secret))
    assert http_ece.decrypt(sent, private_key=browser, auth_secret=secret, version="aes128gcm") == message
    assert len(sent) <= RECORD
    assert sent != encrypt(message, encoded(point), encoded(secret))


def test_a_message_that_no_push_service_takes_is_refused() -> None:
    keys = keys_of(new_private_key())
    with pytest.raises(ValueError, match="at most"):
        encrypt(bytes(MOST_BYTES + 1), keys.public, encoded(bytes(16)))


@pytest.mark.parametrize(
    ("public_key", "secret"),
    [
        ("", encoded(bytes(16))),
        (encoded(b"\x04" + bytes(64)), encoded(bytes(16))),
        (keys_of(new_private_key()).public, encoded(bytes(15))),
        (keys_of(new_private_key()).public, "!" * 22),
        ("é" * 87, encoded(bytes(16))),
    ],
    ids=["no key", "no point of the curve", "short secret", "no base64", "no ascii"],
)
def test_anything_but_the_key_of_a_browser_is_refused(public_key: str, secret: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the library's own words
        encrypt(b"x", public_key, secret)


def test_another_library_verifies_the_signature_for_one_push_service_and_half_a_day() -> None:
    keys = keys_of(new_private_key())
    header = authorization(keys, TARGET, "mailto:operator@example.org", 1_800_000_000)
    assert Vapid02.verify(header)
    token = header.removeprefix("vapid t=").partition(",k=")[0]
    head, claims, _ = (base64.urlsafe_b64decode(part + "==") for part in token.split("."))
    assert json.loads(head) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(claims) == {
        "aud": "https://push.example.org",
        "exp": 1_800_000_000 + 12 * 3600,
        "sub": "mailto:operator@example.org",
    }
    other = keys_of(new_private_key()).public
    assert not Vapid02.verify(header.replace(keys.public, other))
