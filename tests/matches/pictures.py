"""Pictures to send: what phones make, and what nobody should take."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image

PLACE = b"SECRETPLACE"
GPS = 0x8825
ORIENTATION = 0x0112
MAKER = 0x010F


def drawn(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """Left half red, right half blue."""
    image = Image.new(mode, (width, height), "blue")
    image.paste("red", (0, 0, width // 2, height))
    return image


def picture(width: int = 60, height: int = 40, kind: str = "JPEG", mode: str = "RGB", **options: Any) -> bytes:
    written = BytesIO()
    drawn(width, height, mode).save(written, kind, **options)
    return written.getvalue()


def telling(kind: str = "JPEG", orientation: int = 1) -> bytes:
    """A photo whose metadata tell where and with what it was taken."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    exif[MAKER] = PLACE.decode()
    place = exif.get_ifd(GPS)
    place[1], place[2], place[3], place[4] = "N", (52.0, 31.0, 12.0), "E", (13.0, 24.0, 36.0)
    exif[GPS] = place
    options: dict[str, Any] = {"exif": exif}
    if kind == "JPEG":
        options["comment"] = PLACE
    return picture(kind=kind, **options)


def bomb(width: int = 30_000, height: int = 30_000) -> bytes:
    """A small PNG that says it is enormous, and is."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    row = b"\0" * (1 + (width + 7) // 8)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def opened(stored: bytes) -> Image.Image:
    """Read a photo to its last pixel."""
    image = Image.open(BytesIO(stored))
    image.load()
    return image
