"""Photos that people send: checked by their content, made small, and encoded again as a plain picture.

Only the pixels are kept, so what a camera stores with the picture (place, time, its owner) is gone.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy
from django.views.decorators.http import condition
from PIL import Image, ImageOps, UnidentifiedImageError
from PIL.JpegImagePlugin import JpegImageFile

from rules.core.refusals import Malformed
from web.bounds import (
    LARGEST_PHOTO,
    MOST_PHOTO_PIXELS,
    MOST_PHOTO_PIXELS_AT_A_FRACTION,
    MOST_PHOTO_PIXELS_IN_SCANS,
    MOST_PHOTO_SCANS,
)

LONGEST_EDGE = 1600
"""The most pixels of an edge of the stored picture."""

LARGEST_STORED = 400_000
"""The most bytes of the stored picture."""

SQUARE = 240
"""The pixels of an edge of a photo that is kept as a small square."""

LARGEST_SQUARE = 30_000
"""The most bytes of such a square."""

LASTS = 300
"""Seconds for which a browser shows a photo without asking again."""

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

_SEGMENT = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]")
"""The mark of a JPEG's next segment that has a length, or of its end. Decoders skip all bytes before it."""

_SCAN, _END = 0xDA, 0xD9

MOST_SEGMENTS = 2000
"""The most segments of a JPEG; the largest notes of cameras take some hundred."""


def stored_photo(sent: bytes, *, is_square: bool = False) -> bytes:
    """Return a photo as this site stores it: a JPEG, upright, without metadata, within LONGEST_EDGE and LARGEST_STORED.

    With `is_square` it is the middle of the photo, within SQUARE and LARGEST_SQUARE.

    Raises Malformed (photo_too_large, photo_not_an_image, photo_too_many_pixels, photo_too_many_scans).
    """
    if len(sent) > LARGEST_PHOTO:
        raise Malformed("photo_too_large", megabytes=LARGEST_PHOTO // 2**20)
    scans = _scans(sent)
    try:
        with Image.open(BytesIO(sent), formats=FORMATS) as image:
            _refuse_pixels(image, scans)
            small = _small(image)
            if is_square:
                edge = min(SQUARE, *small.size)
                return _written(ImageOps.fit(small, (edge, edge)), LARGEST_SQUARE)
            return _written(small, LARGEST_STORED)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_many_pixels(MOST_PHOTO_PIXELS_AT_A_FRACTION) from None
    except (UnidentifiedImageError, MemoryError, struct.error, *BROKEN):
        raise Malformed("photo_not_an_image") from None


def _too_many_pixels(most: int) -> Malformed:
    return Malformed("photo_too_many_pixels", megapixels=most // 1_000_000)


def _refuse_pixels(image: Image.Image, scans: int) -> None:
    """Raise Malformed (photo_too_many_pixels) for a picture that takes too much memory to decode.

    A JPEG of several scans is held whole, six bytes a pixel. Any other is decoded row by row at a fraction of its size.
    """
    most = MOST_PHOTO_PIXELS
    if isinstance(image, JpegImageFile):
        is_held = scans > 1 or "progressive" in image.info
        most = MOST_PHOTO_PIXELS_IN_SCANS if is_held else MOST_PHOTO_PIXELS_AT_A_FRACTION
    if image.width * image.height > most:
        raise _too_many_pixels(most)


def _scans(sent: bytes) -> int:
    """Return how many scans a JPEG has, 0 for another file. What follows the picture's end does not count.

    Every scan walks the whole picture. Raises Malformed (photo_too_many_scans, and photo_not_an_image for more than
    MOST_SEGMENTS).
    """
    scans = position = 0
    if not sent.startswith(b"\xff\xd8"):
        return 0
    for _ in range(MOST_SEGMENTS):
        mark = _SEGMENT.search(sent, position)
        if mark is None or mark[0][1] == _END:
            return scans
        scans += mark[0][1] == _SCAN
        if scans > MOST_PHOTO_SCANS:
            raise Malformed("photo_too_many_scans", most=MOST_PHOTO_SCANS)
        position = mark.end() + int.from_bytes(sent[mark.end() : mark.end() + 2])
    raise Malformed("photo_not_an_image")


def _small(image: Image.Image) -> Image.Image:
    """Return the picture upright, in RGB, with edges of at most LONGEST_EDGE."""
    share = LONGEST_EDGE / max(image.size)
    # A JPEG can be decoded at a fraction of its size.
    image.draft("RGB", (round(image.width * share) or 1, round(image.height * share) or 1))
    image.load()
    # Turning a picture copies it, so it is made small first.
    image.thumbnail((LONGEST_EDGE, LONGEST_EDGE), Image.Resampling.LANCZOS, reducing_gap=3.0)
    upright = ImageOps.exif_transpose(image) or image
    if upright.has_transparency_data:
        upright = Image.alpha_composite(Image.new("RGBA", upright.size, "white"), upright.convert("RGBA"))
    # Paste into a new picture, so that only the pixels come along.
    clean = Image.new("RGB", upright.size)
    clean.paste(upright.convert("RGB"))
    return clean


def _written(image: Image.Image, most: int) -> bytes:
    """Return the picture as a JPEG of at most `most` bytes."""
    while True:
        for quality in QUALITIES:
            written = BytesIO()
            image.save(written, "JPEG", quality=quality, optimize=True, progressive=True)
            if written.tell() <= most:
                return written.getvalue()
        image = image.resize((max(1, int(image.width * SMALLER)), max(1, int(image.height * SMALLER))))


def send_photo(request: HttpRequest, photo: bytes, name: str) -> HttpResponse:
    """Answer with a stored photo as a JPEG with this name, or 304 to a browser that has it."""
    seal = f'"{sha256(photo).hexdigest()[:32]}"'

    @condition(etag_func=lambda *arguments: seal)
    def answer(request: HttpRequest) -> HttpResponse:
        response = HttpResponse(photo, content_type="image/jpeg")
        response["Content-Disposition"] = f'inline; filename="{name}"'
        return response

    response = answer(request)
    # Only the reader's own browser keeps it, and not for long: it may be taken down.
    response["Cache-Control"] = f"private, max-age={LASTS}"
    response["X-Content-Type-Options"] = "nosniff"
    return response


def photo_field(label: Any) -> forms.FileField:
    """Return the form's field for a photo, which may stay empty. Do not validate it: `stored_photo` checks the file."""
    return forms.FileField(
        label=label,
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        help_text=format_lazy(
            gettext_lazy(
                "JPEG, PNG or WebP of up to {megabytes} MB. It is stored smaller, and without what the camera noted, "
                "such as the place."
            ),
            megabytes=LARGEST_PHOTO // 2**20,
        ),
    )


def photo_in(files: Mapping[str, Any]) -> bytes | None:
    """Return the photo among the sent files, None without one. Use it once only, because it reads the file.

    At most one byte more than LARGEST_PHOTO is read, enough for the refusal.
    """
    file = files.get("photo")
    return None if file is None else bytes(file.read(LARGEST_PHOTO + 1))
