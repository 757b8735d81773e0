"""Photos that people send: checked by their content, made small, and encoded again as a plain picture.

Only the pixels are kept, so what a camera stores with the picture (place, time, its owner) is gone.
"""

from __future__ import annotations

import struct
from io import BytesIO

from PIL import Image, ImageOps, UnidentifiedImageError

from rules.core.refusals import Malformed

LARGEST_UPLOAD = 8 * 1024 * 1024
"""The most bytes of a photo that a person sends."""

MOST_PIXELS = 30_000_000
"""Pictures with more are not decoded: a small file can hold a picture that fills the memory."""

LONGEST_EDGE = 1600
"""The most pixels of an edge of the stored picture."""

LARGEST_STORED = 400_000
"""The most bytes of the stored picture."""

FORMATS = ("JPEG", "PNG", "WEBP")
QUALITIES = (85, 76, 66, 55, 45)
SMALLER = 0.75
"""The factor by which the edges shrink when even the lowest quality has too many bytes."""

BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    TypeError,
    LookupError,
    ArithmeticError,
    RuntimeError,
    struct.error,
)
"""What decoders raise on files that are damaged or made to do damage."""


def stored_photo(sent: bytes) -> bytes:
    """Return a photo as this site stores it: a JPEG, upright, without metadata, within LONGEST_EDGE and LARGEST_STORED.

    Raises Malformed (photo_too_large, photo_not_an_image, photo_too_many_pixels).
    """
    if len(sent) > LARGEST_UPLOAD:
        raise Malformed("photo_too_large", megabytes=LARGEST_UPLOAD // 2**20)
    try:
        with Image.open(BytesIO(sent), formats=FORMATS) as image:
            return _written(_small(image))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_many_pixels() from None
    except (UnidentifiedImageError, MemoryError, struct.error, *BROKEN):
        raise Malformed("photo_not_an_image") from None


def _too_many_pixels() -> Malformed:
    return Malformed("photo_too_many_pixels", megapixels=MOST_PIXELS // 1_000_000)


def _small(image: Image.Image) -> Image.Image:
    """Return the picture upright, in RGB, with edges of at most LONGEST_EDGE.

    Raises Malformed (photo_too_many_pixels).
    """
    if image.width * image.height > MOST_PIXELS:
        raise _too_many_pixels()
    # A JPEG can be decoded at a fraction of its size.
    image.draft("RGB", (LONGEST_EDGE, LONGEST_EDGE))
    image.load()
    upright = ImageOps.exif_transpose(image) or image
    upright.thumbnail((LONGEST_EDGE, LONGEST_EDGE), Image.Resampling.LANCZOS, reducing_gap=3.0)
    if upright.has_transparency_data:
        upright = Image.alpha_composite(Image.new("RGBA", upright.size, "white"), upright.convert("RGBA"))
    # Paste into a new picture, so that only the pixels come along.
    clean = Image.new("RGB", upright.size)
    clean.paste(upright.convert("RGB"))
    return clean


def _written(image: Image.Image) -> bytes:
    """Return the picture as a JPEG of at most LARGEST_STORED bytes."""
    while True:
        for quality in QUALITIES:
            written = BytesIO()
            image.save(written, "JPEG", quality=quality, optimize=True, progressive=True)
            if written.tell() <= LARGEST_STORED:
                return written.getvalue()
        image = image.resize((max(1, int(image.width * SMALLER)), max(1, int(image.height * SMALLER))))
