"""What becomes of a photo on its way in: small, upright, without what the camera noted; or refused."""

from __future__ import annotations

import contextlib
import random
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from rules.core.refusals import Malformed
from tests.matches.pictures import GPS, ORIENTATION, PLACE, bomb, drawn, opened, picture, telling
from web import photos
from web.bounds import LARGEST_PHOTO, MOST_PHOTO_PIXELS, MOST_PHOTO_PIXELS_IN_SCANS, MOST_PHOTO_SCANS
from web.photos import LARGEST_STORED, LONGEST_EDGE, stored_photo


def near(pixel: Any, wanted: tuple[int, int, int]) -> bool:
    return all(abs(value - other) < 40 for value, other in zip(pixel, wanted, strict=True))


RED, BLUE = (255, 0, 0), (0, 0, 255)


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        *(("JPEG", mode) for mode in ("RGB", "L", "CMYK")),
        *(("PNG", mode) for mode in ("RGB", "RGBA", "L", "LA", "P", "1", "I;16")),
        *(("WEBP", mode) for mode in ("RGB", "RGBA")),
    ],
)
def test_every_sort_of_picture_becomes_a_plain_jpeg(kind: str, mode: str) -> None:
    written = BytesIO()
    drawn(60, 40).convert(mode).save(written, kind)
    stored = opened(stored_photo(written.getvalue()))
    assert (stored.format, stored.mode, stored.size) == ("JPEG", "RGB", (60, 40))


def test_what_is_transparent_becomes_white() -> None:
    written = BytesIO()
    Image.new("RGBA", (20, 20), (0, 0, 0, 0)).save(written, "PNG")
    assert near(opened(stored_photo(written.getvalue())).getpixel((10, 10)), (255, 255, 255))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_what_the_camera_noted_is_gone(kind: str) -> None:
    sent = telling(kind)
    assert PLACE in sent
    assert Image.open(BytesIO(sent)).getexif().get_ifd(GPS)
    stored = stored_photo(sent)
    assert PLACE not in stored
    assert b"Exif" not in stored
    image = opened(stored)
    assert not image.getexif()
    assert not image.getexif().get_ifd(GPS)
    assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density", "progressive", "progression"}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize(
    ("orientation", "size", "red_at", "blue_at"),
    [
        (1, (60, 40), (5, 20), (55, 20)),
        (2, (60, 40), (55, 20), (5, 20)),
        (3, (60, 40), (55, 20), (5, 20)),
        (6, (40, 60), (20, 5), (20, 55)),
        (8, (40, 60), (20, 55), (20, 5)),
    ],
)
def test_a_photo_stands_upright(
    kind: str, orientation: int, size: tuple[int, int], red_at: tuple[int, int], blue_at: tuple[int, int]
) -> None:
    sent = telling(kind, orientation)
    assert Image.open(BytesIO(sent)).getexif()[ORIENTATION] == orientation
    image = opened(stored_photo(sent))
    assert image.size == size
    assert near(image.getpixel(red_at), RED)
    assert near(image.getpixel(blue_at), BLUE)


@pytest.mark.parametrize(("width", "height"), [(4000, 3000), (3000, 4000), (1601, 10), (5000, 1)])
def test_a_large_photo_becomes_a_smaller_one(width: int, height: int) -> None:
    image = opened(stored_photo(picture(width, height)))
    assert max(image.size) == LONGEST_EDGE
    assert abs(image.width * height - image.height * width) <= max(width, height) or min(image.size) == 1


def test_a_small_photo_stays_as_small_as_it_is() -> None:
    assert opened(stored_photo(picture(3, 2))).size == (3, 2)


def test_noise_fits_too() -> None:
    """What compresses worst is stored in fewer bytes than is allowed."""
    noise = Image.frombytes("RGB", (1600, 1600), random.Random(1).randbytes(1600 * 1600 * 3))
    written = BytesIO()
    noise.save(written, "JPEG", quality=95)
    assert len(written.getvalue()) > LARGEST_STORED
    assert len(stored_photo(written.getvalue())) <= LARGEST_STORED


def gif() -> bytes:
    written = BytesIO()
    drawn(20, 20).save(written, "GIF")
    return written.getvalue()


NO_PICTURES = {
    "nothing": b"",
    "text": b"I am a photo, honestly.",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "html": b"<html><script>alert(1)</script></html>",
    "gif": gif(),
    "cut off": picture(600, 400)[:900],
    "cut off png": picture(600, 400, "PNG")[:-40],
    "a jpeg's first bytes": b"\xff\xd8\xff\xe0" + b"\0" * 400,
    "a png's first bytes": b"\x89PNG\r\n\x1a\n" + b"\xff" * 400,
    "a webp's first bytes": b"RIFF\xff\xff\xff\x7fWEBPVP8 " + b"\xff" * 400,
}


@pytest.mark.parametrize("sent", NO_PICTURES.values(), ids=NO_PICTURES)
def test_a_file_that_is_not_a_picture_is_refused_whatever_its_name(sent: bytes) -> None:
    with pytest.raises(Malformed) as refused:
        stored_photo(sent)
    assert refused.value.code == "photo_not_an_image"


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_files_that_are_damaged_anywhere_are_refused_and_break_nothing() -> None:
    rng = random.Random(7)
    for kind in ("JPEG", "PNG", "WEBP"):
        whole = telling(kind)
        for _ in range(60):
            damaged = bytearray(whole)
            for _ in range(rng.randint(1, 12)):
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            # Anything but a refusal would be raised through here.
            with contextlib.suppress(Malformed):
                assert opened(stored_photo(bytes(damaged))).format == "JPEG"


@pytest.mark.parametrize("side", [6_000, 12_000, 20_000])
def test_a_bomb_is_refused_before_it_is_decoded(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = bomb(side, side)
    assert len(sent) < 100_000
    monkeypatch.setattr(Image.Image, "load", lambda *arguments: pytest.fail("decoded"))
    with pytest.raises(Malformed) as refused:
        stored_photo(sent)
    assert refused.value.code == "photo_too_many_pixels"


def test_more_than_the_limit_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photos.Image, "open", lambda *arguments, **options: pytest.fail("opened"))
    with pytest.raises(Malformed) as refused:
        stored_photo(b"\xff\xd8\xff" + b"\0" * LARGEST_PHOTO)
    assert refused.value.code == "photo_too_large"


@pytest.mark.parametrize(("width", "height"), [(8160, 6120), (16_000, 2000), (2000, 16_000)])
def test_a_large_jpeg_is_decoded_at_a_fraction(width: int, height: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty megapixels and panoramas come in, and never stand in the memory whole."""
    sent = picture(width, height, mode="L")
    assert width * height > MOST_PHOTO_PIXELS
    decoded = []
    thumbnail = Image.Image.thumbnail

    def noted(image: Image.Image, *arguments: Any, **options: Any) -> None:
        decoded.append(max(image.size))
        thumbnail(image, *arguments, **options)

    monkeypatch.setattr(Image.Image, "thumbnail", noted)
    assert max(opened(stored_photo(sent)).size) == LONGEST_EDGE
    assert len(decoded) == 1
    assert decoded[0] < 2 * LONGEST_EDGE


def test_f_41_a_photo_of_fifty_megapixels_comes_in_with_all_the_detail_of_a_camera() -> None:
    """A drawn picture of that size is small; the noise of a camera is what takes the bytes."""
    noise, whole = Image.effect_noise((1020, 1020), 11), Image.new("L", (8160, 6120))
    for column in range(8):
        for row in range(6):
            whole.paste(noise, (column * 1020, row * 1020))
    sent = BytesIO()
    whole.save(sent, "JPEG", quality=90)
    assert 10 * 2**20 < sent.tell() < LARGEST_PHOTO
    assert opened(stored_photo(sent.getvalue())).size == (1600, 1200)


SCAN = b"\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00\x2b"


def of_scans(count: int, width: int = 60, height: int = 40) -> bytes:
    """A progressive JPEG of so many scans; decoders take those that repeat the picture's own."""
    sent = picture(width, height, mode="L", progressive=True)
    return sent.removesuffix(b"\xff\xd9") + SCAN * (count - photos._scans(sent)) + b"\xff\xd9"


def refused_unloaded(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> Malformed:
    monkeypatch.setattr(Image.Image, "load", lambda *arguments: pytest.fail("decoded"))
    with pytest.raises(Malformed) as refused:
        stored_photo(sent)
    return refused.value


def test_a_jpeg_of_very_many_scans_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened(stored_photo(of_scans(MOST_PHOTO_SCANS))).size == (60, 40)
    refused = refused_unloaded(of_scans(8000), monkeypatch)
    assert (refused.code, refused.parameters) == ("photo_too_many_scans", {"most": MOST_PHOTO_SCANS})


def test_a_jpeg_that_is_held_whole_may_have_fewer_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = refused_unloaded(of_scans(20, 6000, 5000), monkeypatch)
    millions = MOST_PHOTO_PIXELS_IN_SCANS // 1_000_000
    assert (refused.code, refused.parameters) == ("photo_too_many_pixels", {"megapixels": millions})


@pytest.mark.parametrize("mark", [SCAN, b"\xff\xff\xd9"])
def test_marks_in_what_a_camera_notes_or_appends_are_no_scans(mark: bytes) -> None:
    """A small picture in the notes has a scan and an end of its own, and a short film may follow the picture."""
    sent = picture(comment=mark * 200) + SCAN * 200
    assert photos._scans(sent) == 1

    assert opened(stored_photo(sent)).size == (60, 40)


def test_a_jpeg_of_endless_notes_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photos.Image, "open", lambda *arguments, **options: pytest.fail("opened"))
    with pytest.raises(Malformed, match="photo_not_an_image"):
        stored_photo(b"\xff\xd8" + b"\xff\xfe\x00\x02" * 10_000)
