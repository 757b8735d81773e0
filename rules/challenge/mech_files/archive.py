"""A zip of .mtf files, read in memory and within bounds; nothing of it is written anywhere."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator

from rules.challenge.mech_files.reading import LARGEST_TEXT, LARGEST_ZIP, LONGEST_ITEM, MOST_MECHS, Unreadable, clean

MOST_UNPACKED = 40_000_000
MOST_MEMBERS = 3 * MOST_MECHS
"""Members of any kind, folders and pictures too."""
ALONE = ("csv", "mul")
"""Endings of files that are read on their own."""
ENCRYPTED = 0x1
PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_FAULTS = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, LookupError,
    NotImplementedError, OverflowError,
)  # fmt: skip
"""What zipfile raises at damaged archives."""


def members(data: bytes) -> Iterator[tuple[str, bytes | Unreadable]]:
    """Yield each .mtf file of a zip with its name, or why it cannot be taken.

    Exports and forces are named, as they are brought beside the zip; other files are passed over.

    Raises Unreadable (too_large, bad_zip, empty_zip, too_many).
    """
    if len(data) > LARGEST_ZIP:
        raise Unreadable("too_large")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        inside = [each for each in archive.infolist() if not each.is_dir()]
    except _FAULTS as fault:
        raise Unreadable("bad_zip") from fault
    if len(inside) > MOST_MEMBERS:
        raise Unreadable("too_many")
    left, count = MOST_UNPACKED, 0
    for each in inside:
        ending = each.filename.casefold().rpartition(".")[2]
        if ending in ALONE:
            yield clean(each.filename.rpartition("/")[2], LONGEST_ITEM), Unreadable("not_in_zip")
        if ending not in ("mtf", "zip"):
            continue
        count += 1
        if count > MOST_MECHS or left <= 0:
            raise Unreadable("too_many")
        name = clean(each.filename.rpartition("/")[2], LONGEST_ITEM)
        try:
            content = _content(archive, each, ending)
        except Unreadable as fault:
            yield name, fault
        else:
            left -= len(content)
            yield name, content
    if not count:
        raise Unreadable("empty_zip")


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo, ending: str) -> bytes:
    """Return the bytes of a member. Raises Unreadable (nested_zip, bad_path, bad_member, too_large)."""
    parts = member.filename.split("/")
    if ".." in parts or not parts[0] or any(mark in member.filename for mark in "\\:\0"):
        raise Unreadable("bad_path")
    if ending == "zip":
        raise Unreadable("nested_zip")
    if member.flag_bits & ENCRYPTED or member.compress_type not in PLAIN:
        raise Unreadable("bad_member")
    if member.file_size > LARGEST_TEXT:
        raise Unreadable("too_large")
    try:
        with archive.open(member) as stream:
            content = stream.read(LARGEST_TEXT + 1)
    except _FAULTS as fault:
        raise Unreadable("bad_member") from fault
    if len(content) > LARGEST_TEXT:
        raise Unreadable("too_large")
    return content
