"""What all readers of 'Mech files share: what a file says of a 'Mech, bounds, and why something cannot be read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.challenge.book.price_list import LONGEST_NAME, id_of
from rules.challenge.mechs import LEAST_TONS, MOST_TONS

LARGEST_TEXT = 200_000
"""Bytes of a .mtf file."""
LARGEST_TABLE = 5_000_000
"""Bytes of a CSV export or a .mul file."""
LARGEST_ZIP = 10_000_000
MOST_MECHS = 5000
MOST_MOVEMENT = 30
LONGEST_LINE = 400
LONGEST_ITEM = 80
MOST_ITEMS = 40
"""Names of unknown items that are kept of one 'Mech."""

UNREADABLE = (
    "unknown_ending", "too_large", "no_name", "name_too_long", "no_tons", "no_movement", "no_engine", "no_armor",
    "no_slots", "twice", "too_many", "bad_zip", "nested_zip", "bad_path", "bad_member", "empty_zip", "not_in_zip",
    "no_heading", "bad_fields", "bad_xml", "doctype", "not_a_mech",
)  # fmt: skip
"""Why a file, a member of a zip or a line of a table cannot be taken."""

FORMULA, FILE = "formula", "file"
"""Where the cost of a 'Mech comes from: the construction formula, or the file itself."""


class Unreadable(Exception):
    """A file, or a part of one, that cannot be taken; `why` is one of UNREADABLE."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class FileMech:
    """What files say of a 'Mech. `cost` is in C-bills, None when it is unknown; `basis` says where it comes from.

    `flags` and `open_leg_slots` are None where the file does not say. `unknown` are items that no table knows,
    `unpriced` parts that the price table lacks, both as the file names them.
    """

    name: str
    tons: int
    tech: str
    omni: bool
    walk: int
    jump: int
    cost: int | None = None
    basis: str = ""
    flags: tuple[str, ...] | None = None
    open_leg_slots: tuple[int, int] | None = None
    unknown: tuple[str, ...] = ()
    unpriced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """What cannot be taken: the file, member or line of it, and why."""

    place: str
    why: str


def text_of(data: bytes, most: int) -> str:
    """Return the text of a file: UTF-8, or else as Windows writes it in the West. Raises Unreadable (too_large)."""
    if len(data) > most:
        raise Unreadable("too_large")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    return text.replace("\0", "")


def clean(text: str, longest: int) -> str:
    """Return a text in one line with single blanks, without anything unprintable, cut off at `longest` letters."""
    words = "".join(letter if letter.isprintable() else " " for letter in text).split()
    return " ".join(words)[:longest].strip()


def name_of(chassis: str, model: str, clan_name: str = "") -> str:
    """Return how the list names a 'Mech. Raises Unreadable (no_name, name_too_long)."""
    if clan_name and clan_name.casefold() not in chassis.casefold():
        chassis = f"{chassis} ({clan_name})"
    name = clean(f"{chassis} {model}", LONGEST_LINE)
    if not chassis.strip() or not id_of(name):
        raise Unreadable("no_name")
    if len(name) > LONGEST_NAME:
        raise Unreadable("name_too_long")
    return name


def tons_of(text: str) -> int:
    """Return tons, whole. Raises Unreadable (no_tons) for anything but 20 to 100."""
    match = re.fullmatch(r"([0-9]{1,3})(?:\.0+)?", text.strip())
    if match is None or not LEAST_TONS <= int(match[1]) <= MOST_TONS:
        raise Unreadable("no_tons")
    return int(match[1])


def movement_of(text: str) -> int:
    """Return movement points, 0 to 30. Raises Unreadable (no_movement)."""
    match = re.fullmatch(r"([0-9]{1,2})(?:\.0+)?", text.strip())
    if match is None or int(match[1]) > MOST_MOVEMENT:
        raise Unreadable("no_movement")
    return int(match[1])
