"""Hashes of the source code in rules/, to know which results come from the same code."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = (".py", ".json")
"""The endings of files that count: code, and the numbers that it reads."""


@cache
def source_hash(*places: str) -> str:
    """Return the hash (64 hex digits) of the code and JSON in these files and folders below rules/.

    Without `places` it is that of all of rules/. It is worked out once a process, so restart the process after a change
    of the code.
    """
    found = sha256()
    for place in places or (".",):
        path = ROOT / place
        files = (each for each in path.rglob("*") if each.suffix in SUFFIXES) if path.is_dir() else [path]
        for file in sorted(files):
            found.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()
