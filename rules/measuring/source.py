"""What code this is: hashes of the source as it lies here, to know what the same code has played."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = (".py", ".json")
"""Code, and the numbers that it reads."""


@cache
def source_hash(*places: str) -> str:
    """Return the hash (64 hex digits) of the files and folders of rules/ at these places; without any, of all of it.

    It is worked out once a process: who changes the code starts again.
    """
    found = sha256()
    for place in places or (".",):
        path = ROOT / place
        files = (each for each in path.rglob("*") if each.suffix in SUFFIXES) if path.is_dir() else [path]
        for file in sorted(files):
            found.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()
